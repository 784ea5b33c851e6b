import { ApiServer } from '@evenkeel/apiserver';
import { type Client, createClient, evict } from '@evenkeel/client';
import {
  Controller,
  CustomResource,
  EvenkeelError,
  isForbidden,
  KubernetesObject,
  Owns,
  Rbac,
  Reconcile,
  Watches,
} from '@evenkeel/core';
import {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  CustomResourceDefinition,
  Deployment,
  Namespace,
  Node,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
  SubjectAccessReview,
} from '@evenkeel/kinds';
import { RbacAudit, type RbacAuditOptions } from './rbac-audit.ts';

@CustomResource({ group: 'example.com', version: 'v1' })
class Widget extends KubernetesObject {}

@Controller(Widget)
@Owns(ConfigMap)
class WidgetController {
  @Reconcile()
  reconcile(): void {}
  @Watches(Secret)
  onSecret(): [] {
    return [];
  }
}

@Rbac(Secret, ['get'], { names: ['known'], reason: 'reads what it knows' })
@Rbac('/metrics', ['get'])
class Service {}

describe('RbacAudit', () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await ApiServer.create({ controllers: false });
    await createClient(server.transport()).create(CustomResourceDefinition, {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'widgets', kind: 'Widget' },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    } as never);
  });
  afterAll(() => server.close());

  async function audited(options: Partial<RbacAuditOptions> = {}): Promise<{ audit: RbacAudit; client: Client }> {
    const transport = server.transport();
    const audit = await RbacAudit.create({
      transport,
      controllers: [WidgetController],
      services: [Service],
      ...options,
    });
    return { audit, client: createClient(audit.transport, { fieldManager: 'widget' }) };
  }

  /** Returns the refused request when `send` sends something that the roles do not allow. */
  async function refusedOf(send: (client: Client) => Promise<unknown>, options = {}): Promise<string> {
    const { audit, client } = await audited(options);
    await expect(send(client)).rejects.toThrow('is forbidden: User "system:serviceaccount:default:rbac-audit" cannot');
    expect(audit.refused).toHaveLength(1);
    return String(audit.refused[0]);
  }

  it.each<[string, (client: Client) => Promise<unknown>, string]>([
    ['a kind of the declarations', (client) => client.delete(Widget, 'default/a'), "@Rbac(Widget, ['delete'])"],
    ['a built-in kind', (client) => client.list(Deployment), "@Rbac(Deployment, ['list'])"],
    [
      'a subresource',
      (client) => client.subresource(Widget, 'default/a', 'scale').get(),
      "@Rbac(Widget, ['get'], { subresource: 'scale' })",
    ],
    ['an eviction', (client) => evict(client, 'default/a'), "@Rbac(Pod, ['create'], { subresource: 'eviction' })"],
    [
      'a kind without a class',
      (client) => client.list({ group: 'other.io', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true }),
      "@Rbac({ group: 'other.io', plural: 'things' }, ['list'])",
    ],
    ['an object of another name', (client) => client.get(Secret, 'default/other'), "@Rbac(Secret, ['get'])"],
  ])('names the decorator for %s', async (_, send, decorator) => {
    expect(await refusedOf(send)).toContain(`; add ${decorator} above the class that asks for it`);
  });

  it('names the namespace if a request is for one that is not watched', async () => {
    const refused = await refusedOf((client) => client.list(Secret, { namespace: 'kube-system' }), {
      namespaces: ['default'],
    });
    expect(refused).toContain("add @Rbac(Secret, ['list'], { namespace: 'kube-system' }) above");
    expect(refused).toMatch(/^list secrets in kube-system is not in the roles; /);
  });

  it('requires create if an apply creates the object, and update of the finalizers of its owner', async () => {
    const { audit, client } = await audited();
    const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'a', uid: 'u', blockOwnerDeletion: true };
    await client.apply(ConfigMap, {
      metadata: { name: 'made', namespace: 'default', ownerReferences: [owner] },
    } as never);
    expect(audit.refused).toEqual([]);
    const unused = audit.unused.join('\n');
    for (const used of ['create configmaps ', 'patch configmaps ', 'update widgets.example.com/finalizers ']) {
      expect(unused).not.toContain(used);
    }
    expect(unused).toContain('watch configmaps was never needed (list, watch, create, patch: WidgetController owns');
  });

  it('lists unused verbs with their reasons, per resource and path', async () => {
    const { audit, client } = await audited();
    expect(audit.unused).toContain('get secrets was never needed (get: reads what it knows)');
    expect(audit.unused).toContain('get /metrics was never needed (get: @Rbac on Service)');
    await expect(client.get(Secret, 'default/known')).rejects.toThrow('not found');
    await audit.transport.request({ method: 'GET', path: '/metrics' });
    expect(audit.unused.join('\n')).not.toMatch(/^get secrets|\/metrics/m);
    expect(audit.refused).toEqual([]);
  });

  it('separates the permissions for Evenkeel itself from those of the declarations', async () => {
    @Rbac(Node, ['list'])
    @Rbac(SubjectAccessReview, ['create'])
    class Listing {}
    const { audit } = await audited({ services: [Service, Listing], metricsAuthentication: true });
    const reserved = audit.unused.filter((text) => !audit.unusedDeclarations.includes(text));
    expect(reserved.map((text) => text.split(' was ')[0]).sort()).toEqual([
      'create events.events.k8s.io',
      'create tokenreviews.authentication.k8s.io',
      'list configmaps',
      'list secrets',
      'list widgets.example.com',
      'patch events.events.k8s.io',
    ]);
    // A declaration requires these.
    expect(audit.unusedDeclarations).toContain('list nodes was never needed (list: @Rbac on Listing)');
    expect(audit.unusedDeclarations.join('\n')).toContain(
      'create subjectaccessreviews.authorization.k8s.io was never needed',
    );
    expect(audit.unusedDeclarations.join('\n')).toContain('watch configmaps was never needed');
  });

  it('allows discovery, and what every account may do', async () => {
    const { audit } = await audited();
    for (const path of ['/api', '/apis/example.com/v1', '/openapi/v3', '/version', '/readyz']) {
      expect([path, (await audit.transport.request({ method: 'GET', path })).status]).toEqual([path, 200]);
    }
    expect(audit.refused).toEqual([]);
    expect((await audit.transport.request({ method: 'GET', path: '/logs/x' })).status).toBe(403);
    expect(audit.refused).toEqual([expect.stringContaining("add @Rbac('/logs/x', ['get']) above")]);
  });

  it('lists each type of rejected request once, and returns the response to the caller', async () => {
    const { audit, client } = await audited();
    for (const name of ['a', 'b']) {
      const error = await client.get(Node, name).catch((caught: unknown) => caught);
      expect(isForbidden(error)).toBe(true);
    }
    expect(audit.refused).toEqual([expect.stringContaining('get nodes is not in the roles; ')]);
  });

  it('lists requests that the server rejects although the roles allow them, but not those in a terminating namespace', async () => {
    const { audit, client } = await audited();
    const admin = createClient(server.transport());
    await admin.create(Namespace, { metadata: { name: 'ending' } });
    await admin.create(ConfigMap, { metadata: { name: 'holds', namespace: 'ending', finalizers: ['example.com/x'] } });
    await admin.delete(Namespace, 'ending');
    await expect(client.create(ConfigMap, { metadata: { name: 'late', namespace: 'ending' } })).rejects.toThrow(
      'terminated',
    );
    expect(audit.refused).toEqual([]);
    await admin.deleteCollection(
      {
        group: 'rbac.authorization.k8s.io',
        version: 'v1',
        kind: 'ClusterRoleBinding',
        plural: 'clusterrolebindings',
        namespaced: false,
      },
      { fields: { 'metadata.name': 'rbac-audit' } },
    );
    await expect(client.list(ConfigMap)).rejects.toThrow('cannot list resource "configmaps"');
    expect(audit.refused).toEqual([
      expect.stringContaining('list configmaps was rejected by the server: configmaps is forbidden: User'),
    ]);
  });

  it('uses a token of the ServiceAccount if it gets a connect function', async () => {
    const tokens: string[] = [];
    const { audit, client } = await audited({
      connect: (token) => {
        tokens.push(token);
        return server.transport({ name: 'system:serviceaccount:default:rbac-audit', groups: [] });
      },
    });
    await client.list(Widget);
    expect([tokens.length, tokens[0]?.length ?? 0 > 10]).toEqual([1, expect.anything()]);
    await audit.transport.close();
    await expect(client.list(Widget)).rejects.toThrow('closed');
  });

  it('simulates a server without watch lists, and sends all other requests', async () => {
    const { audit } = await audited();
    const client = createClient(audit.withoutWatchList);
    await client.list(Widget);
    const watch =
      '/apis/example.com/v1/widgets?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
    const { status, body } = await audit.withoutWatchList.request({ method: 'GET', path: watch });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    expect([status, JSON.parse(Buffer.concat(chunks).toString()).reason]).toEqual([422, 'Invalid']);
  });

  it('deletes exactly what it created when it is closed', async () => {
    const admin = createClient(server.transport());
    const left = async (): Promise<string[]> => {
      const found = await Promise.all(
        [ServiceAccount, Role, RoleBinding, ClusterRole, ClusterRoleBinding].map((kind) => admin.list(kind)),
      );
      return found.flatMap(({ items }) => items.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
    };
    const before = await left();
    const identity = { name: 'passing', namespace: 'default', serviceAccount: 'passer' };
    const leaderElection = { name: 'passing', namespace: 'kube-system' };
    const { audit } = await audited({ identity, leaderElection });
    expect((await left()).filter((name) => !before.includes(name)).sort()).toEqual([
      'ClusterRole passing',
      'ClusterRoleBinding passing',
      'Role passing-leader-election',
      'RoleBinding passing-leader-election',
      'ServiceAccount passer',
    ]);
    await audit.close();
    expect(await left()).toEqual(before);
    await audit.close();
  });

  it('rejects invalid declarations of controllers and services', async () => {
    class Undeclared {}
    @Rbac(Secret, ['gett' as 'get'])
    class Wrong {}
    await expect(audited({ controllers: [Undeclared] })).rejects.toThrow(EvenkeelError);
    await expect(audited({ services: [Wrong] })).rejects.toThrow(
      'Wrong: @Rbac: invalid verb "gett"; did you mean "get"?',
    );
  });
});
