import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { digestOf } from './digest.ts';
import { FakeRegistry, type FakeRegistryOptions } from './fake-registry.fixture.ts';
import { parseImageReference } from './image-reference.ts';
import { mediaTypes } from './media-types.ts';
import { RegistryClient, type RegistryClientOptions } from './registry-client.ts';
import { isLoopback, RegistryHttp } from './registry-http.ts';

let folder: string;
const closed: (() => unknown)[] = [];
const manifest = Buffer.from('{"schemaVersion":2,"manifests":[]}');
const layer = Buffer.from('the content of a layer');
const descriptor = { mediaType: mediaTypes.layer, digest: digestOf(layer), size: layer.length };
/** How long the client waited between attempts. */
let delays: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-registry-'));
});
beforeEach(() => {
  delays = [];
});
afterEach(async () => {
  for (const close of closed.splice(0)) await close();
});
afterAll(() => rm(folder, { recursive: true }));

async function started(options?: FakeRegistryOptions): Promise<FakeRegistry> {
  const registry = await FakeRegistry.start(options);
  closed.push(() => registry.close());
  return registry;
}

function clientOf(host: string, options: Partial<RegistryClientOptions> = {}): RegistryClient {
  const wait = async (delayMs: number): Promise<void> => void delays.push(delayMs);
  const reference = parseImageReference(`${host}/team/sites:1.0`, '--image');
  const env = { HOME: folder, DOCKER_CONFIG: join(folder, 'none') };
  const client = new RegistryClient(reference, 'pull,push', { env, wait, ...options });
  closed.push(() => client.close());
  return client;
}

/** The environment of a user who logged in at a registry. */
async function loggedIn(host: string, config?: object): Promise<NodeJS.ProcessEnv> {
  const auth = Buffer.from('user:secret').toString('base64');
  await writeFile(join(folder, 'config.json'), JSON.stringify(config ?? { auths: { [host]: { auth } } }));
  return { PATH: `${folder}:${process.env['PATH']}`, DOCKER_CONFIG: folder };
}

