import {
  apply,
  asPartial,
  asPartialList,
  asTable,
  begin,
  deployment,
  deployments,
  get,
  json,
  maps,
  merge,
  namespaceOf,
  namespaces,
  patchWith,
  post,
  put,
  type RequestScript,
  remove,
  type ScriptedRequest,
  strategic,
} from './scripted-request.fixture.ts';

const configMap = (name: string, data: object = { color: 'blue' }, metadata: object = {}): object => ({
  metadata: { name, ...metadata },
  data,
});

/** Fields that no kind has, with names of the given length. */
const unknownFields = (count: number, length = 0, filler = 'x'): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown${index}`.padEnd(length, filler), index]));

const yamlOf = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n`;

/** The JSON of a ConfigMap in which each key is given twice. */
const repeatedKeys = (name: string, count: number): string => {
  const keys = Array.from({ length: count }, (_, index) => `"k${index}":"a","k${index}":"b"`);
  return `{"metadata":{"name":"${name}"},"data":{${keys.join(',')}}}`;
};

const crud: RequestScript = {
  title: 'creates, reads, updates and deletes',
  requests: [
    begin('crud'),
    post(maps('crud'), configMap('a')),
    post(maps('crud'), configMap('a')),
    get(`${maps('crud')}/a`),
    get(`${maps('crud')}/missing`),
    put(`${maps('crud')}/a`, configMap('a', { color: 'red' })),
    put(`${maps('crud')}/a`, configMap('a', { color: 'red' })),
    put(`${maps('crud')}/a`, configMap('a', { color: 'red' }, { resourceVersion: '1' })),
    put(`${maps('crud')}/a`, configMap('a', {}, { uid: '00000000-0000-0000-0000-000000000000' })),
    put(`${maps('crud')}/a`, configMap('b')),
    put(`${maps('crud')}/a`, { data: {} }),
    put(`${maps('crud')}/a`, configMap('a', {}, { namespace: 'other' })),
    put(`${maps('crud')}/missing`, configMap('missing')),
    put(`${maps('crud')}/a`, configMap('a', { color: 'red' }, { labels: { 'not/a/key': 'x' } })),
    put(`${maps('crud')}/a`, configMap('a', { color: 'red' }, { labels: { app: 'x' }, annotations: { note: 'y' } })),
    put(`${maps('crud')}/a`, configMap('a', { color: 'red' }, { finalizers: ['unqualified'] })),
    get(`${maps('crud')}/a`),
    remove(`${maps('crud')}/missing`),
    remove(`${maps('crud')}/a`, { body: { preconditions: { uid: 'other' } } }),
    remove(`${maps('crud')}/a`, { body: { preconditions: { resourceVersion: '1' } } }),
    remove(`${maps('crud')}/a?propagationPolicy=Sometimes`),
    remove(`${maps('crud')}/a`),
    get(`${maps('crud')}/a`),
  ],
};

const clusterRoles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const clusterRole = (name: string, labels: object = {}): object => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, namespace: 'elsewhere', labels },
  rules: [],
});
const leases = (namespace: string): string => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;

const systemFields: RequestScript = {
  title: 'ignores or refuses the fields of new objects that only the server sets',
  requests: [
    begin('system'),
    post(maps('system'), configMap('linked', {}, { selfLink: '/a' })),
    put(`${maps('system')}/linked`, configMap('linked', {}, { selfLink: '/a' })),
    merge(`${maps('system')}/linked`, { metadata: { selfLink: '/a' } }),
    post(maps('system'), configMap('a', {}, { resourceVersion: '5' })),
    post(maps('system'), configMap('Bad_', {}, { resourceVersion: '5' })),
    post(maps('system'), { metadata: { generateName: 'generated-', resourceVersion: '5' } }),
    post(`${maps('system')}?dryRun=All`, configMap('a', {}, { resourceVersion: '5' })),
    post(maps('system'), configMap('a', {}, { resourceVersion: '0' })),
    post(maps('system'), configMap('a', {}, { resourceVersion: '5' })),
    post(maps('system'), configMap('b', {}, { resourceVersion: 'text' })),
    post(namespaces, { metadata: { name: 'system-versioned', resourceVersion: '5' } }),
    ...['5', '0', 'text'].map((resourceVersion) =>
      apply(`${maps('system')}/applied-${resourceVersion}?fieldManager=m`, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `applied-${resourceVersion}`, resourceVersion },
      }),
    ),
    put(`${leases('system')}/put`, { metadata: { name: 'put', resourceVersion: '5' } }),
    post(namespaces, { metadata: { name: 'system-elsewhere', namespace: 'elsewhere' } }),
    post(clusterRoles, clusterRole('compared')),
    put(`${clusterRoles}/compared`, clusterRole('compared', { a: 'b' })),
    put(`${clusterRoles}/compared-put`, clusterRole('compared-put')),
    merge(`${clusterRoles}/compared`, { metadata: { namespace: 'elsewhere', labels: { a: 'c' } } }),
    apply(`${clusterRoles}/compared?fieldManager=m`, clusterRole('compared', { b: 'c' })),
    apply(`${clusterRoles}/compared-applied?fieldManager=m`, clusterRole('compared-applied')),
    put(`${namespaceOf('system')}/status`, { metadata: { name: 'system', namespace: 'elsewhere' } }),
    post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      metadata: { namespace: 'elsewhere' },
      spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
    }),
    post(maps('system'), configMap('dying', {}, { finalizers: ['example.com/held'] })),
    remove(`${maps('system')}/dying`),
    post(maps('system'), configMap('dying')),
    post(`${maps('system')}?dryRun=All`, configMap('dying')),
  ],
};

