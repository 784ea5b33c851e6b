import { type ApiResource, KubernetesObject, ManualClock, ObjectKey, SilentLogger } from '@evenkeel/core';
import { ConfigMap, Deployment, Secret } from '@evenkeel/kinds';
import { EventRecorder } from '../event/event-recorder.ts';
import { ChildApplier, type OwnedKind } from './apply-child.ts';
import { ChildClaimer } from './claim-children.ts';
import { StatusConditions } from './condition-set.ts';
import type { DependentsOptions } from './dependents.ts';
import { ChildPruner } from './prune-children.ts';
import { RunContext } from './run-context.ts';
import { type Answer, type SentRequest, scriptedClient } from './scripted-client.fixture.ts';

const resource: ApiResource = {
  group: 'web.example.com',
  version: 'v1',
  kind: 'Shop',
  plural: 'shops',
  namespaced: true,
};
const maps: ApiResource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const deployments: ApiResource = { ...maps, group: 'apps', kind: 'Deployment', plural: 'deployments' };

class Shop extends KubernetesObject {}

const shop = Object.assign(new Shop(), {
  apiVersion: 'web.example.com/v1',
  kind: 'Shop',
  metadata: { name: 'shop', namespace: 'default', uid: 'u-shop', generation: 3 },
});

class NoEvents extends EventRecorder {
  override record(): void {}
}

/** Responds to an apply with the applied object, merged with the result of `answered`. */
function context({
  answered = (_: string): object => ({}),
  existing = [] as readonly object[],
  mayHaveConditions = true,
  isSynced = true,
} = {}) {
  const sent: SentRequest[] = [];
  const { client } = scriptedClient((request: SentRequest): Answer => {
    if (request.method === 'GET') return { status: 200, body: { metadata: {}, items: existing } };
    sent.push(request);
    const { body, path } = request;
    const { metadata, ...rest } = body as KubernetesObject;
    const more = answered(new URL(path, 'http://server').pathname.split('/').at(-1) ?? '') as {
      readonly metadata?: object;
    };
    return {
      status: 200,
      body: {
        ...rest,
        ...more,
        metadata: { ...metadata, uid: `u-${metadata.name}`, resourceVersion: '1', ...more.metadata },
      },
    };
  });
  const owned = (kind: OwnedKind['kind'], its: ApiResource): OwnedKind => ({
    kind,
    resource: its,
    get: () => undefined,
    ownedBy: () => [],
    isSynced: () => isSynced,
    selects: () => true,
  });
  const children = [owned(ConfigMap, maps), owned(Deployment, deployments)];
  const status: { conditions?: [] } = {};
  const run = new RunContext({
    controller: 'shop',
    key: new ObjectKey('shop', 'default'),
    object: shop,
    triggers: [],
    conditions: new StatusConditions(() => status, 3, new ManualClock()),
    mayHaveConditions,
    recorder: new NoEvents(),
    applier: new ChildApplier({ controller: 'shop', ownerKind: Shop, owner: resource, children, client }),
    pruner: new ChildPruner({ controller: 'shop', children, client }),
    claimer: new ChildClaimer({ controller: 'shop', ownerKind: Shop, owner: resource, children, client }),
    client,
    logger: new SilentLogger(),
    signal: new AbortController().signal,
  });
  return { run, sent, status, dependents: (options?: DependentsOptions) => run.dependents(options) };
}

const map = (name: string) => () => ({ metadata: { name } });

