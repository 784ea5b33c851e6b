/** Webhooks that a server rejects, or (`valid`) accepts with defaults. */
export interface TestedConfiguration {
  readonly title: string;
  readonly webhooks: readonly object[];
  readonly valid?: true;
}

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };

const webhook = (members: object): object => ({
  name: 'a.b.c',
  clientConfig: { url: 'https://a.example/x' },
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  rules: [rule],
  ...members,
});

const one = (title: string, members: object): TestedConfiguration => ({ title, webhooks: [webhook(members)] });
const withRule = (title: string, members: object): TestedConfiguration =>
  one(title, { rules: [{ ...rule, ...members }] });
const withUrl = (title: string, url: string): TestedConfiguration => one(title, { clientConfig: { url } });
const withCondition = (title: string, ...matchConditions: readonly object[]): TestedConfiguration =>
  one(title, { matchConditions });

export const invalidWebhooks: readonly TestedConfiguration[] = [
  {
    title: 'with defaults',
    webhooks: [webhook({}), webhook({ name: 'd.e.f', clientConfig: { service: { name: 'a', namespace: 'b' } } })],
    valid: true,
  },
  { title: 'that is empty', webhooks: [], valid: true },
  one('without a name', { name: '' }),
  one('with an invalid name', { name: 'A.b.c' }),
  one('with a short name', { name: 'a.b' }),
  { title: 'with two webhooks of one name', webhooks: [webhook({}), webhook({})] },
  one('without side effects', { sideEffects: undefined }),
  one('with unknown side effects', { sideEffects: 'Some' }),
  one('with side effects that only v1beta1 allowed', { sideEffects: 'Unknown' }),
  one('with an unknown failure policy', { failurePolicy: 'Maybe' }),
  one('with an unknown match policy', { matchPolicy: 'Maybe' }),
  one('with a timeout of zero', { timeoutSeconds: 0 }),
  one('with a long timeout', { timeoutSeconds: 31 }),
  one('without review versions', { admissionReviewVersions: [] }),
  one('with unknown review versions', { admissionReviewVersions: ['v2', 'v3'] }),
  one('with a review version twice', { admissionReviewVersions: ['v1', 'v1'] }),
  one('with an invalid review version', { admissionReviewVersions: ['v1', '1v'] }),
  one('with invalid selectors', {
    namespaceSelector: { matchLabels: { 'a b': 'c d' } },
    objectSelector: {
      matchExpressions: [
        { key: 'a', operator: 'In' },
        { key: 'a', operator: 'X' },
      ],
    },
  }),
  withRule('with empty rules', { operations: [], apiGroups: [], apiVersions: [], resources: [] }),
  withRule('with wildcards beside others', {
    operations: ['*', 'CREATE'],
    apiGroups: ['*', 'x'],
    apiVersions: ['*', 'v1'],
    resources: ['*', 'pods'],
  }),
  withRule('with unknown operations', { operations: ['create', 'CONNECT'] }),
  withRule('with empty texts in rules', { apiVersions: [''], resources: [''] }),
  withRule('with all resources beside others', { resources: ['*/*', 'pods'] }),
  withRule('with subresources twice', { resources: ['pods/*', 'pods/status', '*/scale', 'deployments/scale'] }),
  withRule('with an unknown scope', { scope: 'Everywhere' }),
  one('without an address', { clientConfig: {} }),
  one('with two addresses', { clientConfig: { url: 'https://a.example', service: { name: 'a', namespace: 'b' } } }),
  withUrl('with a plain URL', 'http://a.example'),
  withUrl('with a URL without a host', 'https:///x'),
  withUrl('with a URL with a user, a query and a fragment', 'https://u@a.example/?q=1#f'),
  withUrl('with an unparsable URL', 'https://a.example:x'),
  one('with an empty service', { clientConfig: { service: { name: '', namespace: '', port: 0, path: 'a//b' } } }),
  one('with an invalid service', {
    clientConfig: { service: { name: 'a', namespace: 'b', port: 70000, path: '/A_' } },
  }),
  withCondition('with empty conditions', { name: '', expression: ' ' }),
  withCondition('with an invalid name of a condition', { name: 'a b', expression: 'true' }),
  withCondition(
    'with two conditions of one name',
    { name: 'a', expression: 'true' },
    { name: 'a', expression: 'false' },
  ),
  withCondition('with a condition that does not compile', { name: 'a', expression: 'object.' }),
  withCondition('with a condition of an unknown variable', { name: 'a', expression: 'self.x == 1' }),
  withCondition('with a condition of an unknown field of the request', {
    name: 'a',
    expression: 'request.object == null',
  }),
  withCondition('with a condition that is not boolean', { name: 'a', expression: 'request.name' }),
  withCondition('with a condition of a dynamic type', { name: 'a', expression: 'object.spec' }),
  withCondition('with a condition of a check', { name: 'a', expression: "authorizer.path('/x').check('get')" }),
  withCondition('with a condition of an unknown check', { name: 'a', expression: "authorizer.user('x').allowed()" }),
  withCondition('with a condition of parameters', { name: 'a', expression: 'params == null' }),
  one('with too many conditions', {
    matchConditions: Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' })),
  }),
  {
    ...one('with a certificate that is none', { clientConfig: { url: 'https://a.example', caBundle: 'YWJj' } }),
    valid: true,
  },
];