const names: RequestScript = {
  title: 'validates names',
  requests: [
    begin('names'),
    post(maps('names'), { metadata: {} }),
    post(maps('names'), {}),
    post(maps('names'), configMap('Upper')),
    post(maps('names'), configMap('a'.repeat(254))),
    post(maps('names'), { metadata: { generateName: 'generated-' } }),
    post(maps('names'), { metadata: { generateName: 'Generated_' } }),
    post(maps('names'), configMap('a', {}, { namespace: 'elsewhere' })),
    post(namespaces, { metadata: { name: 'with.dots' } }),
    post(`/apis/rbac.authorization.k8s.io/v1/namespaces/names/roles`, { metadata: { name: 'any:Name' }, rules: [] }),
    post(`/apis/rbac.authorization.k8s.io/v1/namespaces/names/roles`, { metadata: { name: 'no/slash' }, rules: [] }),
    post(`${namespaceOf('names')}/services`, { metadata: { name: '1st' }, spec: { ports: [{ port: 80 }] } }),
    post(maps('names'), configMap('labels', {}, { labels: { ok: 'no spaces!' } })),
    post(maps('names'), configMap('labels', {}, { labels: { '-bad': 'x', 'a/b/c': 'y' } })),
    post(maps('names'), configMap('annotations', {}, { annotations: { 'bad key': 'x' } })),
    post(maps('names'), configMap('owners', {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap' }] })),
    post(maps('names'), configMap('finalizers', {}, { finalizers: ['orphan', 'foregroundDeletion'] })),
    post(`${namespaceOf('missing')}/configmaps`, configMap('a')),
  ],
};

const bodies: RequestScript = {
  title: 'reports errors in a body',
  requests: [
    begin('bodies'),
    post(maps('bodies'), ''),
    post(maps('bodies'), '{"metadata":'),
    post(maps('bodies'), '[]'),
    post(maps('bodies'), { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }),
    post(maps('bodies'), { apiVersion: 'apps/v1', kind: 'ConfigMap', metadata: { name: 'a' } }),
    post(maps('bodies'), { apiVersion: 'v1', kind: 'Nothing', metadata: { name: 'a' } }),
    post(maps('bodies'), configMap('a', { number: 1 })),
    post(maps('bodies'), configMap('a', { nested: {} })),
    post(maps('bodies'), { metadata: { name: 'a', labels: 'none' } }),
    post(maps('bodies'), { metadata: 'a' }),
    post(maps('bodies'), { metadata: { name: 'a', creationTimestamp: 'yesterday' } }),
    post(deployments('bodies'), deployment('a', { replicas: 'many' })),
    post(deployments('bodies'), deployment('a', { replicas: 1.5 })),
    post(deployments('bodies'), { metadata: { name: 'a' }, spec: [] }),
    post(deployments('bodies'), deployment('a', { paused: 'yes' })),
    post(`${namespaceOf('bodies')}/pods`, { metadata: { name: 'a' }, spec: { containers: [{ name: 1 }] } }),
    post(`${namespaceOf('bodies')}/pods`, { metadata: { name: 'a' }, spec: { containers: {} } }),
    post(`${namespaceOf('bodies')}/secrets`, { metadata: { name: 'a' }, data: { key: '***' } }),
    post(maps('bodies'), configMap('a'), { contentType: 'text/plain' }),
    post(maps('bodies'), 'metadata:\n  name: yaml\ndata:\n  color: blue\n', { contentType: 'application/yaml' }),
    post(`${maps('bodies')}?fieldValidation=Strict`, { ...configMap('strict'), extra: 1 }),
    ...[99, 100, 101, 1000].map((count) =>
      post(maps('bodies'), { ...configMap(`many-${count}`), ...unknownFields(count) }),
    ),
    post(`${maps('bodies')}?fieldValidation=Strict`, { ...configMap('many-strict'), ...unknownFields(150) }),
    post(maps('bodies'), { ...configMap('long'), ...unknownFields(20, 300) }),
    post(maps('bodies'), { ...configMap('longest'), ...unknownFields(1, 5000) }),
    post(maps('bodies'), { ...configMap('wide'), ...unknownFields(20, 300, '\u00e9') }),
    post(maps('bodies'), { ...configMap('quoted'), ...unknownFields(20, 300, '"') }),
    post(maps('bodies'), { ...configMap('control'), 'a\nb': 1, c: 2 }),
    post(maps('bodies'), repeatedKeys('many-twice', 150)),
    post(`${maps('bodies')}?fieldValidation=Strict`, repeatedKeys('many-twice-strict', 150)),
    post(maps('bodies'), 'metadata:\n  name: yaml-warned\ndata:\n  x: "1"\n  x: "2"\n', {
      contentType: 'application/yaml',
    }),
    post(`${maps('bodies')}?fieldValidation=Warn`, {
      ...configMap('warned'),
      extra: 1,
      metadata: { name: 'warned', also: 2 },
    }),
    post(`${maps('bodies')}?fieldValidation=Ignore`, { ...configMap('ignored'), extra: 1 }),
    post(`${maps('bodies')}?fieldValidation=Maybe`, configMap('maybe')),
    post(`${maps('bodies')}?fieldValidation=Strict`, '{"metadata":{"name":"twice"},"data":{"x":"1","x":"2"}}'),
    post(maps('bodies'), '{"metadata":{"name":"twice"},"data":{"x":"1","x":"2"}}'),
    post(`${maps('bodies')}?fieldValidation=Strict`, 'metadata:\n  name: yaml-twice\ndata:\n  x: "1"\n  x: "2"\n', {
      contentType: 'application/yaml',
    }),
    post(`${maps('bodies')}?dryRun=Some`, configMap('dry')),
    post(`${maps('bodies')}?fieldManager=${'m'.repeat(129)}`, configMap('managed')),
    post(maps('bodies'), { metadata: { name: 'nulls', labels: null, annotations: {} }, data: null, binaryData: {} }),
  ],
};

const lists: RequestScript = {
  title: 'lists with selectors, in chunks and at revisions',
  requests: [
    begin('lists'),
    ...['a', 'b', 'c', 'd'].map((name, index) =>
      post(maps('lists'), configMap(name, {}, { labels: { app: name, even: String(index % 2 === 0) } })),
    ),
    get(maps('lists')),
    get(`${maps('lists')}?labelSelector=app%3Da`),
    get(`${maps('lists')}?labelSelector=app%20in%20(a,b),even`),
    get(`${maps('lists')}?labelSelector=app%20notin%20(a,b)`),
    get(`${maps('lists')}?labelSelector=!missing,even!%3Dtrue`),
    get(`${maps('lists')}?labelSelector=a%20b`),
    get(`${maps('lists')}?labelSelector=a%20in%20b`, { statusOnly: 'one comma differs' }),
    get(`${maps('lists')}?fieldSelector=metadata.name%3Db`),
    get(`${maps('lists')}?fieldSelector=metadata.name!%3Db`),
    get(`${maps('lists')}?fieldSelector=metadata.namespace%3Dlists,metadata.name%3Dc`),
    get(`${maps('lists')}?fieldSelector=spec.color%3Dblue`),
    get(`${maps('lists')}?fieldSelector=nonsense`),
    get(`${namespaceOf('lists')}/pods?fieldSelector=spec.nodeName%3D`),
    get(`${namespaceOf('lists')}/pods?fieldSelector=spec.color%3Dblue`),
    get(`${deployments('lists')}?fieldSelector=spec.color%3Dblue`),
    get(`${maps('lists')}?limit=2`),
    get(`${maps('lists')}?limit=2&labelSelector=app`),
    get(`${maps('lists')}?limit=4`),
    get(`${maps('lists')}?limit=x`),
    get(`${maps('lists')}?continue=abc`),
    get(`${maps('lists')}?resourceVersion=0`),
    get(`${maps('lists')}?resourceVersion=0&limit=1`),
    get(`${maps('lists')}?resourceVersion=1&resourceVersionMatch=NotOlderThan`),
    get(`${maps('lists')}?resourceVersion=abc`),
    get(`${maps('lists')}?resourceVersion=999999999`),
    get(`${maps('lists')}?resourceVersionMatch=Exact`),
    get(`${maps('lists')}?resourceVersion=1&resourceVersionMatch=Nearly`),
    get(`${maps('lists')}?resourceVersion=0&resourceVersionMatch=Exact`),
    get(`${maps('lists')}?sendInitialEvents=true`),
    get(maps('lists'), { accept: asTable }),
    get(`${maps('lists')}?includeObject=None`, { accept: asTable }),
    get(`${maps('lists')}?includeObject=Object`, { accept: asTable }),
    get(`${maps('lists')}?includeObject=Some`, { accept: asTable }),
    get(maps('lists'), { accept: asPartialList }),
    get(maps('lists'), { accept: asPartial }),
    get(`${maps('lists')}/a`, { accept: asTable }),
    get(`${maps('lists')}/a`, { accept: asPartial }),
    get(`${maps('lists')}/a`, { accept: asPartialList }),
    get(maps('lists'), {
      accept: 'application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json',
      statusOnly: 'the real server speaks protobuf',
    }),
    get(`${maps('lists')}/a`, { accept: 'text/html' }),
    get(`${maps('lists')}/a`, { accept: 'application/json;as=Sheet;v=v1;g=meta.k8s.io' }),
    get(`${maps('lists')}/a`, { accept: 'application/json;as=Sheet;v=v1;g=meta.k8s.io,application/json' }),
    remove(`${maps('lists')}?dryRun=All`, { accept: asPartialList }),
    remove(`${maps('lists')}?dryRun=All`, { accept: `${asPartialList},application/json` }),
    remove(`${maps('lists')}?dryRun=All`, { accept: asPartial }),
    remove(`${maps('lists')}?dryRun=All`, { accept: asTable }),
    remove(`${maps('lists')}?labelSelector=app%3Da`),
    remove(maps('lists')),
    get(maps('lists')),
  ],
};

const watches: RequestScript = {
  title: 'watches',
  requests: [
    begin('watches'),
    post(maps('watches'), configMap('a', {}, { labels: { app: 'a' } })),
    post(maps('watches'), configMap('b', {}, { labels: { app: 'b' } })),
    get(`${maps('watches')}?watch=true&timeoutSeconds=1`),
    get(`${maps('watches')}?watch=1&timeoutSeconds=1&resourceVersion=0`),
    get(`${maps('watches')}?watch=1&timeoutSeconds=1&labelSelector=app%3Db`),
    get(`${maps('watches')}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Da`),
    get(
      `${maps('watches')}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
    ),
    get(
      `${deployments('watches')}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
      { statusOnly: 'a bookmark has the zero values of Go types, which are not in the schema' },
    ),
    get(`${maps('watches')}?watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`),
    get(
      `${maps('watches')}?watch=1&timeoutSeconds=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0`,
    ),
    get(`${maps('watches')}?watch=1&sendInitialEvents=true`),
    get(`${maps('watches')}?watch=1&resourceVersionMatch=NotOlderThan`),
    get(`${maps('watches')}?watch=1&sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=1`),
    get(`${maps('watches')}?watch=1&resourceVersion=abc`),
    get(`${maps('watches')}?watch=1&timeoutSeconds=1`, { accept: asTable }),
    get(`${maps('watches')}?watch=1&timeoutSeconds=1`, { accept: asPartial }),
    get(`/api/v1/watch/namespaces/watches/configmaps?timeoutSeconds=1`),
    get(`/api/v1/watch/namespaces/watches/configmaps/a?timeoutSeconds=1`),
    get(`${maps('watches')}?watch=0`),
  ],
};

const patches: RequestScript = {
  title: 'patches',
  requests: [
    begin('patches'),
    post(maps('patches'), configMap('a', { x: '1', y: '2' })),
    merge(`${maps('patches')}/a`, { data: { x: null, z: '3' } }),
    merge(`${maps('patches')}/a`, { data: { z: '3' } }),
    merge(`${maps('patches')}/missing`, { data: {} }),
    merge(`${maps('patches')}/a`, { metadata: { resourceVersion: '1' } }),
    merge(`${maps('patches')}/a`, { metadata: { name: 'b' } }),
    merge(`${maps('patches')}/a`, { metadata: { uid: 'x' } }),
    merge(`${maps('patches')}/a`, { data: { x: 1 } }),
    merge(`${maps('patches')}/a`, '[]'),
    merge(`${maps('patches')}/a`, '{'),
    merge(`${maps('patches')}/a?fieldValidation=Strict`, { extra: 1 }),
    merge(`${maps('patches')}/a`, unknownFields(150)),
    apply(`${maps('patches')}/a?fieldManager=yaml`, `${yamlOf('a')}  k: "1"\n  k: "2"\n  l: "1"\n  l: "2"\n`),
    apply(`${maps('patches')}/a?fieldManager=yaml&fieldValidation=Strict`, `${yamlOf('a')}  k: "1"\n  k: "2"\n`),
    merge(`${maps('patches')}/a?fieldValidation=Strict`, unknownFields(150)),
    json(
      `${maps('patches')}/a`,
      Object.keys(unknownFields(150)).map((key) => ({ op: 'add', path: `/${key}`, value: 1 })),
    ),
    strategic(`${maps('patches')}/a`, unknownFields(1000)),
    merge(`${maps('patches')}/a`, { extra: 1 }),
    merge(`${maps('patches')}/a?force=true`, { data: {} }),
    merge(`${maps('patches')}/a?fieldManager=tester`, { metadata: { labels: { a: 'b' } } }),
    json(`${maps('patches')}/a`, [{ op: 'add', path: '/data/added', value: 'yes' }]),
    json(`${maps('patches')}/a`, [{ op: 'test', path: '/data/added', value: 'no' }]),
    json(`${maps('patches')}/a`, [{ op: 'remove', path: '/data/missing' }]),
    json(`${maps('patches')}/a`, { op: 'remove' }),
    strategic(`${maps('patches')}/a`, { data: { x: 'again' } }),
    patchWith('application/json')(`${maps('patches')}/a`, {}),
    patchWith('text/plain')(`${maps('patches')}/a`, {}),
    post(deployments('patches'), deployment('d')),
    strategic(`${deployments('patches')}/d`, {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'main', image: 'nginx:1.30' },
              { name: 'side', image: 'busybox' },
            ],
          },
        },
      },
    }),
    strategic(`${deployments('patches')}/d`, {
      spec: { template: { spec: { containers: [{ name: 'side', $patch: 'delete' }] } } },
    }),
    strategic(`${deployments('patches')}/d?fieldValidation=Strict`, { spec: { extra: 1 } }),
    merge(`${deployments('patches')}/d/status`, {
      status: { replicas: 1, observedGeneration: 1 },
      spec: { replicas: 9 },
    }),
    merge(`${deployments('patches')}/d`, { status: { replicas: 7 } }),
    get(`${deployments('patches')}/d/status`),
    apply(`${maps('patches')}/applied?fieldManager=one`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'applied' },
      data: { a: '1', b: '2' },
    }),
    apply(`${maps('patches')}/applied?fieldManager=one`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'applied' },
      data: { a: '1' },
    }),
    apply(`${maps('patches')}/applied?fieldManager=two`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'applied' },
      data: { a: '2' },
    }),
    apply(`${maps('patches')}/applied?fieldManager=two&force=true`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'applied' },
      data: { a: '2' },
    }),
    apply(`${maps('patches')}/applied`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' } }),
    apply(`${maps('patches')}/applied?fieldManager=one`, { kind: 'ConfigMap' }),
    apply(`${deployments('patches')}/s?fieldManager=one`, deployment('s')),
    apply(`${deployments('patches')}/s?fieldManager=one`, deployment('s', { replicas: 3 })),
    get(`${deployments('patches')}/s`),
  ],
};

