const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;
export const cluster = `/apis/${apiVersion}`;
export const namespaced = `${cluster}/namespaces/default`;

const json = 'application/json';
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export const mayWrite: Rule = { apiGroups: [group], resources: ['*'], verbs: ['get', 'create', 'update', 'patch'] };
export const readPods: Rule = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };
const everything: readonly Rule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

/** The users of the cases, each with the rules of a ClusterRole of the same name. */
export const users: Readonly<Record<string, readonly Rule[]>> = {
  writer: [
    mayWrite,
    readPods,
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['a'], verbs: ['get'] },
    { apiGroups: ['apps'], resources: ['*/status'], verbs: ['get'] },
    { nonResourceURLs: ['/logs*'], verbs: ['get'] },
  ],
  escalator: [
    mayWrite,
    { apiGroups: [group], resources: ['roles', 'clusterroles'], verbs: ['escalate'] },
    { apiGroups: [group], resources: ['clusterroles'], resourceNames: ['reader'], verbs: ['bind'] },
  ],
  // `escalate` for one name allows no creation, whose path has no name.
  limited: [
    mayWrite,
    { apiGroups: [group], resources: ['roles'], resourceNames: ['held'], verbs: ['escalate'] },
    { apiGroups: [group], resources: ['clusterroles'], verbs: ['escalate'] },
  ],
  owner: everything,
  // May change existing objects, and create none.
  changer: [{ ...mayWrite, verbs: ['get', 'update', 'patch'] }],
};

/** Objects that an administrator creates first. */
export const existing: readonly (readonly [path: string, object: object])[] = [
  [`${cluster}/clusterroles`, clusterRole('reader', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }])],
  [`${cluster}/clusterroles`, clusterRole('gathered', [], { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] })],
  [`${namespaced}/roles`, role('held', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }])],
  [`${namespaced}/roles`, role('pods', [readPods])],
  [`${namespaced}/rolebindings`, binding('bound', 'Role', 'pods')],
  [`${namespaced}/rolebindings`, binding('secrets', 'Role', 'held')],
  [`${cluster}/clusterrolebindings`, clusterBinding('wide', 'reader')],
];

export interface EscalationCase {
  readonly title: string;
  readonly user: string;
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly body: object;
  readonly contentType: string;
  readonly status: number;
}

