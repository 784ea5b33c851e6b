import {
  applyType,
  core,
  deployments,
  map,
  maps,
  mergeType,
  rule,
  type TestedRequest,
} from '../admission-requests.fixture.ts';

/** A policy of each kind with its binding; a policy without `spec.matchConstraints` matches ConfigMaps. */
export interface PolicyCase {
  readonly title: string;
  readonly validating?: TestedPolicy;
  readonly mutating?: TestedPolicy;
  readonly requests: readonly TestedRequest[];
}

export interface TestedPolicy {
  readonly spec: object;
  /** Default: Deny for a validating policy. */
  readonly binding?: object;
}

const create = (name: string, members?: object, metadata?: object): TestedRequest => [
  'POST',
  `${maps}?dryRun=All`,
  map(name, members, metadata),
];

const matching = (...rules: readonly object[]): object => ({ matchConstraints: { resourceRules: rules } });

const deployment = (name: string, spec: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
    ...spec,
  },
});

/** A custom kind, whose objects are parameters and are checked themselves. */
export const definition = {
  metadata: { name: 'limits.rules.example.com' },
  spec: {
    group: 'rules.example.com',
    names: { plural: 'limits', kind: 'Limit' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  max: { type: 'integer' },
                  note: { type: 'string', default: 'noted' },
                  parts: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, size: { type: 'integer' } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};
export const limits = '/apis/rules.example.com/v1/namespaces/default/limits';

const limit = (name: string, spec: object): object => ({
  apiVersion: 'rules.example.com/v1',
  kind: 'Limit',
  metadata: { name },
  spec,
});

const limited: TestedRequest = [
  'POST',
  `${limits}?dryRun=All`,
  limit('limited', { max: 5, parts: [{ name: 'a', size: 1 }], unknown: 'x' }),
];

/** Created before the first case; no case changes them. */
export const existingObjects: readonly (readonly [path: string, body: object])[] = [
  [maps, map('param-a', { data: { max: 'x' } }, { labels: { set: 'one' } })],
  [maps, map('param-b', { data: { max: 'y' } }, { labels: { set: 'two' } })],
  [maps, map('updated', { data: { a: '1' } })],
  [maps, map('deleted', { data: { a: '1' } }, { labels: { collected: 'yes' } })],
  [deployments, deployment('scaled')],
  [limits, limit('small', { max: 3 })],
];

/** A policy with one validation, evaluated for one ConfigMap. */
const validates = (
  title: string,
  expression: string,
  { spec, binding, request }: { spec?: object; binding?: object; request?: TestedRequest } = {},
): PolicyCase => ({
  title,
  validating: { spec: { validations: [{ expression }], ...spec }, ...(binding !== undefined && { binding }) },
  requests: [request ?? create('checked', { data: { a: 'b', n: '5' } }, { labels: { team: 'x' } })],
});

/** Shows the values of expressions in warnings. */
const shows = (title: string, expressions: readonly string[], spec: object = {}): PolicyCase => ({
  title: `shows ${title}`,
  validating: {
    spec: {
      validations: expressions.map((expression, index) => ({
        expression: 'false',
        message: `fallback ${index}`,
        messageExpression: expression,
      })),
      ...spec,
    },
    binding: { validationActions: ['Warn'] },
  },
  requests: [create('shown', { data: { a: 'b' } }, { labels: { team: 'x' } })],
});

const withParams = (
  title: string,
  paramRef: object,
  {
    expression = "params.data.max == 'x'",
    paramKind = configMaps,
    request,
    policy = {},
  }: {
    expression?: string;
    paramKind?: object;
    request?: TestedRequest;
    policy?: object;
  } = {},
): PolicyCase => ({
  title: `parameters: ${title}`,
  validating: {
    spec: {
      paramKind,
      validations: [{ expression, messageExpression: "'params: ' + string(params == null) " }],
      ...policy,
    },
    binding: { paramRef: { parameterNotFoundAction: 'Deny', ...paramRef } },
  },
  requests: [request ?? create('limited')],
});
const configMaps = { apiVersion: 'v1', kind: 'ConfigMap' };

const conditions = (expression: string, more: object = {}): object => ({
  matchConditions: [{ name: 'one', expression }],
  ...more,
});

/** Without the Secrets by which the test finds out what is in effect. */
const everyRegistration = {
  operations: ['*'],
  apiGroups: ['admissionregistration.k8s.io', 'authorization.k8s.io'],
  apiVersions: ['*'],
  resources: ['*'],
};
const everything = matching(rule('configmaps', '*'));
const warns = { validationActions: ['Warn'] };

const validating: readonly PolicyCase[] = [
  validates('admits', "object.data.a == 'b'"),
  validates('denies', "object.data.a == 'c'"),
  validates('denies with a message', 'false', {
    spec: { validations: [{ expression: 'false', message: ' too bad ' }] },
  }),
  validates('denies with a message expression', 'false', {
    spec: { validations: [{ expression: 'false', message: 'plain', messageExpression: "' a is ' + object.data.a" }] },
  }),
  validates('denies with a message expression of several lines', 'false', {
    spec: { validations: [{ expression: 'false', message: 'plain', messageExpression: "'a\\nb'" }] },
  }),
  validates('denies with an empty message expression', 'false', {
    spec: { validations: [{ expression: ' false ', messageExpression: "'  '" }] },
  }),
  validates('denies with a failing message expression', 'false', {
    spec: { validations: [{ expression: 'false', message: 'plain', messageExpression: 'string(object.x.y)' }] },
  }),
  validates('denies with a long message expression', 'false', {
    spec: {
      validations: [
        {
          expression: 'false',
          messageExpression: "[0,1,2,3,4,5,6,7,8,9].map(x, '0123456789'.replace('0', object.data.l)).join()",
        },
      ],
    },
    request: create('long', { data: { l: 'x'.repeat(800) } }),
  }),
  ...['Forbidden', 'Invalid', 'RequestEntityTooLarge'].map((reason) =>
    validates(`denies with the reason ${reason}`, 'false', {
      spec: { validations: [{ expression: 'false', reason }] },
    }),
  ),
  validates('denies by the first of several', 'false', {
    spec: {
      validations: [
        { expression: 'true', message: 'one' },
        { expression: 'false', message: 'two', reason: 'Forbidden' },
        { expression: 'false', message: 'three' },
      ],
    },
  }),
  validates('fails to evaluate', "object.data.missing == 'x'"),
  validates('fails to evaluate, which is ignored', "object.data.missing == 'x'", { spec: { failurePolicy: 'Ignore' } }),
  validates('fails to evaluate and warns', "object.data.missing == 'x'", { binding: warns }),
  validates('fails beside a false one', "object.data.missing == 'x'", {
    spec: { validations: [{ expression: "object.data.missing == 'x'" }, { expression: 'false' }] },
  }),
  validates('warns', 'false', { binding: warns }),
  validates('warns several times', 'false', {
    spec: { validations: [{ expression: 'false' }, { expression: '1 == 2', message: 'other' }] },
    binding: warns,
  }),
  validates('audits', 'false', { binding: { validationActions: ['Audit'] } }),
  validates('warns and audits', 'false', { binding: { validationActions: ['Warn', 'Audit'] } }),
  validates('denies and audits', 'false', { binding: { validationActions: ['Audit', 'Deny'] } }),
  validates('denies a generated name', 'false', {
    request: ['POST', `${maps}?dryRun=All`, { metadata: { generateName: 'generated-' } }],
  }),
  // Variables.
  shows(
    'variables',
    [
      "'v: ' + variables.a",
      "'v: ' + variables.b",
      "has(variables.a) ? 'yes' : 'no'",
      "'v: ' + string(variables.list.size())",
      "variables.failing == 1 || true ? 'absorbed' : 'no'",
      'string(variables.failing)',
    ],
    {
      variables: [
        { name: 'a', expression: 'object.data.a' },
        { name: 'b', expression: "variables.a + '!'" },
        { name: 'list', expression: '[1, 2, 3].map(x, x * 2)' },
        { name: 'failing', expression: 'object.data.none' },
      ],
    },
  ),
  validates('denies by a variable that fails', 'variables.failing == 1', {
    spec: {
      variables: [
        { name: 'failing', expression: 'object.data.none' },
        { name: 'second', expression: 'variables.failing' },
      ],
      validations: [{ expression: 'variables.second == 1' }],
    },
  }),
  // What expressions see.
  shows('the request', [
    "request.operation + ' ' + request.name + ' ' + request.namespace + ' ' + request.resource.resource",
    'request.kind.kind + request.requestKind.version + string(request.dryRun) + string(request.options.kind)',
    'request.subResource',
    "has(request.subResource) ? 'yes' : 'no'",
    "has(request.userInfo.username) ? 'yes' : 'no'",
    "request.userInfo.groups.exists(g, g == 'system:authenticated') ? 'yes' : 'no'",
  ]),
  shows('objects', [
    "oldObject == null ? 'none' : 'some'",
    'string(object.kind + object.apiVersion + object.metadata.name + object.metadata.labels.team)',
    'string(has(object.metadata.uid)) + string(has(object.metadata.creationTimestamp)) + string(has(object.metadata.managedFields))',
    'string(type(object) == map) + string(type(object.data) == map) + string(type(object.metadata.name) == string)',
    "string(object.data == {'a': 'b'}) + string(object.data.size())",
    "object.data.map(k, k + '=' + string(object.data[k])).join()",
  ]),
  shows('the namespace', [
    'namespaceObject.metadata.name + namespaceObject.status.phase + namespaceObject.spec.finalizers[0]',
    "namespaceObject.metadata.labels['kubernetes.io/metadata.name']",
    'string(namespaceObject.metadata.creationTimestamp.getFullYear() > 2000)',
    "string(namespaceObject.metadata.creationTimestamp > timestamp('2020-01-01T00:00:00Z'))",
    'namespaceObject.metadata.UID',
    'namespaceObject.metadata.generateName',
    'string(has(namespaceObject.metadata.deletionTimestamp)) + string(has(namespaceObject.metadata.resourceVersion))',
  ]),
  shows('libraries', [
    "string(quantity('1Gi').isGreaterThan(quantity('1M')))",
    "string(ip('10.0.0.1').family()) + string(isIP('x')) + url('https://a.b/c').getHost()",
    "string(semver('1.2.3').isLessThan(semver('1.3.0'))) + 'a-b'.split('-').join('+')",
    "string(format.dns1123Label().validate('A b').hasValue()) + string('aXb'.find('[A-Z]'))",
    "string(sets.contains([1, 2], [1])) + string(optional.of(1).orValue(2)) + '%s-%d'.format(['a', 1])",
  ]),
  {
    title: 'sees no namespace in a cluster-scoped request',
    validating: {
      spec: {
        ...matching({ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['namespaces'] }),
        validations: [
          {
            expression: 'namespaceObject != null',
            messageExpression: "'ns ' + request.namespace + ' ' + request.name",
          },
        ],
      },
    },
    requests: [['POST', '/api/v1/namespaces?dryRun=All', { metadata: { name: 'fresh' } }]],
  },
  {
    title: 'sees old and new objects in an update',
    validating: {
      spec: {
        ...everything,
        validations: [
          {
            expression: 'oldObject.data == object.data',
            messageExpression: 'request.operation + oldObject.data.a + object.data.a',
          },
        ],
      },
    },
    requests: [
      ['PUT', `${maps}/updated?dryRun=All`, map('updated', { data: { a: '2' } })],
      ['PUT', `${maps}/updated?dryRun=All`, map('updated', { data: { a: '1' } })],
      ['PATCH', `${maps}/updated?dryRun=All`, { data: { a: '3' } }, { contentType: mergeType }],
      [
        'PATCH',
        `${maps}/updated?fieldManager=m&force=true&dryRun=All`,
        map('updated', { data: { a: '4' } }),
        { contentType: applyType },
      ],
    ],
  },
  {
    title: 'sees deletions',
    validating: {
      spec: {
        ...matching(rule('configmaps', 'DELETE')),
        validations: [
          {
            expression: 'false',
            messageExpression: 'string(object == null) + oldObject.data.a + request.options.kind',
          },
        ],
      },
    },
    requests: [
      ['DELETE', `${maps}/deleted`],
      ['DELETE', `${maps}?labelSelector=collected%3Dyes`],
    ],
  },
  {
    title: 'sees subresources',
    validating: {
      spec: {
        ...matching(rule('deployments/scale', '*'), rule('deployments/status', '*')),
        validations: [
          {
            expression: 'false',
            messageExpression: 'request.subResource + request.kind.kind + object.kind + request.requestSubResource',
          },
        ],
      },
    },
    requests: [
      ['PATCH', `${deployments}/scaled/scale?dryRun=All`, { spec: { replicas: 3 } }, { contentType: mergeType }],
      ['PATCH', `${deployments}/scaled/status?dryRun=All`, { status: { replicas: 3 } }, { contentType: mergeType }],
      ['PATCH', `${deployments}/scaled?dryRun=All`, { spec: { replicas: 3 } }, { contentType: mergeType }],
    ],
  },
  // Match conditions.
  validates('skips by a match condition', 'false', { spec: conditions("object.data.a == 'c'") }),
  validates('meets a match condition', 'false', { spec: conditions("object.data.a == 'b'") }),
  validates('fails in a match condition', 'false', { spec: conditions('object.x.y == 1') }),
  validates('fails in a match condition, which is ignored', 'false', {
    spec: conditions('object.x.y == 1', { failurePolicy: 'Ignore' }),
  }),
  validates('fails in a match condition beside a false one', 'false', {
    spec: {
      matchConditions: [
        { name: 'a', expression: 'object.x.y == 1' },
        { name: 'b', expression: 'false' },
      ],
    },
  }),
  validates('fails in two match conditions', 'false', {
    spec: {
      matchConditions: [
        { name: 'a', expression: 'object.x.y == 1' },
        { name: 'b', expression: 'object.y.z == 1' },
      ],
    },
  }),
  validates('uses no namespace in match conditions', 'false', {
    spec: conditions("namespaceObject == null || namespaceObject.metadata.name == 'default'"),
  }),
  validates('uses the authorizer in match conditions', 'false', {
    spec: conditions("authorizer.requestResource.check('create').allowed()"),
  }),
  // The authorizer.
  shows(
    'accesses',
    Array.from({ length: 14 }, (_, index) => `variables.v${index}`),
    {
      variables: [
        "string(authorizer.requestResource.check('create').allowed())",
        "string(authorizer.group('').resource('configmaps').namespace('default').check('get').allowed())",
        "string(authorizer.serviceAccount('default', 'nobody').group('').resource('configmaps').namespace('default').check('get').allowed())",
        "string(authorizer.serviceAccount('default', 'nobody').path('/healthz').check('get').allowed())",
        "string(authorizer.path('/metrics').check('get').allowed())",
        "authorizer.serviceAccount('default', 'nobody').group('apps').resource('deployments').subresource('scale').name('x').check('patch').reason() + '.'",
        "string(authorizer.path('/metrics').check('get').errored()) + authorizer.path('/metrics').check('get').error()",
        "string(authorizer.serviceAccount('kube-system', 'namespace-controller').group('').resource('namespaces').check('list').allowed())",
        "authorizer.serviceAccount('kube-system', 'namespace-controller').group('').resource('namespaces').check('list').reason()",
        "string(authorizer.serviceAccount('default', 'No Body').path('/x').check('get').allowed())",
        "string(authorizer.serviceAccount('no ns', 'a').path('/x').check('get').allowed())",
        "string(authorizer.path(' ').check('get').allowed())",
        "string(authorizer.group('').resource('').check('get').allowed())",
        "string(authorizer.group('').resource('pods').fieldSelector('a=b').labelSelector('c=d').check('get').allowed())",
      ].map((expression, index) => ({ name: `v${index}`, expression })),
      // A variable that fails has the message in the warning of another validation.
      validations: Array.from({ length: 14 }, (_, index) => [
        { expression: 'false', messageExpression: `variables.v${index}`, message: `fallback ${index}` },
        { expression: `variables.v${index} == 'unlikely'` },
      ]).flat(),
    },
  ),
  validates('compares the authorizer', 'authorizer == authorizer'),
  validates('checks more accesses than the cost limit allows', 'x', {
    spec: {
      validations: [
        {
          expression: "[1, 2, 3].all(x, authorizer.group('').resource('pods').check('get').allowed())",
        },
      ],
    },
  }),
  // Costs.
  validates(
    'costs too much in one expression',
    '[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c, [0,1,2,3,4,5,6,7,8,9].all(d, [0,1,2,3,4,5,6,7,8,9].all(e, a + b + c + d + e >= 0 && a + b + c + d + e < 100)))))',
  ),
  validates('costs too much together', 'x', {
    spec: {
      validations: Array.from({ length: 12 }, (_, i) => ({
        expression: `lists.range(190).all(a, lists.range(190).all(b, a + b >= 0 && a * b >= 0 && ${i} >= 0 && a - b < 1000))`,
      })),
    },
  }),
  validates('costs too much together in variables', 'variables.v0 || true', {
    spec: {
      variables: Array.from({ length: 40 }, (_, i) => ({
        name: `v${i}`,
        expression: `lists.range(190).all(a, lists.range(190).all(b, a + b >= 0 && a * b >= 0 && ${i} >= 0 && a - b < 1000))`,
      })),
      validations: [
        { expression: Array.from({ length: 40 }, (_, i) => `variables.v${i}`).join(' && ') },
        { expression: 'false' },
      ],
    },
  }),
  validates('costs too much in messages', 'true', {
    spec: {
      validations: Array.from({ length: 12 }, (_, i) => ({
        expression: 'true',
        messageExpression: `string(lists.range(190).all(a, lists.range(190).all(b, a + b >= 0 && a * b >= 0 && ${i} >= 0 && a - b < 1000)))`,
      })),
    },
  }),
  validates('costs too much in match conditions', 'false', {
    spec: {
      matchConditions: Array.from({ length: 4 }, (_, i) => ({
        name: `c${i}`,
        expression: `lists.range(190).all(a, lists.range(190).all(b, a + b >= 0 && a * b >= 0 && ${i} >= 0 && a - b < 1000))`,
      })),
    },
  }),
  // Audit annotations.
  validates('has audit annotations', 'true', {
    spec: {
      auditAnnotations: [
        { key: 'a', valueExpression: "'x' + object.data.a" },
        { key: 'b', valueExpression: 'null' },
      ],
    },
  }),
  validates('fails in an audit annotation', 'true', {
    spec: { auditAnnotations: [{ key: 'a', valueExpression: 'string(object.x)' }] },
  }),
  validates('fails in an audit annotation and only warns', 'true', {
    spec: { auditAnnotations: [{ key: 'a', valueExpression: 'string(object.x)' }] },
    binding: warns,
  }),
  validates('fails in an audit annotation, which is ignored', 'true', {
    spec: { failurePolicy: 'Ignore', auditAnnotations: [{ key: 'a', valueExpression: 'string(object.x)' }] },
  }),
  validates('uses the authorizer in an audit annotation', 'true', {
    spec: { auditAnnotations: [{ key: 'a', valueExpression: "string(authorizer.path('/x').check('get').allowed())" }] },
  }),
  // Parameters.
  withParams('by name', { name: 'param-a' }),
  withParams('by name, that deny', { name: 'param-b' }),
  withParams('in a namespace', { name: 'param-a', namespace: 'default' }),
  withParams('in another namespace', { name: 'param-a', namespace: 'kube-system' }),
  withParams('by selector', { selector: { matchLabels: { set: 'one' } } }),
  withParams(
    'by selector of all',
    { selector: {}, namespace: 'default' },
    {
      expression:
        "has(params.data) && params.data.?max.orValue('x') in ['x', 'y', 'z'] || params.metadata.name == 'kube-root-ca.crt'",
    },
  ),
  withParams('by selector of none', { selector: { matchLabels: { set: 'none' } } }),
  withParams('by selector of none, which is allowed', {
    selector: { matchLabels: { set: 'none' } },
    parameterNotFoundAction: 'Allow',
  }),
  withParams('that are missing', { name: 'missing' }),
  withParams('that are missing, which is allowed', { name: 'missing', parameterNotFoundAction: 'Allow' }),
  withParams('that are missing, which is ignored', { name: 'missing' }, { policy: { failurePolicy: 'Ignore' } }),
  withParams('of an unknown kind', { name: 'x' }, { paramKind: { apiVersion: 'rules.example.com/v1', kind: 'Limit' } }),
  withParams(
    'of a cluster-scoped kind',
    { name: 'default' },
    {
      paramKind: { apiVersion: 'v1', kind: 'Namespace' },
      expression: "params.metadata.name == 'default' && params.kind == 'Namespace' && params.apiVersion == 'v2'",
    },
  ),
  withParams(
    'of a cluster-scoped kind with a namespace',
    { name: 'default', namespace: 'default' },
    {
      paramKind: { apiVersion: 'v1', kind: 'Namespace' },
      expression: 'true',
    },
  ),
  withParams(
    'for a cluster-scoped request',
    { name: 'param-a' },
    {
      request: [
        'POST',
        '/api/v1/persistentvolumes?dryRun=All',
        {
          metadata: { name: 'n1' },
          spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
        },
      ],
      policy: matching(rule('persistentvolumes')),
    },
  ),
  {
    title: 'parameters: a policy whose binding has none',
    validating: {
      spec: { paramKind: configMaps, validations: [{ expression: 'params != null', message: 'no params' }] },
      binding: {},
    },
    requests: [create('unbound')],
  },
  {
    title: 'parameters: a binding whose policy has none',
    validating: {
      spec: { validations: [{ expression: 'false', message: 'evaluated' }] },
      binding: { paramRef: { name: 'missing', parameterNotFoundAction: 'Deny' } },
    },
    requests: [create('unasked')],
  },
  withParams('in match conditions', { name: 'param-b' }, { policy: conditions("params.data.max == 'x'") }),
  // Matching.
  ...(
    [
      ['an exact version', { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] }, {}],
      ['another version', { apiGroups: ['apps'], apiVersions: ['v9'], resources: ['deployments'] }, {}],
      [
        'a resource name',
        { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'], resourceNames: ['named'] },
        {},
      ],
      [
        'another resource name',
        { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'], resourceNames: ['other'] },
        {},
      ],
      [
        'an excluded rule',
        { apiGroups: ['apps'], apiVersions: ['*'], resources: ['*'] },
        {
          excludeResourceRules: [
            { operations: ['*'], apiGroups: ['apps'], apiVersions: ['*'], resources: ['deployments'] },
          ],
        },
      ],
      [
        'an excluded name',
        { apiGroups: ['apps'], apiVersions: ['*'], resources: ['*'] },
        {
          excludeResourceRules: [
            {
              operations: ['*'],
              apiGroups: ['apps'],
              apiVersions: ['*'],
              resources: ['deployments'],
              resourceNames: ['other'],
            },
          ],
        },
      ],
      ['a cluster scope', { apiGroups: ['apps'], apiVersions: ['*'], resources: ['*'], scope: 'Cluster' }, {}],
      [
        'an object selector',
        { apiGroups: ['apps'], apiVersions: ['*'], resources: ['*'] },
        { objectSelector: { matchLabels: { a: 'b' } } },
      ],
      [
        'a namespace selector',
        { apiGroups: ['apps'], apiVersions: ['*'], resources: ['*'] },
        { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } },
      ],
      [
        'a namespace selector of others',
        { apiGroups: ['apps'], apiVersions: ['*'], resources: ['*'] },
        { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } },
      ],
    ] as const
  ).map(
    ([title, resourceRule, constraints]): PolicyCase => ({
      title: `matches ${title}`,
      validating: {
        spec: {
          matchConstraints: { resourceRules: [{ operations: ['CREATE'], ...resourceRule }], ...constraints },
          validations: [{ expression: 'false', message: 'matched' }],
        },
      },
      requests: [['POST', `${deployments}?dryRun=All`, deployment('named')]],
    }),
  ),
  ...(['Equivalent', 'Exact'] as const).map(
    (matchPolicy): PolicyCase => ({
      title: `matches an equivalent group: ${matchPolicy}`,
      validating: {
        spec: {
          matchConstraints: {
            matchPolicy,
            resourceRules: [
              { operations: ['CREATE'], apiGroups: ['events.k8s.io'], apiVersions: ['v1'], resources: ['events'] },
            ],
          },
          validations: [
            {
              expression: 'false',
              messageExpression:
                "object.apiVersion + ' ' + object.note + ' ' + request.kind.group + ' ' + request.requestKind.group",
            },
          ],
        },
      },
      requests: [
        [
          'POST',
          `${core}/events?dryRun=All`,
          {
            metadata: { name: 'q3' },
            involvedObject: { namespace: 'default' },
            message: 'm',
            reason: 'r',
            type: 'Normal',
          },
        ],
      ],
    }),
  ),
  ...(
    [
      ['resources', { resourceRules: [rule('secrets')] }],
      ['an object selector', { objectSelector: { matchLabels: { team: 'x' } } }],
      ['another object selector', { objectSelector: { matchLabels: { team: 'y' } } }],
      ['excluded resources', { excludeResourceRules: [rule('configmaps')] }],
      ['a namespace selector', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } }],
    ] as const
  ).map(([title, matchResources]) => validates(`is bound for ${title}`, 'false', { binding: { matchResources } })),
  validates('is evaluated for webhook configurations, not for policies', 'false', {
    spec: matching(everyRegistration),
    request: [
      'POST',
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings?dryRun=All',
      {
        metadata: { name: 'x' },
        spec: { policyName: 'x', validationActions: ['Deny'] },
      },
    ],
  }),
  validates('is evaluated for webhook configurations', 'false', {
    spec: matching(rule('validatingwebhookconfigurations', '*')),
    request: [
      'POST',
      '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All',
      {
        metadata: { name: 'x' },
        webhooks: [],
      },
    ],
  }),
  validates('is not evaluated for reviews', 'false', {
    spec: matching(everyRegistration),
    request: [
      'POST',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      {
        spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
      },
    ],
  }),
];