const scale: RequestScript = {
  title: 'scales',
  requests: [
    begin('scale'),
    post(deployments('scale'), deployment('d')),
    get(`${deployments('scale')}/d/scale`),
    get(`${deployments('scale')}/missing/scale`),
    merge(`${deployments('scale')}/d/scale`, { spec: { replicas: 3 } }),
    merge(`${deployments('scale')}/d/scale`, { spec: { replicas: -1 } }),
    put(`${deployments('scale')}/d/scale`, { metadata: { name: 'd', namespace: 'scale' }, spec: { replicas: 0 } }),
    put(`${deployments('scale')}/d/scale`, {
      metadata: { name: 'd', namespace: 'scale', resourceVersion: '1' },
      spec: { replicas: 1 },
    }),
    get(`${deployments('scale')}/d`),
    get(`${deployments('scale')}/d/nothing`),
    post(`${deployments('scale')}/d/scale`, {}),
    ...[
      deployment('d'),
      { kind: 'Foo', apiVersion: 'v1', metadata: { name: 'd' } },
      { kind: 'Scale', apiVersion: 'apps/v1', metadata: { name: 'd' } },
      { kind: 'Scale', apiVersion: 'autoscaling/v2', metadata: { name: 'd' } },
      { metadata: { name: 'x' } },
      { metadata: {} },
      { metadata: { name: 'd', namespace: 'x' } },
      { metadata: { name: 'd' }, spec: { replicas: 'x' } },
      [],
    ].map((body) => put(`${deployments('scale')}/d/scale`, body)),
    put(`${deployments('scale')}/d/scale?fieldValidation=Strict`, { metadata: { name: 'd' }, spec: { unknown: 1 } }),
    ...[
      { kind: 'Deployment', apiVersion: 'apps/v1' },
      { kind: 'Foo' },
      { apiVersion: 'autoscaling/v2' },
      { metadata: { name: 'x' } },
      { metadata: { name: null } },
      { spec: { replicas: 'x' } },
    ].map((body) => merge(`${deployments('scale')}/d/scale`, body)),
    merge(`${deployments('scale')}/d/scale?fieldValidation=Strict`, { spec: { unknown: 1 } }),
  ],
};

