import {
  applyType,
  core,
  deployments,
  map,
  maps,
  mergeType,
  rule,
  type TestedRequest,
} from './admission-requests.fixture.ts';
import { type Answer, allow, deny, patch, respond } from './admission-webhook.fixture.ts';

/** A webhook without its address, which the test adds. Its name follows from its path. */
export interface TestedWebhook {
  readonly path: string;
  readonly options?: object;
  readonly answer?: Answer;
}

export interface AdmissionCase {
  readonly title: string;
  readonly mutating?: readonly TestedWebhook[];
  readonly validating?: readonly TestedWebhook[];
  /** Sent before the webhooks are configured. */
  readonly before?: readonly TestedRequest[];
  readonly requests: readonly TestedRequest[];
}

const add = (path: string, value: unknown): object => ({ op: 'add', path, value });

const ofMaps = { rules: [rule('configmaps')] };
const everything = { rules: [rule('configmaps', '*')] };

const create = (name: string, members?: object, metadata?: object): TestedRequest => [
  'POST',
  maps,
  map(name, members, metadata),
];

const pod = (name: string, spec: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'a', image: 'a' }], ...spec },
});

const deployment = (name: string): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
  },
});

/** One validating webhook with an answer. */
const validates = (title: string, answer: Answer, options: object = ofMaps): AdmissionCase => ({
  title,
  validating: [{ path: 'v', options, answer }],
  requests: [create('answered')],
});

/** One mutating webhook with an answer. */
const mutates = (
  title: string,
  answer: Answer,
  request = create('answered'),
  options: object = ofMaps,
): AdmissionCase => ({
  title,
  mutating: [{ path: 'm', options, answer }],
  requests: [request],
});

const conditions = (expression: string, more: object = {}): object => ({
  ...ofMaps,
  matchConditions: [{ name: 'one', expression }],
  ...more,
});

/** Three of them exceed the budget of match conditions. */
const expensive =
  'lists.range(240).all(a, lists.range(240).all(b, a + b >= 0 && a * b >= 0 && a - b < 1000 && a + b < 1000))';

/** Whether a webhook with these options is called for these requests. */
const selects = (title: string, options: object, ...requests: readonly TestedRequest[]): AdmissionCase => ({
  title: `selects by ${title}`,
  validating: [{ path: 'v', options }],
  requests,
});

