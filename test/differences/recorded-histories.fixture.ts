import { definitions } from './history.fixture.ts';
import type { HistoryRequest } from './history-request.fixture.ts';

const namespace: HistoryRequest = { method: 'POST', path: '/api/v1/namespaces', body: '{"metadata":{"name":"@NS@"}}' };
const post = (path: string, body: unknown, contentType?: string): HistoryRequest => ({
  method: 'POST',
  path,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...(contentType !== undefined && { contentType }),
});
const patch = (path: string, type: string, body: unknown): HistoryRequest => ({
  method: 'PATCH',
  path,
  contentType: `application/${type}`,
  body: JSON.stringify(body),
});
const get = (path: string, accept?: string): HistoryRequest => ({
  method: 'GET',
  path,
  ...(accept !== undefined && { accept }),
});
const put = (path: string, body: unknown): HistoryRequest => ({ ...post(path, body), method: 'PUT' });
const remove = (path: string): HistoryRequest => ({ method: 'DELETE', path });
const apply = (path: string, body: unknown): HistoryRequest =>
  patch(`${path}${path.includes('?') ? '&' : '?'}fieldManager=m`, 'apply-patch+yaml', body);

const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const asPartial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const asPartialList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

const maps = '/api/v1/namespaces/@NS@/configmaps';
const map = (data: unknown): HistoryRequest => post(maps, { metadata: { name: 'a' }, data });
const apps = '/apis/apps/v1/namespaces/@NS@';
const policies = '/apis/networking.k8s.io/v1/namespaces/@NS@/networkpolicies';
const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/@NS@/roles';
const selector = { matchLabels: { app: 'web' } };
const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image: 'nginx:1.29' }] },
};

const replicaSets = `${apps}/replicasets`;
const replicaSet = (over: object = {}): object => ({ metadata: { name: 'a' }, spec: { selector, template, ...over } });
const image = { name: 'a', image: 'a' };
const exists = (...keys: readonly string[]): object => ({
  matchExpressions: keys.map((key) => ({ key, operator: 'Exists' })),
});
const requiredNodes = (nodeSelectorTerms: readonly object[]): object => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
});
const drivers = '/apis/storage.k8s.io/v1/csidrivers';
const services = '/api/v1/namespaces/@NS@/services';
const quotas = '/api/v1/namespaces/@NS@/resourcequotas';
const jobs = '/apis/batch/v1/namespaces/@NS@/jobs';
const pods = '/api/v1/namespaces/@NS@/pods';
const pod = (spec: object): object => ({ metadata: { name: 'a' }, spec: { ...template.spec, ...spec } });
const appliedMap = { apiVersion: 'v1', kind: 'ConfigMap' };

const things = '/apis/@NS@.example.com/v1/namespaces/@NS@/things';
const definition = (openAPIV3Schema: object, more: object = {}): HistoryRequest =>
  post(definitions, {
    metadata: { name: 'things.@NS@.example.com' },
    spec: {
      group: '@NS@.example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...more }],
    },
  });
const thing = { apiVersion: '@NS@.example.com/v1', kind: 'Thing', metadata: { name: 'a' } };

const yaml = 'application/yaml';
const yamlMap = (scalar: string): HistoryRequest => post(maps, `{metadata: {name: a}, data: {a: ${scalar}}}`, yaml);

