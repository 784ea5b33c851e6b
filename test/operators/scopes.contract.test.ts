import { type Client, createClient } from '@evenkeel/client';
import {
  Controller,
  CustomResource,
  isForbidden,
  KubernetesObject,
  ObjectKey,
  Owns,
  Reconcile,
  Spec,
  Status,
  type Transport,
  type TransportResponse,
  Watches,
} from '@evenkeel/core';
import {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  CustomResourceDefinition,
  Event,
  Namespace,
  Role,
  RoleBinding,
  Secret,
} from '@evenkeel/kinds';
import { createManager } from '../../packages/runtime/src/manager/manager.ts';
import type { ManagerOptions } from '../../packages/runtime/src/options/manager-options.ts';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { describeOnEmbeddedServer } from '../real-server.fixture.ts';
import { definitionOf } from './definition.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

const group = 'scopes.example.com';

class PageSpec {
  text = '';
}

class PageStatus {
  seen?: string;
}

@CustomResource({ group, version: 'v1' })
class Page extends KubernetesObject {
  @Spec() spec!: PageSpec;
  @Status() status!: PageStatus;
}

@CustomResource({ group, version: 'v1', scope: 'Cluster' })
class Theme extends KubernetesObject {
  @Spec() spec!: PageSpec;
  @Status() status!: PageStatus;
}

@Controller(Page)
@Owns(ConfigMap)
class PageController {
  @Reconcile()
  async reconcile(page: Page, context: ReconcileContext): Promise<void> {
    const { name } = page.metadata;
    await context.apply<ConfigMap>({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: page.spec as never,
    });
    context.events.normal('Seen', `text ${page.spec.text}`);
    page.status.seen = page.spec.text;
  }

  @Watches(Secret, { labels: { page: 'yes' } })
  onSecret({ metadata }: Secret): ObjectKey[] {
    return [new ObjectKey(metadata.name, metadata.namespace)];
  }
}

@Controller(Theme)
@Owns(ConfigMap)
class ThemeController {
  @Reconcile()
  async reconcile(theme: Theme, context: ReconcileContext): Promise<void> {
    const metadata = { name: theme.metadata.name, namespace: 'team-a' };
    await context.apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    theme.status.seen = theme.spec.text;
  }
}

const half = { type: 'object', properties: { text: { type: 'string' }, seen: { type: 'string' } } };
const schemas = { spec: half, status: half };

