import {
  type Condition,
  Controller,
  Finalizer,
  ignoreNotFound,
  ObjectKey,
  Owns,
  Reconcile,
  type Transport,
} from '@evenkeel/core';
import { ConfigMap, PodDisruptionBudget, Secret } from '@evenkeel/kinds';
import type { Dependents } from '../../packages/runtime/src/reconcile/dependents.ts';
import type { DependentState, DependentsReport } from '../../packages/runtime/src/reconcile/dependents-report.ts';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { awaitChange, type ReconcileResult } from '../../packages/runtime/src/reconcile/reconcile-result.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

/** A child that is ready when it has an annotation. */
const isUp = ({ metadata }: ConfigMap): boolean => metadata.annotations?.['state'] === 'up';

let current: string;
let build: (dependents: Dependents) => Pick<Dependents, 'apply' | 'delete'>;
let reports: DependentsReport<object>[];

@Controller(PodDisruptionBudget, { name: 'shops' })
@Owns(ConfigMap)
@Owns(Secret)
class ShopController {
  @Reconcile()
  async reconcile({ metadata: { name } }: PodDisruptionBudget, context: ReconcileContext): Promise<void> {
    if (name !== current) return;
    reports.push(await build(context.dependents({ condition: 'DependentsReady' })).apply());
    await context.prune();
  }
}

@Controller(PodDisruptionBudget, { name: 'closing-shops' })
class ClosingShopController extends ShopController {
  @Finalizer('example.com/in-order')
  async close(
    { metadata: { name } }: PodDisruptionBudget,
    context: ReconcileContext,
  ): Promise<ReconcileResult | undefined> {
    if (name !== current) return undefined;
    const report = await build(context.dependents()).delete();
    reports.push(report);
    return report.ready ? undefined : awaitChange();
  }
}

/** Its status has no conditions. */
@Controller(PodDisruptionBudget, { name: 'quiet-shops' })
@Owns(ConfigMap)
@Owns(Secret)
class QuietShopController {
  @Reconcile()
  async reconcile({ metadata: { name } }: PodDisruptionBudget, context: ReconcileContext): Promise<void> {
    if (name === current) reports.push(await build(context.dependents()).apply());
  }
}

const map = (name: string, data: Record<string, string> = {}) => ({ metadata: { name: `${current}-${name}` }, data });

/** Settings and database, then migration, then web; and a cache that needs settings. */
function shop({ version = '1', hasCache = false, hasDatabase = true } = {}): typeof build {
  return (dependents) =>
    dependents
      .add('settings', Secret, () => ({ metadata: { name: `${current}-settings` } }))
      .add('database', ConfigMap, () => map('database'), { ready: isUp, when: hasDatabase })
      .add('migration', ConfigMap, ({ database }) => map('migration', { uid: database.metadata.uid ?? '' }), {
        needs: ['database'],
        ready: isUp,
      })
      .add('cache', ConfigMap, ({ settings }) => map('cache', { of: settings.metadata.name }), {
        needs: ['settings'],
        when: hasCache,
      })
      .add('web', ConfigMap, () => map('web', { version }), { needs: ['settings', 'migration'] });
}

const text = ({ name, state, waitsFor }: DependentState): string => [name, state, ...waitsFor].join(' ');