const unnamed: RequestScript = {
  title: 'reports errors in metadata together with the others',
  requests: [
    begin('unnamed'),
    post(deployments('unnamed'), { metadata: {}, spec: { selector: {}, template: { spec: { containers: [] } } } }),
    post(
      maps('unnamed'),
      configMap(
        'é'.repeat(130),
        { ['ü'.repeat(130)]: 'x' },
        {
          labels: { ['ä'.repeat(40)]: 'ö'.repeat(40) },
          annotations: { 'Not a key': 'x' },
          finalizers: ['orphan', 'foregroundDeletion', 'plain'],
          ownerReferences: [
            { apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u', controller: true },
            { apiVersion: 'a/b/c', kind: 'A', name: 'a', uid: 'v', controller: true },
            { apiVersion: 'apps/', kind: 'B', name: '', uid: '', blockOwnerDeletion: true },
          ],
        },
      ),
    ),
    post(maps('unnamed'), { metadata: {}, data: { '!': 'x' } }),
    post('/apis/policy/v1/namespaces/unnamed/poddisruptionbudgets', { metadata: {}, spec: { minAvailable: -1 } }),
    post(`${namespaceOf('unnamed')}/events`, { metadata: {}, involvedObject: { namespace: 'x' } }),
    post('/apis/batch/v1/namespaces/unnamed/cronjobs', { metadata: {}, spec: { schedule: 'x' } }),
    post('/apis/rbac.authorization.k8s.io/v1/namespaces/unnamed/rolebindings', { metadata: {} }),
    post('/apis/batch/v1/namespaces/unnamed/jobs', {
      metadata: {},
      spec: { parallelism: -1, completionMode: 'Indexed' },
    }),
    post(`${namespaceOf('unnamed')}/pods`, { metadata: {}, spec: {} }),
    post('/apis/apps/v1/namespaces/unnamed/statefulsets', { metadata: {}, spec: {} }),
    post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { metadata: {}, spec: {} }),
  ],
};