/** A policy with mutations, for one ConfigMap. */
const mutates = (
  title: string,
  mutations: readonly (readonly ['apply' | 'json', string])[],
  { spec, binding, request }: { spec?: object; binding?: object; request?: TestedRequest } = {},
): PolicyCase => ({
  title: `mutates: ${title}`,
  mutating: {
    spec: {
      reinvocationPolicy: 'Never',
      mutations: mutations.map(([type, expression]) =>
        type === 'apply'
          ? { patchType: 'ApplyConfiguration', applyConfiguration: { expression } }
          : { patchType: 'JSONPatch', jsonPatch: { expression } },
      ),
      ...spec,
    },
    ...(binding !== undefined && { binding }),
  },
  requests: [request ?? create('mutated', { data: { a: 'b' } }, { labels: { team: 'x' } })],
});

const deployed: TestedRequest = ['POST', `${deployments}?dryRun=All`, deployment('mutated')];
const forDeployments = matching(rule('deployments', 'CREATE', 'UPDATE'));

const mutating: readonly PolicyCase[] = [
  mutates('applies labels', [['apply', "Object{metadata: Object.metadata{labels: {'added': 'yes'}}}"]]),
  mutates('applies data of variables', [['apply', "Object{data: {'v': variables.v}}"]], {
    spec: { variables: [{ name: 'v', expression: "object.data.a + '!'" }] },
  }),
  mutates('applies nothing', [['apply', 'Object{}']]),
  mutates('applies an optional field', [['apply', "Object{?data: optional.of({'o': 'p'})}"]]),
  mutates('applies a missing optional field', [['apply', 'Object{?data: optional.none()}']]),
  mutates('applies an unknown field', [['apply', "Object{nothing: 'x'}"]]),
  mutates('applies a field of another type', [['apply', 'Object{data: 5}']]),
  mutates('applies a value of another type', [['apply', "Object{data: {'a': 5}}"]]),
  mutates('applies a type of another path', [['apply', "Object{metadata: Object.spec{labels: {'a': 'b'}}}"]]),
  mutates('applies to a typed object', [['apply', 'Object{spec: Object.spec{replicas: 3}}']], {
    spec: forDeployments,
    request: deployed,
  }),
  mutates(
    'applies to a list by key',
    [
      [
        'apply',
        "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'a', image: 'new'}, Object.spec.template.spec.containers{name: 'b', image: 'b'}]}}}}",
      ],
    ],
    { spec: forDeployments, request: deployed },
  ),
  mutates(
    'applies an atomic list',
    [
      [
        'apply',
        "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'a', args: ['x']}]}}}}",
      ],
    ],
    { spec: forDeployments, request: deployed },
  ),
  mutates(
    'applies an atomic map',
    [['apply', "Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'a': 'b'}}}}"]],
    { spec: forDeployments, request: deployed },
  ),
  mutates('adds by a JSON patch', [['json', "[JSONPatch{op: 'add', path: '/data/c', value: 'd'}]"]]),
  mutates('adds an object by a JSON patch', [
    ['json', "[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'a': 'b'}}]"],
  ]),
  mutates('adds an escaped key', [
    ['json', "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('example.com/a~b'), value: 'd'}]"],
  ]),
  mutates('replaces, copies, moves and tests', [
    [
      'json',
      "[JSONPatch{op: 'test', path: '/data/a', value: 'b'}, JSONPatch{op: 'replace', path: '/data/a', value: 'z'}, JSONPatch{op: 'copy', from: '/data/a', path: '/data/copied'}, JSONPatch{op: 'move', from: '/data/a', path: '/data/moved'}]",
    ],
  ]),
  mutates('fails a test of a JSON patch', [
    ['json', "[JSONPatch{op: 'test', path: '/data/a', value: 'c'}, JSONPatch{op: 'remove', path: '/data/a'}]"],
  ]),
  mutates('removes a missing field', [['json', "[JSONPatch{op: 'remove', path: '/data/none'}]"]]),
  mutates('removes below a missing field', [['json', "[JSONPatch{op: 'remove', path: '/none/none'}]"]]),
  mutates('has an unknown operation', [['json', "[JSONPatch{op: 'change', path: '/data/a', value: 'x'}]"]]),
  mutates('has no operations', [['json', "object.data.a == 'c' ? [JSONPatch{op: 'add'}] : []"]]),
  mutates('adds by a condition', [
    ['json', "has(object.data.a) ? [JSONPatch{op: 'add', path: '/data/c', value: 'd'}] : []"],
  ]),
  mutates('adds an Object by a JSON patch', [
    [
      'json',
      "[JSONPatch{op: 'replace', path: '/metadata', value: Object.metadata{name: 'mutated', labels: {'a': 'b'}}}]",
    ],
  ]),
  mutates('adds an unknown field by a JSON patch', [['json', "[JSONPatch{op: 'add', path: '/nothing', value: 'd'}]"]]),
  mutates('adds a number to texts', [['json', "[JSONPatch{op: 'add', path: '/data/c', value: 5}]"]]),
  mutates(
    'adds a number',
    [['json', "[JSONPatch{op: 'replace', path: '/spec/replicas', value: object.spec.replicas + 4}]"]],
    { spec: forDeployments, request: deployed },
  ),
  mutates('sets defaults after a patch', [['json', "[JSONPatch{op: 'remove', path: '/spec/strategy'}]"]], {
    spec: forDeployments,
    request: deployed,
  }),
  mutates('fails to evaluate', [['json', "[JSONPatch{op: 'add', path: '/data/c', value: object.data.none}]"]]),
  mutates(
    'fails to evaluate, which is ignored',
    [['json', "[JSONPatch{op: 'add', path: '/data/c', value: object.data.none}]"]],
    { spec: { failurePolicy: 'Ignore' } },
  ),
  mutates('fails twice', [
    ['apply', 'Object{data: object.none}'],
    ['json', '[JSONPatch{op: object.none}]'],
  ]),
  mutates(
    'fails once and goes on',
    [
      ['apply', 'Object{data: object.none}'],
      ['json', "[JSONPatch{op: 'add', path: '/data/c', value: 'd'}]"],
    ],
    { spec: { failurePolicy: 'Ignore' } },
  ),
  mutates('runs in order', [
    ['apply', "Object{data: {'one': 'x'}}"],
    ['json', "[JSONPatch{op: 'add', path: '/data/two', value: object.data.one + 'y'}]"],
    ['apply', "Object{data: {'three': object.data.two + 'z'}}"],
  ]),
  mutates('skips by a match condition', [['apply', "Object{data: {'c': 'd'}}"]], {
    spec: conditions("object.data.a == 'c'"),
  }),
  mutates('fails in a match condition', [['apply', "Object{data: {'c': 'd'}}"]], {
    spec: conditions('object.x.y == 1'),
  }),
  mutates(
    'is reinvoked',
    [['json', "[JSONPatch{op: 'add', path: '/data/n', value: object.data.?n.orValue('') + '1'}]"]],
    { spec: { reinvocationPolicy: 'IfNeeded' } },
  ),
  mutates('is not reinvoked', [
    ['json', "[JSONPatch{op: 'add', path: '/data/n', value: object.data.?n.orValue('') + '1'}]"],
  ]),
  mutates('uses the authorizer', [
    ['apply', "Object{data: {'allowed': string(authorizer.requestResource.check('create').allowed())}}"],
  ]),
  mutates('has no namespace in match conditions', [['apply', "Object{data: {'ns': namespaceObject.metadata.name}}"]], {
    spec: conditions('namespaceObject == null'),
  }),
  mutates('has parameters', [['apply', "Object{data: {'max': params.data.max, 'kind': params.kind}}"]], {
    spec: { paramKind: configMaps },
    binding: { paramRef: { name: 'param-a', parameterNotFoundAction: 'Deny' } },
  }),
  mutates('misses parameters', [['apply', 'Object{}']], {
    spec: { paramKind: configMaps },
    binding: { paramRef: { name: 'missing', parameterNotFoundAction: 'Deny' } },
  }),
  mutates('misses the kind of parameters', [['apply', 'Object{}']], {
    spec: { paramKind: { apiVersion: 'rules.example.com/v1', kind: 'Limit' } },
    binding: { paramRef: { name: 'missing', parameterNotFoundAction: 'Deny' } },
  }),
  mutates('is bound for other resources', [['apply', "Object{data: {'c': 'd'}}"]], {
    binding: { matchResources: { resourceRules: [rule('secrets')] } },
  }),
  mutates('updates', [['apply', "Object{metadata: Object.metadata{annotations: {'old': oldObject.data.a}}}"]], {
    spec: matching(rule('configmaps', 'UPDATE')),
    request: ['PUT', `${maps}/updated?dryRun=All`, map('updated', { data: { a: '2' } })],
  }),
  mutates('applies in an apply', [['apply', "Object{data: {'by': 'policy'}}"]], {
    spec: matching(rule('configmaps', 'CREATE', 'UPDATE')),
    request: [
      'PATCH',
      `${maps}/applied?fieldManager=m&dryRun=All`,
      map('applied', { data: { a: '4' } }),
      { contentType: applyType },
    ],
  }),
  mutates('scales', [['json', "[JSONPatch{op: 'replace', path: '/spec/replicas', value: 7}]"]], {
    spec: matching(rule('deployments/scale', 'UPDATE')),
    request: ['PATCH', `${deployments}/scaled/scale?dryRun=All`, { spec: { replicas: 3 } }, { contentType: mergeType }],
  }),
  mutates('scales by a configuration', [['apply', 'Object{spec: Object.spec{replicas: 7}}']], {
    spec: matching(rule('deployments/scale', 'UPDATE')),
    request: ['PATCH', `${deployments}/scaled/scale?dryRun=All`, { spec: { replicas: 3 } }, { contentType: mergeType }],
  }),
  mutates('changes what makes the object invalid', [
    ['json', "[JSONPatch{op: 'replace', path: '/metadata/labels/team', value: 'a b'}]"],
  ]),
  mutates('changes the name', [['json', "[JSONPatch{op: 'replace', path: '/metadata/name', value: 'renamed'}]"]]),
  {
    title: 'validates what was mutated',
    mutating: {
      spec: {
        reinvocationPolicy: 'Never',
        mutations: [
          { patchType: 'ApplyConfiguration', applyConfiguration: { expression: "Object{data: {'c': 'd'}}" } },
        ],
      },
    },
    validating: { spec: { validations: [{ expression: "!('c' in object.data)", message: 'mutated' }] } },
    requests: [create('both', { data: { a: 'b' } })],
  },
];

