const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;
const cluster = `/apis/${apiVersion}`;
const namespaced = `${cluster}/namespaces/default`;
export const clusterRoles = `${cluster}/clusterroles`;
export const clusterBindings = `${cluster}/clusterrolebindings`;
const roles = `${namespaced}/roles`;
const bindings = `${namespaced}/rolebindings`;

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
const readPods: Rule = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };
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

const aggregation = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };

/** Objects that an administrator creates first. */
export const existing: readonly (readonly [path: string, object: object])[] = [
  [clusterRoles, clusterRole('reader', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }])],
  [clusterRoles, clusterRole('gathered', [], aggregation)],
  [roles, role('held', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }])],
  [roles, role('pods', [readPods])],
  [bindings, binding('bound', 'Role', 'pods')],
  [bindings, binding('secrets', 'Role', 'held')],
  [clusterBindings, clusterBinding('wide', 'reader')],
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
const owner = { apiVersion: 'v1', kind: 'Namespace', name: 'a', uid: '11111111-1111-4111-8111-111111111111' };
const paths: Rule = { nonResourceURLs: ['/metrics', '/logs/a', '/healthz', '/x*'], verbs: ['get', 'post'] };

/** In this order: some cases change what later ones read. */
export const escalationCases: readonly EscalationCase[] = [
  ...by('writer', [
    ['a role with missing permissions', 'POST', roles, role('x', mixed), 403],
    ['a role with held permissions', 'POST', roles, role('mine', [readPods]), 201],
    [
      'a role with a permission for one name',
      'POST',
      roles,
      role('one', [{ ...secrets, verbs: ['get'], resourceNames: ['a'] }]),
      201,
    ],
    [
      'a role with a permission for subresources',
      'POST',
      roles,
      role('sub', [{ apiGroups: ['apps'], resources: ['deployments/status'], verbs: ['get'] }]),
      201,
    ],
    ['a role without rules', 'POST', roles, role('empty', []), 201],
    ['an invalid role with missing permissions', 'POST', roles, role('x', [{ ...secrets, verbs: [] }, secrets]), 403],
    [
      'a generated role with missing permissions',
      'POST',
      roles,
      { apiVersion, kind: 'Role', metadata: { generateName: 'x-' }, rules: [secrets] },
      403,
    ],
    ['an update of a role', 'PUT', `${roles}/pods`, role('pods', [secrets]), 403],
    [
      'an update of a role in an old version',
      'PUT',
      `${roles}/pods`,
      { ...role('pods', [secrets]), metadata: { name: 'pods', resourceVersion: '1' } },
      403,
    ],
    ['a patch of a role', 'PATCH', `${roles}/pods`, { rules: [secrets] }, 403],
    ['an apply of an existing role', 'PATCH', `${roles}/pods?fieldManager=m&force=true`, role('pods', [secrets]), 403],
    ['an apply of a new role', 'PATCH', `${roles}/applied?fieldManager=m`, role('applied', [secrets]), 403],
    ['a label of a role with missing permissions', 'PATCH', `${roles}/held`, { metadata: { labels: { a: 'b' } } }, 403],
    [
      'a finalizer of a role with missing permissions',
      'PATCH',
      `${roles}/held`,
      { metadata: { finalizers: ['example.com/a'] } },
      200,
    ],
    ['a role with fewer rules', 'PATCH', `${roles}/held`, { rules: [] }, 200],
    ['a cluster role with missing paths', 'POST', clusterRoles, clusterRole('x', [paths, secrets]), 403],
    [
      'a cluster role with held paths',
      'POST',
      clusterRoles,
      clusterRole('logs', [{ nonResourceURLs: ['/logs/a', '/logs*'], verbs: ['get'] }]),
      201,
    ],
    ['a cluster role with wildcards', 'POST', clusterRoles, clusterRole('x', everything), 403],
    ['an aggregating cluster role', 'POST', clusterRoles, clusterRole('x', [], aggregation), 403],
    [
      'an aggregation rule without selectors',
      'POST',
      clusterRoles,
      clusterRole('x', [], { clusterRoleSelectors: [] }),
      422,
    ],
    ['the removal of an aggregation rule', 'PATCH', `${clusterRoles}/gathered`, { aggregationRule: null }, 403],
    ['an update of a cluster role', 'PUT', `${clusterRoles}/reader`, clusterRole('reader', [secrets]), 403],
    ['a patch of a cluster role', 'PATCH', `${clusterRoles}/reader`, { rules: [secrets] }, 403],
    [
      'an apply of a cluster role',
      'PATCH',
      `${clusterRoles}/reader?fieldManager=m&force=true`,
      clusterRole('reader', [secrets]),
      403,
    ],
    ['a binding of a role with missing permissions', 'POST', bindings, binding('x', 'ClusterRole', 'reader'), 403],
    ['a binding of a role with held permissions', 'POST', bindings, binding('fine', 'Role', 'pods'), 201],
    ['a binding of an absent role', 'POST', bindings, binding('x', 'Role', 'nope'), 404],
    ['a binding of an absent cluster role', 'POST', bindings, binding('x', 'ClusterRole', 'nope'), 404],
    ['a binding of an unknown kind', 'POST', bindings, binding('x', 'Rolf', 'nope'), 500],
    ['a binding of a role without a name', 'POST', bindings, binding('x', 'Role', ''), 400],
    ['an apply of a binding', 'PATCH', `${bindings}/x?fieldManager=m`, binding('x', 'ClusterRole', 'reader'), 403],
    ['a binding with a changed role', 'PATCH', `${bindings}/bound`, { roleRef: { name: 'mine' } }, 422],
  ]),
  ...by('changer', [
    ['a new subject of a binding with missing permissions', 'PATCH', `${bindings}/bound`, { subjects: [] }, 403],
  ]),
  ...by('writer', [
    [
      'a new subject of a binding',
      'PUT',
      `${bindings}/bound`,
      { ...binding('bound', 'Role', 'pods'), subjects: [] },
      200,
    ],
    ['a cluster binding with missing permissions', 'POST', clusterBindings, clusterBinding('x', 'reader'), 403],
    ['a cluster binding of an absent role', 'POST', clusterBindings, clusterBinding('x', 'nope'), 404],
    [
      'an update of a cluster binding',
      'PUT',
      `${clusterBindings}/wide`,
      { ...clusterBinding('wide', 'reader'), subjects: [] },
      403,
    ],
    ['a patch of a cluster binding', 'PATCH', `${clusterBindings}/wide`, { subjects: [] }, 403],
    [
      'an apply of a cluster binding',
      'PATCH',
      `${clusterBindings}/wide?fieldManager=m&force=true`,
      { ...clusterBinding('wide', 'reader'), subjects: [] },
      403,
    ],
    [
      'an owner of a cluster binding',
      'PATCH',
      `${clusterBindings}/wide`,
      { metadata: { ownerReferences: [owner] } },
      200,
    ],
  ]),
  ...by('escalator', [
    ['a role, with the verb escalate', 'POST', roles, role('escalated', mixed), 201],
    [
      'an aggregating cluster role, with the verb escalate',
      'POST',
      clusterRoles,
      clusterRole('more', [], aggregation),
      201,
    ],
    ['a binding, with the verb bind', 'POST', bindings, binding('allowed', 'ClusterRole', 'reader'), 201],
    ['a binding of another role, with the verb bind', 'POST', bindings, binding('x', 'ClusterRole', 'writer'), 403],
  ]),
  ...by('limited', [
    ['a new role, with the verb escalate for one name', 'POST', roles, role('held', [secrets]), 403],
    ['an update, with the verb escalate for one name', 'PUT', `${roles}/held`, role('held', [secrets]), 200],
  ]),
  ...by('owner', [
    [
      'a cluster role with all permissions by a user with all permissions',
      'POST',
      clusterRoles,
      clusterRole('all', everything),
      201,
    ],
    [
      'an aggregating cluster role by a user with all permissions',
      'POST',
      clusterRoles,
      clusterRole('sum', [], aggregation),
      201,
    ],
  ]),
  ...by('changer', [
    [
      'a new role by PUT, without the permissions and without create',
      'PUT',
      `${roles}/new`,
      role('new', [secrets]),
      403,
    ],
    [
      'an invalid new role by PUT, without create',
      'PUT',
      `${roles}/new`,
      role('new', [{ ...secrets, verbs: [] }]),
      422,
    ],
    ['a new role by apply, without create', 'PATCH', `${roles}/new?fieldManager=m`, role('new', []), 403],
  ]),
  ...by('admin', [
    ['a binding of an absent role by an administrator', 'POST', bindings, binding('dangling', 'Role', 'gone'), 201],
    [
      'a cluster binding of an absent role by an administrator',
      'POST',
      clusterBindings,
      clusterBinding('dangling', 'gone'),
      201,
    ],
  ]),
  ...by('carol', [
    [
      'a role with missing permissions by a user of an absent role',
      'POST',
      roles,
      role('x', [{ ...secrets, resources: ['nodes'] }]),
      403,
    ],
  ]),
];

type UserCase = readonly [title: string, method: EscalationCase['method'], path: string, body: object, status: number];

function by(user: string, cases: readonly UserCase[]): EscalationCase[] {
  return cases.map(([title, method, path, body, status]) => {
    const contentType = method !== 'PATCH' ? json : 'apiVersion' in body ? apply : merge;
    return { title, user, method, path, body, contentType, status };
  });
}

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