export const admissionCases: readonly AdmissionCase[] = [
  // Denials.
  validates('denies with a message', deny('because')),
  validates(
    'denies with a code, a reason and details',
    deny('because', {
      code: 409,
      reason: 'Conflict',
      details: { name: 'x', causes: [{ field: 'a', message: 'b', reason: 'c' }] },
    }),
  ),
  validates(
    'denies with empty and unknown details',
    deny('because', {
      code: 409,
      details: { name: '', kind: 'x', group: '', causes: [], retryAfterSeconds: 0, unknown: 'y' },
    }),
  ),
  validates('denies with nothing in its details', deny('because', { details: {} })),
  validates('denies with a reason only', respond({ allowed: false, status: { reason: 'Expired' } })),
  validates('denies without a status', respond({ allowed: false })),
  validates('denies with a code below 400', deny('because', { code: 200, status: 'Success' })),
  validates('warns and allows', respond({ warnings: ['first', 'second', 'first'] })),
  validates('warns and denies', respond({ allowed: false, warnings: ['first'] })),
  validates('has audit annotations', respond({ auditAnnotations: { a: 'b', 'x y': 'c' } })),
  mutates('denies in the mutating phase', deny('because', { code: 403 })),
  // Responses that are no answer.
  validates('answers with another uid', respond({ uid: 'other' })),
  validates('answers without a response', (review) => ({ kind: 'AdmissionReview', apiVersion: review.apiVersion })),
  validates('answers with another version', (review) => ({
    ...(allow(review, undefined as never) as object),
    apiVersion: 'admission.k8s.io/v1beta1',
  })),
  validates('answers with an unknown version', (review) => ({
    ...(allow(review, undefined as never) as object),
    apiVersion: 'admission.k8s.io/v2',
  })),
  validates('answers with another kind', (review) => ({
    ...(allow(review, undefined as never) as object),
    kind: 'ConversionReview',
  })),
  validates('answers without a kind', (review) => ({
    ...(allow(review, undefined as never) as object),
    kind: undefined,
  })),
  validates('answers without kind and version', (review) => ({
    ...(allow(review, undefined as never) as object),
    kind: undefined,
    apiVersion: undefined,
  })),
  validates('answers with a Status', () => ({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    message: 'a failure',
    code: 500,
  })),
  validates('answers with a uid of another type', respond({ uid: 5 })),
  validates('answers with a verdict of another type', respond({ allowed: 'yes' })),
  validates('answers with warnings of another type', respond({ warnings: 'w' })),
  validates('answers with a patch in the validating phase', patch(add('/data', {}))),
  validates('answers with a patch type in the validating phase', respond({ patchType: 'JSONPatch' })),
  validates('answers with a null response', (review) => ({
    kind: 'AdmissionReview',
    apiVersion: review.apiVersion,
    response: null,
  })),
  validates(
    'answers with a 500',
    (_, response) => void response.writeHead(500, { 'content-type': 'text/plain' }).end('broken'),
  ),
  validates('closes the connection', (_, response) => void response.socket?.destroy()),
  validates('fails, which is ignored', (_, response) => void response.socket?.destroy(), {
    ...ofMaps,
    failurePolicy: 'Ignore',
  }),
  validates('denies, which is not ignored', deny('because'), { ...ofMaps, failurePolicy: 'Ignore' }),
  validates('is too slow', () => undefined, { ...ofMaps, timeoutSeconds: 1 }),
  validates('is too slow, which is ignored', () => undefined, {
    ...ofMaps,
    timeoutSeconds: 1,
    failurePolicy: 'Ignore',
  }),
  validates('understands only v1beta1', deny('because'), { ...ofMaps, admissionReviewVersions: ['v1beta1'] }),
  validates('prefers v1beta1', (review) => ({ response: { allowed: false, status: { message: review.apiVersion } } }), {
    ...ofMaps,
    admissionReviewVersions: ['v2', 'v1beta1', 'v1'],
  }),
  // Patches.
  mutates('adds labels and data', patch(add('/metadata/labels', { a: 'b' }), add('/data', { c: 'd' }))),
  mutates('gives a patch without a type', respond({ patch: Buffer.from('[]').toString('base64') })),
  mutates('gives a type without a patch', respond({ patchType: 'JSONPatch' })),
  mutates(
    'gives a patch of an unknown type',
    respond({ patchType: 'MergePatch', patch: 'W3sib3AiOiJhZGQiLCJwYXRoIjoiL2RhdGEiLCJ2YWx1ZSI6e319XQ==' }),
  ),
  mutates('gives a patch that is not base64', respond({ patchType: 'JSONPatch', patch: 'a!' })),
  mutates('gives an empty list of operations', patch()),
  mutates('gives a patch that does not apply', patch({ op: 'remove', path: '/data/x' })),
  mutates('gives a patch whose test fails', patch({ op: 'test', path: '/metadata/name', value: 'z' })),
  mutates('makes the object invalid', patch(add('/metadata/labels', { a: 'b c' }))),
  mutates('adds unknown fields', patch(add('/unknown', 1))),
  mutates('changes the name', patch(add('/metadata/name', 'renamed'))),
  mutates('changes the namespace', patch(add('/metadata/namespace', 'kube-system'))),
  mutates('breaks the managed fields', patch(add('/metadata/managedFields', [{ manager: 'x', operation: 'Broken' }]))),
  mutates('removes the managed fields', patch(add('/metadata/managedFields', []))),
  mutates(
    'adds a container with defaults',
    patch(add('/spec/containers/-', { name: 'b', image: 'b' })),
    ['POST', `${core}/pods`, pod('defaulted')],
    { rules: [rule('pods')] },
  ),
  mutates('names a generated object', patch(add('/data', { a: 'b' })), [
    'POST',
    maps,
    map('', {}, { name: undefined, generateName: 'generated-' }),
  ]),
  mutates('changes a deletion', patch(add('/data', {})), ['DELETE', `${maps}/deleted`], everything),
  {
    title: 'shows field values that are invalid before the validating phase',
    mutating: [{ path: 'm', options: ofMaps }],
    validating: [{ path: 'v', options: ofMaps }],
    requests: [create('invalid', {}, { labels: { a: 'b c' } }), create('kube_x')],
  },
  // Order and reinvocation.
  {
    title: 'calls mutating webhooks in order and validating ones after them',
    mutating: [
      { path: 'm1', options: everything, answer: patch(add('/metadata/annotations', { one: '1' })) },
      { path: 'm2', options: everything, answer: patch(add('/metadata/annotations/two', '2')) },
    ],
    validating: [{ path: 'v', options: everything }],
    requests: [
      create('ordered'),
      ['PUT', `${maps}/ordered`, map('ordered', { data: { a: 'b' } })],
      ['PATCH', `${maps}/ordered`, { data: { c: 'd' } }, { contentType: mergeType }],
      [
        'PATCH',
        `${maps}/ordered?fieldManager=applier`,
        map('ordered', { data: { e: 'f' } }),
        { contentType: applyType },
      ],
      [
        'PATCH',
        `${maps}/applied?fieldManager=applier`,
        map('applied', { data: { e: 'f' } }),
        { contentType: applyType },
      ],
      [
        'PATCH',
        `${maps}/applied?fieldManager=applier`,
        map('applied', { data: { e: 'f' } }),
        { contentType: applyType },
      ],
      ['DELETE', `${maps}/ordered`],
      [
        'DELETE',
        `${maps}/applied`,
        { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', gracePeriodSeconds: 5 },
      ],
    ],
  },
  {
    title: 'reinvokes a webhook once that asks for it after a later change',
    mutating: [
      { path: 'm1', options: { ...ofMaps, reinvocationPolicy: 'IfNeeded' } },
      { path: 'm2', options: ofMaps, answer: patch(add('/data', { a: 'b' })) },
      {
        path: 'm3',
        options: { ...ofMaps, reinvocationPolicy: 'IfNeeded' },
        answer: patch(add('/metadata/labels', { a: 'b' })),
      },
      { path: 'm4', options: { ...ofMaps, reinvocationPolicy: 'IfNeeded' } },
    ],
    requests: [create('reinvoked')],
  },
  {
    title: 'reinvokes after the steps of the server',
    mutating: [
      {
        path: 'm1',
        options: { rules: [rule('pods')], reinvocationPolicy: 'IfNeeded' },
        answer: patch({ op: 'remove', path: '/spec/priority' }, { op: 'remove', path: '/spec/tolerations' }),
      },
    ],
    requests: [['POST', `${core}/pods`, pod('tolerated')]],
  },
  {
    title: 'does not reinvoke without a change',
    mutating: [
      { path: 'm1', options: { ...ofMaps, reinvocationPolicy: 'IfNeeded' } },
      { path: 'm2', options: ofMaps },
    ],
    requests: [create('unchanged')],
  },
  // Requests.
  {
    title: 'is called for a status, a Scale and an Eviction',
    before: [
      ['POST', deployments, deployment('scaled')],
      ['POST', `${core}/pods`, pod('evicted')],
    ],
    mutating: [{ path: 'm', options: { rules: [rule('*/*', '*')] } }],
    validating: [{ path: 'v', options: { rules: [rule('*/*', '*')] } }],
    requests: [
      ['PATCH', `${deployments}/scaled/status`, { status: { replicas: 1 } }, { contentType: mergeType }],
      ['PATCH', `${deployments}/scaled/scale`, { spec: { replicas: 3 } }, { contentType: mergeType }],
      [
        'POST',
        `${core}/pods/evicted/eviction`,
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'evicted' } },
      ],
      [
        'POST',
        `${core}/pods/missing/eviction`,
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'missing' } },
      ],
      ['DELETE', `${deployments}/scaled`],
    ],
  },
  {
    title: 'changes and rejects a Scale',
    before: [['POST', deployments, deployment('scaled')]],
    mutating: [
      { path: 'm', options: { rules: [rule('deployments/scale', 'UPDATE')] }, answer: patch(add('/spec/replicas', 5)) },
    ],
    requests: [
      ['PATCH', `${deployments}/scaled/scale`, { spec: { replicas: 3 } }, { contentType: mergeType }],
      ['GET', `${deployments}/scaled`],
      ['DELETE', `${deployments}/scaled`],
    ],
  },
  {
    title: 'rejects an eviction and keeps the pod',
    before: [['POST', `${core}/pods`, pod('kept')]],
    validating: [{ path: 'v', options: { rules: [rule('pods/eviction', 'CREATE')] }, answer: deny('stay') }],
    requests: [
      ['POST', `${core}/pods/kept/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'kept' } }],
      ['GET', `${core}/pods/kept`],
      ['DELETE', `${core}/pods/kept?gracePeriodSeconds=0`],
    ],
  },
  {
    title: 'is called for each object of a collection',
    before: [create('c1', {}, { labels: { collected: 'yes' } }), create('c2', {}, { labels: { collected: 'yes' } })],
    validating: [{ path: 'v', options: { rules: [rule('configmaps', 'DELETE')] } }],
    requests: [['DELETE', `${maps}?labelSelector=collected%3Dyes`]],
  },
  {
    title: 'rejects the deletion of an object and of a collection',
    before: [create('d1', {}, { labels: { kept: 'yes' } })],
    validating: [{ path: 'v', options: { rules: [rule('configmaps', 'DELETE')] }, answer: deny('keep it') }],
    requests: [
      ['DELETE', `${maps}/d1`],
      ['DELETE', `${maps}?labelSelector=kept%3Dyes`],
      ['DELETE', `${maps}/none`],
      ['DELETE', `${maps}/d1`, { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'other' } }],
    ],
  },
  {
    title: 'is called for a dry run without side effects',
    mutating: [
      { path: 'm', options: { ...ofMaps, sideEffects: 'NoneOnDryRun' }, answer: patch(add('/data', { a: 'b' })) },
    ],
    requests: [['POST', `${maps}?dryRun=All&fieldManager=me&fieldValidation=Strict`, map('dry')]],
  },
  {
    title: 'is not called for webhook configurations',
    validating: [
      {
        path: 'v',
        options: {
          rules: [
            {
              ...rule('configmaps'),
              resources: ['configmaps', 'validatingwebhookconfigurations', 'selfsubjectaccessreviews'],
            },
          ],
        },
        answer: deny('never'),
      },
    ],
    requests: [
      [
        'POST',
        '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All',
        { metadata: { name: 'exempt' } },
      ],
      create('not-exempt'),
      [
        'POST',
        '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } },
      ],
    ],
  },
  {
    title: 'sees conflicts and existing objects after the call',
    before: [create('exists')],
    mutating: [{ path: 'm', options: everything }],
    validating: [{ path: 'v', options: everything }],
    requests: [create('exists'), ['PUT', `${maps}/exists`, map('exists', {}, { resourceVersion: '1' })]],
  },
  // Selection.
  selects('operation', { rules: [rule('configmaps', 'UPDATE')] }, create('o1'), [
    'PUT',
    `${maps}/o1`,
    map('o1', { data: { a: 'b' } }),
  ]),
  selects(
    'group and version',
    { rules: [{ operations: ['*'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['*'] }] },
    create('g1'),
    ['POST', deployments, deployment('g1')],
  ),
  selects('resource without subresources', { rules: [rule('deployments', '*')] }, [
    'PATCH',
    `${deployments}/g1/scale`,
    { spec: { replicas: 3 } },
    { contentType: mergeType },
  ]),
  selects(
    'subresources of any resource',
    { rules: [rule('*/scale', '*')] },
    ['PATCH', `${deployments}/g1/scale`, { spec: { replicas: 4 } }, { contentType: mergeType }],
    ['DELETE', `${deployments}/g1`],
  ),
  selects('cluster scope', { rules: [{ ...rule('*'), scope: 'Cluster' }] }, create('s1'), [
    'POST',
    '/api/v1/namespaces?dryRun=All',
    { metadata: { name: 's1' } },
  ]),
  selects('namespaced scope', { rules: [{ ...rule('*'), scope: 'Namespaced' }] }, create('s2'), [
    'POST',
    '/api/v1/namespaces?dryRun=All',
    { metadata: { name: 's2' } },
  ]),
  selects(
    'the labels of the namespace',
    { rules: [rule('*')], namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } },
    create('n1'),
    ['POST', '/api/v1/namespaces/kube-system/configmaps?dryRun=All', map('n1')],
    ['POST', '/api/v1/namespaces/none/configmaps', map('n1')],
    [
      'POST',
      '/api/v1/persistentvolumes?dryRun=All',
      {
        metadata: { name: 'n1' },
        spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
      },
    ],
  ),
  selects(
    'the labels of a Namespace itself',
    {
      rules: [rule('namespaces', '*')],
      namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'Exists' }] },
    },
    ['POST', '/api/v1/namespaces?dryRun=All', { metadata: { name: 'n2', labels: { team: 'a' } } }],
    ['POST', '/api/v1/namespaces?dryRun=All', { metadata: { name: 'n3' } }],
  ),
  selects(
    'the labels of the new or the old object',
    { ...everything, objectSelector: { matchLabels: { pick: 'me' } } },
    create('l1'),
    create('l2', {}, { labels: { pick: 'me' } }),
    ['PUT', `${maps}/l2`, map('l2')],
    ['PUT', `${maps}/l2`, map('l2', { data: { a: 'b' } })],
  ),
  selects(
    'an equivalent version',
    {
      rules: [{ operations: ['CREATE'], apiGroups: ['autoscaling'], apiVersions: ['v9'], resources: ['*'] }],
      matchPolicy: 'Equivalent',
    },
    create('q1'),
  ),
  selects(
    'an equivalent group',
    { rules: [{ operations: ['CREATE'], apiGroups: ['events.k8s.io'], apiVersions: ['v1'], resources: ['events'] }] },
    [
      'POST',
      `${core}/events`,
      {
        metadata: { name: 'q2' },
        involvedObject: { namespace: 'default' },
        message: 'm',
        reason: 'r',
        type: 'Normal',
        firstTimestamp: null,
      },
    ],
  ),
  selects(
    'the exact group',
    {
      rules: [{ operations: ['CREATE'], apiGroups: ['events.k8s.io'], apiVersions: ['v1'], resources: ['events'] }],
      matchPolicy: 'Exact',
    },
    [
      'POST',
      `${core}/events`,
      { metadata: { name: 'q3' }, involvedObject: { namespace: 'default' }, message: 'm', reason: 'r', type: 'Normal' },
    ],
  ),
  // Match conditions.
  selects(
    'a condition on the object',
    conditions("has(object.data) && 'x' in object.data"),
    create('m1'),
    create('m2', { data: { x: 'y' } }),
  ),
  selects(
    'a condition on the request',
    conditions(
      "request.operation == 'CREATE' && request.kind.kind == 'ConfigMap' && request.userInfo.username != 'x' && !request.dryRun",
    ),
    create('m3'),
  ),
  selects(
    'a condition on the old object',
    {
      ...conditions('oldObject == null || oldObject.metadata.name == object.metadata.name'),
      rules: [rule('configmaps', '*')],
    },
    create('m4'),
    ['PUT', `${maps}/m4`, map('m4', { data: { a: 'b' } })],
  ),
  selects('a condition that fails', conditions('object.data.missing == "x"'), create('m5')),
  selects(
    'a condition that fails and is ignored',
    conditions('object.data.missing == "x"', { failurePolicy: 'Ignore' }),
    create('m6'),
  ),
  selects(
    'two conditions that fail',
    {
      ...ofMaps,
      matchConditions: [
        { name: 'a', expression: 'object.x == 1' },
        { name: 'b', expression: 'object.y == 1' },
      ],
    },
    create('m7'),
  ),
  selects(
    'a condition that fails beside a false one',
    {
      ...ofMaps,
      matchConditions: [
        { name: 'a', expression: 'object.x == 1' },
        { name: 'b', expression: 'false' },
      ],
    },
    create('m8'),
  ),
  selects(
    'a condition on the access of the sender',
    conditions(
      "authorizer.requestResource.check('create').allowed() && authorizer.path('/metrics').check('get').allowed()",
    ),
    create('m9'),
  ),
  selects(
    'a condition on the access of a service account',
    conditions(
      "authorizer.serviceAccount('default', 'nobody').group('').resource('configmaps').namespace('default').check('create').allowed()",
    ),
    create('m10'),
  ),
  selects(
    'a condition on too many accesses',
    conditions("[1, 2, 3].all(x, authorizer.group('').resource('pods').check('get').allowed())"),
    create('m11'),
  ),
  selects(
    'a condition that is too expensive after a false one',
    {
      ...ofMaps,
      matchConditions: ['false', ...Array.from({ length: 4 }, () => expensive)].map((expression, index) => ({
        name: `c${index}`,
        expression,
      })),
    },
    create('m12'),
  ),
  // Parallel calls.
  {
    title: 'calls validating webhooks at once and waits for all',
    validating: [
      { path: 'v1', options: ofMaps },
      { path: 'v2', options: ofMaps, answer: deny('second') },
      { path: 'v3', options: ofMaps },
    ],
    requests: [create('parallel')],
  },
];