const forLimits = matching(rule('limits'));
const ofLimits = { apiVersion: 'rules.example.com/v1', kind: 'Limit' };
const forEvents = matching({ ...rule('events'), apiGroups: ['events.k8s.io'], apiVersions: ['v1'] });
const sendsEvent: TestedRequest = [
  'POST',
  `${core}/events?dryRun=All`,
  { metadata: { name: 'e' }, involvedObject: { namespace: 'default' }, message: 'm', reason: 'r', type: 'Normal' },
];

const custom: readonly PolicyCase[] = [
  validates('checks a custom object', "object.spec.max > 5 && object.spec.note == 'noted'", {
    spec: forLimits,
    request: limited,
  }),
  validates('sees defaults and no unknown fields', "object.spec.note == 'noted' && !has(object.spec.unknown)", {
    spec: forLimits,
    request: limited,
  }),
  validates('has custom parameters', 'false', {
    spec: {
      paramKind: ofLimits,
      validations: [
        { expression: 'int(params.spec.max) > 3', messageExpression: 'string(params.kind + params.spec.note)' },
      ],
    },
    binding: { paramRef: { name: 'small', parameterNotFoundAction: 'Deny' } },
  }),
  mutates('applies to a custom object', [['apply', "Object{spec: Object.spec{max: 9, note: 'changed'}}"]], {
    spec: forLimits,
    request: limited,
  }),
  mutates(
    'applies to a list of a custom object',
    [
      [
        'apply',
        "Object{spec: Object.spec{parts: [Object.spec.parts{name: 'a', size: 2}, Object.spec.parts{name: 'b'}]}}",
      ],
    ],
    { spec: forLimits, request: limited },
  ),
  mutates('applies an unknown field to a custom object', [['apply', "Object{spec: Object.spec{other: 'x'}}"]], {
    spec: forLimits,
    request: limited,
  }),
  mutates(
    'patches a custom object',
    [['json', "[JSONPatch{op: 'remove', path: '/spec/note'}, JSONPatch{op: 'add', path: '/spec/max', value: 7}]"]],
    {
      spec: forLimits,
      request: limited,
    },
  ),
  mutates('makes a custom object invalid', [['json', "[JSONPatch{op: 'add', path: '/spec/max', value: 'many'}]"]], {
    spec: forLimits,
    request: limited,
  }),
  mutates(
    'has custom parameters',
    [['apply', "Object{data: {'kind': string(params.kind), 'max': string(params.spec.max)}}"]],
    {
      spec: { paramKind: ofLimits },
      binding: { paramRef: { name: 'small', parameterNotFoundAction: 'Deny' } },
    },
  ),
  mutates('applies to an equivalent kind', [['apply', "Object{note: object.note + ' changed'}"]], {
    spec: forEvents,
    request: sendsEvent,
  }),
  mutates('patches an equivalent kind', [['json', "[JSONPatch{op: 'replace', path: '/note', value: 'changed'}]"]], {
    spec: forEvents,
    request: sendsEvent,
  }),
];

