import { type Client, createClient } from '@evenkeel/client';
import {
  type ApiResource,
  Controller,
  CustomResource,
  KubernetesObject,
  Reconcile,
  Spec,
  Status,
} from '@evenkeel/core';
import { CustomResourceDefinition, Event } from '@evenkeel/kinds';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { definitionOf } from './definition.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

class DepotSpec {
  size = 1;
}

class DepotStatus {
  seen?: number;
}

/** The only version that the operator knows. */
@CustomResource({ group: 'lossy.example.com', version: 'v1' })
class Depot extends KubernetesObject {
  @Spec() spec!: DepotSpec;
  @Status() status!: DepotStatus;
}

const v2: ApiResource = {
  group: 'lossy.example.com',
  version: 'v2',
  kind: 'Depot',
  plural: 'depots',
  namespaced: true,
};

type Write = (depot: Depot, context: ReconcileContext) => Promise<unknown>;

/** What the next runs write besides the status. */
let writes: Write[] = [];
const errors: unknown[] = [];

@Controller(Depot)
class DepotController {
  @Reconcile()
  async reconcile(depot: Depot, context: ReconcileContext): Promise<void> {
    for (const write of writes) await write(depot, context).catch((error: unknown) => errors.push(error));
    depot.status.seen = depot.spec.size;
  }
}

const size = { size: { type: 'integer', default: 1 } };
const status = { type: 'object', properties: { seen: { type: 'integer' } } };
const color = { color: { type: 'string' }, zone: { type: 'string', default: 'a' } };

/** The CRD before and after the upgrade that adds v2. */
const before = definitionOf(Depot, { spec: { type: 'object', properties: size }, status });
const after: CustomResourceDefinition = {
  ...before,
  spec: {
    ...before.spec,
    versions: [
      ...before.spec.versions.map((version) => ({ ...version, storage: false })),
      ...definitionOf(Depot, { spec: { type: 'object', properties: { ...size, ...color } }, status }).spec.versions.map(
        (version) => ({ ...version, name: 'v2' }),
      ),
    ],
  },
};

const message = (request: string): string =>
  `${request} default/red: the cluster stores v2, and v1 does not have spec.color, so this write would drop it; nothing was written; use the class of v2, as the newest version of the operator does, or declare a conversion`;

describeOnEveryServer('an operator of a version that lacks fields of the storage version', (start) => {
  let backend: ApiBackend;
  let client: Client;
  let operator: TestOperator;

  beforeAll(async () => {
    backend = await start();
    client = createClient(backend.transport(), { fieldManager: 'test' });
  });

  beforeEach(() => {
    writes = [];
    errors.length = 0;
  });

  afterEach(async () => {
    await operator.manager.stop();
    await client.delete(CustomResourceDefinition, before.metadata.name ?? '');
    await TestOperator.until('the CRD is deleted', async () =>
      (await client.list(CustomResourceDefinition)).items.every(
        ({ metadata }) => metadata.name !== before.metadata.name,
      ),
    );
  });

  afterAll(() => backend.stop());

  /** Applies the CRD, and waits until the server serves the version. */
  async function define(definition: CustomResourceDefinition, version: string): Promise<void> {
    await client.apply(CustomResourceDefinition, definition, { force: true });
    await TestOperator.until(`${version} is served`, () =>
      client.list({ ...v2, version }).then(
        () => true,
        () => false,
      ),
    );
  }

  const create = (name: string, spec: object): Promise<unknown> =>
    client.create(v2, { metadata: { name, namespace: 'default' }, spec });
  const specOf = async (name: string): Promise<unknown> => (await client.get(v2, `default/${name}`))['spec'];

  it('writes nothing to an object that would lose fields, reports them, and reconciles all other objects', async () => {
    await define(after, 'v2');
    await create('red', { color: 'red' });
    await create('plain', {});
    const key = 'default/red';
    const ofRed: Write[] = [
      (_depot, context) => context.client.patch(Depot, key, { merge: { metadata: { labels: { a: 'b' } } } }),
      (depot, context) => context.client.update(Depot, { ...depot, spec: { size: 2 } }),
      (_depot, context) =>
        context.client.apply(
          Depot,
          { metadata: { name: 'red', namespace: 'default' }, spec: { size: 2 } },
          { fieldManager: 'x' },
        ),
      (_depot, context) => context.client.patch(Depot, key, { merge: {} }, { dryRun: true }),
    ];
    writes = ofRed.map((write) => async (depot, context) => depot.metadata.name === 'red' && write(depot, context));
    operator = await TestOperator.start(backend, [DepotController]);
    await operator.object(Depot, 'plain', (depot) => depot.status?.seen === 1);
    await operator.until('the failed run', () => operator.outcomes('red').length > 0);
    expect(operator.outcomes('red')[0]).toBe('failed');
    expect(await specOf('red')).toEqual({ size: 1, color: 'red', zone: 'a' });
    expect((await client.get(v2, 'default/red'))['status']).toBeUndefined();
    expect(errors.slice(0, 3)).toEqual(
      ['patch depots.lossy.example.com', 'update depots.lossy.example.com', 'apply depots.lossy.example.com'].map(
        (request) =>
          expect.objectContaining({ code: 'lossy-writes', message: expect.stringContaining(message(request)) }),
      ),
    );
    const problem = message('patch depots.lossy.example.com/status');
    expect(operator.runs.find(({ key }) => key.name === 'red')?.error).toMatchObject({ code: 'lossy-writes' });
    await operator.until('the Event', async () => {
      const { items } = await client.list(Event, { namespace: 'default' });
      return items.some(({ reason, note }) => reason === 'LossyWrites' && note?.includes(problem) === true);
    });
  });

  it('notices that a new CRD stores another version while it runs', async () => {
    await define(before, 'v1');
    operator = await TestOperator.start(backend, [DepotController]);
    await client.create(Depot, { metadata: { name: 'red', namespace: 'default' }, spec: { size: 1 } });
    await operator.object(Depot, 'red', (depot) => depot.status?.seen === 1);
    await define(after, 'v2');
    await operator.until('v2 is stored', () => operator.infos.some((line) => line.includes('spec.color')));
    await client.patch(v2, 'default/red', { merge: { spec: { color: 'red', size: 2 } } });
    await operator.until('the failed run', () => operator.outcomes('red').includes('failed'));
    expect(await specOf('red')).toEqual({ size: 2, color: 'red', zone: 'a' });
  });
});
