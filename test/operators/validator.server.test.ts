import { type Client, createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import {
  type Condition,
  Conditions,
  Controller,
  CustomResource,
  findCondition,
  KubernetesObject,
  ManualClock,
  type ObjectValidator,
  Owns,
  Reconcile,
  SeededRandom,
  type ServedObject,
  Spec,
  Status,
  type Transport,
} from '@evenkeel/core';
import { ConfigMap, CustomResourceDefinition, Event } from '@evenkeel/kinds';
import { Environment, eventually } from '@evenkeel/testing';
import { createManager, type Manager } from '../../packages/runtime/src/manager/manager.ts';
import { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import type { ReconcileRun } from '../../packages/runtime/src/reconcile/reconcile-run.ts';
import { describeWithRealServer, type RealServer, startRealServer } from '../real-server.fixture.ts';
import { definitionOf } from './definition.fixture.ts';

class PageSpec {
  size = 1;
}

class PageStatus {
  seen?: number;
  @Conditions() conditions?: Condition[];
}

@CustomResource({ group: 'validator.example.com', version: 'v1' })
class Page extends KubernetesObject {
  @Spec() spec!: PageSpec;
  @Status() status!: PageStatus;
}

@Controller(Page)
@Owns(ConfigMap)
class PageController {
  @Reconcile()
  async reconcile(page: Page, context: ReconcileContext): Promise<void> {
    const { name } = page.metadata;
    await context.apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: {} });
    page.status.seen = page.spec.size;
  }
}

const integer = { type: 'integer' };
const text = { type: 'string' };

/** The CRD of an older release, which does not limit the size of a page. */
const looseDefinition = definitionOf(Page, {
  spec: { type: 'object', properties: { size: integer } },
  status: {
    type: 'object',
    properties: {
      seen: integer,
      conditions: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            ...{ type: text, status: text, reason: text, message: text, lastTransitionTime: text },
            observedGeneration: integer,
          },
        },
      },
    },
  },
});

/** An operator on a server, with its observable results. */
class Stage {
  readonly clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  readonly runs: ReconcileRun[] = [];
  readonly client: Client;
  readonly #transport: Transport;
  #waiting: (() => void)[] = [];
  #manager: Manager | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.client = createClient(transport, { fieldManager: 'test' });
  }

  async start(validator: ObjectValidator): Promise<void> {
    this.#manager = await createManager({
      transport: this.#transport,
      controllers: [PageController],
      namespaces: ['default'],
      clock: this.clock,
      random: new SeededRandom(1),
      validator,
      observer: (run) => {
        this.runs.push(run);
        for (const resolve of this.#waiting.splice(0)) resolve();
      },
    });
    await this.#manager.start();
    await this.#manager.waitUntilReady();
  }

  async stop(): Promise<void> {
    await this.#manager?.stop();
    this.#manager = undefined;
  }

  create(name: string, size: number): Promise<ServedObject<Page>> {
    return this.client.create(Page, { metadata: { name, namespace: 'default' }, spec: { size } });
  }

  resize(name: string, size: number): Promise<ServedObject<Page>> {
    return this.client.patch(Page, `default/${name}`, { merge: { spec: { size } } });
  }

  get(name: string): Promise<ServedObject<Page>> {
    return this.client.get(Page, `default/${name}`);
  }

  runsOf(name: string): ReconcileRun[] {
    return this.runs.filter(({ key }) => key.name === name);
  }

  /** Resolves with the outcomes of the runs of an object when there are as many as expected. */
  async outcomes(name: string, count: number): Promise<string[]> {
    while (this.runsOf(name).length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.runsOf(name).map(({ outcome }) => outcome);
  }

  /** Resolves when the manager has processed everything that was written before. */
  async settled(): Promise<void> {
    const name = `marker-${this.runs.length}`;
    await this.create(name, 1);
    await this.outcomes(name, 1);
  }

  async notes(name: string): Promise<(string | undefined)[]> {
    // The manager writes its Events before it has stopped.
    await this.stop();
    const { items } = await this.client.list(Event, { namespace: 'default', fields: { reason: 'Invalid' } });
    return items.filter(({ regarding }) => regarding?.name === name).map(({ type, note }) => `${type} ${note}`);
  }
}

/** Accepts pages with at most five lines, and records the objects that it checks. */
class Sizes implements ObjectValidator {
  readonly shown: string[] = [];

  validate(object: KubernetesObject) {
    this.shown.push(object.kind);
    const { size } = (object as Page).spec;
    return size > 5 ? [{ path: 'spec.size', message: 'must not be greater than 5' }] : [];
  }
}

