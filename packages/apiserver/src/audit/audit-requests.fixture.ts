import type { AuditPolicy } from './audit-policy.ts';

export const policy: AuditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'None', users: ['system:apiserver'] },
    { level: 'None', userGroups: ['silent'] },
    { level: 'Metadata', resources: [{ group: '', resources: ['secrets'] }] },
    { level: 'RequestResponse', resources: [{ group: '', resources: ['configmaps'], resourceNames: ['named'] }] },
    { level: 'Request', verbs: ['create'], namespaces: ['requests'] },
    { level: 'None', verbs: ['list'], resources: [{ resources: ['pods', 'services/*'] }] },
    {
      level: 'RequestResponse',
      omitManagedFields: true,
      omitStages: ['ResponseStarted'],
      resources: [{ group: 'apps', resources: ['deployments', '*/scale'] }],
    },
    { level: 'RequestResponse', namespaces: [''], omitStages: ['ResponseComplete'] },
    { level: 'Metadata', nonResourceURLs: ['/version', '/healthz*'] },
    { level: 'None', nonResourceURLs: ['*'] },
    { level: 'RequestResponse' },
  ],
};

const json = 'application/json';
const merge = 'application/merge-patch+json';
const maps = '/api/v1/namespaces/audited/configmaps';
const deployments = '/apis/apps/v1/namespaces/audited/deployments';
const deployment = {
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
  },
};

/** One request, as an administrator unless it has another header `Authorization`. */
export interface AuditedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const send = (method: string, path: string, body?: unknown, type = json): AuditedRequest => ({
  method,
  path,
  ...(body !== undefined && { body, headers: { 'Content-Type': type } }),
});
const get = (path: string, headers: Readonly<Record<string, string>> = {}): AuditedRequest => ({
  method: 'GET',
  path,
  headers,
});

export const auditedRequests: readonly AuditedRequest[] = [
  ...['audited', 'requests'].map((name) => send('POST', '/api/v1/namespaces', { metadata: { name } })),
  send('POST', maps, { metadata: { name: 'a', labels: { b: '<&>' } }, data: { text: 'x\u2028y' } }),
  send('POST', maps, { metadata: { generateName: 'generated-' } }),
  send('POST', maps, { metadata: { name: 'Bad Name' } }),
  send('POST', maps, 'not JSON'),
  send('POST', '/api/v1/namespaces/requests/configmaps', { metadata: { name: 'c' }, data: { d: 'e' } }),
  send('POST', '/api/v1/namespaces/audited/secrets', { metadata: { name: 'a' }, data: { password: 'cw==' } }),
  get('/api/v1/namespaces/audited/secrets/a'),
  get(`${maps}/named`),
  send('PUT', `${maps}/a`, { metadata: { name: 'a', resourceVersion: '1' }, data: {} }),
  send('PUT', `${maps}/a`, { metadata: { name: 'a', namespace: 'audited' }, data: {} }),
  send('PATCH', `${maps}/a`, { data: { f: 'g' } }, merge),
  send('PATCH', `${maps}/a`, [{ op: 'add', path: '/data/h', value: 'i' }], 'application/json-patch+json'),
  send(
    'PATCH',
    `${maps}/a?fieldManager=m`,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    'application/apply-patch+yaml',
  ),
  get(`${maps}?limit=1`),
  get(`${maps}?labelSelector=b&x=%3C`),
  get('/api/v1/namespaces/audited/secrets/missing', { Accept: 'application/yaml' }),
  get(`${maps}/a`, { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
  get(`${maps}/a`, { Accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }),
  get(`${maps}/missing`),
  get(`${maps}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dmissing`),
  get(`${maps}?watch=1&resourceVersion=x`),
  get('/api/v1/namespaces/audited/pods'),
  get('/api/v1/namespaces/audited/pods/missing'),
  get('/api/v1/namespaces/audited/pods/missing/log'),
  send('POST', deployments, deployment),
  send('PATCH', `${deployments}/web/scale`, { spec: { replicas: 2 } }, merge),
  get(deployments),
  get('/apis/apps/v1/deployments?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dmissing'),
  get('/api/v1/namespaces/audited'),
  get('/api/v1/nodes'),
  send('DELETE', `${maps}/a?dryRun=All`),
  send('DELETE', `${maps}/a`, {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    gracePeriodSeconds: 5,
    propagationPolicy: 'Background',
  }),
  send('DELETE', `${maps}/a`),
  send('DELETE', `${maps}?labelSelector=nothing`),
  ...['/version', '/healthz', '/api', '/api/v1', '/missing', '/apis/missing.example.com/v1/things'].map((path) =>
    get(path),
  ),
  get(maps, { Authorization: 'Bearer unknown' }),
  get(maps, { Authorization: '' }),
  get('/version', { Authorization: '' }),
  get(maps, { 'Impersonate-User': 'eve', 'Impersonate-Group': 'team' }),
  get(maps, { 'Impersonate-User': 'system:serviceaccount:audited:default' }),
  get(maps, { 'Impersonate-Group': 'team' }),
  get(maps, { 'Impersonate-User': 'eve', Authorization: '' }),
  get(maps, { 'X-Forwarded-For': '10.0.0.1, 10.0.0.2', 'X-Real-Ip': '10.0.0.3', 'User-Agent': 'a'.repeat(1100) }),
  get(maps, { 'User-Agent': '' }),
  send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
  }),
  send('POST', '/api/v1/namespaces/audited/serviceaccounts', { metadata: { name: 'robot' } }),
  send('POST', '/api/v1/namespaces/audited/pods', {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'main', image: 'nginx' }] },
  }),
  send('POST', '/api/v1/namespaces/audited/pods/p/eviction', { metadata: { name: 'p' } }),
  get('/api/v1/componentstatuses'),
  { method: 'HEAD', path: `${maps}/a` },
  { method: 'PURGE', path: maps },
];