/** Histories whose responses once differed, shrunk. */
export const recordedHistories: readonly (readonly [title: string, requests: readonly HistoryRequest[]])[] = [
  ...['1.0', '1e2'].map((number): readonly [string, readonly HistoryRequest[]] => [
    `${number} as an integer`,
    [
      namespace,
      post(`/api/v1/namespaces/@NS@/services`, `{"metadata":{"name":"a"},"spec":{"ports":[{"port":${number}}]}}`),
    ],
  ]),
  ...['MQ', 'MQ=', 'M===', 'MQ==MQ==', 'MR==', 'M\nQ=='].map((text): readonly [string, readonly HistoryRequest[]] => [
    `${JSON.stringify(text)} as base64`,
    [namespace, post(maps, { metadata: { name: 'a' }, binaryData: { a: text } })],
  ]),
  ...['yes', 'Off', 'y', '~', '017', '0o17', '0x1F', '0b11', '1_000', '1e400', '1:30', '.inf', '.nan', '!!binary aGk=']
    .concat(['2026-01-02', '!!int "5"', '!!int "x"', '!!bool "yes"', '!!str 5', '-0', '+1', '685_230.15', '='])
    .map((scalar): readonly [string, readonly HistoryRequest[]] => [`${scalar} in YAML`, [namespace, yamlMap(scalar)]]),
  ['a watch whose timeout has passed', [namespace, map({}), get(`${maps}?watch=1&timeoutSeconds=-1`)]],
  [
    'zero values that Go omits',
    [namespace, post(`${apps}/deployments`, deployment({ paused: false, minReadySeconds: 0 }))],
  ],
  ['the order of members', [namespace, map({ b: '1', a: '2' }), get(`${maps}/a`), get(maps)]],
  [
    'a Role with an empty list of rules',
    [namespace, post(roles, { metadata: { name: 'a', generation: 7 }, rules: [] })],
  ],
  ['a Role without rules', [namespace, post(roles, { metadata: { name: 'a' } })]],
  ['a DaemonSet', [namespace, post(`${apps}/daemonsets`, { metadata: { name: 'a' }, spec: { selector, template } })]],
  ['a StatefulSet with dots in its name', [namespace, post(`${apps}/statefulsets`, { metadata: { name: 'a.b' } })]],
  ['a ControllerRevision without data', [namespace, post(`${apps}/controllerrevisions`, { revision: -1 })]],
  [
    'an invalid NetworkPolicy',
    [
      namespace,
      post(policies, {
        metadata: { name: 'a' },
        spec: {
          podSelector: { matchExpressions: [{}] },
          policyTypes: ['X'],
          ingress: [
            {
              ports: [{ port: 90, endPort: 3 }, { endPort: 7 }, { port: 'a b', endPort: 1 }, { protocol: 'x' }],
              from: [
                {},
                { ipBlock: { cidr: '10.0.0.0/33' } },
                { ipBlock: { cidr: '010.0.0.0/8', except: ['10.0.0.0/8', '11.0.0.0/9', 'x'] }, podSelector: {} },
                { ipBlock: { cidr: '10.0.0.1/8' } },
                { ipBlock: { cidr: '::ffff:10.0.0.1/8' } },
                { ipBlock: { cidr: 'fE80::/10', except: ['fe80::1/64'] } },
                { ipBlock: {} },
              ],
            },
          ],
        },
      }),
    ],
  ],
  [
    'an apply without a name',
    [namespace, patch(`${maps}/a?fieldManager=m`, 'apply-patch+yaml', { apiVersion: 'v1', kind: 'ConfigMap' })],
  ],
  ...[{ apiVersion: null }, { kind: null }, { apiVersion: 'v2' }, { kind: 'Pod' }].flatMap((body) =>
    ['merge-patch+json', 'strategic-merge-patch+json'].map((type): readonly [string, readonly HistoryRequest[]] => [
      `${type} with ${JSON.stringify(body)}`,
      [namespace, map({}), patch(`${maps}/a`, type, body), patch(`${maps}/a?fieldValidation=Strict`, type, body)],
    ]),
  ),
  [
    'an invalid version',
    [namespace, map({}), patch(`${maps}/a`, 'merge-patch+json', { metadata: { resourceVersion: 'x' } })],
  ],
  [
    'the type of an unknown object',
    [namespace, { method: 'PUT', path: `${roles}/a`, body: '{"metadata":{"name":"a","uid":"u"}}' }],
  ],
  ['deletion options of the wrong type', [{ method: 'DELETE', path: `${maps}/a`, body: '{"gracePeriodSeconds":"3"}' }]],
  ...['fieldSelector=%3D', 'fieldSelector=a%3D1&resourceVersionMatch=Exact', 'continue=x&resourceVersion=99999999']
    .concat(['sendInitialEvents=true&resourceVersionMatch=Other'])
    .map((query): readonly [string, readonly HistoryRequest[]] => [`a list with ${query}`, [get(`${maps}?${query}`)]]),
  ['a deletion of all with an invalid token', [namespace, map({}), remove(`${maps}?continue=e30`)]],
  ['an unknown subresource of a deprecated kind', [get('/api/v1/namespaces/@NS@/endpoints/a/scale')]],
  ['an unknown field of a ReplicaSet', [get(`${apps}/replicasets?fieldSelector=status.phase%3Da`)]],
  [
    'a schema below items',
    [
      definition({
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: {
              list: {
                type: 'array',
                items: {
                  properties: {},
                  type: 'object',
                  default: { z: 1, a: 2 },
                  'x-kubernetes-preserve-unknown-fields': true,
                },
              },
            },
          },
        },
      }),
    ],
  ],
  [
    'an embedded resource with an invalid type',
    [
      namespace,
      definition({
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        },
      }),
      post(things, { ...thing, spec: { apiVersion: 15 } }),
    ],
  ],
  [
    'custom resources',
    [
      namespace,
      definition(
        { type: 'object', properties: { status: { type: 'object' } }, 'x-kubernetes-preserve-unknown-fields': true },
        { subresources: { status: {} } },
      ),
      post(things, { ...thing, status: true }),
      post(things, { ...thing, apiVersion: null }),
      post(things, '{metadata: {labels: {app: .nan}}}', yaml),
      post(things, { zeta: 1, ...thing, metadata: { name: 'b', labels: { b: '', a: '' } }, alpha: { y: 1, x: 2 } }),
      get(things),
      get(`${things}?fieldSelector=%3D`),
    ],
  ],
  ...['resourceVersion=0', 'resourceVersion=1', 'resourceVersion=99999999', 'resourceVersion=', 'resourceVersion=x']
    .concat(['uid=x', 'preconditions=x', 'limit=1', 'limit=1&continue=@CONTINUE@'])
    .concat(['fieldSelector=metadata.name%3Da&resourceVersion=99999999'])
    .map((query): readonly [string, readonly HistoryRequest[]] => [
      `a deletion of all with ${query}`,
      [namespace, map({}), post(maps, { metadata: { name: 'b' } }), get(`${maps}?limit=1`), remove(`${maps}?${query}`)],
    ]),
  ...['uid=x', 'resourceVersion=1', 'resourceVersion=0', 'resourceVersion=99999999'].map(
    (query): readonly [string, readonly HistoryRequest[]] => [
      `a deletion with ${query}`,
      [namespace, map({}), remove(`${maps}/a?${query}`)],
    ],
  ),
  [
    'the metadata of a DaemonSet',
    [
      namespace,
      post(`${apps}/daemonsets`, { metadata: { name: 'a' }, spec: { selector, template } }),
      { ...patch(`${apps}/daemonsets/a`, 'merge-patch+json', {}), accept: asPartial },
      get(`${apps}/daemonsets`, asPartialList),
      get(`${apps}/daemonsets/a`, asTable),
    ],
  ],
  ...[
    'fieldSelector=metadata.name&limit=x',
    'labelSelector=a%20b&timeoutSeconds=x',
    'watch=1&continue=x&fieldSelector=a%3D1',
  ]
    .concat([
      'watch=1&resourceVersionMatch=Exact',
      'watch=1&sendInitialEvents=true&resourceVersionMatch=Exact&continue=x',
    ])
    .concat(['watch=1&allowWatchBookmarks=true&timeoutSeconds=1'])
    .map((query): readonly [string, readonly HistoryRequest[]] => [
      `a list or watch with ${query}`,
      [get(`${maps}?${query}`)],
    ]),
  ['a watch of a list', [get(`${maps}?watch=1&fieldSelector=a%3D1`, asPartialList)]],
  ['a watch in YAML', [get(`${maps}?watch=1&fieldSelector=a%3D1`, yaml)]],
  ...['{"kind":1}', '{"spec":1,"kind":[],"apiVersion":5}', '{"apiVersion":true}'].map(
    (body): readonly [string, readonly HistoryRequest[]] => [`the type ${body}`, [put(`${maps}/a`, body)]],
  ),
  ['a type in YAML that is no string', [{ ...put(`${maps}/a`, '{kind: 1}'), contentType: yaml }]],
  ['errors in YAML', [post(maps, '{data: x, binaryData: x}', yaml)]],
  [
    'a Service that a write of its status creates',
    [namespace, put(`${services}/a/status`, { metadata: { name: 'a' } })],
  ],
  [
    'an update of a selector',
    [
      namespace,
      post(replicaSets, replicaSet()),
      put(`${replicaSets}/a`, replicaSet({ selector: { matchExpressions: [{}], matchLabels: { a: '2' } } })),
    ],
  ],
  ...['{"hard":{"cpu":1e400}}', '{"hard":{"cpu":{"a":1e400}}}', '{"hard":{"cpu":[]},"scopes":5}', '{"x":1e400}'].map(
    (spec): readonly [string, readonly HistoryRequest[]] => [
      `a ResourceQuota of ${spec}`,
      [namespace, post(quotas, `{"metadata":{"name":"a"},"spec":${spec}}`)],
    ],
  ),
  ['numbers that are too large', [post(services, '{"spec":{"ports":[{"port":1e400,"targetPort":1e400}]}}')]],
  ...[
    { uid: 'u' },
    { name: 'a', generation: 0.5 },
    { name: 'a', creationTimestamp: 5 },
    { name: 'a', creationTimestamp: 'x' },
  ]
    .concat([{ name: 'a', deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 } as never])
    .map((metadata): readonly [string, readonly HistoryRequest[]] => [
      `an apply with ${JSON.stringify(metadata)}`,
      [namespace, apply(`${maps}/a`, { ...appliedMap, metadata })],
    ]),
  [
    'the selector of a Scale',
    [
      namespace,
      post(
        replicaSets,
        replicaSet({
          selector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'd', operator: 'NotIn', values: ['z'] }] },
        }),
      ),
      get(`${replicaSets}/a/scale`),
    ],
  ],
  ...['limitranges', 'configmaps', 'serviceaccounts'].map((kind): readonly [string, readonly HistoryRequest[]] => [
    `an empty table of ${kind}`,
    [get(`/api/v1/namespaces/@NS@/${kind}`, asTable)],
  ]),
  [
    'the name of a PodDisruptionBudget',
    [namespace, post('/apis/policy/v1/namespaces/@NS@/poddisruptionbudgets', { metadata: { name: 'A_b' } })],
  ],
  ['spaces around an image', [namespace, post(pods, pod({ containers: [{ image: ' a' }] }))]],
  [
    'resources of a Pod',
    [
      namespace,
      post(pods, pod({ resources: { requests: { storage: '1', cpu: '1' }, limits: { cpu: '500m' } } })),
      post(
        pods,
        pod({
          containers: [{ name: 'a', image: 'a', resources: { limits: { cpu: 2 } } }],
          resources: { limits: { cpu: 1 } },
        }),
      ),
    ],
  ],
  [
    'the policies of a Job',
    [
      namespace,
      post(jobs, {
        metadata: { name: 'a' },
        spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } },
      }),
      ...[
        { podFailurePolicy: {} },
        { successPolicy: { rules: [{}] } },
        { podFailurePolicy: { rules: [{ onExitCodes: {} }] } },
      ].map((spec) => patch(`${jobs}/a`, 'merge-patch+json', { spec })),
    ],
  ],
  [
    'strategic merge patches of the wrong type',
    [
      namespace,
      post(services, { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } }),
      ...[
        { ports: [[]] },
        { externalIPs: {} },
        { externalIPs: [5] },
        { clusterIP: true },
        { selector: [] },
        { healthCheckNodePort: 0.5 },
      ].map((spec) => patch(`${services}/a`, 'strategic-merge-patch+json', { spec })),
    ],
  ],
  [
    'another uid in a dry run',
    [namespace, map({}), put(`${maps}/a?dryRun=All`, { metadata: { name: 'a', uid: 'u' } })],
  ],
  [
    'a RoleBinding of a ServiceAccount without a namespace',
    [
      namespace,
      post('/apis/rbac.authorization.k8s.io/v1/namespaces/@NS@/rolebindings', {
        metadata: { name: 'a' },
        roleRef: { kind: 'Role', name: 'r' },
        subjects: [{ kind: 'ServiceAccount', name: 's' }],
      }),
      get('/apis/rbac.authorization.k8s.io/v1/namespaces/@NS@/rolebindings', asTable),
    ],
  ],
  [
    'labels in a write of a status',
    [
      namespace,
      post(replicaSets, replicaSet()),
      put(`${replicaSets}/a/status`, { metadata: { name: 'a', labels: { a: 'b' } } }),
    ],
  ],
  ...['{"x":1,"metadata":{"name":"a","name":"a","u":1},"y":{"a":1,"a":2},"data":{"a":"1","a":"2"}}'].flatMap((body) =>
    ['Warn', 'Strict'].map((validation): readonly [string, readonly HistoryRequest[]] => [
      `${validation} validation of repeated and unknown fields`,
      [namespace, post(`${maps}?fieldValidation=${validation}`, body)],
    ]),
  ),
  [
    'repeated and unknown fields in YAML',
    [post(`${maps}?fieldValidation=Strict`, 'metadata: {name: a, name: a}\nx: 1', yaml)],
  ],
  ['a new object as a list', [namespace, { ...map({}), accept: asPartialList }]],
  ...[{ configMap: 'x' }, { configMap: { name: 5 } }, { secret: { items: 5 } }, { name: 5 }].map(
    (volume): readonly [string, readonly HistoryRequest[]] => [
      `the volume ${JSON.stringify(volume)}`,
      [post(pods, { spec: { volumes: [volume] } })],
    ],
  ),
  ['a probe of the wrong type', [post(pods, { spec: { containers: [{ livenessProbe: { httpGet: { path: 5 } } }] } })]],
  [
    'the type of a custom resource',
    [
      namespace,
      definition({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
      post(things, { ...thing, apiVersion: 1 }),
      post(things, '{"x":1,"kind":"Thing","metadata":{"Name":"c"}}'),
      post(things, { ...thing, kind: 'Other', metadata: { generateName: 'generated-' } }),
      post(things, `{"apiVersion":null,"apiVersion":"@NS@.example.com/v1","kind":"Thing","metadata":{"u":1}}`),
      { ...post(`${things}?dryRun=All`, thing), accept: asPartialList },
      post(things, thing),
      ...[
        { apiVersion: '' },
        { apiVersion: 'x/v2' },
        { apiVersion: 'a/b/c' },
        { kind: '' },
        { kind: null },
        { kind: 'Other' },
      ]
        .concat([{ kind: 5 } as never])
        .map((type) => patch(`${things}/a`, 'merge-patch+json', type)),
      put(`${things}/a?dryRun=All`, { ...thing, metadata: { name: 'a', uid: 'u' } }),
      remove(`${things}?resourceVersion=0`),
    ],
  ],
  [
    'the scale of custom resources',
    [
      namespace,
      definition(
        {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              'x-kubernetes-embedded-resource': true,
              properties: { replicas: { type: 'integer' } },
            },
            status: {
              type: 'object',
              'x-kubernetes-preserve-unknown-fields': true,
              properties: { a: { type: 'object', properties: {} } },
            },
            list: {
              type: 'array',
              items: { type: 'object', properties: { z: { type: 'string' }, a: { type: 'string' } } },
              default: [{ z: 'z', a: 'a' }],
            },
          },
        },
        { subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } } },
      ),
      post(things, { ...thing, spec: { replicas: -1 } }),
      apply(`${things}/a`, { ...thing, metadata: { name: 'a' } }),
      apply(`${things}/a/scale`, { apiVersion: 'autoscaling/v1', kind: 'Scale' }),
      apply(`${things}/a?fieldValidation=Strict`, { ...thing, status: { a: { unknown: 1 } } }),
      apply(`${things}/a/scale`, { apiVersion: 'autoscaling/v1', kind: 'Scale' }),
    ],
  ],
  ...['500Gi-1', '1e', '+', '1..0'].map((amount): readonly [string, readonly HistoryRequest[]] => [
    `the quantity ${amount}`,
    [post(quotas, { spec: { hard: { cpu: amount } } })],
  ]),
  ['an invalid patch of an object that does not exist', [patch(`${maps}/a`, 'merge-patch+json', [])]],
  [
    'an invalid apply to an object that does not exist',
    [
      { ...apply(`${maps}/a/status`, {}), body: '{a: .nan}' },
      { ...apply(`${apps}/deployments/a/scale`, {}), body: 'a: b: c' },
    ],
  ],
  [
    'a finalizer of a PodDisruptionBudget',
    [
      namespace,
      post('/apis/policy/v1/namespaces/@NS@/poddisruptionbudgets', { metadata: { name: 'a', finalizers: ['a'] } }),
      post('/apis/policy/v1/namespaces/@NS@/poddisruptionbudgets', { metadata: { name: 'a', finalizers: ['a b'] } }),
    ],
  ],
  [
    'a write of the status of a DaemonSet',
    [
      namespace,
      post(`${apps}/daemonsets`, { metadata: { name: 'a' }, spec: { selector, template } }),
      put(`${apps}/daemonsets/a/status`, { metadata: { name: 'a' } }),
    ],
  ],
  [
    'an unknown kind with a line separator',
    [namespace, map({}), patch(`${maps}/a`, 'merge-patch+json', { kind: '\u2028' })],
  ],
  [
    'a new scheduling gate',
    [namespace, post(pods, pod({})), patch(`${pods}/a`, 'merge-patch+json', { spec: { schedulingGates: [{}] } })],
  ],
  [
    'an empty LimitRange',
    [namespace, post('/api/v1/namespaces/@NS@/limitranges', { metadata: { name: 'a' }, spec: { limits: [] } })],
  ],
  ...[[], [104, 105], [256], ['a'], [null]].map((bytes): readonly [string, readonly HistoryRequest[]] => [
    `${JSON.stringify(bytes)} as bytes`,
    [namespace, post('/api/v1/namespaces/@NS@/secrets', { metadata: { name: 'a' }, data: { a: bytes } })],
  ]),
  [
    'a list of selected objects in pages',
    [
      namespace,
      post(maps, { metadata: { name: 'a', labels: { app: 'web' } } }),
      post(maps, { metadata: { name: 'b' } }),
      get(`${maps}?limit=1&labelSelector=app`),
      get(`${maps}?limit=1&labelSelector=app&continue=@CONTINUE@`),
      get(`${maps}?limit=1&fieldSelector=metadata.name%3Da`),
    ],
  ],
  [
    'the type of a custom resource that is missing or wrong',
    [
      namespace,
      definition(
        { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        { subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } } },
      ),
      post(`${things}?fieldValidation=Ignore`, {}),
      post(things, { kind: 'Thing', metadata: { deletionTimestamp: '\u2028' } }),
      put(`${things}/a`, { ...thing, kind: 'Other' }),
      put(`${things}/a/scale`, '{"metadata":{"name":"a"},"spec":{"replicas":2.0}}'),
      apply(`${things}/a`, { kind: 1 }),
      post(things, thing),
      put(`${things}/a`, { ...thing, kind: 'Other', metadata: { name: 'a', uid: 'u' } }),
      put(`${things}/a`, { ...thing, kind: 'Other' }),
    ],
  ],
  [
    'a LimitRange without amounts',
    [
      namespace,
      post('/api/v1/namespaces/@NS@/limitranges', {
        metadata: { name: 'a' },
        spec: { limits: [{ type: 'Container' }] },
      }),
    ],
  ],
  [
    'finalizers of objects that are being deleted, and of kinds with only generic rules',
    [
      namespace,
      post(maps, { metadata: { name: 'a', finalizers: ['x.io/hold'] } }),
      remove(`${maps}/a`),
      patch(`${maps}/a`, 'merge-patch+json', { metadata: { finalizers: ['x.io/hold', 'a'], labels: { 'x y': '' } } }),
      post('/apis/coordination.k8s.io/v1/namespaces/@NS@/leases', { metadata: { name: 'a', finalizers: ['a'] } }),
      post('/apis/node.k8s.io/v1/runtimeclasses', { metadata: { name: '@NS@', finalizers: ['a'] }, handler: 'a' }),
      post('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
        metadata: { name: '@NS@', finalizers: ['a'] },
      }),
      post('/apis/apiregistration.k8s.io/v1/apiservices', {
        metadata: { name: 'v1.@NS@.example.com', finalizers: ['a'] },
        spec: {
          ...{ group: '@NS@.example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
          ...{ service: { name: 'a', namespace: 'b' }, insecureSkipTLSVerify: true },
        },
      }),
    ],
  ],
  [
    'changed token requests of a CSIDriver',
    [
      post(drivers, { metadata: { name: '@NS@-a' } }),
      patch(`${drivers}/@NS@-a`, 'merge-patch+json', { spec: { tokenRequests: [{}] } }),
      patch(`${drivers}/@NS@-a`, 'merge-patch+json', { metadata: { labels: { a: 'b' } } }),
    ],
  ],
  [
    'embedded metadata of the wrong type in an object of no version',
    [
      definition({
        type: 'object',
        properties: {
          a: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { b: { type: 'object' } } },
        },
      }),
      post(things, { kind: 'Thing', a: { metadata: { name: 5 } } }),
      post(things, { ...thing, a: { metadata: { name: 5 } } }),
    ],
  ],
  [
    'a custom resource whose version is patched to null',
    [
      namespace,
      definition({ type: 'object' }),
      post(things, thing),
      ...['add', 'copy'].map((op) =>
        patch(`${things}/a`, 'json-patch+json', [{ op, path: '/apiVersion', from: '/spec', value: null }]),
      ),
    ],
  ],
  [
    'ephemeral containers',
    [
      namespace,
      post(pods, pod({ containers: [image] })),
      ...[
        {
          name: 'a',
          image: ' ',
          targetContainerName: 'x',
          ports: [{ containerPort: 1 }],
          resources: { limits: { cpu: '1' } },
        },
        { name: 'A', lifecycle: {}, livenessProbe: {}, volumeMounts: [{ name: 'v', mountPath: '/a', subPath: 'x' }] },
        { name: 'e', image: 'a' },
        { name: 'e', image: 'b' },
      ].map((container) =>
        patch(`${pods}/a/ephemeralcontainers`, 'merge-patch+json', {
          metadata: { labels: { a: 'b' } },
          spec: { ephemeralContainers: [container] },
        }),
      ),
      patch(`${pods}/a/ephemeralcontainers`, 'merge-patch+json', { spec: { ephemeralContainers: null } }),
    ],
  ],
  [
    'resizes of a Pod',
    [
      namespace,
      post(
        pods,
        pod({
          containers: [
            { ...image, resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } },
            { ...image, name: 'b' },
          ],
          initContainers: [{ ...image, name: 'i', resources: { requests: { cpu: '1' } } }],
        }),
      ),
      ...[{ cpu: '3' }, { 'x.io/y': '1' }, { cpu: null }, { 'ephemeral-storage': '1' }, { cpu: '500m' }].map(
        (requests) =>
          patch(`${pods}/a/resize`, 'strategic-merge-patch+json', {
            metadata: { labels: { a: 'b' } },
            spec: { containers: [{ name: 'a', resources: { requests } }] },
          }),
      ),
      ...[{ cpu: '2' }, { cpu: null }, { 'ephemeral-storage': '1' }].map((requests) =>
        patch(`${pods}/a/resize`, 'strategic-merge-patch+json', {
          spec: { initContainers: [{ name: 'i', resources: { requests } }] },
        }),
      ),
      ...[[{ ...image, name: 'b' }, image], [image]].map((containers) =>
        patch(`${pods}/a/resize`, 'merge-patch+json', { spec: { containers } }),
      ),
      post(pods, { ...pod({ containers: [image] }), metadata: { name: 'b' } }),
      patch(`${pods}/b/resize`, 'strategic-merge-patch+json', {
        spec: { containers: [{ name: 'a', resources: { requests: { cpu: '1' } } }] },
      }),
    ],
  ],
  [
    'the status of a Pod',
    [
      namespace,
      post(pods, pod({ containers: [image] })),
      ...[
        { podIPs: [{ ip: 'x' }], hostIP: '1.2.3.4', hostIPs: [{ ip: 'y' }] },
        { podIPs: [{ ip: '1.2.3.4' }, { ip: '1.2.3.5' }] },
        { podIPs: [{ ip: '1.2.3.4' }, { ip: '::1' }], conditions: [{ type: 'Ready', status: 'True' }] },
        { conditions: [{ type: 'A b', status: 'True' }] },
      ].map((status) => patch(`${pods}/a/status`, 'merge-patch+json', { status })),
    ],
  ],
  [
    'where a Pod with a scheduling gate may run',
    [
      namespace,
      post(
        pods,
        pod({
          containers: [image],
          schedulingGates: [{ name: 'x.io/a' }],
          nodeSelector: { a: 'b' },
          affinity: requiredNodes([exists('a'), {}]),
        }),
      ),
      ...[
        { affinity: requiredNodes([exists('b'), {}]) },
        { affinity: requiredNodes([exists('a'), exists('b')]) },
        { affinity: requiredNodes([exists('a')]) },
        { affinity: requiredNodes([exists('a', 'b'), {}]) },
        { affinity: null },
        { affinity: { podAffinity: {} } },
        { nodeSelector: { a: 'c' } },
        { nodeSelector: { b: 'c' } },
      ].map((spec) => patch(`${pods}/a`, 'merge-patch+json', { spec })),
    ],
  ],
  [
    'a generated name that is invalid',
    [
      namespace,
      post('/api/v1/namespaces/@NS@/replicationcontrollers', { metadata: { generateName: 'Generated_' } }),
      post(maps, { metadata: { generateName: 'Generated_' } }),
    ],
  ],
  ...[[], [{}]].map((managedFields): readonly [string, readonly HistoryRequest[]] => [
    `managedFields that are reset by ${JSON.stringify(managedFields)}`,
    [
      namespace,
      post(maps, { metadata: { name: 'a', managedFields } }),
      patch(`${maps}/a`, 'merge-patch+json', { metadata: { managedFields } }),
      post(`${apps}/deployments`, {
        metadata: { name: 'a' },
        spec: { selector, template: { ...template, metadata: { ...template.metadata, managedFields: [] } } },
      }),
      definition({ type: 'object' }),
      post(things, thing),
      patch(`${things}/a`, 'merge-patch+json', { metadata: { managedFields } }),
    ],
  ]),
  ...[{}, { endpoints: [], ports: [] }, { endpoints: null }].map(
    (lists): readonly [string, readonly HistoryRequest[]] => [
      `an EndpointSlice with ${JSON.stringify(lists)}`,
      [
        namespace,
        post('/apis/discovery.k8s.io/v1/namespaces/@NS@/endpointslices', {
          metadata: { name: 'a' },
          addressType: 'IPv4',
          ...lists,
        }),
        get('/apis/discovery.k8s.io/v1/namespaces/@NS@/endpointslices/a'),
      ],
    ],
  ),
];

function deployment(spec: object): object {
  return { metadata: { name: 'a' }, spec: { selector, template, ...spec } };
}