describe('a client of a registry', () => {
  it('stores and returns blobs and manifests', async () => {
    const registry = await started();
    const client = clientOf(registry.host);
    expect(await client.hasBlob(descriptor)).toBe(false);
    await client.putBlob(descriptor, layer);
    expect(await client.hasBlob(descriptor)).toBe(true);
    await client.putManifest('1.0', manifest, mediaTypes.index);
    expect(await client.manifest('1.0')).toEqual(manifest);
    expect(await client.manifest(digestOf(manifest))).toEqual(manifest);
    expect(registry.blobs.get(descriptor.digest)).toEqual(layer);
  });

  it('uploads a large blob in parts', async () => {
    const registry = await started();
    const file = join(folder, 'layer');
    await writeFile(file, layer);
    await clientOf(registry.host, { chunkBytes: 10 }).putBlob(descriptor, file);
    expect(registry.blobs.get(descriptor.digest)).toEqual(layer);
    expect(registry.lines.map((line) => line.split(' ')[0])).toEqual(['POST', 'PATCH', 'PATCH', 'PATCH', 'PUT']);
  });

  it.each(['basic', 'bearer'] as const)(
    'authenticates by %s, with the credentials of docker login',
    async (authentication) => {
      const registry = await started({ authentication });
      const client = clientOf(registry.host, { env: await loggedIn(registry.host) });
      await client.putBlob(descriptor, layer);
      expect(registry.blobs.size).toBe(1);
      // Asked for once, with our own scope instead of the one that the registry suggests.
      const tokens = registry.lines.filter((line) => line.includes('/token'));
      const query = 'service=fake&scope=repository%3Ateam%2Fsites%3Apull%2Cpush';
      expect(tokens).toEqual(authentication === 'bearer' ? [`GET /token?${query}`] : []);
    },
  );

  it('gets a new token if the old one has expired', async () => {
    const registry = await started({ authentication: 'bearer' });
    registry.put('1.0', manifest, mediaTypes.index);
    const client = clientOf(registry.host, { env: await loggedIn(registry.host) });
    await client.manifest('1.0');
    registry.instead = ({ headers }, response) => {
      const isOld = headers.authorization?.endsWith('-1') === true;
      const challenge = `Bearer realm="http://${registry.host}/token",service="fake"`;
      if (isOld) response.writeHead(401, { 'www-authenticate': challenge }).end();
      return isOld;
    };
    expect(await client.manifest('1.0')).toEqual(manifest);
  });

  it('exchanges an identity token', async () => {
    const registry = await started({ authentication: 'bearer' });
    registry.put('1.0', manifest, mediaTypes.index);
    const env = await loggedIn('', { auths: { [registry.host]: { identitytoken: 'refresh' } } });
    expect(await clientOf(registry.host, { env }).manifest('1.0')).toEqual(manifest);
    expect(registry.lines).toContain('POST /token');
  });

  it('asks a credential helper', async () => {
    const registry = await started({ authentication: 'basic' });
    registry.put('1.0', manifest, mediaTypes.index);
    const helper = join(folder, 'docker-credential-fake');
    await writeFile(helper, '#!/bin/sh\nread host\necho "{\\"Username\\":\\"user\\",\\"Secret\\":\\"secret\\"}"\n');
    await chmod(helper, 0o755);
    for (const config of [{ credsStore: 'fake' }, { credHelpers: { [registry.host]: 'fake' } }]) {
      expect(await clientOf(registry.host, { env: await loggedIn('', config) }).manifest('1.0')).toEqual(manifest);
    }
  });

  it.each([
    ['a helper that is not installed', { credsStore: 'missing' }, /docker-credential-missing is not in PATH/],
    ['a helper with a path', { credsStore: '../x' }, /invalid credential helper/],
    ['an entry without a password', { auths: { HOST: { auth: 'c2VjcmV0' } } }, /auth is not base64 of USER:PASSWORD/],
  ])('rejects %s without showing secrets', async (_what, config, message) => {
    const registry = await started({ authentication: 'basic' });
    const env = await loggedIn('', JSON.parse(JSON.stringify(config).replace('HOST', registry.host)));
    const failure = clientOf(registry.host, { env }).manifest('1.0');
    await expect(failure).rejects.toMatchObject({
      code: 'registry-credentials-invalid',
      message: expect.stringMatching(message),
    });
    await expect(failure).rejects.not.toMatchObject({ message: expect.stringMatching(/secret|c2VjcmV0/) });
  });

  it('never sends credentials to another host', async () => {
    const other = await started();
    other.blobs.set(descriptor.digest, layer);
    const registry = await started({ authentication: 'basic' });
    const path = `/v2/team/sites/blobs/${descriptor.digest}`;
    registry.instead = ({ headers, url, method }, response) => {
      const isMoved = headers.authorization !== undefined && (method === 'GET' || method === 'POST') && url !== '/v2/';
      if (isMoved && method === 'GET') response.writeHead(307, { location: `http://${other.host}${path}` }).end();
      if (isMoved && method === 'POST')
        response.writeHead(202, { location: `http://${other.host}/v2/a/blobs/uploads/1` }).end();
      return isMoved;
    };
    const client = clientOf(registry.host, { env: await loggedIn(registry.host) });
    const response = await client.blob(descriptor);
    expect(Buffer.concat(await response.toArray())).toEqual(layer);
    await client.putBlob(descriptor, layer);
    expect(other.lines).toEqual([
      `GET ${path}`,
      `PUT /v2/a/blobs/uploads/1?digest=${encodeURIComponent(descriptor.digest)}`,
    ]);
    expect(other.requests.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
    expect(registry.requests.some(({ authorization }) => authorization !== undefined)).toBe(true);
  });

  it.each([
    ['Bearer realm="http://192.0.2.1/token",service="fake"'],
    ['Bearer realm="file:///etc/passwd"'],
    ['Bearer service="fake"'],
  ])('does not send credentials to the authentication server of %s', async (challenge) => {
    const registry = await started();
    registry.instead = (_request, response) => {
      response.writeHead(401, { 'www-authenticate': challenge }).end();
      return true;
    };
    const client = clientOf(registry.host, { env: await loggedIn(registry.host) });
    await expect(client.manifest('1.0')).rejects.toMatchObject({ code: 'registry-failed' });
    expect(registry.requests.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it.each([
    [401, 'registry-unauthorized', /authentication required.*; log in with "docker login/],
    [403, 'registry-forbidden', /; log in as a user with permission/],
    [404, 'image-not-found', /; correct the name or the tag$/],
    [500, 'registry-failed', /responds with 500 .*; try again later/],
    [418, 'registry-failed', /responds with 418/],
  ])('reports the status %s', async (status, code, message) => {
    const registry = await started();
    registry.instead = (_request, response) => {
      const errors = [{ code: 'DENIED', message: status === 401 ? 'authentication required' : 'no \u001b[31m' }];
      response.writeHead(status).end(JSON.stringify({ errors }));
      return true;
    };
    const failure = { code, message: expect.stringMatching(message) };
    await expect(clientOf(registry.host).manifest('1.0')).rejects.toMatchObject(failure);
    expect(delays).toEqual(status === 500 ? [500, 1000, 2000] : []);
  });

  it('asks for a login if the registry needs a password', async () => {
    const registry = await started({ authentication: 'basic' });
    const message = `push ${registry.host}/team/sites:1.0: ${registry.host} requires a user and a password; log in with "docker login ${registry.host}"`;
    const failure = { code: 'registry-unauthorized', message };
    await expect(clientOf(registry.host).manifest('1.0')).rejects.toMatchObject(failure);
  });

  it('tries again after 429 and 503, as late as the registry says, up to a limit', async () => {
    const registry = await started();
    registry.put('1.0', manifest, mediaTypes.index);
    const answers = [
      [429, '7'],
      [503, '99999'],
    ] as const;
    let next = 0;
    registry.instead = ({ url }, response) => {
      const [status, after] = answers[next] ?? [];
      if (url === '/v2/' || status === undefined) return false;
      next++;
      response.writeHead(status, { 'retry-after': after }).end();
      return true;
    };
    expect(await clientOf(registry.host).manifest('1.0')).toEqual(manifest);
    expect(delays).toEqual([7000, 30_000]);
  });

  it('knows that a blob exists if the registry redirects to it, and does not ask the other host', async () => {
    const other = await started();
    const registry = await started();
    registry.instead = ({ method }, response) => {
      if (method === 'HEAD') response.writeHead(307, { location: `http://${other.host}/blob` }).end();
      return method === 'HEAD';
    };
    expect(await clientOf(registry.host).hasBlob(descriptor)).toBe(true);
    expect(other.lines).toEqual([]);
  });

  it('starts a broken upload again', async () => {
    const registry = await started();
    let failures = 0;
    registry.instead = ({ method }, response) => {
      if (method !== 'PUT' || failures++ > 0) return false;
      response.writeHead(500).end();
      return true;
    };
    await clientOf(registry.host).putBlob(descriptor, layer);
    expect(registry.blobs.get(descriptor.digest)).toEqual(layer);
  });

  it('rejects a manifest with another digest, one that is too large, endless redirects and silence', async () => {
    const registry = await started();
    const client = clientOf(registry.host, { idleTimeoutMs: 200 });
    registry.manifests.set(digestOf(manifest), { bytes: Buffer.from('{}'), mediaType: mediaTypes.index });
    await expect(client.manifest(digestOf(manifest))).rejects.toMatchObject({ code: 'image-invalid' });
    registry.put('1.0', Buffer.alloc(5 * 1024 * 1024, ' '), mediaTypes.index);
    await expect(client.manifest('1.0')).rejects.toMatchObject({
      message: expect.stringContaining('more than 4194304 bytes'),
    });
    registry.instead = ({ url = '' }, response) => {
      response.writeHead(302, { location: url }).end();
      return true;
    };
    await expect(client.manifest('1.0')).rejects.toMatchObject({
      message: expect.stringContaining('more than 5 redirects'),
    });
    registry.instead = () => true;
    const silent = { code: 'registry-unreachable', message: expect.stringContaining('no data for 0.2 s') };
    await expect(client.manifest('1.0')).rejects.toMatchObject(silent);
  });

  it('reports a host where nothing listens', async () => {
    const registry = await FakeRegistry.start();
    const { host } = registry;
    await registry.close();
    const failure = { code: 'registry-unreachable', message: expect.stringContaining(`cannot reach ${host}`) };
    await expect(clientOf(host).manifest('1.0')).rejects.toMatchObject(failure);
  });

  it('does not use plain HTTP for other machines', async () => {
    const http = new RegistryHttp({ env: {} });
    expect(String(await http.baseOf('registry.example.com'))).toBe('https://registry.example.com/v2/');
    expect(String(await http.baseOf('docker.io'))).toBe('https://registry-1.docker.io/v2/');
    const hosts = ['localhost', '127.0.0.9', '[::1]', 'localhost.example.com', '127.0.0.1.example.com', '10.0.0.1'];
    expect(hosts.filter(isLoopback)).toEqual(['localhost', '127.0.0.9', '[::1]']);
  });
});

describe('TLS of a registry', () => {
  const authority = new CertificateAuthority('fake', Date.now());
  const tls = authority.issue({ commonName: 'registry', usage: 'server', hosts: ['127.0.0.1'] });

  it('needs a known certificate authority', async () => {
    const registry = await started({ tls });
    registry.put('1.0', manifest, mediaTypes.index);
    const failure = {
      code: 'registry-untrusted',
      message: expect.stringMatching(/; pass its certificate authority with --registry-ca FILE/),
    };
    await expect(clientOf(registry.host).manifest('1.0')).rejects.toMatchObject(failure);
    const caFile = join(folder, 'ca.pem');
    await writeFile(caFile, new CertificateAuthority('other', Date.now()).certificatePem);
    await expect(clientOf(registry.host, { caFile }).manifest('1.0')).rejects.toMatchObject(failure);
    await writeFile(caFile, authority.certificatePem);
    expect(await clientOf(registry.host, { caFile }).manifest('1.0')).toEqual(manifest);
  });

  it('is never left by a redirect', async () => {
    const plain = await started();
    const registry = await started({ tls });
    registry.instead = (_request, response) => {
      response.writeHead(307, { location: `http://${plain.host}/` }).end();
      return true;
    };
    const caFile = join(folder, 'ca.pem');
    await writeFile(caFile, authority.certificatePem);
    const failure = { message: expect.stringContaining('a redirect to a host without TLS') };
    await expect(clientOf(registry.host, { caFile }).manifest('1.0')).rejects.toMatchObject(failure);
    expect(plain.lines).toEqual([]);
  });

  it('reports a file without certificates', () => {
    for (const caFile of [join(folder, 'none'), join(import.meta.dirname, 'digest.ts')])
      expect(() => clientOf('localhost', { caFile })).toThrow(
        /^--registry-ca .*; pass a file with certificates as PEM$/,
      );
  });
});
