import { ownAddress } from '../../../../test/own-address.fixture.ts';
import { core, mergeType, rule, type TestedRequest } from './admission-requests.fixture.ts';
import { type Answer, deny, patch, respond } from './admission-webhook.fixture.ts';
import type { AdmissionCase } from './webhook-cases.fixture.ts';

const containers = [{ name: 'a', image: 'a' }];
const two = [...containers, { name: 'b', image: 'b', ports: [{ containerPort: 1 }] }];

const pod = (name: string, spec: object = {}): TestedRequest => [
  'POST',
  `${core}/pods`,
  { metadata: { name }, spec: { containers, ...spec } },
];
const node = (name: string, status: object): TestedRequest => ['POST', '/api/v1/nodes', { metadata: { name }, status }];
const service = (name: string): TestedRequest => [
  'POST',
  `${core}/services`,
  { metadata: { name }, spec: { ports: [{ name: 'http', port: 80 }] } },
];
const endpoints = (name: string, ...addresses: readonly object[]): TestedRequest => [
  'POST',
  `${core}/endpoints`,
  {
    metadata: { name },
    subsets: addresses.map((address) => ({ addresses: [address], ports: [{ name: 'http', port: 1 }] })),
  },
];

const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
const reader = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader' };
const ip = ownAddress();

/** Where connections lead. A kubelet has no process at its address. */
const targets: readonly TestedRequest[] = [
  node('connected', {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: 1 } },
  }),
  node('reached', {
    addresses: [
      { type: 'ExternalIP', address: '203.0.113.1' },
      { type: 'InternalIP', address: ip },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 1 } },
  }),
  node('unknown', { addresses: [] }),
  pod('waiting'),
  pod('placed', { nodeName: 'connected', containers: two, initContainers: [{ name: 'i', image: 'i' }] }),
  pod('lost', { nodeName: 'missing' }),
  pod('unreachable', { nodeName: 'unknown' }),
  pod('running', { containers: two }),
  ['PATCH', `${core}/pods/running/status`, { status: { podIP: ip, podIPs: [{ ip }] } }, { contentType: mergeType }],
  service('without-endpoints'),
  service('empty'),
  endpoints('empty'),
  service('outside'),
  endpoints('outside', { ip: '10.1.2.3' }),
  service('inside'),
  endpoints('inside', { ip, targetRef: { kind: 'Pod', name: 'running', namespace: 'default' } }),
  [
    'POST',
    `${rbac}/roles`,
    {
      metadata: { name: 'reader' },
      rules: [
        { apiGroups: [''], resources: ['pods/exec', 'pods/attach', 'pods/portforward', 'pods/proxy'], verbs: ['get'] },
      ],
    },
  ],
  [
    'POST',
    `${rbac}/rolebindings`,
    {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [reader],
    },
  ],
];

const spdy = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' };
const webSocket = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-protocol': 'v5.channel.k8s.io',
};

const request =
  (method: string, headers?: Readonly<Record<string, string>>) =>
  (path: string): TestedRequest => [
    method,
    path.startsWith('/') ? path : `${core}/${path}`,
    undefined,
    headers === undefined ? {} : { headers },
  ];
const get = request('GET');
const post = request('POST');

const everything = { rules: [rule('*/*', 'CONNECT')] };
const exec = get('pods/waiting/exec?command=ls');
const ofNode = get('/api/v1/nodes/missing/proxy');

const connects = (title: string, ...requests: readonly TestedRequest[]): AdmissionCase => ({
  title: `connects to ${title}`,
  before: targets,
  mutating: [{ path: 'm', options: everything }],
  validating: [{ path: 'v', options: everything }],
  requests,
});

const selects = (title: string, options: object, ...requests: readonly TestedRequest[]): AdmissionCase => ({
  title: `selects connections by ${title}`,
  before: targets,
  validating: [{ path: 'v', options: { ...everything, ...options } }],
  requests: requests.length === 0 ? [exec, ofNode] : requests,
});

