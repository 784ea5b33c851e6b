const core = '/api/v1/namespaces/default';
const accounts = `${core}/serviceaccounts`;
const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';

/** A request. In its path, headers and body, `$NAME` is replaced by the token of an earlier step. */
export interface TokenStep {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name under which the token of the response is kept. */
  readonly keeps?: string;
}

function request(spec: object, keeps?: string, account = 'robot'): TokenStep {
  return { method: 'POST', path: `${accounts}/${account}/token`, body: { spec }, ...(keeps && { keeps }) };
}

function bound(kind: string, name: string, more: object = {}, keeps?: string): TokenStep {
  return request({ boundObjectRef: { kind, apiVersion: 'v1', name, ...more } }, keeps);
}

function review(token: string, audiences?: readonly string[]): TokenStep {
  return { method: 'POST', path: reviews, body: { spec: { token, ...(audiences && { audiences }) } } };
}

function whoAmI(authorization: string): TokenStep {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  return { method: 'POST', path, body: {}, headers: { authorization } };
}

function create(path: string, name: string, spec?: object): TokenStep {
  return { method: 'POST', path, body: { metadata: { name }, ...(spec && { spec }) } };
}

function remove(path: string): TokenStep {
  return { method: 'DELETE', path };
}

const containers = [{ name: 'main', image: 'nginx' }];

/** Each list runs in order, on a server whose objects the lists before it have created. */
export const tokenSteps: readonly (readonly [title: string, steps: readonly TokenStep[]])[] = [
  [
    'issues tokens and checks their request',
    [
      create(accounts, 'robot'),
      request({}, 'plain'),
      request({ expirationSeconds: 600, audiences: ['a', 'b'] }, 'foreign'),
      request({ expirationSeconds: 4294967296 }),
      request({ expirationSeconds: 599 }),
      request({ expirationSeconds: 4294967297 }),
      request({ expirationSeconds: -1 }, undefined, 'nobody'),
      request({}, undefined, 'nobody'),
      { method: 'POST', path: `${accounts}/robot/token`, body: { metadata: { name: 'other' }, spec: {} } },
      {
        method: 'POST',
        path: `${accounts}/robot/token`,
        body: { metadata: { name: 'robot', namespace: 'x' }, spec: {} },
      },
      {
        method: 'POST',
        path: `${accounts}/robot/token`,
        body: { metadata: { name: 'robot', labels: { a: 'b' } }, spec: {} },
      },
      { method: 'POST', path: `${accounts}/robot/token?dryRun=All`, body: { spec: {} } },
    ],
  ],
  [
    'binds tokens to objects',
    [
      create('/api/v1/nodes', 'worker'),
      create(`${core}/secrets`, 'key'),
      create(`${core}/pods`, 'app', { serviceAccountName: 'robot', nodeName: 'worker', containers }),
      create(`${core}/pods`, 'lost', { serviceAccountName: 'robot', nodeName: 'nowhere', containers }),
      create(`${core}/pods`, 'other', { containers }),
      bound('Pod', 'app', {}, 'pod'),
      bound('Pod', 'lost', {}, 'lost'),
      bound('Secret', 'key', {}, 'secret'),
      bound('Node', 'worker', {}, 'node'),
      bound('Pod', 'other'),
      bound('Pod', 'none'),
      bound('Pod', 'app', { uid: '1' }),
      bound('Node', 'worker', { uid: '1', apiVersion: 'a/b/c' }),
      bound('Pod', 'app', { apiVersion: 'v2' }),
      bound('ConfigMap', 'x'),
      bound('Pod', 'app', { apiVersion: 'apps/v1' }),
      bound('Secret', ''),
      request({ expirationSeconds: 3607, boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'app' } }, 'kubelet'),
      request({ expirationSeconds: 3607 }, 'not-kubelet'),
    ],
  ],
  [
    'reviews tokens',
    [
      ...['plain', 'pod', 'lost', 'secret', 'node', 'foreign', 'kubelet'].map((name) => review(`$${name}`)),
      review('$foreign', ['b', 'c']),
      review('$foreign', ['x']),
      review('$pod', ['https://localhost/', 'x']),
      review('$ADMIN'),
      review('$ADMIN', ['x']),
      review('$ADMIN', ['x', 'https://localhost/']),
      review(''),
      { method: 'POST', path: reviews, body: { spec: {} } },
      review('nonsense'),
      review('a.b.c'),
      review('$plain.x'),
    ],
  ],
  [
    'authenticates requests',
    [
      ...['plain', 'pod', 'lost', 'secret', 'node', 'foreign'].map((name) => whoAmI(`Bearer $${name}`)),
      whoAmI('Bearer nonsense'),
      whoAmI('bearer $plain'),
      whoAmI('Bearer $plain more'),
      whoAmI('Bearer  $plain'),
      whoAmI('Bearer'),
      whoAmI('Bearer\t$plain'),
      whoAmI('Basic $plain'),
    ],
  ],
  [
    'rejects tokens whose objects are gone',
    [
      // Tokens that were never used: upstream remembers accepted ones for ten seconds.
      ...['one', 'two', 'three'].map((name) => create(accounts, name)),
      ...['gone', 'again'].map((name) => create(`${core}/secrets`, name)),
      create('/api/v1/nodes', 'left'),
      create(`${core}/pods`, 'short', { serviceAccountName: 'robot', nodeName: 'worker', containers }),
      request({}, 'account', 'one'),
      request({}, 'recreated', 'two'),
      bound('Secret', 'gone', {}, 'gone'),
      bound('Secret', 'again', {}, 'again'),
      bound('Node', 'left', {}, 'left'),
      bound('Pod', 'short', {}, 'short'),
      remove(`${accounts}/one`),
      remove(`${accounts}/two`),
      create(accounts, 'two'),
      remove(`${core}/secrets/gone`),
      remove(`${core}/secrets/again`),
      create(`${core}/secrets`, 'again'),
      remove('/api/v1/nodes/left'),
      remove(`${core}/pods/short?gracePeriodSeconds=0`),
      ...['account', 'recreated', 'gone', 'again', 'left', 'short'].flatMap((name) => [
        review(`$${name}`),
        whoAmI(`Bearer $${name}`),
      ]),
    ],
  ],
  [
    'serves the configuration of the issuer',
    [
      ...['/.well-known/openid-configuration', '/openid/v1/jwks'].flatMap((path): TokenStep[] => [
        { method: 'GET', path },
        { method: 'GET', path: `${path}/` },
        { method: 'GET', path: `${path}/x` },
        { method: 'POST', path, body: {} },
        ...['application/json', 'application/jwk-set+json', 'text/html', '*/*'].map(
          (accept): TokenStep => ({ method: 'GET', path, headers: { accept } }),
        ),
        { method: 'GET', path, headers: { authorization: 'Bearer $plain' } },
        { method: 'GET', path, headers: { authorization: '' } },
      ]),
    ],
  ],
];