describeOnEveryServer('context.dependents', (start) => {
  let backend: ApiBackend;
  let operator: TestOperator | undefined;

  beforeAll(async () => {
    backend = await start();
  });

  beforeEach(() => {
    reports = [];
  });

  afterEach(async () => {
    await operator?.manager.stop();
    operator = undefined;
  });

  afterAll(() => backend.stop());

  async function operating(name: string, controller = ShopController, transport?: Transport): Promise<TestOperator> {
    current = name;
    operator = await TestOperator.start(backend, [controller], transport === undefined ? {} : { transport });
    return operator;
  }

  const create = (): Promise<unknown> =>
    ready().client.create(PodDisruptionBudget, {
      metadata: { name: current, namespace: 'default' },
      spec: { maxUnavailable: 1, selector: {} },
    } as never);

  function ready(): TestOperator {
    if (operator === undefined) throw new Error('no operator');
    return operator;
  }

  const child = (name: string): ObjectKey => new ObjectKey(`${current}-${name}`, 'default');

  const annotate = (name: string, annotations: Record<string, string | null>): Promise<unknown> =>
    ready().client.patch(ConfigMap, child(name), { merge: { metadata: { annotations } } });

  async function children(): Promise<string> {
    const { items } = await ready().client.list(ConfigMap, { namespace: 'default' });
    return items
      .filter(({ metadata }) => metadata.name.startsWith(`${current}-`))
      .map(({ metadata }) => `${metadata.name.slice(current.length + 1)}${metadata.deletionTimestamp ? '!' : ''}`)
      .sort()
      .join(' ');
  }

  const states = (): string[] | undefined => reports.at(-1)?.states.map(text);

  const until = (what: string): Promise<void> => ready().until(what, () => states()?.includes(what) === true);

  /** Triggers a run of the owner with an irrelevant change. */
  const wake = (): Promise<unknown> =>
    ready().client.patch(PodDisruptionBudget, new ObjectKey(current, 'default'), {
      merge: { metadata: { annotations: { woken: String(reports.length) } } },
    });

  async function condition(): Promise<Partial<Condition>> {
    const { status } = await ready().client.get(PodDisruptionBudget, new ObjectKey(current, 'default'));
    const { lastTransitionTime: _, ...rest } = (status?.conditions?.[0] ?? {}) as Partial<Condition>;
    return rest;
  }

  const untilCondition = (reason: string): Promise<void> =>
    ready().until(reason, async () => (await condition()).reason === reason);

  async function allReady(
    name: string,
    options: Parameters<typeof shop>[0] = {},
    controller = ShopController,
  ): Promise<void> {
    build = shop(options);
    await operating(name, controller);
    await create();
    await until('database unready');
    await annotate('database', { state: 'up' });
    await until('migration unready');
    await annotate('migration', { state: 'up' });
    await until('web ready');
  }

  it('applies each child when the children that it needs are ready, and reports what it waits for', async () => {
    build = shop();
    const { client } = await operating('ordered');
    await create();
    await until('database unready');
    expect(states()).toEqual([
      'settings ready',
      'database unready',
      'migration waiting database',
      'cache absent',
      'web waiting migration',
    ]);
    expect(await children()).toBe('database');
    await untilCondition('DependentNotReady');
    expect(await condition()).toEqual({
      type: 'DependentsReady',
      status: 'False',
      reason: 'DependentNotReady',
      message: 'database is not ready; migration waits for database; web waits for migration',
      observedGeneration: 1,
    });
    await annotate('database', { state: 'up' });
    await until('migration unready');
    expect(await children()).toBe('database migration');
    const { uid } = (await client.get(ConfigMap, child('database'))).metadata;
    expect((await client.get(ConfigMap, child('migration'))).data).toEqual({ uid });
    await annotate('migration', { state: 'up' });
    await until('web ready');
    expect(reports.at(-1)).toMatchObject({ ready: true, message: '' });
    expect(Object.keys(reports.at(-1)?.children ?? {}).sort()).toEqual(['database', 'migration', 'settings', 'web']);
    await untilCondition('AllReady');
    expect(await condition()).toEqual({
      type: 'DependentsReady',
      status: 'True',
      reason: 'AllReady',
      message: '',
      observedGeneration: 1,
    });
    const runsOfIt = () => ready().runs.filter(({ key }) => key.name === current);
    // The status is written before the run is reported.
    await ready().until('the last reported run', () => runsOfIt().length >= reports.length);
    const before = runsOfIt().length;
    await wake();
    await ready().until('one more run', () => runsOfIt().length > before);
    expect(runsOfIt().at(-1)?.writes).toEqual([]);
    expect(ready().manager.health.lateWrites).toBe(0);
  });

  it('holds back changes if a child becomes unready again, and deletes nothing', async () => {
    await allReady('unready-again');
    await annotate('database', { state: 'down' });
    await until('web waiting migration');
    build = shop({ version: '2' });
    const before = reports.length;
    await wake();
    await ready().until('a run with the change', () => reports.length > before);
    expect(states()).toContain('web waiting migration');
    expect(states()).toContain('migration waiting database');
    expect(await children()).toBe('database migration web');
    expect(reports.at(-1)?.children).toMatchObject({ web: { data: { version: '1' } } });
    await annotate('database', { state: 'up' });
    await until('web ready');
    await ready().until('the change', async () => {
      return (await ready().client.get(ConfigMap, child('web'))).data?.['version'] === '2';
    });
  });

  it('deletes unwanted children, those that need them first', async () => {
    await allReady('pruned', { hasCache: true });
    expect(await children()).toBe('cache database migration web');
    // Delays its deletion.
    await ready().client.patch(ConfigMap, child('web'), { merge: { metadata: { finalizers: ['example.com/held'] } } });
    build = shop({ hasDatabase: false });
    await wake();
    await until('web deleting');
    await until('cache absent');
    expect(states()).toEqual([
      'settings ready',
      'database deleting migration',
      'migration deleting web',
      'cache absent',
      'web deleting',
    ]);
    expect(reports.at(-1)?.message).toBe(
      'database is deleted when migration is gone; migration is deleted when web is gone; web is being deleted',
    );
    expect(await children()).toBe('database migration web!');
    await ready().client.patch(ConfigMap, child('web'), { merge: { metadata: { finalizers: null } } });
    await until('database absent');
    expect(await children()).toBe('');
    expect(reports.at(-1)?.ready).toBe(true);
    build = shop();
    await wake();
    await until('database unready');
    expect(await children()).toBe('database');
  });

  it('deletes the child that a dependent had under another name, and children that are no longer in the graph', async () => {
    build = (dependents) =>
      dependents.add('page', ConfigMap, () => map('old')).add('extra', ConfigMap, () => map('extra'));
    await operating('renamed');
    await create();
    await until('extra ready');
    const { client } = ready();
    await client.create(ConfigMap, {
      metadata: { name: `${current}-bystander`, namespace: 'default', labels: { 'evenkeel.dev/dependent': 'page' } },
    });
    build = (dependents) => dependents.add('page', ConfigMap, () => map('new'));
    await wake();
    await ready().until('the new one alone', async () => (await children()) === 'bystander new');
  });

  it('continues with the other children if one fails, and throws afterwards', async () => {
    build = (dependents) =>
      dependents
        .add('broken', ConfigMap, () => ({ ...map('broken'), data: 5 as never }))
        .add('lost', ConfigMap, () => map('lost'), { needs: ['broken'] })
        .add('fine', ConfigMap, () => map('fine'));
    await operating('failing');
    await create();
    await ready().until('a failure', () => ready().outcomes(current).includes('failed'));
    await ready().until('the others', async () => (await children()) === 'fine');
    await untilCondition('DependentFailed');
    expect((await condition()).message).toMatch(/^broken failed: .*; lost waits for broken$/s);
    expect(reports).toEqual([]);
    build = shop();
    await wake();
    await ready().until('the repaired graph', () => states()?.includes('database unready') === true);
    await ready().until('the left over to go', async () => (await children()) === 'database');
  });

  it('does not write into the status of a built-in kind by itself, even if it has conditions', async () => {
    build = shop();
    const { client } = await operating('quiet', QuietShopController);
    await create();
    await until('database unready');
    const status = {
      conditions: [{ type: 'DisruptionAllowed', status: 'False' as const, reason: 'InsufficientPods' }],
    };
    const stamped = status.conditions.map((one) => ({
      ...one,
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }));
    const key = new ObjectKey(current, 'default');
    const merge = { status: { ...status, conditions: stamped } };
    await client.subresource(PodDisruptionBudget, key, 'status').patch({ merge });
    await annotate('database', { state: 'up' });
    await until('migration unready');
    await ready().until('the run for the status', () =>
      ready().runs.some(({ triggers }) => triggers.some(({ changed }) => changed.includes('status.conditions'))),
    );
    expect((await client.get(PodDisruptionBudget, key)).status?.conditions).toEqual(stamped);
    const written = ready().runs.flatMap(({ writes }) => writes.map(({ resource }) => resource.kind));
    expect(written).not.toContain('PodDisruptionBudget');
  });

  it('reaches the same end state if the process exits between two children', async () => {
    build = shop();
    const inner = backend.transport();
    let applies = 0;
    const dying: Transport = {
      request: async (request) => {
        // From the second child on, no request reaches the server.
        if (request.method === 'PATCH' && request.path.includes('/configmaps/') && applies++ > 0) {
          return new Promise(() => {});
        }
        return inner.request(request);
      },
      close: async () => {},
    };
    const first = await operating('crashed', ShopController, dying);
    await create();
    await until('database unready');
    await annotate('database', { state: 'up' });
    await first.until('the second child', () => applies > 1);
    expect(await children()).toBe('database');
    reports = [];
    operator = undefined;
    const second = await operating('crashed');
    await until('migration unready');
    await annotate('migration', { state: 'up' });
    await until('web ready');
    expect(await children()).toBe('database migration web');
    expect(
      second.runs.flatMap(({ writes }) => writes.filter(({ key }) => String(key) === String(child('database')))),
    ).toEqual([]);
    void first.manager.stop();
  });

  it('deletes all children in order in a finalizer', async () => {
    await allReady('closing', {}, ClosingShopController);
    const { client } = ready();
    await client.patch(ConfigMap, child('migration'), { merge: { metadata: { finalizers: ['example.com/held'] } } });
    await client.delete(PodDisruptionBudget, new ObjectKey(current, 'default'));
    await until('migration deleting');
    expect(await children()).toBe('database migration!');
    expect(states()).toContain('database deleting migration');
    await client.patch(ConfigMap, child('migration'), { merge: { metadata: { finalizers: null } } });
    await ready().until('the owner to go', async () => {
      return (await ignoreNotFound(client.get(PodDisruptionBudget, new ObjectKey(current, 'default')))) === undefined;
    });
    expect(await children()).toBe('');
  });
});