const mutates = (title: string, ...operations: readonly object[]): AdmissionCase => ({
  ...connects(title, exec),
  title: `changes the options of a connection: ${title}`,
  mutating: [{ path: 'm', options: everything, answer: patch(...operations) }],
});

const refuses = (title: string, answer: Answer, ...requests: readonly TestedRequest[]): AdmissionCase => ({
  title: `rejects a connection ${title}`,
  before: targets,
  validating: [{ path: 'v', options: everything, answer }],
  requests: requests.length === 0 ? [exec, ofNode] : requests,
});

const conditions = (expression: string): object => ({ matchConditions: [{ name: 'one', expression }] });
const subresources = ['exec', 'attach', 'portforward'] as const;

export const connectCases: readonly AdmissionCase[] = [
  connects(
    'a command, whose options are parameters',
    get('pods/waiting/exec?command=ls&command=-l&container=a&stdout=true&tty=1&stdin=false&stderr=FALSE'),
    post('pods/waiting/exec?command=ls&stdout=&stderr=maybe&stdin=0&unknown=1'),
    post('pods/waiting/exec'),
    post('pods/waiting/exec?command='),
    post('pods/waiting/exec?container=a&container=b'),
    post('pods/waiting/attach?stdin=true&container=a'),
    post('pods/waiting/portforward?ports=80&ports=81,82'),
  ),
  connects(
    'invalid ports',
    ...['x', '70000', '', '-1', '1,'].map((ports) => post(`pods/waiting/portforward?ports=${ports}`)),
  ),
  ...subresources.map((name) =>
    connects(
      `${name} of pods in each state`,
      ...['waiting', 'placed', 'lost', 'unreachable', 'missing'].flatMap((target) => [
        get(`pods/${target}/${name}`),
        post(`pods/${target}/${name}?container=a`),
      ]),
      post(`pods/placed/${name}?container=b`),
      post(`pods/placed/${name}?container=i`),
      post(`pods/placed/${name}?container=none`),
      request('POST', spdy)(`pods/placed/${name}?container=a`),
    ),
  ),
  connects(
    'pods by unsupported methods',
    ...['PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => request(method)('pods/waiting/exec')),
    get('pods/waiting/exec/more'),
    get('pods/waiting/portforward/more'),
  ),
  connects(
    'a pod as a user without permission to create',
    ...subresources.flatMap((name) => [
      request('GET', { 'impersonate-user': 'reader' })(`pods/waiting/${name}`),
      request('GET', { 'impersonate-user': 'reader', ...webSocket })(`pods/waiting/${name}`),
      request('GET', { 'impersonate-user': 'reader' })(`pods/missing/${name}`),
      request('POST', { 'impersonate-user': 'reader' })(`pods/waiting/${name}`),
    ]),
    request('GET', { 'impersonate-user': 'nobody' })('pods/waiting/exec'),
    request('GET', { 'impersonate-user': 'reader' })('pods/waiting/proxy'),
  ),
  connects('a pod in a dry run', ...['All', '', 'Bogus'].map((value) => post(`pods/waiting/exec?dryRun=${value}`))),
  connects('a pod in a missing namespace', get('/api/v1/namespaces/nowhere/pods/waiting/exec?command=ls')),
  connects(
    'the ports of pods',
    get('pods/waiting/proxy'),
    get('pods/waiting/proxy/'),
    get('pods/waiting/proxy/some/path/?x=y'),
    get('pods/waiting/proxy/%7Eb?path=/given'),
    get('pods/waiting/proxy?path=/given'),
    get('pods/waiting:8080/proxy/x'),
    get('pods/https:waiting:8080/proxy/x'),
    get('pods/ftp:waiting:1/proxy'),
    get('pods/a:b:c:d/proxy'),
    get('pods/:1/proxy'),
    get('pods/missing/proxy'),
    get('pods/running/proxy/x'),
    get('pods/https:running:2/proxy/x'),
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => request(method)('pods/running/proxy/x')),
  ),
  connects(
    'the ports of services',
    get('services/without-endpoints/proxy/a/b'),
    get('services/without-endpoints:http/proxy'),
    get('services/without-endpoints:81/proxy'),
    get('services/empty/proxy'),
    get('services/outside:http/proxy'),
    get('services/inside:http/proxy/x'),
    get('services/inside:80/proxy/x'),
    get('services/inside:81/proxy/x'),
    get('services/inside:none/proxy/x'),
    get('services/missing:80/proxy'),
    get('services/missing/proxy'),
    get('services/a:b:c:d/proxy'),
    post('services/inside:http/proxy'),
  ),
  connects(
    'nodes',
    get('/api/v1/nodes/connected/proxy/healthz'),
    get('/api/v1/nodes/connected:10250/proxy/healthz'),
    get('/api/v1/nodes/reached:2/proxy/healthz'),
    get('/api/v1/nodes/unknown/proxy'),
    get('/api/v1/nodes/missing/proxy'),
    get('/api/v1/nodes/a:b:c:d/proxy'),
    post('/api/v1/nodes/missing/proxy/'),
  ),
  refuses('without a code', deny('because')),
  refuses('with a code and a reason', deny('because', { code: 403, reason: 'Forbidden' })),
  refuses(
    'before it upgrades the protocol',
    deny('because', { code: 403, reason: 'Forbidden' }),
    request('GET', webSocket)('pods/placed/exec?container=a'),
    request('POST', spdy)('pods/placed/exec?container=a'),
    request('GET', webSocket)('pods/placed/portforward'),
  ),
  refuses('to a missing pod', deny('because'), get('pods/missing/exec')),
  refuses('and warns', respond({ allowed: false, warnings: ['first'] })),
  mutates('a command', { op: 'replace', path: '/command', value: ['id'] }, { op: 'add', path: '/tty', value: true }),
  mutates('a zero value', { op: 'add', path: '/tty', value: false }, { op: 'add', path: '/container', value: '' }),
  mutates('a removed command', { op: 'remove', path: '/command' }),
  mutates('an unknown field', { op: 'add', path: '/unknown', value: 1 }),
  mutates('a value of another type', { op: 'add', path: '/stdin', value: 'yes' }),
  mutates('a list of another type', { op: 'replace', path: '/command', value: 'ls' }),
  selects('their operation', { rules: [rule('*/*', 'CREATE', 'UPDATE', 'DELETE')] }),
  selects('every operation', { rules: [rule('*/*', '*')] }),
  selects('their subresource', { rules: [rule('pods/exec', 'CONNECT')] }, exec, get('pods/waiting/attach')),
  selects('the resource without its subresource', { rules: [rule('pods', 'CONNECT')] }, exec),
  selects('every resource without subresources', { rules: [rule('*', 'CONNECT')] }, exec),
  selects('the scope of their object', { rules: [{ ...rule('*/*', 'CONNECT'), scope: 'Cluster' }] }),
  selects('labels, which they do not have', { objectSelector: { matchLabels: { a: 'b' } } }),
  selects('missing labels', { objectSelector: { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] } }),
  selects('the labels of their namespace', { namespaceSelector: { matchLabels: { a: 'b' } } }),
  selects(
    'the labels of a missing namespace',
    { namespaceSelector: { matchLabels: { a: 'b' } } },
    get('/api/v1/namespaces/nowhere/pods/waiting/exec'),
  ),
  selects(
    'a condition on the options',
    conditions("request.operation == 'CONNECT' && object.kind == 'PodExecOptions' && object.command[0] == 'ls'"),
    exec,
  ),
  selects('a condition on the missing options of the request', conditions('request.options == null')),
  selects('a condition on the missing metadata', conditions("object.metadata.name == 'a'")),
];
