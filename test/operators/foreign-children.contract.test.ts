import type { Client } from '@evenkeel/client';
import {
  type Condition,
  Conditions,
  Controller,
  CustomResource,
  type KindClass,
  KubernetesObject,
  type OwnerReference,
  Owns,
  Reconcile,
  Spec,
  Status,
  type Transport,
  type TransportRequest,
} from '@evenkeel/core';
import {
  ConfigMap,
  CustomResourceDefinition,
  Deployment,
  Event,
  PriorityClass,
  Secret,
  Service,
} from '@evenkeel/kinds';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { definitionOf } from './definition.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

class AppSpec {
  image?: string;
  /** Kinds to apply, all with the name of the App. */
  children?: string[];
  adopt?: boolean;
}

class AppStatus {
  @Conditions() conditions?: Condition[];
}

@CustomResource({ group: 'tenants.example.com', version: 'v1', kind: 'App' })
class App extends KubernetesObject {
  @Spec() spec!: AppSpec;
  @Status() status!: AppStatus;
}

@CustomResource({ group: 'tenants.example.com', version: 'v1', kind: 'Tier', scope: 'Cluster' })
class Tier extends KubernetesObject {
  @Spec() spec!: AppSpec;
  @Status() status!: AppStatus;
}

const labels = { app: 'app' };

/** The child that the operator creates for an App of that name and image. */
function childOf(kind: string, name: string, image: string): KubernetesObject {
  const metadata = { name };
  switch (kind) {
    case 'ConfigMap':
      return { apiVersion: 'v1', kind, metadata, data: { image } } as ConfigMap;
    case 'Secret':
      return { apiVersion: 'v1', kind, metadata, stringData: { image } } as Secret;
    case 'Service':
      return { apiVersion: 'v1', kind, metadata, spec: { selector: labels, ports: [{ port: 80 }] } } as Service;
    case 'PriorityClass':
      return { apiVersion: 'scheduling.k8s.io/v1', kind, metadata, value: 7, description: image } as PriorityClass;
    default: {
      const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image }] } };
      const spec = { selector: { matchLabels: labels }, template };
      return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec } as Deployment;
    }
  }
}

async function applyAll({ metadata, spec }: App | Tier, context: ReconcileContext): Promise<void> {
  const options = spec.adopt === undefined ? {} : { adopt: spec.adopt };
  for (const kind of spec.children ?? []) {
    await context.apply(childOf(kind, metadata.name, spec.image ?? 'ours'), options);
  }
}

@Controller(App, { name: 'app' })
@Owns(Deployment)
@Owns(Service)
@Owns(Secret)
@Owns(ConfigMap)
class AppController {
  @Reconcile()
  reconcile(app: App, context: ReconcileContext): Promise<void> {
    return applyAll(app, context);
  }
}

/** Another release of the same operator: its controller has another name and sets one more field. */
@Controller(App, { name: 'app-v2' })
@Owns(ConfigMap)
class NextAppController {
  @Reconcile()
  async reconcile({ metadata: { name } }: App, context: ReconcileContext): Promise<void> {
    await context.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { image: 'v2', more: '' } });
  }
}

@Controller(App, { name: 'adopting', adopt: true })
@Owns(ConfigMap)
class AdoptingController {
  @Reconcile()
  reconcile(app: App, context: ReconcileContext): Promise<void> {
    return applyAll(app, context);
  }
}

@Controller(App, { name: 'graph' })
@Owns(ConfigMap)
@Owns(Secret)
class GraphController {
  @Reconcile()
  async reconcile({ metadata: { name } }: App, context: ReconcileContext): Promise<void> {
    await context
      .dependents({ condition: false })
      .add('map', ConfigMap, () => ({ metadata: { name }, data: { image: 'ours' } }))
      .add('secret', Secret, () => ({ metadata: { name } }))
      .apply();
  }
}

