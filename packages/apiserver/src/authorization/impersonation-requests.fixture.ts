/** The user that sends the requests below. */
export const sender = { namespace: 'default', name: 'low' };

/** Rules granted to the sender, and the requests sent with them. */
export interface ImpersonationStage {
  readonly title: string;
  readonly rules: readonly object[];
  readonly requests: readonly (readonly [path: string, headers: Readonly<Record<string, string | string[]>>])[];
}

const namespaces = '/api/v1/namespaces';
const account = 'system:serviceaccount:demo:robot';

/** In each stage, only one of the two ways may allow the sender: the real server remembers which one did. */
export const impersonationStages: readonly ImpersonationStage[] = [
  {
    title: 'without permissions',
    rules: [],
    requests: [
      [namespaces, { 'impersonate-user': 'bob' }],
      [`${namespaces}/default`, { 'impersonate-user': 'bob' }],
      [namespaces, { 'impersonate-user': account }],
      [namespaces, { 'impersonate-user': account, 'impersonate-group': 'g' }],
      [namespaces, { 'impersonate-user': 'system:serviceaccount:demo' }],
      [namespaces, { 'impersonate-user': 'system:node:n1' }],
      [namespaces, { 'impersonate-user': 'system:node:n1', 'impersonate-uid': '7' }],
      [namespaces, { 'impersonate-user': 'system:anonymous' }],
      ['/nothing', { 'impersonate-user': 'bob' }],
      [namespaces, { 'impersonate-user': '' }],
      [namespaces, { 'impersonate-uid': '7' }],
      [namespaces, { 'impersonate-group': ['a', 'b'] }],
      [namespaces, { 'impersonate-extra-Acme.io%2fa': 'x', 'impersonate-extra-b%zz': 'y' }],
    ],
  },
  {
    title: 'with permission to act on namespaces as another user',
    rules: [
      {
        apiGroups: [''],
        resources: ['namespaces'],
        verbs: [
          'impersonate-on:user-info:list',
          'impersonate-on:serviceaccount:list',
          'impersonate-on:arbitrary-node:list',
        ],
      },
    ],
    requests: [
      [namespaces, { 'impersonate-user': 'bob' }],
      [namespaces, { 'impersonate-user': account }],
      [namespaces, { 'impersonate-user': 'system:node:n1' }],
    ],
  },
  {
    title: 'with permission to be bob, any service account and any node',
    rules: [
      {
        apiGroups: ['authentication.k8s.io'],
        resources: ['users'],
        verbs: ['impersonate:user-info'],
        resourceNames: ['bob'],
      },
      { apiGroups: ['authentication.k8s.io'], resources: ['serviceaccounts'], verbs: ['impersonate:serviceaccount'] },
      { apiGroups: ['authentication.k8s.io'], resources: ['nodes'], verbs: ['impersonate:arbitrary-node'] },
    ],
    requests: [
      [namespaces, { 'impersonate-user': 'bob' }],
      [namespaces, { 'impersonate-user': 'alice' }],
      [namespaces, { 'impersonate-user': 'bob', 'impersonate-group': ['g1', 'g2'] }],
      [namespaces, { 'impersonate-user': 'bob', 'impersonate-group': 'g1', 'impersonate-uid': '7' }],
      [namespaces, { 'impersonate-user': 'bob', 'impersonate-extra-b': '7' }],
      [namespaces, { 'impersonate-user': 'bob', 'impersonate-extra-acme.io%2fb': '7' }],
      [namespaces, { 'impersonate-user': account }],
      [namespaces, { 'impersonate-user': 'system:node:n1' }],
      [`${namespaces}/x`, { 'impersonate-user': 'bob' }],
    ],
  },
];

/** The headers of users that the administrator impersonates; the responses name the user. */
export const impersonations: readonly Readonly<Record<string, string | string[]>>[] = [
  { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' },
  {
    'impersonate-user': 'bob',
    'impersonate-group': ['system:masters', 'g'],
    'impersonate-uid': '7',
    'impersonate-extra-Acme.io%2fFoo': ['v1', 'v2'],
    'impersonate-extra-b%zz': 'v3',
  },
  { 'impersonate-user': account },
  { 'impersonate-user': account, 'impersonate-group': 'system:masters' },
  { 'impersonate-user': 'system:anonymous', 'impersonate-group': 'system:masters' },
  { 'impersonate-user': 'bob', 'impersonate-group': ['system:masters', 'system:unauthenticated'] },
  { 'impersonate-user': 'bob', 'impersonate-group': ['system:authenticated', 'system:masters'] },
];
