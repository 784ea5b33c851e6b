/** A policy or binding that a server rejects, or (`valid`) accepts with defaults. */
export interface TestedConfiguration {
  readonly title: string;
  readonly plural: string;
  /** Default: `x`. */
  readonly name?: string;
  readonly spec: object | undefined;
  readonly valid?: true;
}

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const matchConstraints = { resourceRules: [rule] };
const validSpec = { matchConstraints, validations: [{ expression: 'true' }] };
const mutation = { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } };
const mutatingSpec = { matchConstraints, reinvocationPolicy: 'Never', mutations: [mutation] };

const validating = (title: string, members: object, more: Partial<TestedConfiguration> = {}): TestedConfiguration => ({
  title: `validating policy ${title}`,
  plural: 'validatingadmissionpolicies',
  spec: { ...validSpec, ...members },
  ...more,
});
const mutating = (title: string, members: object, more: Partial<TestedConfiguration> = {}): TestedConfiguration => ({
  title: `mutating policy ${title}`,
  plural: 'mutatingadmissionpolicies',
  spec: { ...mutatingSpec, ...members },
  ...more,
});
const bound = (title: string, members: object, more: Partial<TestedConfiguration> = {}): TestedConfiguration => ({
  title: `validating binding ${title}`,
  plural: 'validatingadmissionpolicybindings',
  spec: { policyName: 'a', validationActions: ['Deny'], ...members },
  ...more,
});
const mutatingBound = (
  title: string,
  members: object,
  more: Partial<TestedConfiguration> = {},
): TestedConfiguration => ({
  title: `mutating binding ${title}`,
  plural: 'mutatingadmissionpolicybindings',
  spec: { policyName: 'a', ...members },
  ...more,
});

const expressions = (title: string, expression: string, members: object = {}): TestedConfiguration =>
  validating(`with ${title}`, { validations: [{ expression }], ...members });
const patches = (title: string, expression: string, members: object = {}): TestedConfiguration =>
  mutating(`with ${title}`, { mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }], ...members });
const configurations = (title: string, expression: string): TestedConfiguration =>
  mutating(`with ${title}`, { mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }] });