const evictions: RequestScript = {
  title: 'reads the body before it looks up the object',
  requests: [
    begin('evictions'),
    ...[
      { metadata: { name: 'none' } },
      {},
      { metadata: { name: 'x' } },
      { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'none' } },
      { kind: 'Foo', apiVersion: 'policy/v1', metadata: { name: 'none' } },
      { kind: 'Eviction', apiVersion: 'policy/v1beta1', metadata: { name: 'none' } },
      '{bad',
      '',
      { metadata: 3 },
      { metadata: { name: 'none' }, unknown: 1 },
    ].map((body) => post(`${namespaceOf('evictions')}/pods/none/eviction`, body)),
    post(`${namespaceOf('evictions')}/pods/none/eviction?fieldValidation=Strict`, {
      metadata: { name: 'none' },
      unknown: 1,
    }),
    post(`${namespaceOf('evictions')}/pods/none/binding`, { kind: 'Pod', apiVersion: 'v1' }),
    post(`${namespaceOf('evictions')}/serviceaccounts/none/token`, { kind: 'Pod', apiVersion: 'v1' }),
    post(`${namespaceOf('evictions')}/serviceaccounts/none/token`, '{bad'),
  ],
};

const events: RequestScript = {
  title: 'selects events by the fields of both groups',
  requests: [
    begin('events'),
    post(`${namespaceOf('events')}/events`, {
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', namespace: 'events', name: 'p', uid: 'u', apiVersion: 'v1', fieldPath: 'spec' },
      reason: 'Pulled',
      type: 'Normal',
      source: { component: 'kubelet' },
    }),
    ...[
      'kind=Pod',
      'namespace=x',
      'name=p',
      'uid=u',
      'apiVersion=v1',
      'resourceVersion=',
      'fieldPath=spec',
      'no=x',
    ].flatMap((part) => [`involvedObject.${part}`, `regarding.${part}`].flatMap(inBothGroups)),
    ...['reason=Pulled', 'type!=Normal', 'source=kubelet', 'reportingComponent=', 'reportingController='].flatMap(
      inBothGroups,
    ),
  ],
};

function inBothGroups(selector: string): ScriptedRequest[] {
  const query = `fieldSelector=${encodeURIComponent(selector)}`;
  return [
    get(`${namespaceOf('events')}/events?${query}`),
    get(`/apis/events.k8s.io/v1/namespaces/events/events?${query}`),
  ];
}

const deletions: RequestScript = {
  title: 'deletes with finalizers, policies and grace',
  requests: [
    begin('deletions'),
    post(maps('deletions'), configMap('held', {}, { finalizers: ['example.com/hold'] })),
    remove(`${maps('deletions')}/held`),
    remove(`${maps('deletions')}/held`),
    merge(`${maps('deletions')}/held`, { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } }),
    merge(`${maps('deletions')}/held`, { data: { still: 'changes' } }),
    merge(`${maps('deletions')}/held`, { metadata: { finalizers: null } }),
    get(`${maps('deletions')}/held`),
    post(deployments('deletions'), deployment('foreground')),
    remove(`${deployments('deletions')}/foreground?propagationPolicy=Foreground`),
    get(`${deployments('deletions')}/foreground`),
    merge(`${deployments('deletions')}/foreground`, { metadata: { finalizers: null } }),
    post(deployments('deletions'), deployment('orphan')),
    remove(`${deployments('deletions')}/orphan`, {
      body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Orphan' },
    }),
    post(deployments('deletions'), deployment('background')),
    remove(`${deployments('deletions')}/background`, { body: { propagationPolicy: 'Background' } }),
    remove(`${deployments('deletions')}/orphan`, { body: { propagationPolicy: 'Background', orphanDependents: true } }),
    post(`${namespaceOf('deletions')}/pods`, {
      metadata: { name: 'graceful' },
      spec: { nodeName: 'node-0', containers: [{ name: 'c', image: 'i' }] },
    }),
    remove(`${namespaceOf('deletions')}/pods/graceful`),
    remove(`${namespaceOf('deletions')}/pods/graceful?gracePeriodSeconds=0`),
    get(`${namespaceOf('deletions')}/pods/graceful`),
    post(`${namespaceOf('deletions')}/pods`, {
      metadata: { name: 'unbound' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    }),
    remove(`${namespaceOf('deletions')}/pods/unbound`),
    remove(`${namespaces}/default`),
    begin('ending'),
    remove(namespaceOf('ending')),
    get(namespaceOf('ending')),
    post(maps('ending'), configMap('late')),
    remove(maps('deletions'), { body: '' }),
  ],
};

const dryRuns: RequestScript = {
  title: 'supports dry runs',
  requests: [
    begin('dry'),
    post(`${maps('dry')}?dryRun=All`, configMap('a')),
    get(`${maps('dry')}/a`),
    post(maps('dry'), configMap('a')),
    put(`${maps('dry')}/a?dryRun=All`, configMap('a', { changed: 'yes' })),
    merge(`${maps('dry')}/a?dryRun=All`, { data: { changed: 'yes' } }),
    apply(`${maps('dry')}/new?dryRun=All&fieldManager=m`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'new' },
    }),
    remove(`${maps('dry')}/a?dryRun=All`),
    get(`${maps('dry')}/a`),
    post(`${namespaceOf('dry')}/services?dryRun=All`, {
      metadata: { name: 's' },
      spec: { clusterIP: '10.0.0.7', ports: [{ port: 80 }] },
    }),
    post(`${namespaceOf('dry')}/services`, {
      metadata: { name: 's' },
      spec: { clusterIP: '10.0.0.7', ports: [{ port: 80 }] },
    }),
  ],
};

