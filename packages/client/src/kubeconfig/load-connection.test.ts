import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { inspect } from 'node:util';
import { EvenkeelError, ManualClock } from '@evenkeel/core';
import { inClusterConnection } from './in-cluster.ts';
import { loadConnection } from './load-connection.ts';
import type { LoadConnectionOptions } from './load-connection-options.ts';

const pem = (text: string): string => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** Ignores the environment of the machine that runs the test. */
const load = (options: LoadConnectionOptions = {}) => loadConnection({ environment: {}, home: folder, ...options });

/** A kubeconfig with one context and these fields of its user and cluster. */
function kubeconfig(user: object, cluster: object = {}, name = 'one'): string {
  return JSON.stringify({
    'current-context': name,
    clusters: [{ name, cluster: { server: `https://${name}:6443`, ...cluster } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'team' } }],
  });
}

/** Expands to a billion items. */
const multiplyingAliases = [...'bcdefghij'].reduce(
  (text, name) => `${text}${name}: &${name} [${`*${String.fromCharCode(name.charCodeAt(0) - 1)},`.repeat(10)}]\n`,
  'a: &a [hunter2]\n',
);

/** A user with this token of an identity provider. */
function oidc(token: string): object {
  return { 'auth-provider': { name: 'oidc', config: { 'id-token': token } } };
}

function jwtPart(claims: object): string {
  return Buffer.from(JSON.stringify(claims)).toString('base64url');
}

/** Runs a program in a separate process and returns its output. */
function run(program: string, environment: Record<string, string> = {}): string {
  const options = ['--no-warnings', '--conditions=evenkeel-source', '--input-type=module', '--eval', program];
  return execFileSync(process.execPath, options, {
    cwd: import.meta.dirname,
    env: { PATH: process.env['PATH'], ...environment },
    encoding: 'utf8',
  }).trim();
}

async function rejection(promise: Promise<unknown>): Promise<EvenkeelError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof EvenkeelError)) throw new Error(`no EvenkeelError: ${String(error)}`);
  return error;
}

describe('the search for a kubeconfig', () => {
  it('prefers the named file to KUBECONFIG, and KUBECONFIG to the home folder', async () => {
    const named = await file('named', kubeconfig({}, {}, 'named'));
    const fromEnvironment = await file('env', kubeconfig({}, {}, 'env'));
    await mkdir(join(folder, '.kube'));
    await file('.kube/config', kubeconfig({}, {}, 'home'));
    const environment = { KUBECONFIG: fromEnvironment };
    expect((await load({ kubeconfig: named, environment })).server).toBe('https://named:6443');
    expect((await load({ environment })).server).toBe('https://env:6443');
    expect(await load()).toMatchObject({ server: 'https://home:6443', namespace: 'team' });
  });

  it('merges the files of KUBECONFIG with precedence of the first, and ignores missing ones', async () => {
    const first = await file('first', kubeconfig({ token: 'first' }));
    const second = await file('second', kubeconfig({ token: 'second' }).replace('https://one', 'https://other'));
    const third = await file('third', kubeconfig({ token: 'third' }, {}, 'three'));
    const environment = { KUBECONFIG: [join(folder, 'absent'), first, second, third].join(delimiter) };
    const connection = await load({ environment });
    expect(connection.server).toBe('https://one:6443');
    expect((await connection.credentials?.())?.headers).toEqual({ authorization: 'Bearer first' });
    expect((await load({ environment, context: 'three' })).server).toBe('https://three:6443');
  });

  it('reports where it searched if it finds nothing', async () => {
    const error = await rejection(load());
    expect(error.code).toBe('kubeconfig-not-found');
    expect(error.message).toContain(join(folder, '.kube', 'config'));
    expect(await rejection(load({ kubeconfig: join(folder, 'gone') }))).toMatchObject({
      code: 'kubeconfig-not-found',
      message: expect.stringContaining(join(folder, 'gone')),
    });
    expect((await rejection(load({ environment: { KUBECONFIG: join(folder, 'gone') } }))).code).toBe(
      'kubeconfig-not-found',
    );
  });
});