@Controller(Tier, { name: 'tier' })
@Owns(PriorityClass)
class TierController {
  @Reconcile()
  reconcile(tier: Tier, context: ReconcileContext): Promise<void> {
    return applyAll(tier, context);
  }
}

const stranger: OwnerReference = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'stranger',
  uid: '00000000-0000-4000-8000-000000000001',
  controller: true,
};

describeOnEveryServer('context.apply and objects that are not children', (start) => {
  let backend: ApiBackend;
  let operator: TestOperator;
  let client: Client;
  let count = 0;

  /** A name that no other test uses. */
  const newName = (): string => `app-${++count}`;

  async function run(...controllers: Parameters<typeof TestOperator.start>[1]): Promise<void> {
    await operator?.manager.stop();
    operator = await TestOperator.start(backend, controllers);
    client = operator.client;
  }

  beforeAll(async () => {
    backend = await start();
    operator = await TestOperator.start(backend, []);
    client = operator.client;
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    for (const kind of [App, Tier]) {
      await client.create(CustomResourceDefinition, definitionOf(kind, { spec: open, status: open }) as never);
      await TestOperator.until('the kind', async () => {
        return (await client.list(kind).catch(() => undefined)) !== undefined;
      });
    }
  });

  afterAll(async () => {
    await operator?.manager.stop();
    await backend?.stop();
  });

  const create = (kind: typeof App | typeof Tier, name: string, spec: AppSpec): Promise<unknown> =>
    client.create(
      kind as KindClass,
      {
        metadata: { name, ...(kind === App ? { namespace: 'default' } : {}) },
        spec,
      } as never,
    );

  const conditionOf = async (kind: typeof App | typeof Tier, key: string): Promise<Condition | undefined> => {
    const { status } = await client.get(kind as typeof App, key);
    return (status as AppStatus | undefined)?.conditions?.find(({ type }) => type === 'ChildrenOwned');
  };

  const warningsAbout = async (name: string): Promise<readonly (string | undefined)[]> => {
    const { items } = await client.list(Event);
    return items
      .filter(({ regarding, type, reason }) => {
        return regarding?.name === name && type === 'Warning' && reason === 'ForeignChild';
      })
      .map(({ note }) => note);
  };

  describe('of the current release', () => {
    beforeAll(() => run(AppController, TierController));

    const owners: readonly [string, (object: KubernetesObject) => void][] = [
      ['not owned', () => undefined],
      [
        'not owned, with the label of children',
        ({ metadata }) => {
          metadata.labels = { 'evenkeel.dev/controller': metadata.name.startsWith('tier') ? 'tier' : 'app' };
        },
      ],
      [
        'controlled by another object',
        ({ metadata }) => {
          metadata.ownerReferences = [stranger];
        },
      ],
      [
        'controlled by another object, with the label of children',
        ({ metadata }) => {
          metadata.ownerReferences = [stranger];
          metadata.labels = { 'evenkeel.dev/controller': metadata.name.startsWith('tier') ? 'tier' : 'app' };
        },
      ],
    ];
    const kinds: readonly [string, KindClass, typeof App | typeof Tier][] = [
      ['Deployment', Deployment, App],
      ['Service', Service, App],
      ['Secret', Secret, App],
      ['ConfigMap', ConfigMap, App],
      ['PriorityClass', PriorityClass, Tier],
    ];
    const cases = kinds.flatMap(([name, kind, owner]) =>
      owners.map(([title, prepare]) => [name, title, kind, owner, prepare] as const),
    );

    it.each(cases)('do not change a %s that is %s', async (childKind, _, kind, ownerKind, prepare) => {
      const name = ownerKind === Tier ? `tier-${++count}` : newName();
      const key = ownerKind === Tier ? name : `default/${name}`;
      const foreign = childOf(childKind, name, 'theirs');
      if (ownerKind === App) foreign.metadata.namespace = 'default';
      prepare(foreign);
      const before = await client.create(kind, foreign as never);
      await create(ownerKind, name, { children: [childKind] });
      await operator.until('the condition', async () => (await conditionOf(ownerKind, key))?.status === 'False');
      expect(await conditionOf(ownerKind, key)).toMatchObject({
        reason: 'ForeignChild',
        message: expect.stringContaining(`cannot apply ${childKind} ${key}: it `) as string,
      });
      await operator.until('the Event', async () => (await warningsAbout(name)).length === 1);
      expect(await warningsAbout(name)).toEqual([expect.stringContaining(`cannot apply ${childKind} ${key}`)]);
      const failed = operator.runs.find((one) => one.key.name === name && one.outcome === 'failed');
      expect(failed?.error).toMatchObject({ code: 'foreign-child' });
      expect(await client.get(kind, key)).toEqual(before);
    });

    it('apply the child once the name is free, and remove the condition', async () => {
      const name = newName();
      const key = `default/${name}`;
      await client.create(ConfigMap, { metadata: { name, namespace: 'default' }, data: { image: 'theirs' } });
      await create(App, name, { children: ['ConfigMap'] });
      await operator.until('the condition', async () => (await conditionOf(App, key))?.status === 'False');
      await client.delete(ConfigMap, key);
      await operator.until('the child', async () => {
        return (
          (await client.list(ConfigMap, { fields: { 'metadata.name': name } })).items[0]?.data?.['image'] === 'ours'
        );
      });
      await operator.until('no condition', async () => (await conditionOf(App, key)) === undefined);
    });

    it('create a child with one Apply entry in its managedFields', async () => {
      const name = newName();
      await create(App, name, { children: ['ConfigMap', 'Deployment'] });
      await operator.until('the run', () => operator.outcomes(name).includes('await-change'));
      for (const kind of [ConfigMap, Deployment]) {
        const { metadata } = await client.get(kind as KindClass, `default/${name}`);
        expect(metadata.managedFields?.map(({ manager, operation }) => [manager, operation])).toEqual([
          ['app', 'Apply'],
        ]);
        const owned = metadata.managedFields?.[0]?.fieldsV1 as { 'f:metadata'?: object } | undefined;
        expect(Object.keys(owned?.['f:metadata'] ?? {}).sort()).toEqual(['f:labels', 'f:ownerReferences']);
      }
      const effects = operator.runs.filter((one) => one.key.name === name).flatMap(({ writes }) => writes);
      expect(effects.map(({ effect }) => effect)).toEqual(['created', 'created']);
    });

    it('leave the fields of others on own children', async () => {
      const name = newName();
      const key = `default/${name}`;
      await create(App, name, { children: ['ConfigMap'] });
      await operator.until('the child', () => operator.outcomes(name).includes('await-change'));
      await client.patch(ConfigMap, key, { merge: { data: { theirs: 'too', image: 'spoilt' } } });
      await operator.until('the repair', async () => (await client.get(ConfigMap, key)).data?.['image'] === 'ours');
      expect((await client.get(ConfigMap, key)).data).toEqual({ theirs: 'too', image: 'ours' });
    });

    it('repair a child whose label was removed, which the cache no longer has', async () => {
      const name = newName();
      const key = `default/${name}`;
      await create(App, name, { children: ['ConfigMap'] });
      await operator.until('the child', () => operator.outcomes(name).includes('await-change'));
      const { metadata } = await client.get(ConfigMap, key);
      await client.patch(ConfigMap, key, { merge: { metadata: { labels: null } } });
      await operator.until('the repair', async () => {
        return (await client.get(ConfigMap, key)).metadata.labels?.['evenkeel.dev/controller'] === 'app';
      });
      expect((await client.get(ConfigMap, key)).metadata.uid).toBe(metadata.uid);
      expect(await conditionOf(App, key)).toBeUndefined();
    });

    it('reject the child of an owner that was deleted and recreated, until the child is deleted', async () => {
      const name = newName();
      const key = `default/${name}`;
      await create(App, name, { children: ['ConfigMap'] });
      await operator.until('the child', () => operator.outcomes(name).includes('await-change'));
      const before = await client.get(ConfigMap, key);
      await client.delete(App, key);
      await create(App, name, { image: 'new', children: ['ConfigMap'] });
      await operator.until('the condition', async () => (await conditionOf(App, key))?.status === 'False');
      expect((await conditionOf(App, key))?.message).toContain(`is controlled by an earlier App ${name} (uid `);
      expect(await client.get(ConfigMap, key)).toEqual(before);
      // No garbage collector runs here.
      await client.delete(ConfigMap, key);
      await operator.until('the new child', async () => {
        return (
          (await client.list(ConfigMap, { fields: { 'metadata.name': name } })).items[0]?.data?.['image'] === 'new'
        );
      });
    });

    it('do not put an image into the Deployment of another team, nor delete it with the App (a tenant names his App so)', async () => {
      const name = newName();
      const key = `default/${name}`;
      const container = { name: 'app', image: 'payments', env: [{ name: 'KEY', value: 'secret' }] };
      const template = { metadata: { labels }, spec: { containers: [container] } };
      const before = await client.create(Deployment, {
        metadata: { name, namespace: 'default' },
        spec: { selector: { matchLabels: labels }, template },
      });
      await create(App, name, { image: 'evil', children: ['Deployment'] });
      await operator.until('the condition', async () => (await conditionOf(App, key))?.status === 'False');
      await client.delete(App, key, { propagationPolicy: 'Background' });
      await operator.until('the end of the App', () => operator.outcomes(name).includes('gone'));
      expect(await client.get(Deployment, key)).toEqual(before);
    });

    it('do not take the Service of the API server (a tenant calls his App "kubernetes")', async () => {
      const key = 'default/kubernetes';
      const service = { metadata: { name: 'kubernetes', namespace: 'default' }, spec: { ports: [{ port: 443 }] } };
      if ((await client.list(Service, { fields: { 'metadata.name': 'kubernetes' } })).items.length === 0) {
        await client.create(Service, service);
      }
      const before = await client.get(Service, key);
      await create(App, 'kubernetes', { children: ['Service'] });
      await operator.until('the condition', async () => (await conditionOf(App, key))?.status === 'False');
      expect(await client.get(Service, key)).toEqual(before);
      await client.delete(App, key);
    });

    it('adopt an object without a controller if the apply allows it', async () => {
      const name = newName();
      const key = `default/${name}`;
      const before = await client.create(ConfigMap, {
        metadata: { name, namespace: 'default' },
        data: { image: 'theirs', kept: 'yes' },
      });
      await create(App, name, { children: ['ConfigMap'], adopt: true });
      await operator.until('the run', () => operator.outcomes(name).includes('await-change'));
      const { metadata, data } = await client.get(ConfigMap, key);
      expect([metadata.uid, data]).toEqual([before.metadata.uid, { image: 'ours', kept: 'yes' }]);
      expect(metadata.ownerReferences?.map((reference) => [reference.kind, reference.name])).toEqual([['App', name]]);
      expect(await warningsAbout(name)).toEqual([]);
    });

    it('never adopt an object that another object controls', async () => {
      const name = newName();
      const key = `default/${name}`;
      const before = await client.create(ConfigMap, {
        metadata: { name, namespace: 'default', ownerReferences: [stranger] },
      });
      await create(App, name, { children: ['ConfigMap'], adopt: true });
      await operator.until('the condition', async () => (await conditionOf(App, key))?.status === 'False');
      expect(await client.get(ConfigMap, key)).toEqual(before);
    });
  });

  it('reject an object that another client creates between the read and the apply', async () => {
    await operator.manager.stop();
    const name = newName();
    const key = `default/${name}`;
    let theirs: ConfigMap | undefined;
    const inner = backend.transport();
    const racing: Transport = {
      async request(request: TransportRequest) {
        if (theirs === undefined && request.method === 'PATCH' && request.path.includes(`configmaps/${name}?`)) {
          theirs = await client.create(ConfigMap, {
            metadata: { name, namespace: 'default' },
            data: { image: 'theirs' },
          });
        }
        return inner.request(request);
      },
      close: async () => undefined,
    };
    operator = await TestOperator.start({ ...backend, transport: () => racing }, [AppController]);
    client = operator.client;
    await create(App, name, { children: ['ConfigMap'] });
    await operator.until('the condition', async () => (await conditionOf(App, key))?.status === 'False');
    expect(theirs).toBeDefined();
    expect(await client.get(ConfigMap, key)).toEqual(theirs);
  });

  it('adopt an object without a controller if the controller allows it', async () => {
    await run(AdoptingController);
    const name = newName();
    await client.create(ConfigMap, { metadata: { name, namespace: 'default' }, data: { kept: 'yes' } });
    await create(App, name, { children: ['ConfigMap'] });
    await operator.until('the run', () => operator.outcomes(name).includes('await-change'));
    expect((await client.get(ConfigMap, `default/${name}`)).data).toEqual({ image: 'ours', kept: 'yes' });
    const denied = newName();
    await client.create(ConfigMap, { metadata: { name: denied, namespace: 'default' } });
    await create(App, denied, { children: ['ConfigMap'], adopt: false });
    await operator.until(
      'the condition',
      async () => (await conditionOf(App, `default/${denied}`))?.status === 'False',
    );
  });

  it('hold back only the foreign child in a graph of dependents', async () => {
    await run(GraphController);
    const name = newName();
    const key = `default/${name}`;
    const before = await client.create(ConfigMap, { metadata: { name, namespace: 'default' } });
    await create(App, name, {});
    await operator.until('the condition', async () => (await conditionOf(App, key))?.status === 'False');
    await operator.until('the other child', async () => {
      return (await client.list(Secret, { fields: { 'metadata.name': name } })).items.length === 1;
    });
    expect(await client.get(ConfigMap, key)).toEqual(before);
    await operator.until('the Event', async () => (await warningsAbout(name)).length === 1);
  });

  it('keep the children of an older release, even if its controller had another name', async () => {
    const name = newName();
    const key = `default/${name}`;
    await operator.manager.stop();
    // Releases before 0.3 applied with force and without a precondition.
    const app = await client.create(App, { metadata: { name, namespace: 'default' }, spec: {} as AppSpec });
    const reference = {
      apiVersion: 'tenants.example.com/v1',
      kind: 'App',
      name,
      uid: app.metadata.uid ?? '',
      controller: true,
      blockOwnerDeletion: true,
    };
    const made = await client.apply(
      ConfigMap,
      {
        metadata: {
          name,
          namespace: 'default',
          labels: { 'evenkeel.dev/controller': 'app' },
          ownerReferences: [reference],
        },
        data: { image: 'v1' },
      },
      { force: true, fieldManager: 'app' },
    );
    await run(NextAppController);
    await operator.until('the upgrade', async () => (await client.get(ConfigMap, key)).data?.['image'] === 'v2');
    const { metadata, data } = await client.get(ConfigMap, key);
    expect([metadata.uid, data]).toEqual([made.metadata.uid, { image: 'v2', more: '' }]);
    expect(await conditionOf(App, key)).toBeUndefined();
    await operator.manager.stop();
    const events = await warningsAbout(name);
    expect(events).toEqual([]);
    await run(AppController);
    await client.patch(App, key, { merge: { spec: { children: ['ConfigMap'], image: 'v3' } } });
    await operator.until('the other way', async () => (await client.get(ConfigMap, key)).data?.['image'] === 'v3');
    expect((await client.get(ConfigMap, key)).metadata.uid).toBe(made.metadata.uid);
  });
});
