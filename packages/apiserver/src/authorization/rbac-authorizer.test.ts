import type { PolicyRule } from '@evenkeel/apimachinery/rbac';
import type { UserInfo } from '../request/user-info.ts';
import { type AccessAttributes, forbiddenMessage } from './authorizer.ts';
import { bootstrapPolicy } from './bootstrap-policy.ts';
import { type Binding, RbacAuthorizer, type Role } from './rbac-authorizer.ts';

const ann: UserInfo = { name: 'ann', groups: ['system:authenticated', 'team'] };
const robot: UserInfo = { name: 'system:serviceaccount:demo:robot', groups: ['system:authenticated'] };

function access(
  user: UserInfo,
  verb: string,
  resource: string,
  rest: Partial<AccessAttributes> = {},
): AccessAttributes {
  const [plural = '', subresource = ''] = resource.split('/');
  return {
    user,
    verb,
    isResource: true,
    group: '',
    version: 'v1',
    namespace: 'demo',
    resource: plural,
    subresource,
    name: '',
    path: '',
    ...rest,
  };
}

function authorizerWith(rules: PolicyRule[], binding: Partial<Binding> = {}): RbacAuthorizer {
  const role: Role = { rules };
  return new RbacAuthorizer({
    clusterRole: (name) => (name === 'missing' ? undefined : role),
    role: (_namespace, name) => (name === 'missing' ? undefined : role),
    clusterRoleBindings: () => [],
    roleBindings: (namespace) =>
      namespace !== 'demo'
        ? []
        : [
            {
              metadata: { name: 'b', namespace: 'demo' },
              roleRef: { kind: 'Role', name: 'r' },
              subjects: [{ kind: 'User', name: 'ann' }],
              ...binding,
            },
          ],
  });
}

describe('RbacAuthorizer', () => {
  const reader = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/log'] }];

  it.each([
    ['get', 'pods', {}, true],
    ['get', 'pods/log', {}, true],
    ['get', 'pods/exec', {}, false],
    ['delete', 'pods', {}, false],
    ['get', 'secrets', {}, false],
    ['get', 'pods', { group: 'apps' }, false],
    ['get', 'pods', { namespace: 'other' }, false],
    ['get', 'pods', { namespace: '' }, false],
  ])('lets a reader of pods %s %s %j: %s', (verb, resource, rest, allowed) => {
    expect(authorizerWith(reader).authorize(access(ann, verb, resource, rest)).allowed).toBe(allowed);
  });

  it('matches wildcards, subresources of any resource, and names', () => {
    const scale = authorizerWith([{ verbs: ['*'], apiGroups: ['*'], resources: ['*/scale'] }]);
    expect(scale.authorize(access(ann, 'patch', 'deployments/scale', { group: 'apps' })).allowed).toBe(true);
    expect(scale.authorize(access(ann, 'patch', 'deployments', { group: 'apps' })).allowed).toBe(false);
    const named = authorizerWith([{ verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['a'] }]);
    expect(named.authorize(access(ann, 'get', 'secrets', { name: 'a' })).allowed).toBe(true);
    expect(named.authorize(access(ann, 'list', 'secrets')).allowed).toBe(false);
    expect(named.authorize(access(ann, 'get', 'secrets', { name: 'b' })).allowed).toBe(false);
  });

  it('matches groups and service accounts', () => {
    const group = authorizerWith(reader, { subjects: [{ kind: 'Group', name: 'team' }] });
    expect(group.authorize(access(ann, 'get', 'pods')).allowed).toBe(true);
    const account = authorizerWith(reader, {
      subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'demo' }],
    });
    expect(account.authorize(access(robot, 'get', 'pods'))).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "b/demo" of Role "r" to ServiceAccount "robot/demo"',
    });
    expect(account.authorize(access(ann, 'get', 'pods')).allowed).toBe(false);
  });

  it('reports the missing role of a binding', () => {
    const broken = authorizerWith(reader, { roleRef: { kind: 'Role', name: 'missing' } });
    const decision = broken.authorize(access(ann, 'get', 'pods'));
    expect(decision.reason).toBe('RBAC: role.rbac.authorization.k8s.io "missing" not found');
    expect(forbiddenMessage(access(ann, 'get', 'pods'), decision.reason)).toBe(
      'User "ann" cannot get resource "pods" in API group "" in the namespace "demo": RBAC: role.rbac.authorization.k8s.io "missing" not found',
    );
  });

  it('allows everything to system:masters', () => {
    const nobody = authorizerWith([]);
    const master = { name: 'root', groups: ['system:masters'] };
    expect(nobody.authorize(access(master, 'delete', 'nodes', { namespace: '' })).allowed).toBe(true);
  });
});

describe('bootstrapPolicy', () => {
  const policy = bootstrapPolicy();
  const find = (kind: string, name: string) =>
    policy.find((object) => object.kind === kind && object.metadata.name === name);

  it('lets every authenticated user discover the API and check their own access', () => {
    const authorizer = new RbacAuthorizer({
      clusterRole: (name) => find('ClusterRole', name) as Role | undefined,
      role: () => undefined,
      clusterRoleBindings: () => policy.filter(({ kind }) => kind === 'ClusterRoleBinding') as unknown as Binding[],
      roleBindings: () => [],
    });
    const path = { ...access(robot, 'get', ''), isResource: false, namespace: '', path: '/apis/apps/v1' };
    expect(authorizer.authorize(path).allowed).toBe(true);
    const review = { group: 'authorization.k8s.io', namespace: '' };
    expect(authorizer.authorize(access(robot, 'create', 'selfsubjectaccessreviews', review)).allowed).toBe(true);
    expect(authorizer.authorize(access(robot, 'list', 'pods')).allowed).toBe(false);
  });

  it('contains the user-facing roles', () => {
    for (const name of ['cluster-admin', 'admin', 'edit', 'view']) expect(find('ClusterRole', name)).toBeDefined();
    expect(policy.length).toBeGreaterThan(120);
  });
});