describe('Dependents', () => {
  it.each<[string, (dependents: ReturnType<RunContext['dependents']>) => unknown, string]>([
    [
      'needs a dependent that is not in it',
      (dependents) => dependents.add('web', ConfigMap, map('web'), { needs: ['database' as never] }),
      'shop: dependent "web": needs "database", which was not added before it; add the dependents that it needs first, and remove cycles',
    ],
    [
      'needs itself',
      (dependents) => dependents.add('web', ConfigMap, map('web'), { needs: ['web' as never] }),
      'shop: dependent "web": needs "web", which was not added before it; add the dependents that it needs first, and remove cycles',
    ],
    [
      'has two dependents with the same name',
      (dependents) => dependents.add('web', ConfigMap, map('web')).add('web', ConfigMap, map('other')),
      'shop: dependent "web": the name was added twice; use a different name for each dependent',
    ],
    [
      'has a name that is not a valid label value',
      (dependents) => dependents.add('web page', ConfigMap, map('web')),
      'shop: dependent "web page": invalid name; use at most 63 letters, digits, "-", "_" and ".", starting and ending with a letter or digit',
    ],
    [
      'has a "when" that is not a boolean',
      (dependents) => dependents.add('web', ConfigMap, map('web'), { when: 'yes' as never }),
      'shop: dependent "web": "when" must be true or false; write a comparison, such as x !== undefined',
    ],
    [
      'has no function',
      (dependents) => dependents.add('web', ConfigMap, { metadata: { name: 'web' } } as never),
      'shop: dependent "web": the function that returns the child is missing; pass it as the third parameter',
    ],
    [
      'has a kind that the controller does not own',
      (dependents) => dependents.add('web', Secret, map('web')),
      'shop: dependents() of Secret: the controller owns only v1 ConfigMap and apps/v1 Deployment; add @Owns(Secret) above the controller class',
    ],
  ])('throws immediately for a graph that %s', (_, add, message) => {
    const { dependents, sent } = context();
    expect(() => add(dependents())).toThrow(message);
    expect(sent).toEqual([]);
  });

  it('rejects functions that return a promise, another kind or nothing', async () => {
    for (const [desired, message] of [
      [
        async () => ({ metadata: { name: 'web' } }),
        'the function returned a promise; return a ConfigMap synchronously',
      ],
      [() => undefined, 'the function returned undefined; return a ConfigMap synchronously'],
      [
        () => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } }),
        'it was added as v1 ConfigMap, but the function returned apps/v1 Deployment; return the kind that you pass to add()',
      ],
    ] as const) {
      const { dependents, sent } = context();
      await expect(
        dependents()
          .add('web', ConfigMap, desired as never)
          .apply(),
      ).rejects.toThrow(`shop: dependent "web": ${message}`);
      expect(sent).toEqual([]);
    }
  });

  it('names the call that takes over an object with the name of a dependent', async () => {
    const existing = [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'page', namespace: 'default', uid: 'u' } },
    ];
    const { dependents } = context({ existing });
    const graph = dependents().add('page', ConfigMap, () => ({ metadata: { name: 'page' } }));
    await expect(graph.apply()).rejects.toThrow(
      "let the operator take it over with add('page', ConfigMap, ..., { adopt: true })",
    );
  });

  it('rejects an asynchronous "ready"', async () => {
    const applying = context()
      .dependents()
      .add('web', ConfigMap, map('web'), { ready: (async () => true) as never })
      .apply();
    await expect(applying).rejects.toThrow(
      'dependent "web": "ready" returned a promise; return true or false synchronously',
    );
  });

  it('rejects a second graph in a run', async () => {
    const { dependents } = context();
    await dependents().add('web', ConfigMap, map('web')).apply();
    await expect(dependents().add('other', ConfigMap, map('other')).apply()).rejects.toThrow(
      'shop: dependents() was used for two graphs in one run, and the second would delete the children of the first; add all dependents to one graph',
    );
  });

  it('throws if a cache has not synced', async () => {
    await expect(context({ isSynced: false }).dependents().apply()).rejects.toMatchObject({ code: 'prune-refused' });
  });

  it('treats a child as unready if its observedGeneration is old or it is being deleted', async () => {
    const asked: string[] = [];
    const { dependents } = context({
      answered: (name) => ({
        ...(name === 'old' ? { status: { observedGeneration: 1 } } : {}),
        metadata: { generation: 2, ...(name === 'going' ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}) },
      }),
    });
    const ready = ({ metadata }: ConfigMap | Deployment): boolean => {
      asked.push(metadata.name);
      return true;
    };
    const { states, message } = await dependents()
      .add('old', Deployment, map('old'), { ready })
      .add('going', ConfigMap, map('going'))
      .add('new', ConfigMap, map('new'), { ready })
      .apply();
    expect(states.map(({ name, state }) => `${name} ${state}`)).toEqual(['old unready', 'going unready', 'new ready']);
    expect(message).toBe('old is not ready; going is not ready');
    expect(asked).toEqual(['new']);
  });

  it('applies dependents in parallel if they do not need each other', async () => {
    const { dependents } = context();
    const order: string[] = [];
    const asked = (name: string) => () => {
      order.push(`${name} asked for`);
      return { metadata: { name } };
    };
    const ready = ({ metadata }: ConfigMap): boolean => order.push(`${metadata.name} there`) > 0;
    await dependents()
      .add('a', ConfigMap, asked('a'), { ready })
      .add('b', ConfigMap, asked('b'), { ready })
      .add('c', ConfigMap, asked('c'), { needs: ['a', 'b'], ready })
      .apply();
    expect(order).toEqual(['a asked for', 'b asked for', 'a there', 'b there', 'c asked for', 'c there']);
  });

  it('throws several failures as one AggregateError', async () => {
    const { dependents, status } = context();
    const failing = (what: string) => (): never => {
      throw new Error(what);
    };
    const failure: unknown = await dependents()
      .add('a', ConfigMap, failing('no name'))
      .add('b', ConfigMap, failing('no host'))
      .add('c', ConfigMap, map('c'))
      .apply()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AggregateError);
    expect((failure as AggregateError).message).toBe('shop: several dependents failed: a, b');
    expect((failure as AggregateError).errors.map(String)).toEqual(['Error: no name', 'Error: no host']);
    expect(status.conditions).toMatchObject([
      {
        type: 'DependentsReady',
        status: 'False',
        reason: 'DependentFailed',
        message: 'a failed: no name; b failed: no host',
      },
    ]);
  });

  it.each<[string, boolean, DependentsOptions | undefined, string[]]>([
    ['its standard condition', true, undefined, ['DependentsReady']],
    ['no condition if the status has none', false, undefined, []],
    ['the condition of the option', false, { condition: 'Serving' }, ['Serving']],
    ['no condition if the option is false', true, { condition: false }, []],
  ])('sets %s', async (_, mayHaveConditions, options, types) => {
    const { dependents, status } = context({ mayHaveConditions });
    await dependents(options).add('web', ConfigMap, map('web')).apply();
    expect((status.conditions ?? []).map(({ type }) => type)).toEqual(types);
  });

  it('sets its condition to False when all are deleted with their owner', async () => {
    const { dependents, status } = context();
    const report = await dependents().add('web', ConfigMap, map('web')).delete();
    expect(report).toMatchObject({ ready: true, message: '', children: {} });
    expect(status.conditions).toMatchObject([{ status: 'False', reason: 'AllDeleted' }]);
  });

  it('has the types of the added dependents', async () => {
    const { dependents } = context();
    const graph = dependents().add('web', Deployment, map('web'), { ready: ({ status }) => status === undefined });
    // @ts-expect-error no dependent of that name was added
    expect(() => graph.add('a', ConfigMap, map('a'), { needs: ['wep'] })).toThrow('needs "wep"');
    const { children } = await graph
      .add(
        'b',
        ConfigMap,
        ({ web, ...others }) => {
          // @ts-expect-error a Deployment has no data
          web.data;
          // @ts-expect-error it does not need c
          others.c;
          return { metadata: { name: web.metadata.name } };
        },
        { needs: ['web'] },
      )
      // @ts-expect-error no ConfigMap
      .add('c', ConfigMap, () => ({ metadata: { name: 'c' }, data: { a: 5 } }))
      .apply();
    expect(children.b?.metadata.name).toBe('web');
  });
});