const exec: TestedRequest = ['POST', `${core}/pods/missing/exec?command=ls&stdout=true`];
const attach: TestedRequest = ['GET', `${core}/pods/missing/attach`];
const ofNode: TestedRequest = ['GET', '/api/v1/nodes/missing/proxy/healthz'];

/** A policy for connections, whose pod or node is missing, so that an admitted one ends with a 404. */
const connects = (
  title: string,
  expression: string,
  { spec, binding }: { spec?: object; binding?: object } = {},
): PolicyCase => ({
  title: `connections: ${title}`,
  validating: {
    spec: { ...matching(rule('*/*', 'CONNECT')), validations: [{ expression }], ...spec },
    ...(binding !== undefined && { binding }),
  },
  requests: [exec, attach, ofNode],
});

const connecting: readonly PolicyCase[] = [
  connects('denies a command', "request.subResource != 'exec' || object.command[0] != 'ls'"),
  connects('denies with a reason', 'false', { spec: { validations: [{ expression: 'false', reason: 'Forbidden' }] } }),
  connects('denies without a reason', 'false'),
  connects('warns', 'false', { binding: warns }),
  connects(
    'sees the request',
    "request.operation == 'CONNECT' && request.kind.kind.endsWith('Options') && request.options == null && oldObject == null && !has(object.metadata)",
  ),
  connects('sees the namespace', "namespaceObject == null || namespaceObject.metadata.name == 'default'"),
  connects('fails without metadata', "object.metadata.name == 'x'"),
  connects('asks the authorizer', "authorizer.requestResource.check('create').allowed()"),
  connects('selects no labels', 'false', {
    spec: {
      matchConstraints: {
        resourceRules: [rule('*/*', 'CONNECT')],
        objectSelector: { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] },
      },
    },
  }),
  connects('selects a subresource', 'false', { spec: matching(rule('pods/attach', 'CONNECT')) }),
  connects('selects names', 'false', {
    spec: matching({ ...rule('*/*', 'CONNECT'), resourceNames: ['other'] }),
  }),
  connects('selects other operations', 'false', { spec: matching(rule('*/*', 'CREATE', 'UPDATE', 'DELETE')) }),
  {
    title: 'connections: are not changed by a policy for every operation',
    mutating: {
      spec: {
        ...matching(rule('pods/exec', '*')),
        failurePolicy: 'Fail',
        reinvocationPolicy: 'Never',
        mutations: [
          { patchType: 'JSONPatch', jsonPatch: { expression: "[JSONPatch{op: 'test', path: '/a', value: 1}]" } },
        ],
      },
    },
    requests: [exec],
  },
];

export const policyCases: readonly PolicyCase[] = [...validating, ...mutating, ...custom, ...connecting];