function validatorTests(transportOf: () => Transport): void {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage(transportOf());
  });
  afterEach(() => stage.stop());

  it('does not reconcile an invalid object until a change makes it valid, and reports it once', async () => {
    await stage.start(new Sizes());
    await stage.create('long', 9);
    expect(await stage.outcomes('long', 1)).toEqual(['invalid']);
    const refused = await stage.get('long');
    expect(refused.status).toEqual({
      conditions: [
        {
          type: 'Valid',
          status: 'False',
          reason: 'Invalid',
          message: 'spec.size: must not be greater than 5',
          observedGeneration: 1,
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    });
    // Its own write of the status triggers nothing.
    await stage.settled();
    expect(stage.runsOf('long')).toHaveLength(1);
    await stage.resize('long', 2);
    expect(await stage.outcomes('long', 2)).toEqual(['invalid', 'await-change']);
    const { status } = await stage.get('long');
    expect(status?.seen).toBe(2);
    expect(findCondition(status?.conditions, 'Valid')).toMatchObject({ status: 'True', reason: 'Passed' });
    // One write for the child, and one for the whole status.
    expect(stage.runsOf('long')[1]?.writes).toHaveLength(2);
    expect(await stage.notes('long')).toEqual(['Warning Not reconciled: spec.size: must not be greater than 5']);
  });

  it('neither repairs nor deletes children of an invalid object', async () => {
    const validator = new Sizes();
    await stage.start(validator);
    await stage.create('grown', 1);
    await stage.outcomes('grown', 1);
    await stage.resize('grown', 9);
    await stage.outcomes('grown', 2);
    await stage.client.patch(ConfigMap, 'default/grown', { merge: { data: { by: 'hand' } } });
    expect(await stage.outcomes('grown', 3)).toEqual(['await-change', 'invalid', 'invalid']);
    expect(stage.runsOf('grown')[2]?.writes).toEqual([]);
    expect((await stage.client.get(ConfigMap, 'default/grown')).data).toEqual({ by: 'hand' });
    expect(new Set(validator.shown)).toEqual(new Set(['Page']));
    expect(await stage.notes('grown')).toHaveLength(1);
  });

  it('reports nothing again when the operator restarts', async () => {
    await stage.start(new Sizes());
    await stage.create('known', 9);
    await stage.outcomes('known', 1);
    await stage.stop();
    stage.runs.length = 0;
    await stage.start(new Sizes());
    expect(await stage.outcomes('known', 1)).toEqual(['invalid']);
    expect(stage.runsOf('known')[0]?.writes).toEqual([]);
    expect(await stage.notes('known')).toHaveLength(1);
  });

  it('does not block the deletion of an object, valid or not', async () => {
    await stage.start(new Sizes());
    await stage.client.create(Page, {
      metadata: { name: 'leaving', namespace: 'default', finalizers: ['example.com/hold'] },
      spec: { size: 9 },
    });
    await stage.outcomes('leaving', 1);
    await stage.client.delete(Page, 'default/leaving');
    expect(await stage.outcomes('leaving', 2)).toEqual(['invalid', 'deleting']);
    await stage.client.patch(Page, 'default/leaving', { merge: { metadata: { finalizers: null } } });
    expect(await stage.outcomes('leaving', 3)).toEqual(['invalid', 'deleting', 'gone']);
  });

  it('does not reconcile an object if the check throws, and retries with backoff', async () => {
    let broken = true;
    const sizes = new Sizes();
    await stage.start({
      validate: (object) => {
        if (broken && object.metadata.name === 'unchecked') throw new Error('boom');
        return sizes.validate(object);
      },
    });
    await stage.create('unchecked', 1);
    expect(await stage.outcomes('unchecked', 1)).toEqual(['failed']);
    expect(String(stage.runsOf('unchecked')[0]?.error)).toContain(
      'cannot validate Page default/unchecked: the validator threw: boom',
    );
    expect((await stage.get('unchecked')).status).toBeUndefined();
    broken = false;
    await stage.clock.advance(60_000);
    expect(await stage.outcomes('unchecked', 2)).toEqual(['failed', 'await-change']);
  });

  it('does not start with a validator that cannot check its kinds', async () => {
    const prepared: string[] = [];
    const validator: ObjectValidator = {
      prepare: ({ name }) => {
        prepared.push(name);
        throw new Error('not this one');
      },
      validate: () => [],
    };
    await expect(stage.start(validator)).rejects.toThrow('not this one');
    expect(prepared).toEqual(['Page']);
  });
}

describe('a validator of a manager on the embedded server', () => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await Environment.create({ variables: {}, definitions: [looseDefinition] });
  });
  afterAll(() => environment?.close());
  validatorTests(() => environment.transport);
});

describeWithRealServer('a validator of a manager on a real server', () => {
  let server: RealServer;
  let transport: Transport;
  beforeAll(async () => {
    server = await startRealServer();
    transport = httpsTransport(await loadConnection({ kubeconfig: server.kubeconfig }));
    const client = createClient(transport, { fieldManager: 'test' });
    await client.create(CustomResourceDefinition, looseDefinition);
    // An informer that starts too early waits for its backoff, which ends only if a test advances its clock.
    await eventually(() => client.list(Page));
  });
  afterAll(async () => {
    await transport?.close();
    await server?.stop();
  });
  validatorTests(() => transport);
});