const paths: RequestScript = {
  title: 'responds to unknown paths and methods',
  requests: [
    get('/api/v1/nothings'),
    get('/api/v2/pods'),
    get('/apis/nothing.example.com/v1/things'),
    get('/nothing'),
    get('/apis/apps/v2/deployments'),
    get('/api/v1/namespaces/default/nodes'),
    get('/apis/apps/v1/deployments/a'),
    post('/apis/apps/v1/deployments', deployment('a')),
    post('/api/v1/namespaces/default/configmaps/a', {}),
    put('/api/v1/namespaces/default/configmaps', {}),
    remove('/api/v1/namespaces'),
    remove('/api/v1/configmaps'),
    merge('/api/v1/namespaces/default/configmaps', {}),
    get('/healthz'),
    get('/livez'),
    get('/readyz'),
    get('/healthz/ping'),
    get('/version'),
    get('/api'),
    get('/apis'),
    get('/api/v1'),
    get('/apis/apps'),
    get('/apis/apps/v1'),
    get('/apis/autoscaling/v2'),
    get('/apis/missing.example.com'),
    get('/apis/missing.example.com/v1'),
    get('/apis', { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }),
    get('/api', { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json' }),
    get('/api/v1/componentstatuses/none', { statusOnly: 'upstream uses another name for them' }),
    get('/api/v1/bindings'),
  ],
};

const reviews: RequestScript = {
  title: 'responds to reviews',
  requests: [
    post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    }),
    post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { spec: {} }),
    post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      spec: { user: 'nobody', resourceAttributes: { verb: 'get', resource: 'pods' } },
    }),
    post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      spec: {
        user: 'somebody',
        groups: ['system:authenticated'],
        nonResourceAttributes: { verb: 'get', path: '/healthz' },
      },
    }),
    post('/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec: {} }),
    post('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { spec: { namespace: 'default' } }),
    post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {}),
    post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'nonsense' } }),
    get('/apis/authorization.k8s.io/v1/subjectaccessreviews'),
    get('/apis/authorization.k8s.io/v1/localsubjectaccessreviews'),
    post('/apis/authorization.k8s.io/v1/localsubjectaccessreviews', { spec: { user: 'x' } }),
  ],
};

const definition = (version: object = {}): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.compare.example.com' },
  spec: {
    group: 'compare.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wg'], categories: ['all'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.size',
            statusReplicasPath: '.status.size',
            labelSelectorPath: '.status.selector',
          },
        },
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        selectableFields: [{ jsonPath: '.spec.color' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['color'],
                properties: {
                  size: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
                  color: { type: 'string', enum: ['red', 'blue'] },
                  tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
                },
                'x-kubernetes-validations': [
                  { rule: "self.size < 5 || self.color == 'red'", message: 'big ones are red' },
                ],
              },
              status: { type: 'object', properties: { size: { type: 'integer' }, selector: { type: 'string' } } },
            },
          },
        },
        ...version,
      },
    ],
  },
});

/** A definition with rules that do not compile. */
const withRules = (...rules: readonly object[]): object =>
  definition({
    selectableFields: [],
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-validations': rules },
        },
      },
    },
  });

const widgets = '/apis/compare.example.com/v1/namespaces/widgets/widgets';
const widget = (name: string, spec: object = { color: 'red' }, rest: object = {}): object => ({
  apiVersion: 'compare.example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec,
  ...rest,
});

const customKinds: RequestScript = {
  title: 'serves custom kinds',
  requests: [
    begin('widgets'),
    post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { ...definition(), spec: {} }),
    post(
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      withRules(
        { rule: 'self.missing > 1' },
        { rule: "self.a == '<é>' &&", message: 'says "no"', optionalOldSelf: true },
        { rule: "self.a != ''", messageExpression: 'self.a +', reason: 'FieldValueForbidden', fieldPath: '.a' },
      ),
    ),
    post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition()),
    get(widgets, { eventually: true }),
    post(widgets, widget('a')),
    post(widgets, widget('a')),
    post(widgets, widget('b', { color: 'green' })),
    post(widgets, widget('b', { color: 'blue', size: 9 })),
    post(widgets, widget('b', { color: 'blue', size: 5 })),
    post(widgets, widget('b', { size: 1 })),
    post(widgets, widget('b', { color: 'red', size: 'big' })),
    post(widgets, widget('b', { color: 'red', tags: ['x', 'x'] })),
    post(widgets, widget('b', { color: 'red', unknown: 1 })),
    post(`${widgets}?fieldValidation=Strict`, widget('c', { color: 'red', unknown: 1 })),
    post(widgets, widget('many', { color: 'red', ...unknownFields(1000) })),
    post(widgets, {
      ...widget('many-everywhere', { color: 'red', ...unknownFields(90) }),
      metadata: { name: 'many-everywhere', ...unknownFields(120) },
    }),
    post(`${widgets}?fieldValidation=Strict`, widget('many-strict', { color: 'red', ...unknownFields(150) })),
    post(`${widgets}?fieldValidation=Ignore`, widget('c', { color: 'blue', unknown: 1 }, { status: { size: 3 } })),
    post(
      widgets,
      { ...widget('d'), apiVersion: 'compare.example.com/v2' },
      { statusOnly: 'the real server also warns about every unknown field of the version' },
    ),
    post(widgets, { ...widget('d'), kind: 'Gadget' }),
    post(widgets, { metadata: { name: 'd' }, spec: { color: 'red' } }),
    get(`${widgets}/a`),
    get(`${widgets}/missing`),
    get(widgets),
    get(widgets, { accept: asTable }),
    get(`${widgets}/a`, { accept: asPartial }),
    get(`${widgets}?fieldSelector=spec.color%3Dblue`),
    get(`${widgets}?fieldSelector=spec.size%3D1`),
    get(`${widgets}?watch=1&timeoutSeconds=1&fieldSelector=spec.color%3Dblue`),
    get(
      `${widgets}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&labelSelector=none`,
    ),
    put(`${widgets}/a`, widget('a')),
    merge(`${widgets}/a`, { spec: { size: 3 } }),
    merge(`${widgets}/a`, { spec: { size: 3 } }),
    merge(`${widgets}/a`, { spec: { size: 30 } }),
    merge(`${widgets}/a`, { status: { size: 3 } }),
    merge(`${widgets}/a/status`, { status: { size: 3, selector: 'app=a' }, spec: { size: 1 } }),
    merge(`${widgets}/a/status`, { status: { size: 'x' } }),
    merge(`${widgets}/a`, { metadata: { labels: { a: 'b' } } }),
    json(`${widgets}/a`, [{ op: 'replace', path: '/spec/color', value: 'blue' }]),
    strategic(`${widgets}/a`, { spec: { size: 1 } }),
    apply(`${widgets}/applied?fieldManager=m`, widget('applied', { color: 'red' })),
    apply(`${widgets}/applied?fieldManager=m`, widget('applied', { color: 'red', size: 4 })),
    apply(`${widgets}/applied?fieldManager=n`, widget('applied', { color: 'blue' })),
    get(`${widgets}/a/scale`),
    merge(`${widgets}/a/scale`, { spec: { replicas: 4 } }),
    merge(`${widgets}/a/scale`, { spec: { replicas: 9 } }),
    put(`${widgets}/a/scale`, widget('a', {})),
    put(`${widgets}/a/scale`, { metadata: { name: 'x' } }),
    merge(`${widgets}/a/scale`, { kind: 'Foo' }),
    get(`${widgets}/missing/approval`),
    merge(`${widgets}/a/approval`, { status: {} }),
    post(widgets, { apiVersion: 'compare.example.com/v1', kind: 'Widget', metadata: {}, spec: { size: 'x' } }),
    get('/apis/compare.example.com'),
    get('/apis/compare.example.com/v1'),
    remove(`${widgets}/a`),
    remove(`${widgets}?dryRun=All`, { accept: asPartialList }),
    remove(widgets),
    remove('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.compare.example.com', {
      statusOnly: 'the real server may have progressed since then',
    }),
  ],
};

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const customGroup = '/apis/compare.example.com/v1';

