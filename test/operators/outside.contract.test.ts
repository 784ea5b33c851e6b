import { Client, createClient } from '@evenkeel/client';
import {
  Controller,
  Every,
  Index,
  ListerOf,
  Metadata,
  ObjectKey,
  Owns,
  Rbac,
  Reconcile,
  Watches,
} from '@evenkeel/core';
import { ConfigMap, Namespace, Secret, Service } from '@evenkeel/kinds';
import { injectable, postConstruct } from 'inversify';
import type { Lister } from '../../packages/runtime/src/cache/index.ts';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

/** The attempts, and the code of the error of each. */
const tried = new Map<string, string>();

async function attempt(what: string, act: () => unknown): Promise<void> {
  try {
    await act();
    tried.set(what, 'done');
  } catch (error) {
    tried.set(what, (error as { code?: string }).code ?? String(error));
  }
}

/** A foreign object in another namespace. */
const theirs = new ObjectKey('theirs', 'other');

@injectable()
class Settings {
  constructor(readonly client: Client) {}

  @postConstruct()
  async load(): Promise<void> {
    await attempt('a hook reads', () => this.client.get(ConfigMap, theirs));
  }

  read(): Promise<ConfigMap> {
    return this.client.get(ConfigMap, theirs);
  }
}

class Base {
  constructor(
    readonly client: Client,
    readonly settings: Settings,
    @ListerOf(ConfigMap) readonly maps: Lister<ConfigMap>,
  ) {}

  async tryAll(who: string, { client }: ReconcileContext): Promise<void> {
    await attempt(`${who}: the context reads`, () => client.get(ConfigMap, theirs));
    await attempt(`${who}: a client reads`, () => this.client.get(ConfigMap, theirs));
    await attempt(`${who}: a client reads all`, () => this.client.list(ConfigMap));
    await attempt(`${who}: a client writes`, () =>
      this.client.patch(ConfigMap, theirs, { merge: { data: { [who]: 'was here' } } }),
    );
    await attempt(`${who}: a service reads`, () => this.settings.read());
    await attempt(`${who}: a lister reads`, () => this.maps.get(theirs));
    await attempt(`${who}: a client reads at home`, () => this.client.list(Service, { namespace: 'default' }));
    await attempt(`${who}: a client reads a namespace`, () => this.client.get(Namespace, 'other'));
  }
}

@Controller(Secret, { name: 'homely' })
@Owns(ConfigMap)
@Rbac(ConfigMap, ['get', 'list', 'patch', 'delete'])
class Homely extends Base {
  @Every('1h')
  @Reconcile()
  async reconcile({ metadata }: Secret, context: ReconcileContext): Promise<void> {
    if (metadata.name !== 'homely') return;
    await this.tryAll('homely', context);
    // The helpers, status and Events need no other namespace, and a forged child in another namespace is not a child.
    await context.apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own' } });
    const pruned = await context.prune(ConfigMap);
    tried.set('homely: pruned', String(pruned.map((child) => ObjectKey.of(child))));
    context.events.normal('Tried', 'all of it');
    tried.set('homely: over', 'done');
  }

  @Index('label', ConfigMap)
  labelOf({ metadata }: ConfigMap): string | undefined {
    return metadata.labels?.['seen'];
  }

  @Watches(ConfigMap, { predicates: [({ object }) => object.metadata.name === theirs.name] })
  onMap(map: ConfigMap): ObjectKey[] {
    void attempt('a mapper reads', () => this.maps.list());
    return map.metadata.name === 'nobody' ? [ObjectKey.of(map)] : [];
  }
}

@Controller(Secret, { name: 'reaching', acrossNamespaces: true })
@Owns(ConfigMap)
class Reaching extends Base {
  @Reconcile()
  async reconcile({ metadata }: Secret, context: ReconcileContext): Promise<void> {
    if (metadata.name !== 'reaching') return;
    await this.tryAll('reaching', context);
    tried.set('reaching: over', 'done');
  }

  @Watches(Metadata(ConfigMap))
  onMap(): ObjectKey[] {
    return [];
  }
}

describeOnEveryServer('a namespace other than that of the reconciled object', (start) => {
  let backend: ApiBackend;
  let operator: TestOperator;

  beforeAll(async () => {
    backend = await start();
    tried.clear();
    const client = createClient(backend.transport(), { fieldManager: 'test' });
    await client.create(Namespace, { metadata: { name: 'other' } });
    await client.create(ConfigMap, { metadata: { name: theirs.name, namespace: 'other' } });
    const { metadata } = await client.create(Secret, { metadata: { name: 'homely', namespace: 'default' } });
    const { name, uid = '' } = metadata;
    await client.create(ConfigMap, {
      metadata: {
        name: 'forged',
        namespace: 'other',
        labels: { 'evenkeel.dev/controller': 'homely' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Secret', name, uid, controller: true }],
      },
    });
    operator = await TestOperator.start(backend, [Homely, Reaching], {
      namespaces: ['default', 'other'],
      services: [Settings],
      runnables: [
        {
          start: async (_failed: unknown, own: Client) => attempt('a runnable reads', () => own.list(ConfigMap)),
          stop: async () => {},
        },
      ],
    });
    await client.create(Secret, { metadata: { name: 'reaching', namespace: 'default' } });
    await operator.until('the runs', () => tried.has('homely: over') && tried.has('reaching: over'));
  });

  afterAll(async () => {
    await operator?.manager.stop();
    await backend.stop();
  });

  const of = (who: string): Record<string, string> =>
    Object.fromEntries(
      [...tried].flatMap(([what, came]) => (what.startsWith(`${who}: `) ? [[what.slice(who.length + 2), came]] : [])),
    );

  it('is rejected for a run with every client and helper, and has no effect', async () => {
    const no = 'outside-of-namespace';
    expect(of('homely')).toEqual({
      'the context reads': no,
      'a client reads': no,
      'a client reads all': no,
      'a client writes': no,
      'a service reads': no,
      'a lister reads': no,
      'a client reads at home': 'done',
      'a client reads a namespace': 'done',
      pruned: '',
      over: 'done',
    });
    expect((await operator.client.get(ConfigMap, theirs)).data).toEqual({ reaching: 'was here' });
    expect((await operator.client.get(ConfigMap, 'default/own')).metadata.ownerReferences).toHaveLength(1);
    expect(operator.outcomes('homely').filter((outcome) => outcome === 'failed')).toEqual([]);
  });

  it('is allowed for a controller with acrossNamespaces', () => {
    expect(new Set(Object.values(of('reaching')))).toEqual(new Set(['done']));
    expect(Object.keys(of('reaching'))).toHaveLength(9);
  });

  it('is allowed outside of runs: in mappers, hooks and runnables', () => {
    expect([tried.get('a mapper reads'), tried.get('a hook reads'), tried.get('a runnable reads')]).toEqual([
      'done',
      'done',
      'done',
    ]);
  });
});