export const invalidPolicies: readonly TestedConfiguration[] = [
  validating('with defaults', {}, { valid: true }),
  validating('with a reserved name', {}, { name: 'a.static.k8s.io', valid: true }),
  validating('without a spec', {}, { spec: undefined }),
  validating('that is empty', {}, { spec: {} }),
  validating('with an invalid name', {}, { name: 'A_b' }),
  validating('with an unknown failure policy', { failurePolicy: 'Maybe' }),
  validating('without rules', { matchConstraints: {} }),
  validating('with an unknown match policy', { matchConstraints: { ...matchConstraints, matchPolicy: 'Maybe' } }),
  validating('with invalid selectors', {
    matchConstraints: {
      ...matchConstraints,
      namespaceSelector: { matchLabels: { 'a b': 'c d' } },
      objectSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] },
    },
  }),
  validating('with invalid rules', {
    matchConstraints: {
      resourceRules: [
        { operations: [], apiGroups: [], apiVersions: [], resources: [] },
        { ...rule, operations: ['*', 'CREATE', 'READ'], resources: ['*', 'pods'], scope: 'All' },
      ],
      excludeResourceRules: [{ ...rule, resourceNames: ['a', 'a', 'b/c', '..'] }],
    },
  }),
  validating('with an empty paramKind', { paramKind: {} }),
  validating('with an invalid paramKind', { paramKind: { apiVersion: 'A_b/1', kind: '5' } }),
  validating('with a paramKind of too many parts', { paramKind: { apiVersion: 'a/b/c', kind: 'X' } }),
  validating('with a paramKind without a version', { paramKind: { apiVersion: 'a/', kind: 'X' } }),
  validating('with a paramKind without anything', { paramKind: { apiVersion: '/', kind: 'X' } }),
  validating('without validations', { validations: [] }),
  validating(
    'with audit annotations only',
    { validations: [], auditAnnotations: [{ key: 'a', valueExpression: "'b'" }] },
    { valid: true },
  ),
  validating('with an empty expression', { validations: [{ expression: ' ' }] }),
  validating('with empty messages', { validations: [{ expression: 'true', message: ' ', messageExpression: ' ' }] }),
  validating('with a message of two lines', { validations: [{ expression: 'true', message: 'a\nb' }] }),
  validating('with an unknown reason', { validations: [{ expression: 'true', reason: 'Gone' }] }),
  expressions('an expression that does not parse', 'object.'),
  expressions('an expression that is not boolean', "'a'"),
  expressions('an expression of a dynamic type', 'object.a'),
  expressions('an expression of a list', '[1]'),
  expressions('an expression of a map', "{'a': 1}"),
  expressions('an expression of an optional', 'optional.of(1)'),
  expressions('an expression of a time', "timestamp('2020-01-01T00:00:00Z')"),
  expressions('an expression of a duration', "duration('1s')"),
  expressions('an expression of null', 'null'),
  expressions('an expression of a type', 'type(1)'),
  expressions('an expression of a request', 'request'),
  expressions('an expression of an authorizer', "authorizer.path('/x')"),
  expressions('params without paramKind', 'params.x == 1'),
  expressions('variables without variables', 'variables.x == 1'),
  expressions('an unknown field of the request', 'request.object == null'),
  expressions('an unknown field of the namespace', "namespaceObject.metadata.uid == 'x'"),
  expressions('an unknown method of the authorizer', "authorizer.user('x').allowed()"),
  expressions('a wrong argument of the authorizer', "authorizer.path(1).check('get').allowed()"),
  expressions('a check that is not a boolean', "authorizer.requestResource.check('get')"),
  expressions('an Object', 'Object{} == Object{}'),
  expressions('a patch', "JSONPatch{op: 'add'} == null"),
  expressions('an escaped key', "jsonpatch.escapeKey('a') == 'a'"),
  validating('with a message expression that is not a string', {
    validations: [{ expression: 'true', messageExpression: '1' }],
  }),
  validating('with a message expression that does not compile', {
    validations: [{ expression: 'true', messageExpression: 'x + 1' }],
  }),
  validating('with an authorizer in a message expression', {
    validations: [{ expression: 'true', messageExpression: "authorizer.path('/x').check('get').reason()" }],
  }),
  validating(
    'with params in a message expression',
    {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [{ expression: 'true', messageExpression: 'string(params.x)' }],
    },
    { valid: true },
  ),
  validating('with invalid match conditions', {
    matchConditions: [
      { name: '', expression: ' ' },
      { name: 'a b', expression: 'object.' },
      { name: 'c', expression: '1' },
      { name: 'c', expression: 'variables.x' },
      { name: 'd', expression: 'params == null' },
    ],
    variables: [{ name: 'x', expression: 'true' }],
  }),
  validating(
    'with params in match conditions',
    {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConditions: [{ name: 'd', expression: 'params == null' }],
    },
    { valid: true },
  ),
  validating('with too many match conditions', {
    matchConditions: Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' })),
  }),
  validating('with invalid variables', {
    variables: [
      { name: '', expression: '' },
      { name: 'a-b', expression: '1' },
      { name: 'namespace', expression: '1' },
      { name: 'late', expression: 'variables.later' },
      { name: 'later', expression: '1' },
      { name: 'broken', expression: '1 +' },
    ],
    validations: [
      { expression: "variables.later == 'x'" },
      { expression: 'variables.broken' },
      { expression: 'variables.none' },
    ],
  }),
  validating('with typed variables', {
    variables: [
      { name: 'list', expression: '[1]' },
      { name: 'map', expression: "{'a': [true]}" },
      { name: 'optional', expression: 'optional.of(1)' },
      { name: 'request', expression: 'request' },
      { name: 'time', expression: "timestamp('2020-01-01T00:00:00Z')" },
    ],
    validations: [
      { expression: "variables.list == 'x'" },
      { expression: "variables.map['a'][0] == 'x'" },
      { expression: "variables.map.b == 'x'" },
      { expression: "variables.optional == 'x'" },
      { expression: 'variables.request.foo' },
      { expression: "variables.time == 'x'" },
    ],
  }),
  validating('with invalid audit annotations', {
    auditAnnotations: [
      { key: '', valueExpression: ' ' },
      { key: 'a b', valueExpression: '1' },
      { key: 'c', valueExpression: 'object.' },
      { key: 'c', valueExpression: 'object' },
      { key: 'd', valueExpression: "'x'" },
    ],
  }),
  validating('with a long audit annotation', {
    auditAnnotations: [{ key: 'a', valueExpression: `'${'x'.repeat(5120)}'` }],
  }),
  validating('with too many audit annotations', {
    auditAnnotations: Array.from({ length: 21 }, (_, index) => ({ key: `c${index}`, valueExpression: "'x'" })),
  }),
  mutating('with defaults', {}, { valid: true }),
  mutating('without a spec', {}, { spec: undefined }),
  mutating('that is empty', {}, { spec: {} }),
  mutating('with a deletion', { matchConstraints: { resourceRules: [{ ...rule, operations: ['CREATE', 'DELETE'] }] } }),
  mutating('with an unknown reinvocation policy', { reinvocationPolicy: 'Always' }),
  mutating('with an unknown patch type', { mutations: [{ patchType: 'Merge' }] }),
  mutating('without a patch type', { mutations: [{ jsonPatch: { expression: '[]' } }] }),
  mutating('without patches', { mutations: [{ patchType: 'JSONPatch' }, { patchType: 'ApplyConfiguration' }] }),
  mutating('with both patches', {
    mutations: [
      { patchType: 'JSONPatch', jsonPatch: { expression: '[]' }, applyConfiguration: { expression: 'Object{}' } },
      {
        patchType: 'ApplyConfiguration',
        jsonPatch: { expression: '[]' },
        applyConfiguration: { expression: 'Object{}' },
      },
    ],
  }),
  mutating('with empty patches', {
    mutations: [
      { patchType: 'JSONPatch', jsonPatch: { expression: ' ' } },
      { patchType: 'ApplyConfiguration', applyConfiguration: {} },
    ],
  }),
  mutating('with an Object in a variable', { variables: [{ name: 'a', expression: 'Object{}' }] }),
  mutating('with variables', {
    variables: [{ name: 'a', expression: "'b'" }],
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{data: variables.b}' } }],
  }),
  patches('an expression that is no list', "JSONPatch{op: 'add'}"),
  patches('an expression of an empty list', '[]'),
  patches('an expression of other elements', "['a']"),
  patches('an expression of mixed elements', "[JSONPatch{op: 'add'}, 'a']"),
  patches('an expression that does not parse', '[JSONPatch{]'),
  patches('an operation of another type', '[JSONPatch{op: 5, path: true}]'),
  patches('an unknown field of an operation', "[JSONPatch{op: 'add', where: 'x'}]"),
  patches('an unknown type', "[JsonPatch{op: 'add'}]"),
  patches('an optional field of an operation', "[JSONPatch{?op: 'add'}]"),
  patches('an Object', 'Object{}'),
  { ...patches('trailing commas', "[JSONPatch{op: 'add', path: '/a', value: 1,},]"), valid: true },
  configurations('a configuration that is a patch', "[JSONPatch{op: 'add'}]"),
  configurations('a configuration that is a part', 'Object.spec{}'),
  configurations('a configuration that is a map', "{'a': 'b'}"),
  configurations('a configuration of an unknown type', 'Objects{}'),
  configurations('a configuration that does not parse', 'Object{a}'),
  configurations('a configuration with an undeclared name', 'Object{a: b}'),
  configurations('a configuration with an escaped key', 'Object{data: jsonpatch.escapeKey(5)}'),
  configurations('a configuration of a type', 'string{}'),
  configurations('a configuration of a variable', 'object{}'),
  bound('with defaults', { matchResources: {} }, { valid: true }),
  bound('without a spec', {}, { spec: undefined }),
  bound('that is empty', {}, { spec: {} }),
  bound('with an invalid policy', { policyName: 'A b' }),
  bound('with unknown actions', { validationActions: ['Deny', 'Deny', 'Log'] }),
  bound('with actions that repeat each other', { validationActions: ['Deny', 'Warn'] }),
  bound('with an empty paramRef', { paramRef: {} }),
  bound('with a name and a selector', { paramRef: { name: 'a', selector: {}, parameterNotFoundAction: 'Deny' } }),
  bound('with an invalid paramRef', { paramRef: { name: 'a/b', parameterNotFoundAction: 'Maybe' } }),
  bound('with an invalid selector', {
    paramRef: { selector: { matchLabels: { 'a b': 'c' } }, parameterNotFoundAction: 'Deny' },
  }),
  bound('with invalid match resources', { matchResources: { resourceRules: [{}], matchPolicy: 'X' } }),
  mutatingBound('with defaults', { matchResources: { resourceRules: [rule] } }, { valid: true }),
  mutatingBound('without a spec', {}, { spec: undefined }),
  mutatingBound('with a deletion', { matchResources: { resourceRules: [{ ...rule, operations: ['DELETE'] }] } }),
  mutatingBound('with an invalid paramRef', { paramRef: { name: '..', selector: {}, parameterNotFoundAction: '' } }),
];