const rules = [
  { apiGroups: [group], resources: ['pages', 'pages/status', 'themes', 'themes/status'], verbs: ['*'] },
  { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: ['*'] },
  { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
];

/** Records the requests to the server, and those that it rejected. */
class KeepingTransport implements Transport {
  readonly #target: Transport;
  readonly paths: string[] = [];
  readonly refused: string[] = [];

  constructor(target: Transport) {
    this.#target = target;
  }

  async request(request: Parameters<Transport['request']>[0]): Promise<TransportResponse> {
    const path = request.path.replace(/\?.*/, '');
    this.paths.push(path);
    const response = await this.#target.request(request);
    if (response.status === 403) this.refused.push(path);
    return response;
  }

  close(): Promise<void> {
    return this.#target.close();
  }
}

describeOnEveryServer('an operator on some namespaces', (start) => {
  let backend: ApiBackend;
  let client: Client;
  const operators: TestOperator[] = [];

  beforeAll(async () => {
    backend = await start();
    client = createClient(backend.transport(), { fieldManager: 'test' });
    await client.create(CustomResourceDefinition, definitionOf(Page, schemas));
    await client.create(CustomResourceDefinition, definitionOf(Theme, schemas));
    for (const name of ['team-a', 'team-b', 'other']) await client.create(Namespace, { metadata: { name } });
    for (const namespace of ['team-a', 'team-b']) await bind('scoped', namespace);
  });

  afterEach(async () => {
    for (const operator of operators.splice(0)) await operator.manager.stop();
  });

  afterAll(() => backend.stop());

  const subjectOf = (name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name });
  const roleOf = (kind: string, name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });

  async function bind(user: string, namespace: string): Promise<void> {
    const metadata = { name: user, namespace };
    await client.create(Role, { metadata, rules });
    await client.create(RoleBinding, { metadata, roleRef: roleOf('Role', user), subjects: [subjectOf(user)] });
    await untilMayList(user, ConfigMap, namespace);
  }

  /** The server's authorizer receives roles and bindings a moment after their creation. */
  async function untilMayList(user: string, kind: new () => KubernetesObject, namespace?: string): Promise<void> {
    const own = createClient(backend.transport(user));
    await TestOperator.until(`${user} may list`, () =>
      own
        .list(kind, namespace === undefined ? {} : { namespace })
        .then(Boolean, (error: unknown) => !isForbidden(error)),
    );
  }

  /** An operator with the credentials of a user that has only the bound permissions. */
  async function operating(user: string, options: Partial<ManagerOptions>, controllers = [PageController] as never) {
    const transport = new KeepingTransport(backend.transport(user));
    const operator = await TestOperator.begin(backend, controllers, { transport, ...options });
    operators.push(operator);
    return { operator, transport };
  }

  async function pageIn(namespace: string, name: string): Promise<void> {
    await client.create(Page, { metadata: { name, namespace }, spec: { text: namespace } });
  }

  const isSeen = async (namespace: string, name: string): Promise<boolean> =>
    (await client.get(Page, `${namespace}/${name}`)).status?.seen === namespace;

  it.each([
    ['several', ['team-b', 'team-a', 'team-b']],
    ['one', ['team-a']],
  ])(
    'needs only a Role in each namespace, and neither sees nor requests objects of others: %s',
    async (label, namespaces) => {
      const { operator, transport } = await operating('scoped', { namespaces });
      await operator.until('ready', () => operator.manager.health.ready);
      const name = `page-${label}`;
      for (const namespace of ['team-a', 'team-b', 'other']) await pageIn(namespace, name);
      const watched = new Set(namespaces);
      await operator.until('the pages', async () =>
        (await Promise.all([...watched].map((namespace) => isSeen(namespace, name)))).every(Boolean),
      );
      // Children and watched kinds have the same scope.
      await client.delete(ConfigMap, `team-a/${name}`);
      await operator.until('the child again', () =>
        client.get(ConfigMap, `team-a/${name}`).then(
          () => true,
          () => false,
        ),
      );
      const runs = operator.runs.filter(({ key }) => key.namespace === 'team-a').length;
      for (const namespace of ['other', 'team-a']) {
        await client.create(Secret, { metadata: { name, namespace, labels: { page: 'yes' } } });
      }
      await operator.until(
        'the run',
        () => operator.runs.filter(({ key }) => key.namespace === 'team-a').length > runs,
      );
      await operator.until(
        'the Event',
        async () => (await client.list(Event, { namespace: 'team-a' })).items.length > 0,
      );

      expect(new Set(operator.runs.map(({ key }) => key.namespace))).toEqual(watched);
      // Discovery, which everyone may read, contains no objects.
      const ofObjects = transport.paths.filter((path) => !/^\/apis\/[^/]+\/[^/]+$/.test(path));
      const asked = new Set(ofObjects.map((path) => /\/namespaces\/([^/]+)\//.exec(path)?.[1] ?? path));
      expect(asked).toEqual(watched);
      expect(transport.refused).toEqual([]);
      expect(operator.manager.health.watches.map(({ namespace }) => namespace)).toEqual(
        ['pages', 'configmaps', 'secrets'].flatMap(() => [...watched].sort()),
      );
      expect(await isSeen('other', name)).toBe(false);
      const opened = transport.paths.length;
      await operator.manager.stop();
      expect(transport.paths.slice(opened).filter((path) => !path.includes('/events'))).toEqual([]);
    },
  );

  it('works with cluster-scoped kinds, whose children it watches in its own namespaces', async () => {
    const ofThemes = { apiGroups: [group], resources: ['themes', 'themes/status'], verbs: ['*'] };
    await client.create(ClusterRole, { metadata: { name: 'themes' }, rules: [ofThemes] });
    await client.create(ClusterRoleBinding, {
      metadata: { name: 'themes' },
      roleRef: roleOf('ClusterRole', 'themes'),
      subjects: [subjectOf('scoped')],
    });
    await untilMayList('scoped', Theme);
    const { operator, transport } = await operating('scoped', { namespaces: ['team-a'] }, [ThemeController] as never);
    await operator.until('ready', () => operator.manager.health.ready);
    await client.create(Theme, { metadata: { name: 'dark' }, spec: { text: 'dark' } });
    await operator.until('the theme', async () => (await client.get(Theme, 'dark')).status?.seen === 'dark');
    await client.delete(ConfigMap, 'team-a/dark');
    await operator.until('the child again', () =>
      client.get(ConfigMap, 'team-a/dark').then(
        () => true,
        () => false,
      ),
    );
    expect(transport.refused).toEqual([]);
    expect(operator.manager.health.watches.map(({ resource, namespace }) => [resource, namespace])).toEqual([
      ['configmaps', 'team-a'],
      [`themes.${group}`, undefined],
    ]);
  });

  it('continues in the other namespaces if one is forbidden or missing, and reports it until it is not', async () => {
    const { operator } = await operating('scoped', { namespaces: ['team-a', 'team-late'] });
    await operator.until('the problems', () => operator.manager.health.problems.length === 3);
    for (const problem of operator.manager.health.problems) {
      expect(problem).toContain(' in team-late for @');
      expect(problem).toContain('in a Role of team-late');
    }
    await operator.until('ready', () => operator.manager.health.ready);
    await pageIn('team-a', 'beside');
    await operator.until('the page', () => isSeen('team-a', 'beside'));
    await client.create(Namespace, { metadata: { name: 'team-late' } });
    await pageIn('team-late', 'late');
    await bind('scoped', 'team-late');
    await operator.until('the late page', () => isSeen('team-late', 'late'));
    await operator.until('no problem', () => operator.manager.health.problems.length === 0);
  });

  it('does not affect another operator of the same process that has the same kinds in another namespace', async () => {
    const [a, b] = await Promise.all([
      operating('scoped', { namespaces: ['team-a'] }),
      operating('scoped', { namespaces: ['team-b'] }),
    ]);
    for (const { operator } of [a, b]) await operator.until('ready', () => operator.manager.health.ready);
    for (const namespace of ['team-a', 'team-b']) await pageIn(namespace, 'twins');
    await a.operator.until('both', async () => (await isSeen('team-a', 'twins')) && (await isSeen('team-b', 'twins')));
    const namespacesOf = ({ operator }: typeof a) => [...new Set(operator.runs.map(({ key }) => key.namespace))];
    expect([namespacesOf(a), namespacesOf(b)]).toEqual([['team-a'], ['team-b']]);
    expect(await a.operator.manager.stop()).toEqual({ drained: true });
    await client.patch(Page, 'team-b/twins', { merge: { spec: { text: 'changed' } } });
    await b.operator.until(
      'the change',
      async () => (await client.get(Page, 'team-b/twins')).status?.seen === 'changed',
    );
    expect(b.operator.manager.health).toMatchObject({ ready: true, live: true });
    expect(namespacesOf(a)).toEqual(['team-a']);
  });
});

describeOnEmbeddedServer('a list of namespaces', () => {
  const transport: Transport = { request: () => new Promise(() => {}), close: async () => {} };

  it.each([
    [[], 'namespaces: the list is empty, so nothing would be watched; remove it to watch all'],
    [[''], 'namespaces: invalid namespace name ""; remove the list to watch all'],
    [
      ['default', 'Team_A'],
      'namespaces: invalid namespace name "Team_A"; use at most 63 lower-case letters, digits and "-"',
    ],
    [['../kube-system'], 'namespaces: invalid namespace name "../kube-system"; '],
    [['a'.repeat(64)], `invalid namespace name "${'a'.repeat(64)}"; `],
    ['default', `namespaces: "default" is no list; write ['default']`],
  ])('is rejected before any request is sent: %j', async (namespaces, message) => {
    const mistake = createManager({ transport, controllers: [PageController], namespaces: namespaces as string[] });
    await expect(mistake).rejects.toMatchObject({ code: 'invalid-option', message: expect.stringContaining(message) });
  });

  it('is rejected for a single kind too', async () => {
    const cache = [{ kind: ConfigMap, namespaces: [] }];
    await expect(createManager({ transport, controllers: [PageController], cache })).rejects.toMatchObject({
      message: 'cache: namespaces of ConfigMap: the list is empty, so nothing would be watched; remove it to watch all',
    });
  });
});