const secrets: Rule = { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] };
const mixed: readonly Rule[] = [
  { apiGroups: ['', 'apps'], resources: ['pods', 'deployments', 'pods/status'], verbs: ['watch', 'get', 'list'] },
  { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['update', 'get'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['watch', 'delete'] },
];
const paths: Rule = { nonResourceURLs: ['/metrics', '/logs/a', '/healthz', '/x*'], verbs: ['get', 'post'] };

/** In this order: some cases change what later ones read. */
export const escalationCases: readonly EscalationCase[] = [
  ['a role with missing permissions', 'writer', 'POST', `${namespaced}/roles`, role('x', mixed), json, 403],
  ['a role with held permissions', 'writer', 'POST', `${namespaced}/roles`, role('mine', [readPods]), json, 201],
  [
    'a role with a permission for one name',
    'writer',
    'POST',
    `${namespaced}/roles`,
    role('one', [{ ...secrets, verbs: ['get'], resourceNames: ['a'] }]),
    json,
    201,
  ],
  [
    'a role with a permission for subresources',
    'writer',
    'POST',
    `${namespaced}/roles`,
    role('sub', [{ apiGroups: ['apps'], resources: ['deployments/status'], verbs: ['get'] }]),
    json,
    201,
  ],
  ['a role without rules', 'writer', 'POST', `${namespaced}/roles`, role('empty', []), json, 201],
  [
    'an invalid role with missing permissions',
    'writer',
    'POST',
    `${namespaced}/roles`,
    role('x', [{ ...secrets, verbs: [] }, secrets]),
    json,
    403,
  ],
  [
    'a generated role with missing permissions',
    'writer',
    'POST',
    `${namespaced}/roles`,
    { apiVersion, kind: 'Role', metadata: { generateName: 'x-' }, rules: [secrets] },
    json,
    403,
  ],
  ['an update of a role', 'writer', 'PUT', `${namespaced}/roles/pods`, role('pods', [secrets]), json, 403],
  [
    'an update of a role in an old version',
    'writer',
    'PUT',
    `${namespaced}/roles/pods`,
    { ...role('pods', [secrets]), metadata: { name: 'pods', resourceVersion: '1' } },
    json,
    403,
  ],
  ['a patch of a role', 'writer', 'PATCH', `${namespaced}/roles/pods`, { rules: [secrets] }, merge, 403],
  [
    'an apply of an existing role',
    'writer',
    'PATCH',
    `${namespaced}/roles/pods?fieldManager=m&force=true`,
    role('pods', [secrets]),
    apply,
    403,
  ],
  [
    'an apply of a new role',
    'writer',
    'PATCH',
    `${namespaced}/roles/applied?fieldManager=m`,
    role('applied', [secrets]),
    apply,
    403,
  ],
  [
    'a label of a role with missing permissions',
    'writer',
    'PATCH',
    `${namespaced}/roles/held`,
    { metadata: { labels: { a: 'b' } } },
    merge,
    403,
  ],
  [
    'a finalizer of a role with missing permissions',
    'writer',
    'PATCH',
    `${namespaced}/roles/held`,
    { metadata: { finalizers: ['example.com/a'] } },
    merge,
    200,
  ],
  ['a role with fewer rules', 'writer', 'PATCH', `${namespaced}/roles/held`, { rules: [] }, merge, 200],
  [
    'a cluster role with missing paths',
    'writer',
    'POST',
    `${cluster}/clusterroles`,
    clusterRole('x', [paths, secrets]),
    json,
    403,
  ],
  [
    'a cluster role with held paths',
    'writer',
    'POST',
    `${cluster}/clusterroles`,
    clusterRole('logs', [{ nonResourceURLs: ['/logs/a', '/logs*'], verbs: ['get'] }]),
    json,
    201,
  ],
  [
    'a cluster role with wildcards',
    'writer',
    'POST',
    `${cluster}/clusterroles`,
    clusterRole('x', everything),
    json,
    403,
  ],
  [
    'an aggregating cluster role',
    'writer',
    'POST',
    `${cluster}/clusterroles`,
    clusterRole('x', [], { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] }),
    json,
    403,
  ],
  [
    'an aggregation rule without selectors',
    'writer',
    'POST',
    `${cluster}/clusterroles`,
    clusterRole('x', [], { clusterRoleSelectors: [] }),
    json,
    422,
  ],
  [
    'the removal of an aggregation rule',
    'writer',
    'PATCH',
    `${cluster}/clusterroles/gathered`,
    { aggregationRule: null },
    merge,
    403,
  ],
  [
    'an update of a cluster role',
    'writer',
    'PUT',
    `${cluster}/clusterroles/reader`,
    clusterRole('reader', [secrets]),
    json,
    403,
  ],
  ['a patch of a cluster role', 'writer', 'PATCH', `${cluster}/clusterroles/reader`, { rules: [secrets] }, merge, 403],
  [
    'an apply of a cluster role',
    'writer',
    'PATCH',
    `${cluster}/clusterroles/reader?fieldManager=m&force=true`,
    clusterRole('reader', [secrets]),
    apply,
    403,
  ],
  [
    'a binding of a role with missing permissions',
    'writer',
    'POST',
    `${namespaced}/rolebindings`,
    binding('x', 'ClusterRole', 'reader'),
    json,
    403,
  ],
  [
    'a binding of a role with held permissions',
    'writer',
    'POST',
    `${namespaced}/rolebindings`,
    binding('fine', 'Role', 'pods'),
    json,
    201,
  ],
  [
    'a binding of an absent role',
    'writer',
    'POST',
    `${namespaced}/rolebindings`,
    binding('x', 'Role', 'nope'),
    json,
    404,
  ],
  [
    'a binding of an absent cluster role',
    'writer',
    'POST',
    `${namespaced}/rolebindings`,
    binding('x', 'ClusterRole', 'nope'),
    json,
    404,
  ],
  [
    'a binding of an unknown kind',
    'writer',
    'POST',
    `${namespaced}/rolebindings`,
    binding('x', 'Rolf', 'nope'),
    json,
    500,
  ],
  [
    'a binding of a role without a name',
    'writer',
    'POST',
    `${namespaced}/rolebindings`,
    binding('x', 'Role', ''),
    json,
    400,
  ],
  [
    'an apply of a binding',
    'writer',
    'PATCH',
    `${namespaced}/rolebindings/x?fieldManager=m`,
    binding('x', 'ClusterRole', 'reader'),
    apply,
    403,
  ],
  [
    'a binding with a changed role',
    'writer',
    'PATCH',
    `${namespaced}/rolebindings/bound`,
    { roleRef: { name: 'mine' } },
    merge,
    422,
  ],
  [
    'a new subject of a binding with missing permissions',
    'changer',
    'PATCH',
    `${namespaced}/rolebindings/bound`,
    { subjects: [] },
    merge,
    403,
  ],
  [
    'a new subject of a binding',
    'writer',
    'PUT',
    `${namespaced}/rolebindings/bound`,
    { ...binding('bound', 'Role', 'pods'), subjects: [] },
    json,
    200,
  ],
  [
    'a cluster binding with missing permissions',
    'writer',
    'POST',
    `${cluster}/clusterrolebindings`,
    clusterBinding('x', 'reader'),
    json,
    403,
  ],
  [
    'a cluster binding of an absent role',
    'writer',
    'POST',
    `${cluster}/clusterrolebindings`,
    clusterBinding('x', 'nope'),
    json,
    404,
  ],
  [
    'an update of a cluster binding',
    'writer',
    'PUT',
    `${cluster}/clusterrolebindings/wide`,
    { ...clusterBinding('wide', 'reader'), subjects: [] },
    json,
    403,
  ],
  [
    'a patch of a cluster binding',
    'writer',
    'PATCH',
    `${cluster}/clusterrolebindings/wide`,
    { subjects: [] },
    merge,
    403,
  ],
  [
    'an apply of a cluster binding',
    'writer',
    'PATCH',
    `${cluster}/clusterrolebindings/wide?fieldManager=m&force=true`,
    { ...clusterBinding('wide', 'reader'), subjects: [] },
    apply,
    403,
  ],
  [
    'an owner of a cluster binding',
    'writer',
    'PATCH',
    `${cluster}/clusterrolebindings/wide`,
    {
      metadata: {
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Namespace', name: 'a', uid: '11111111-1111-4111-8111-111111111111' },
        ],
      },
    },
    merge,
    200,
  ],
  ['a role, with the verb escalate', 'escalator', 'POST', `${namespaced}/roles`, role('escalated', mixed), json, 201],
  [
    'an aggregating cluster role, with the verb escalate',
    'escalator',
    'POST',
    `${cluster}/clusterroles`,
    clusterRole('more', [], { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] }),
    json,
    201,
  ],
  [
    'a binding, with the verb bind',
    'escalator',
    'POST',
    `${namespaced}/rolebindings`,
    binding('allowed', 'ClusterRole', 'reader'),
    json,
    201,
  ],
  [
    'a binding of another role, with the verb bind',
    'escalator',
    'POST',
    `${namespaced}/rolebindings`,
    binding('x', 'ClusterRole', 'writer'),
    json,
    403,
  ],
  [
    'a new role, with the verb escalate for one name',
    'limited',
    'POST',
    `${namespaced}/roles`,
    role('held', [secrets]),
    json,
    403,
  ],
  [
    'an update, with the verb escalate for one name',
    'limited',
    'PUT',
    `${namespaced}/roles/held`,
    role('held', [secrets]),
    json,
    200,
  ],
  [
    'a cluster role with all permissions by a user with all permissions',
    'owner',
    'POST',
    `${cluster}/clusterroles`,
    clusterRole('all', everything),
    json,
    201,
  ],
  [
    'an aggregating cluster role by a user with all permissions',
    'owner',
    'POST',
    `${cluster}/clusterroles`,
    clusterRole('sum', [], { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] }),
    json,
    201,
  ],
  [
    'a new role by PUT, without the permissions and without create',
    'changer',
    'PUT',
    `${namespaced}/roles/new`,
    role('new', [secrets]),
    json,
    403,
  ],
  [
    'an invalid new role by PUT, without create',
    'changer',
    'PUT',
    `${namespaced}/roles/new`,
    role('new', [{ ...secrets, verbs: [] }]),
    json,
    422,
  ],
  [
    'a new role by apply, without create',
    'changer',
    'PATCH',
    `${namespaced}/roles/new?fieldManager=m`,
    role('new', []),
    apply,
    403,
  ],
  [
    'a binding of an absent role by an administrator',
    'admin',
    'POST',
    `${namespaced}/rolebindings`,
    binding('dangling', 'Role', 'gone'),
    json,
    201,
  ],
  [
    'a cluster binding of an absent role by an administrator',
    'admin',
    'POST',
    `${cluster}/clusterrolebindings`,
    clusterBinding('dangling', 'gone'),
    json,
    201,
  ],
  [
    'a role with missing permissions by a user of an absent role',
    'carol',
    'POST',
    `${namespaced}/roles`,
    role('x', [{ ...secrets, resources: ['nodes'] }]),
    json,
    403,
  ],
].map(
  ([title, user, method, path, body, contentType, status]) =>
    ({ title, user, method, path, body, contentType, status }) as EscalationCase,
);

function role(name: string, rules: readonly Rule[]): object {
  return { apiVersion, kind: 'Role', metadata: { name }, rules };
}

export function clusterRole(name: string, rules: readonly Rule[], aggregationRule?: object): object {
  return { apiVersion, kind: 'ClusterRole', metadata: { name }, rules, ...(aggregationRule && { aggregationRule }) };
}

function binding(name: string, kind: string, roleName: string): object {
  const roleRef = { apiGroup: group, kind, name: roleName };
  return { apiVersion, kind: 'RoleBinding', metadata: { name }, roleRef, subjects: [{ kind: 'User', name: 'carol' }] };
}

export function clusterBinding(name: string, roleName: string, user = 'carol'): object {
  const roleRef = { apiGroup: group, kind: 'ClusterRole', name: roleName };
  return {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef,
    subjects: [{ kind: 'User', name: user }],
  };
}