/** A definition whose status has a default, and whose replicas have none. */
const statusDefinition = (plural: string, kind: string, scope: string): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.compare.example.com` },
  spec: {
    group: 'compare.example.com',
    scope,
    names: { plural, kind },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { replicas: { type: 'integer', maximum: 9 } } },
              status: {
                type: 'object',
                default: { phase: 'New' },
                properties: { phase: { type: 'string' }, replicas: { type: 'integer', default: 3 } },
              },
            },
          },
        },
      },
    ],
  },
});

const custom = (kind: string, name: string, metadata: object = {}, rest: object = {}): object => ({
  apiVersion: 'compare.example.com/v1',
  kind,
  metadata: { name, ...metadata },
  ...rest,
});

const gears = `${customGroup}/namespaces/gears/gears`;
const gear = (name: string, metadata: object = {}, rest: object = {}): object => custom('Gear', name, metadata, rest);

const customStatus: RequestScript = {
  title: 'sets the defaults of the status, and scales objects without replicas,',
  requests: [
    begin('gears'),
    post(crds, statusDefinition('gears', 'Gear', 'Namespaced')),
    get(gears, { eventually: true }),
    post(gears, gear('a')),
    get(`${gears}/a`),
    post(`${gears}?dryRun=All`, gear('dry')),
    post(gears, gear('b', {}, { status: { phase: 'Mine', replicas: 7 } })),
    apply(`${gears}/c?fieldManager=m`, gear('c')),
    merge(`${gears}/b`, { metadata: { labels: { a: 'b' } }, status: { phase: 'Mine' } }),
    merge(`${gears}/b/status`, { status: { phase: 'Later' } }),
    merge(`${gears}/b`, { status: null }),
    merge(`${gears}/b/status`, { status: null }),
    get(`${gears}/a/scale`),
    merge(`${gears}/a/scale`, { spec: { replicas: -1 } }),
    put(`${gears}/a/scale`, { metadata: { name: 'a' }, spec: { replicas: 10 } }),
    put(`${gears}/a/scale`, { metadata: { name: 'a' }, spec: { replicas: 0 } }),
    get(`${gears}/a/scale`),
    merge(`${gears}/c/scale`, { spec: { replicas: 2 } }),
    get(`${gears}/c`),
    post(`${gears}/other`, gear('d')),
    post(`${gears}/d`, gear('d')),
    put(gears, gear('d')),
    merge(gears, { metadata: { name: 'd' } }),
    post(`${gears}/d/status`, gear('d')),
    remove(`${gears}/d/status`),
    post(`${gears}/d/scale`, gear('d')),
    remove(gears),
  ],
};

const planets = `${customGroup}/planets`;
const planet = (name: string, metadata: object = {}): object =>
  custom('Planet', name, { namespace: 'elsewhere', ...metadata });

const customScopes: RequestScript = {
  title: 'responds to custom kinds with and without a namespace',
  requests: [
    post(crds, statusDefinition('planets', 'Planet', 'Cluster')),
    post(crds, statusDefinition('moons', 'Moon', 'Namespaced')),
    get(planets, { eventually: true }),
    get(`${customGroup}/moons`, { eventually: true }),
    post(planets, planet('a')),
    merge(`${planets}/a`, { metadata: { namespace: 'elsewhere', labels: { a: 'b' } } }),
    put(`${planets}/a`, planet('a', { resourceVersion: '1' })),
    apply(`${planets}/a?fieldManager=m`, planet('a', { labels: { b: 'c' } })),
    apply(`${planets}/b?fieldManager=m`, planet('b')),
    post(planets, planet('c', { resourceVersion: '5' })),
    ...['', '/x', '/x/status'].map((rest) => get(`${customGroup}/namespaces/default/planets${rest}`)),
    post(`${customGroup}/namespaces/default/planets`, planet('a')),
    post(`${customGroup}/moons`, custom('Moon', 'a')),
    put(`${customGroup}/moons`, custom('Moon', 'a')),
    merge(`${customGroup}/moons`, {}),
    remove(`${customGroup}/moons`),
    get(`${customGroup}/moons/a`),
    get(`${customGroup}/moons/a/status`),
    put(`${customGroup}/moons/a`, custom('Moon', 'a')),
    merge(`${customGroup}/moons/a/scale`, {}),
    remove(`${customGroup}/moons/a`),
    remove(planets),
  ],
};

const sprouts = `${customGroup}/namespaces/sprouts/sprouts`;
const sprout = (name: string, metadata: object = {}): object => custom('Sprout', name, metadata);

const customDeletion: RequestScript = {
  title: 'serves custom kinds whose definition is being deleted',
  requests: [
    begin('sprouts'),
    post(crds, statusDefinition('sprouts', 'Sprout', 'Namespaced')),
    get(sprouts, { eventually: true }),
    post(sprouts, sprout('held', { finalizers: ['example.com/held'] })),
    remove(`${crds}/sprouts.compare.example.com`, { statusOnly: 'the real server may have progressed since then' }),
    post(`${sprouts}?dryRun=All`, sprout('new'), { eventually: true }),
    get(`${sprouts}/held`, { eventually: true }),
    post(sprouts, sprout('new')),
    post(sprouts, sprout('held')),
    post(sprouts, sprout('Bad_')),
    post(sprouts, custom('Sprout', '', { generateName: 'generated-' })),
    post(`${customGroup}/namespaces/missing/sprouts`, sprout('new')),
    post(`${sprouts}?fieldValidation=Strict`, { ...sprout('new'), more: 1 }),
    apply(`${sprouts}/new?fieldManager=m`, sprout('new')),
    put(`${sprouts}/new`, sprout('new')),
    put(`${sprouts}/held`, sprout('held', { resourceVersion: '1' })),
    merge(`${sprouts}/held`, { metadata: { labels: { a: 'b' } } }),
    merge(`${sprouts}/held/status`, { status: { phase: 'Going' } }),
    get(`${sprouts}/held`),
    merge(`${sprouts}/held`, { metadata: { finalizers: null } }),
    get(`${crds}/sprouts.compare.example.com`, { eventually: true }),
  ],
};

const signingRequests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const signed = `${signingRequests}/signed`;

/** Of \`CN=bob\`, made with \`openssl req\` for a P-256 key. */
const certificateRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHIMHACAQAwDjEMMAoGA1UEAwwDYm9iMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEwFxqhIVokG79cg/flUzrperaLofgC07CefKNZGhh1afBGhCUnr029G+qzCK6
GGqmeXlqykKDWq1uljp2DzFBJaAAMAoGCCqGSM49BAMCA0gAMEUCIC+HAwiwMevb
1li9OTBZXQMXLkF46DVydUUsn/eSimx8AiEAmtJLxo4CzDOfnfTRZSGpbElSC1TT
YxCtDQbaXMOArLA=
-----END CERTIFICATE REQUEST-----
`;
const signingRequest = (spec: object = {}, rest: object = {}): object => ({
  metadata: { name: 'signed' },
  spec: {
    request: Buffer.from(certificateRequest).toString('base64'),
    signerName: 'kubernetes.io/kube-apiserver-client',
    usages: ['client auth'],
    ...spec,
  },
  ...rest,
});
const decided = (...types: readonly string[]): object => ({
  status: { conditions: types.map((type) => ({ type, status: 'True', reason: 'r', message: 'm' })) },
});

