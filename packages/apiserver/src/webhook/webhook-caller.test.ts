import type { RequestListener } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { ManualClock, SystemClock, SystemRandom } from '@evenkeel/core';
import type { ApiObject } from '../kind/api-object.ts';
import { ObjectStore } from '../store/object-store.ts';
import { StoredServices } from './stored-services.ts';
import { WebhookCallError } from './webhook-call-error.ts';
import { WebhookCaller } from './webhook-caller.ts';
import type { ClientConfig } from './webhook-target.ts';

const authority = new CertificateAuthority('webhooks', Date.now());
const caBundle = Buffer.from(authority.certificatePem).toString('base64');
const store = new ObjectStore();
const services = new StoredServices(store, new SystemRandom());
const caller = new WebhookCaller({ clock: new SystemClock(), services });
const opened: { close(): unknown; closeAllConnections(): void }[] = [];

afterEach(() => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(() => caller.close());

function serverOptions(hosts: readonly string[], signer = authority): ServerOptions {
  const { certificatePem, privateKeyPem } = signer.issue({ commonName: 'hook', usage: 'server', hosts });
  return { cert: certificatePem, key: privateKeyPem };
}

async function listen(listener: RequestListener, options = serverOptions(['127.0.0.1'])): Promise<number> {
  const server: Server = createServer(options, listener);
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const respond =
  (
    body: string,
    status = 200,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): RequestListener =>
  (request, response) => {
    request.resume().once('end', () => response.writeHead(status, headers).end(body));
  };

async function messageOf(config: ClientConfig, timeoutSeconds?: number): Promise<string> {
  try {
    await caller.call(config, { body: '{}', ...(timeoutSeconds !== undefined && { timeoutSeconds }) });
  } catch (error) {
    expect(error).toBeInstanceOf(WebhookCallError);
    return (error as Error).message;
  }
  return 'no error';
}

describe('WebhookCaller over HTTPS', () => {
  it('posts the review as JSON with the timeout, and returns the response', async () => {
    const seen: unknown[] = [];
    const port = await listen((request, response) => {
      const { method, url, headers } = request;
      const { host: _, connection: __, ...others } = headers;
      request.on('data', (data: Buffer) => seen.push({ method, url, headers: others, body: data.toString() }));
      request.on('end', () => response.end('{"kind":"Review"}'));
    });
    const call = { body: '{"a":"ä"}', timeoutSeconds: 7 };
    expect(await caller.call({ url: `https://127.0.0.1:${port}/convert/`, caBundle }, call)).toEqual({
      kind: 'Review',
    });
    expect(seen).toEqual([
      {
        method: 'POST',
        url: '/convert?timeout=7s',
        headers: {
          accept: 'application/json, */*',
          'accept-encoding': 'gzip',
          'content-type': 'application/json',
          'content-length': '10',
          'user-agent': 'kube-apiserver-admission',
        },
        body: '{"a":"ä"}',
      },
    ]);
  });

  it('keeps connections, and does not repeat a call whose kept connection is lost', async () => {
    const ports: (number | undefined)[] = [];
    const port = await listen((request, response) => {
      ports.push(request.socket.remotePort);
      if (ports.length === 3) request.socket.destroy();
      else respond('{}')(request, response);
    });
    const config = { url: `https://127.0.0.1:${port}`, caBundle };
    await caller.call(config, { body: '{}' });
    await caller.call(config, { body: '{}' });
    expect(new Set(ports).size).toBe(1);
    expect(await messageOf(config, 5)).toBe(`Post "https://127.0.0.1:${port}/?timeout=5s": EOF`);
    expect(ports).toHaveLength(3);
    await caller.call(config, { body: '{}' });
    expect(new Set(ports).size).toBe(2);
  });

  it('reads compressed responses', async () => {
    const gzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const port = await listen((request, response) => {
      request.resume().once('end', () => response.writeHead(200, gzip).end(gzipSync('{"kind":"Review"}')));
    });
    const config = { url: `https://127.0.0.1:${port}`, caBundle };
    expect(await caller.call(config, { body: '{}' })).toEqual({ kind: 'Review' });
  });

  it('follows redirects with the body, and only ten of them', async () => {
    const seen: string[] = [];
    const port = await listen((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      const location = request.url?.startsWith('/ever') ? '/ever' : '/there';
      if (request.url === '/there') respond('{"kind":"Review"}')(request, response);
      else respond('', 307, { location })(request, response);
    });
    const config = (path: string): ClientConfig => ({ url: `https://127.0.0.1:${port}/${path}`, caBundle });
    expect(await caller.call(config('here'), { body: '{}', timeoutSeconds: 5 })).toEqual({ kind: 'Review' });
    expect(seen.splice(0)).toEqual(['POST /here?timeout=5s', 'POST /there']);
    expect(await messageOf(config('ever'), 5)).toBe('Post "/ever": stopped after 10 redirects');
    expect(seen).toHaveLength(10);
  });

  it('replaces a kept connection that the server has closed before anything is sent', async () => {
    const ports = new Set<number | undefined>();
    const server = createServer(serverOptions(['127.0.0.1']), (request, response) => {
      ports.add(request.socket.remotePort);
      respond('{}')(request, response);
    });
    opened.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const config = { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, caBundle };
    for (let call = 1; call <= 20; call++) {
      await caller.call(config, { body: '{}' });
      expect(ports.size).toBe(call);
      // The caller cannot have seen that when it takes the connection for the next call.
      server.closeIdleConnections();
    }
  });

  it.each<[string, { caBundle?: string; hosts?: string[] }, string]>([
    ['an unknown authority', { caBundle: '' }, 'certificate signed by unknown authority'],
    [
      'an address that the certificate lacks',
      { hosts: ['10.0.0.1'] },
      'certificate is valid for 10.0.0.1, not 127.0.0.1',
    ],
    [
      'a certificate without addresses',
      { hosts: ['a.example'] },
      "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
    ],
    [
      'another authority of the same name',
      { caBundle: Buffer.from(new CertificateAuthority('webhooks', Date.now()).certificatePem).toString('base64') },
      'certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "webhooks")',
    ],
  ])('rejects %s, and sends nothing', async (_, { caBundle: bundle = caBundle, hosts = ['127.0.0.1'] }, why) => {
    let calls = 0;
    const port = await listen(() => {
      calls++;
    }, serverOptions(hosts));
    const url = `https://127.0.0.1:${port}`;
    expect(await messageOf({ url, caBundle: bundle })).toBe(
      `Post "${url}/?timeout=30s": tls: failed to verify certificate: x509: ${why}`,
    );
    expect(calls).toBe(0);
  });

  it('rejects a valid certificate of an expired authority', async () => {
    const yearMs = 365 * 24 * 3_600_000;
    const expired = new CertificateAuthority('expired', Date.parse('2028-06-01T00:00:00Z'), yearMs);
    const signer = new CertificateAuthority('expired', Date.parse('2029-01-01T00:00:00Z'), yearMs, {
      certificatePem: expired.certificatePem,
      privateKeyPem: expired.privateKeyPem,
    });
    const port = await listen(respond('{}'), serverOptions(['127.0.0.1'], signer));
    const config = {
      url: `https://127.0.0.1:${port}`,
      caBundle: Buffer.from(expired.certificatePem).toString('base64'),
    };
    const later = new WebhookCaller({ clock: new ManualClock(new Date('2029-09-01T00:00:00Z')), services });
    await expect(later.call(config, { body: '{}' })).rejects.toThrow(
      'x509: certificate has expired or is not yet valid: current time 2029-09-01T00:00:00Z is after 2029-06-01T00:00:00Z',
    );
    later.close();
  });

  it.each([
    ['after', Date.parse('2031-01-01T00:00:00Z'), Date.parse('2029-06-01T00:00:00Z'), '2030-06-01T00:00:00Z'],
    ['before', Date.parse('2029-01-01T00:00:00Z'), Date.parse('2029-06-01T00:05:00Z'), '2029-06-01T00:00:00Z'],
  ])("uses the server's clock to reject a call %s the certificate's validity", async (relation, now, issued, limit) => {
    const signer = new CertificateAuthority('future', issued);
    const port = await listen(respond('{}'), serverOptions(['127.0.0.1'], signer));
    const config = {
      url: `https://127.0.0.1:${port}`,
      caBundle: Buffer.from(signer.certificatePem).toString('base64'),
    };
    const clock = new ManualClock(new Date(now));
    const other = new WebhookCaller({ clock, services });
    const current = rfc3339Of(now);
    await expect(other.call(config, { body: '{}' })).rejects.toThrow(
      `x509: certificate has expired or is not yet valid: current time ${current} is ${relation} ${limit}`,
    );
    other.close();
    const then = new WebhookCaller({ clock: new ManualClock(new Date(issued + 60_000)), services });
    expect(await then.call(config, { body: '{}' })).toEqual({});
    const untrusted = { ...config, caBundle };
    await expect(then.call(untrusted, { body: '{}' })).rejects.toThrow('certificate signed by unknown authority');
    then.close();
  });

  it.each([
    ['500', 'text/plain', 'broken\n', 'an error on the server ("broken") has prevented the request from succeeding'],
    ['500', 'application/json', '{}', 'an error on the server ("unknown") has prevented the request from succeeding'],
    ['500', 'application/json', '{"kind":"Status","status":"Failure","message":"no"}', 'no'],
    ['404', 'text/plain', '', 'the server could not find the requested resource'],
    ['418', 'text/plain', '', 'the server responded with the status code 418 but did not return more information'],
    ['403', 'text/plain', 'go away', 'go away'],
    ['200', 'application/json', '', '0-length response with status code: 200 and content type: application/json'],
  ])('reports a response %s of %s %j', async (status, type, body, message) => {
    const port = await listen(respond(body, Number(status), { 'content-type': type }));
    expect(await messageOf({ url: `https://127.0.0.1:${port}`, caBundle })).toBe(message);
  });

  it('repeats a call whose response asks for it', async () => {
    let calls = 0;
    const port = await listen((request, response) => {
      calls++;
      respond('{}', calls < 3 ? 503 : 200, { 'retry-after': '0' })(request, response);
    });
    expect(await caller.call({ url: `https://127.0.0.1:${port}`, caBundle }, { body: '{}' })).toEqual({});
    expect(calls).toBe(3);
  });

  it('reports a refused, a lost and a plain connection', async () => {
    const plain = createHttpServer(respond('{}'));
    opened.push(plain);
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const plainUrl = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
    expect(await messageOf({ url: plainUrl, caBundle })).toBe(
      `Post "${plainUrl}/?timeout=30s": http: server gave HTTP response to HTTPS client`,
    );
    const port = await listen((request) => request.socket.destroy());
    const url = `https://127.0.0.1:${port}`;
    expect(await messageOf({ url, caBundle })).toBe(`Post "${url}/?timeout=30s": EOF`);
    expect(await messageOf({ url: 'https://127.0.0.1:1/x', caBundle })).toBe(
      'Post "https://127.0.0.1:1/x?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused',
    );
    const halfPort = await listen((request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('{', () => request.socket.destroy());
    });
    expect(await messageOf({ url: `https://127.0.0.1:${halfPort}`, caBundle })).toBe(
      'unexpected error when reading response body. Please retry. Original error: unexpected EOF',
    );
    expect(await messageOf({})).toBe('webhook configuration must have either service or URL');
  });

  it('ends a call at its timeout', async () => {
    const clock = new ManualClock();
    const other = new WebhookCaller({ clock, services });
    const arrived = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const port = await listen(
      (request) => {
        request.socket.once('close', () => left.resolve());
        arrived.resolve();
      },
      serverOptions(['127.0.0.1'], new CertificateAuthority('webhooks', clock.now())),
    );
    expect(port).toBeGreaterThan(0);
    const registered = other.register('https://hook.test/slow', ({ signal }) => {
      signal.addEventListener('abort', () => left.resolve());
      arrived.resolve();
      return new Promise(() => undefined);
    });
    const call = other.call({ url: 'https://hook.test/slow' }, { body: '{}', timeoutSeconds: 3 });
    await arrived.promise;
    clock.advance(3000);
    await expect(call).rejects.toThrow('Post "https://hook.test/slow?timeout=3s": context deadline exceeded');
    await left.promise;
    registered();
    other.close();
  });
});

describe('WebhookCaller with a Service', () => {
  function put(resource: string, name: string, object: object): void {
    const metadata = { name, namespace: 'shop', labels: { 'kubernetes.io/service-name': 'hook' } };
    store.put(resource, 'shop', name, { metadata, ...object } as unknown as ApiObject);
  }
  const config = (port?: number): ClientConfig => ({
    service: { namespace: 'shop', name: 'hook', path: '/convert', ...(port !== undefined && { port }) },
    caBundle,
  });
  const failed = (why: string, port = 443): string =>
    `Post "https://hook.shop.svc:${port}/convert?timeout=30s": ${why}`;

  it('calls a ready endpoint by the name of the Service', async () => {
    expect(await messageOf(config())).toBe(failed('service "hook" not found'));
    put('/services', 'hook', { spec: { type: 'ClusterIP', ports: [{ name: 'https', port: 443 }] } });
    expect(await messageOf(config())).toBe(failed('no endpoints available for service "hook"'));
    expect(await messageOf(config(8443))).toBe(failed('no service port 8443 found for service "hook"', 8443));
    const port = await listen(respond('{"ok":true}'), serverOptions(['hook.shop.svc']));
    const endpoints = [
      { addresses: ['192.0.2.1'], conditions: { ready: false } },
      { addresses: ['127.0.0.1'], conditions: { ready: true } },
    ];
    put('discovery.k8s.io/endpointslices', 'hook-1', { endpoints, ports: [{ name: 'https', port }] });
    expect(await caller.call(config(), { body: '{}' })).toEqual({ ok: true });
  });
});

describe('WebhookCaller.register()', () => {
  it('calls a function in place of a URL or a Service', async () => {
    const url = 'https://hook.shop.svc:443/in-process';
    const end = caller.register(url, async ({ body, url: called }) => ({
      status: 200,
      body: Buffer.from(JSON.stringify({ called, got: JSON.parse(Buffer.from(body).toString()) })),
    }));
    const config = { service: { namespace: 'shop', name: 'hook', path: '/in-process' } };
    expect(await caller.call(config, { body: '[1]' })).toEqual({ called: `${url}?timeout=30s`, got: [1] });
    end();
    expect(await messageOf(config)).not.toBe('no error');
  });

  it('reports an exception as a lost connection', async () => {
    const end = caller.register('https://hook.test/throws', async () => {
      throw new Error('a secret');
    });
    expect(await messageOf({ url: 'https://hook.test/throws' })).toBe(
      'Post "https://hook.test/throws?timeout=30s": EOF',
    );
    end();
  });
});

function rfc3339Of(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}