describe('a kubeconfig', () => {
  it('may be YAML with tokens, a server name, a proxy and an unchecked certificate', async () => {
    const path = await file(
      'config',
      [
        'apiVersion: v1',
        'current-context: dev',
        'clusters:',
        '- name: c',
        '  cluster: { server: https://c:1, tls-server-name: kubernetes, insecure-skip-tls-verify: true, proxy-url: http://p:3128 }',
        'users:',
        '- name: u',
        '  user: { token: secret }',
        'contexts:',
        '- name: dev',
        '  context: { cluster: c, user: u }',
      ].join('\n'),
    );
    const connection = await load({ kubeconfig: path });
    expect(connection).toMatchObject({
      server: 'https://c:1',
      serverName: 'kubernetes',
      insecureSkipTlsVerify: true,
      proxyUrl: 'http://p:3128',
      namespace: 'default',
      context: 'dev',
      origin: `context "dev" in ${path}`,
    });
    expect((await connection.credentials?.())?.headers).toEqual({ authorization: 'Bearer secret' });
  });

  it('reads certificates from its data, or from files relative to it', async () => {
    await file('ca.pem', pem('ca'));
    await file('key.pem', pem('key'));
    const user = {
      'client-certificate-data': base64(pem('cert')),
      'client-certificate': 'unused',
      'client-key': 'key.pem',
    };
    const path = await file('config', kubeconfig(user, { 'certificate-authority': 'ca.pem' }));
    const connection = await load({ kubeconfig: path });
    expect(connection.ca).toBe(pem('ca'));
    expect(await connection.credentials?.()).toEqual({
      headers: {},
      ca: pem('ca'),
      cert: pem('cert'),
      key: pem('key'),
    });
  });

  it('reads a token file again after a minute, and keeps the token while the file is missing', async () => {
    const tokenFile = await file('token', 'first\n');
    const path = await file('config', kubeconfig({ tokenFile: 'token', token: 'unused' }));
    const clock = new ManualClock();
    const { credentials } = await load({ kubeconfig: path, clock });
    const token = async (): Promise<unknown> => (await credentials?.())?.headers?.['authorization'];
    expect(await token()).toBe('Bearer first');
    await writeFile(tokenFile, 'second\n');
    expect(await token()).toBe('Bearer first');
    await clock.advance(60_000);
    expect(await token()).toBe('Bearer second');
    await rm(tokenFile);
    await clock.advance(60_000);
    expect(await token()).toBe('Bearer second');
  });

  it('reads the certificates of the authority and the client again after a minute, or after a rejection', async () => {
    const names = ['ca.pem', 'cert.pem', 'key.pem'];
    const write = (turn: string) => Promise.all(names.map((name) => file(name, pem(`${name} ${turn}`))));
    const given = (turn: string): object => {
      const [ca, cert, key] = names.map((name) => pem(`${name} ${turn}`));
      return { headers: {}, ca, cert, key };
    };
    await write('first');
    const user = { 'client-certificate': 'cert.pem', 'client-key': 'key.pem' };
    const path = await file('config', kubeconfig(user, { 'certificate-authority': 'ca.pem' }));
    const clock = new ManualClock();
    const { credentials } = await load({ kubeconfig: path, clock });
    expect(await credentials?.()).toEqual(given('first'));
    await write('second');
    expect(await credentials?.()).toEqual(given('first'));
    await clock.advance(60_000);
    expect(await credentials?.()).toEqual(given('second'));
    await write('third');
    expect(await credentials?.({ renew: true })).toEqual(given('third'));
  });

  it('supports impersonation', async () => {
    const user = { token: 't', as: 'jane', 'as-groups': ['a', 'b'], 'as-user-extra': { Scope: ['x'] } };
    const { credentials } = await load({ kubeconfig: await file('config', kubeconfig(user)) });
    expect((await credentials?.())?.headers).toEqual({
      authorization: 'Bearer t',
      'impersonate-user': 'jane',
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-scope': ['x'],
    });
  });

  it('runs exec plugins by client-node, and reports a failing one without its output', async () => {
    const print = (text: string, code: number) => ({
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: process.execPath,
        args: ['-e', `console.log(${JSON.stringify(text)}); console.error('a secret'); process.exit(${code})`],
        interactiveMode: 'Never',
      },
    });
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: 'from plugin' },
    };
    const good = await load({ kubeconfig: await file('good', kubeconfig(print(JSON.stringify(credential), 0))) });
    expect((await good.credentials?.())?.headers).toEqual({ authorization: 'Bearer from plugin' });
    const bad = await load({ kubeconfig: await file('bad', kubeconfig(print('', 1))) });
    const error = await rejection(Promise.resolve(bad.credentials?.()));
    expect(error.code).toBe('credentials-unavailable');
    expect(error.message).toContain('"one"');
    expect(error.message).toContain(process.execPath);
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('secret');
    const odd = await load({ kubeconfig: await file('odd', kubeconfig(print('a secret', 0))) });
    const unreadable = await rejection(Promise.resolve(odd.credentials?.()));
    expect(inspect(unreadable, { depth: 10, showHidden: true })).not.toContain('secret');
  });

  it('names the entry and the fix if the package for exec plugins is missing', async () => {
    const [path, program] = [
      await file('config', kubeconfig({ exec: { command: 'aws' } })),
      `import { registerHooks } from 'node:module';
       registerHooks({ resolve(specifier, context, next) {
         if (specifier === '@kubernetes/client-node') throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
         return next(specifier, context);
       } });
       const { loadConnection } = await import('@evenkeel/client');
       const { credentials } = await loadConnection({ kubeconfig: process.env.KUBECONFIG, environment: {} });
       console.log(await credentials().catch(({ code, message }) => code + ' ' + message));`,
    ];
    expect(run(program, { KUBECONFIG: path })).toBe(
      `credentials-unavailable the user "one" in ${path} uses exec plugin "aws", which needs @kubernetes/client-node; run "npm install @kubernetes/client-node"`,
    );
  });

  it('loads client-node only for such entries, at the first request', async () => {
    const [cert, key] = [base64(pem('cert')), base64(pem('key'))];
    await file('token', 't');
    const others = [
      { token: 't' },
      { tokenFile: 'token' },
      { 'client-certificate-data': cert, 'client-key-data': key },
    ];
    const users = [...others, { username: 'a', password: 'b' }, { token: 't', as: 'jane' }, {}];
    const paths = await Promise.all(users.map((user, at) => file(`config-${at}`, kubeconfig(user))));
    const plugin = await file('plugin', kubeconfig(oidc('never')));
    const program = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
      const counted = () => loaded.filter((url) => url.includes('/client-node/')).length > 0;
      const { loadConnection } = await import('@evenkeel/client');
      const load = (kubeconfig) => loadConnection({ kubeconfig, environment: {} });
      for (const path of ${JSON.stringify(paths)}) await (await load(path)).credentials();
      const { credentials } = await load(${JSON.stringify(plugin)});
      const before = counted();
      await credentials().catch(() => undefined);
      console.log(before, counted());`;
    expect(run(program)).toBe('false true');
  });

  it('gets an OIDC token from client-node, and names the entry if it has expired or the provider is unknown', async () => {
    const token = `${jwtPart({ alg: 'none' })}.${jwtPart({ exp: Date.now() / 1000 + 3600 })}.x`;
    const good = await load({ kubeconfig: await file('good', kubeconfig({ ...oidc(token), as: 'jane' })) });
    expect((await good.credentials?.())?.headers).toEqual({
      authorization: `Bearer ${token}`,
      'impersonate-user': 'jane',
    });
    const expired = `${jwtPart({ alg: 'none' })}.${jwtPart({ exp: 1 })}.x`;
    for (const [user, provider] of [
      [oidc(expired), 'oidc'],
      [{ 'auth-provider': { name: 'unheard-of' } }, 'unheard-of'],
    ] as const) {
      const path = await file('bad', kubeconfig(user));
      const error = await rejection(Promise.resolve((await load({ kubeconfig: path })).credentials?.()));
      expect(error.cause).toBeUndefined();
      expect([error.code, error.message]).toEqual([
        'credentials-unavailable',
        `the user "one" in ${path}: its auth-provider "${provider}" returned no credentials; log in to the cluster again`,
      ]);
    }
  });

  it('finds an exec plugin and files relative to the kubeconfig, and runs it again if its credentials are rejected', async () => {
    const script = [
      `#!${process.execPath}`,
      "const { readFileSync } = require('node:fs');",
      "const token = readFileSync(__dirname + '/given', 'utf8');",
      "console.log(JSON.stringify({ kind: 'ExecCredential', status: { token } }));",
    ];
    await file('ca.pem', pem('ca'));
    await file('given', 'first');
    await chmod(await file('plugin.cjs', script.join('\n')), 0o700);
    const user = { exec: { command: './plugin.cjs', interactiveMode: 'Never' } };
    const path = await file('config', kubeconfig(user, { 'certificate-authority': 'ca.pem' }));
    const { credentials } = await load({ kubeconfig: path });
    const token = async (renew: boolean): Promise<unknown> =>
      (await credentials?.({ renew }))?.headers?.['authorization'];
    expect(await token(false)).toBe('Bearer first');
    await file('given', 'second');
    expect(await token(false)).toBe('Bearer first');
    expect(await token(true)).toBe('Bearer second');
  });

  it.each(['credential that is not JSON', 'exit code', 'missing command'])(
    'names the entry of an exec plugin that fails with a %s',
    async (failure) => {
      const command = failure === 'missing command' ? join(folder, 'gone') : process.execPath;
      const code = failure === 'exit code' ? 'process.exit(3)' : "console.log('hunter2')";
      const path = await file('config', kubeconfig({ exec: { command, args: ['-e', code] } }));
      const error = await rejection(Promise.resolve((await load({ kubeconfig: path })).credentials?.()));
      expect(error.cause).toBeUndefined();
      expect([error.code, error.message]).toEqual([
        'credentials-unavailable',
        `the user "one" in ${path}: its exec plugin ${JSON.stringify(command)} returned no credentials; run it by hand to see why`,
      ]);
    },
  );

  it.each([
    ['current-context: [\n  token: hunter2', 'invalid YAML (line '],
    ['{"users": hunter2', 'it starts like JSON but is invalid JSON'],
    ['hunter2', 'it is not a mapping'],
    ['- hunter2', 'it is not a mapping'],
    ['contexts: { one: hunter2 }', '"contexts" is not a list; fix it'],
    ['clusters: [hunter2]', 'an entry of "clusters" has no name; add one'],
    ['users: [{ name: one, user: hunter2 }]', 'the user "one" is not a mapping; fix it'],
    [kubeconfig({}, { server: 443 }), 'server of the cluster "one" is not a string'],
    [kubeconfig({ 'client-certificate-data': 7 }), 'client-certificate-data of the user "one" is not a string'],
    [kubeconfig({ token: ['hunter2'] }), 'token of the user "one" is not a string'],
    [kubeconfig({ exec: 'hunter2' }), 'exec of the user "one" is not a mapping'],
    [
      kubeconfig({}, { 'insecure-skip-tls-verify': 'hunter2' }),
      'insecure-skip-tls-verify of the cluster "one" is not true or false',
    ],
    [kubeconfig({ as: 5 }), 'as of the user "one" is not a string'],
    [kubeconfig({ as: 'jane', 'as-groups': 'hunter2' }), 'as-groups of the user "one" is not a list of strings'],
    ['clusters: hunter2', '"clusters" is not a list; fix it'],
    ['users: [{ user: { token: hunter2 } }]', 'an entry of "users" has no name; add one'],
    [multiplyingAliases, 'its YAML aliases cannot be resolved; fix or remove them'],
    ['['.repeat(10_000), 'invalid YAML (line '],
    ['kind: Config\nkind: hunter2', 'invalid YAML (line '],
    [
      '__proto__: { users: [], polluted: hunter2 }',
      'missing current-context, and no contexts; check that it is the right file',
    ],
    ['kind: Config', 'missing current-context, and no contexts'],
    [kubeconfig({}).replace('"current-context":"one",', ''), '; run "kubectl config use-context one --kubeconfig /'],
    [
      kubeconfig({}).replace('"current-context":"one"', '"current-context":"onne"'),
      'missing context "onne"; did you mean "one"?',
    ],
    [
      kubeconfig({}).replace('"current-context":"one"', '"current-context":"nope"'),
      'missing context "nope"; available: "one"',
    ],
    [
      kubeconfig({}).replace('"cluster":"one"', '"cluster":"two"'),
      'the context "one" refers to the missing cluster "two"',
    ],
    [kubeconfig({}).replace('"user":"one"', '"user":"two"'), 'the context "one" refers to the missing user "two"'],
    [kubeconfig({}, { server: undefined }), 'the cluster "one" has no server'],
    [kubeconfig({ 'client-key-data': base64('hunter2') }), 'client-key-data of "one" is not base64-encoded PEM'],
  ])('is rejected with the file and the entry but without contents: %j', async (text, why) => {
    const path = await file('config', text);
    const error = await rejection(load({ kubeconfig: path }));
    expect(error.code).toBe('invalid-kubeconfig');
    expect(error.message).toContain(path);
    expect(error.message).toContain(why);
    expect(`${error.message} ${String(error.cause)}`).not.toContain('hunter2');
  });

  it('is rejected with both names if it refers to a missing file', async () => {
    const authority = await file('authority', kubeconfig({}, { 'certificate-authority': 'gone.pem' }));
    const atOnce = await rejection(load({ kubeconfig: authority }));
    const token = await file('token', kubeconfig({ tokenFile: 'gone' }));
    const connection = await load({ kubeconfig: token });
    const later = await rejection(Promise.resolve(connection.credentials?.()));
    for (const [error, path, missing] of [
      [atOnce, authority, 'gone.pem'],
      [later, token, 'gone'],
    ] as const) {
      expect(error.code).toBe('credentials-unavailable');
      expect(error.message).toContain(path);
      expect(error.message).toContain(`${join(folder, missing)}: it does not exist`);
    }
  });
});

describe('the connection in a pod', () => {
  const environment = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };

  it('uses the service account, and reads its token and authority again after a minute', async () => {
    const [token, ca] = [await file('token', 'first'), await file('ca.crt', pem('old'))];
    await file('namespace', 'team');
    const clock = new ManualClock();
    const connection = await inClusterConnection(environment, clock, folder);
    expect(connection).toMatchObject({ server: 'https://[fd00::1]:443', namespace: 'team' });
    expect(await connection?.credentials?.()).toEqual({ headers: { authorization: 'Bearer first' }, ca: pem('old') });
    await writeFile(token, 'second');
    await writeFile(ca, pem('new'));
    await clock.advance(60_000);
    expect(await connection?.credentials?.()).toEqual({ headers: { authorization: 'Bearer second' }, ca: pem('new') });
  });

  it('is undefined without the environment variables or the token', async () => {
    expect(await inClusterConnection(environment, new ManualClock(), folder)).toBeUndefined();
    await file('token', 'first');
    expect(await inClusterConnection({}, new ManualClock(), folder)).toBeUndefined();
  });
});