const certificates: RequestScript = {
  title: 'keeps the sender and the decision of certificate requests',
  requests: [
    post(
      signingRequests,
      signingRequest({ username: 'mallory', groups: ['x'], uid: 'y', extra: { a: ['b'] } }, decided('Approved')),
    ),
    put(signed, signingRequest({ signerName: 'a/b', usages: ['server auth'], username: 'mallory' }, decided('Denied'))),
    merge(signed, { metadata: { labels: { a: 'b' } } }),
    merge(`${signed}/status`, decided('Approved')),
    merge(`${signed}/status`, decided('Failed')),
    merge(`${signed}/approval`, decided('Failed', 'Approved')),
    merge(`${signed}/approval`, { status: { certificate: 'aGk=' } }),
    merge(`${signed}/approval`, decided('Failed', 'Approved', 'Other')),
    merge(`${signed}/approval`, decided('Failed')),
    merge(`${signed}/status`, decided('Failed')),
    get(signed),
    get(signed, { accept: asTable }),
    remove(signed),
  ],
};

const priorityClasses = '/apis/scheduling.k8s.io/v1/priorityclasses';
const priorityClass = (name: string, value: number, more: object = {}): object => ({
  metadata: { name },
  value,
  globalDefault: true,
  ...more,
});
const pod = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'nginx:1.29' }], ...spec },
});

const priorities: RequestScript = {
  title: 'gives pods the default priority class',
  requests: [
    begin('priorities'),
    post(priorityClasses, priorityClass('usual', 5, { preemptionPolicy: 'Never' })),
    post(priorityClasses, priorityClass('other', 6)),
    put(`${priorityClasses}/usual`, priorityClass('usual', 5, { preemptionPolicy: 'Never', description: 'Usual.' })),
    // The real server notices the class a moment later.
    post(`${namespaceOf('priorities')}/pods?dryRun=All`, pod('a'), { eventually: true }),
    post(`${namespaceOf('priorities')}/pods`, pod('a', { priority: 3 })),
    post(`${namespaceOf('priorities')}/pods`, pod('a', { priorityClassName: 'system-node-critical' })),
    remove(`${priorityClasses}/usual`),
    post(`${namespaceOf('priorities')}/pods?dryRun=All`, pod('b'), { eventually: true }),
  ],
};

const attachments = '/apis/storage.k8s.io/v1/volumeattachments';
const attachmentSpec = { attacher: 'a.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } };

const statusMetadata: RequestScript = {
  title: 'keeps the spec and most of the metadata in a change of the status of a VolumeAttachment',
  requests: [
    post(attachments, {
      metadata: { name: 'kept', labels: { a: 'b' }, finalizers: ['a.example.com/b'] },
      spec: attachmentSpec,
    }),
    ...[
      { labels: { c: 'd' }, annotations: { e: 'f' }, finalizers: [], generation: 7 },
      { generateName: 'given-' },
      { deletionTimestamp: '2020-01-01T00:00:00Z' },
      { deletionGracePeriodSeconds: 5 },
    ].map((metadata) =>
      merge(`${attachments}/kept/status`, {
        metadata,
        spec: { nodeName: 'other' },
        status: { attached: true },
      }),
    ),
    remove(`${attachments}/kept`),
    merge(`${attachments}/kept`, { metadata: { finalizers: [] } }),
  ],
};

export const requestScripts: readonly RequestScript[] = [
  crud,
  systemFields,
  names,
  bodies,
  lists,
  watches,
  patches,
  scale,
  unnamed,
  evictions,
  events,
  deletions,
  dryRuns,
  paths,
  reviews,
  customKinds,
  customStatus,
  customScopes,
  customDeletion,
  certificates,
  priorities,
  statusMetadata,
];
