const rbac = '/apis/rbac.authorization.k8s.io/v1';
const registration = '/apis/admissionregistration.k8s.io/v1';
const matchConstraints = {
  resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
};

const policy = (apiVersion: string, kind: string): object => ({
  matchConstraints,
  paramKind: { apiVersion, kind },
  validations: [{ expression: 'true' }],
});
const mutating = (apiVersion: string, kind: string): object => ({
  matchConstraints,
  paramKind: { apiVersion, kind },
  reinvocationPolicy: 'Never',
  mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
});
const bound = (policyName: string, paramRef: object): object => ({
  policyName,
  validationActions: ['Deny'],
  paramRef: { parameterNotFoundAction: 'Deny', ...paramRef },
});

/** The user `ann` may write policies and read ConfigMaps, and nothing else. */
export const authorObjects: readonly (readonly [path: string, body: object])[] = [
  [
    `${rbac}/clusterroles`,
    {
      metadata: { name: 'author' },
      rules: [
        { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['*'] },
        { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
      ],
    },
  ],
  [
    `${rbac}/clusterrolebindings`,
    {
      metadata: { name: 'author' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'author' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
    },
  ],
  [`${registration}/validatingadmissionpolicies`, { metadata: { name: 'of-secrets' }, spec: policy('v1', 'Secret') }],
  [
    `${registration}/validatingadmissionpolicies`,
    { metadata: { name: 'of-things' }, spec: policy('x.example.com/v1', 'Thing') },
  ],
  [
    `${registration}/validatingadmissionpolicies`,
    { metadata: { name: 'of-none' }, spec: { matchConstraints, validations: [{ expression: 'true' }] } },
  ],
];

export const refusedAuthors: readonly { readonly title: string; readonly plural: string; readonly spec: object }[] = [
  { title: 'a paramKind', plural: 'validatingadmissionpolicies', spec: policy('v1', 'Secret') },
  { title: 'an unknown paramKind', plural: 'validatingadmissionpolicies', spec: policy('x.example.com/v1', 'Thing') },
  {
    title: 'a paramKind of a mutating policy',
    plural: 'mutatingadmissionpolicies',
    spec: mutating('apps/v1', 'Deployment'),
  },
  {
    title: 'a parameter',
    plural: 'validatingadmissionpolicybindings',
    spec: bound('of-secrets', { name: 'a', namespace: 'default' }),
  },
  {
    title: 'selected parameters',
    plural: 'validatingadmissionpolicybindings',
    spec: bound('of-secrets', { selector: {} }),
  },
  {
    title: 'a parameter of an unknown policy',
    plural: 'validatingadmissionpolicybindings',
    spec: bound('missing', { name: 'a' }),
  },
  {
    title: 'a parameter of an unknown kind',
    plural: 'validatingadmissionpolicybindings',
    spec: bound('of-things', { name: 'a' }),
  },
  {
    title: 'a parameter of a policy without paramKind',
    plural: 'validatingadmissionpolicybindings',
    spec: bound('of-none', { name: 'a' }),
  },
];
