import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { Agent, type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { connect as secureConnect } from 'node:tls';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { type Logger, type LogKeys, ManualClock, SilentLogger } from '@evenkeel/core';
import type { HttpHandler } from './http-handler.ts';
import { HttpServer, type HttpServerOptions } from './http-server.ts';
import { certificateIn, type ServingCertificate, selfMadeCertificate, type TlsPair } from './serving-certificate.ts';

const never = new AbortController().signal;
const servers: HttpServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(AbortSignal.abort());
});

async function start(handler: HttpHandler, options: Partial<HttpServerOptions> = {}): Promise<HttpServer> {
  const server = new HttpServer({
    name: 'test server',
    flag: '--test-address',
    address: { host: '127.0.0.1', port: 0 },
    handler,
    clock: new ManualClock(),
    logger: new SilentLogger(),
    ...options,
  });
  servers.push(server);
  await server.start(() => undefined);
  return server;
}

const ok: HttpHandler = ({ path, query }) => ({ status: 200, body: `${path} ${query.get('a') ?? ''}` });

function portOf({ address = '' }: HttpServer): number {
  return Number(address.split(':').at(-1));
}

/** The response of a server to these bytes, until it closes the connection. */
async function responseTo(server: HttpServer, bytes: string): Promise<string> {
  return await new Promise((resolve) => {
    let text = '';
    const socket = connect(portOf(server), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('close', () => resolve(text));
    socket.on('error', () => undefined);
  });
}

function begin(server: HttpServer): { request: ClientRequest; answer: Promise<string> } {
  const request = plainRequest({ host: '127.0.0.1', port: portOf(server), path: '/', agent: false });
  const answer = new Promise<string>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response: IncomingMessage) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => resolve(text));
      response.on('error', reject);
    });
  });
  request.end();
  return { request, answer };
}

describe('HttpServer', () => {
  it('passes path and query to its handler, and responds to HEAD without the body', async () => {
    const server = await start(ok);
    expect(await responseTo(server, 'GET /x/y?a=b%20c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /\r\n\r\n\/x\/y b c$/,
    );
    const head = await responseTo(server, 'HEAD /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n.*content-length: 3\r\n/s);
    expect(head).toMatch(/\r\n\r\n$/);
    expect(head).toMatch(/x-content-type-options: nosniff/i);
  });

  it.each([
    ['another method', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc', 405],
    ['a body', 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc', 413],
    ['a body of unknown length', 'GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n', 413],
    ['a head beyond 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
  ])('rejects %s, and closes the connection', async (_what, bytes, status) => {
    let called = 0;
    const server = await start(() => ({ status: 200, body: String(++called) }));
    expect(await responseTo(server, bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(called).toBe(0);
  });

  it('responds with 500 if the handler throws, only logs the reason, and continues', async () => {
    const lines: LogKeys[] = [];
    const logger: Logger = Object.assign(new SilentLogger(), {
      error: (_message: string, keys: LogKeys) => lines.push(keys),
    });
    const server = await start(
      ({ path }) => {
        if (path === '/') throw new Error('the reason');
        return { status: 200, body: 'fine' };
      },
      { logger },
    );
    expect(await begin(server).answer).toBe('internal server error\n');
    expect(lines).toEqual([{ error: new Error('the reason') }]);
    expect(await responseTo(server, 'GET /x HTTP/1.0\r\n\r\n')).toMatch(/fine$/);
  });

  it('reports a port in use in one line with the fix', async () => {
    const first = await start(ok);
    const second = start(ok, { address: { host: '127.0.0.1', port: portOf(first) } });
    await expect(second).rejects.toMatchObject({
      code: 'address-unavailable',
      message: `the test server cannot listen on ${first.address}: another process uses the port, maybe a second operator; pass another address with --test-address, or 0 to disable it`,
    });
  });

  it('sends the current response when it stops, accepts no new connection, and closes idle ones', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const server = await start(async () => {
      started.resolve();
      await promise;
      return { status: 200, body: 'done' };
    });
    const port = portOf(server);
    const idle = responseTo(server, '');
    const { answer } = begin(server);
    await started.promise;
    const stopped = server.stop(never);
    await expect(new Promise((_resolve, reject) => connect(port, '127.0.0.1').on('error', reject))).rejects.toThrow(
      'ECONNREFUSED',
    );
    resolve();
    expect(await answer).toBe('done');
    await stopped;
    expect(await idle).toBe('');
    expect(server.address).toBeUndefined();
  });

  it('closes the remaining connections after the grace period', async () => {
    const started = Promise.withResolvers<void>();
    const server = await start(() => {
      started.resolve();
      return new Promise(() => undefined);
    });
    const { answer } = begin(server);
    const failed = expect(answer).rejects.toThrow('socket hang up');
    await started.promise;
    const abort = new AbortController();
    const stopped = server.stop(abort.signal);
    abort.abort();
    await stopped;
    await failed;
  });

  it('can be stopped before it was started', async () => {
    const server = new HttpServer({
      ...{ name: 'x', flag: '--x', address: { host: '127.0.0.1', port: 0 }, handler: ok },
      ...{ clock: new ManualClock(), logger: new SilentLogger() },
    });
    await server.stop(never);
    expect(server.address).toBeUndefined();
  });
});

/** Sends a POST whose body comes in pieces, and returns the status and the body of the response. */
async function post(
  server: HttpServer,
  pieces: readonly (string | Buffer)[],
  options: { readonly headers?: Record<string, string>; readonly agent?: Agent } = {},
): Promise<{ status: number | undefined; body: string }> {
  return await new Promise((resolve, reject) => {
    const { headers = {}, agent = false } = options;
    const request = plainRequest(
      { host: '127.0.0.1', port: portOf(server), path: '/hook', method: 'POST', headers, agent },
      (response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += String(chunk);
        });
        response.on('end', () => resolve({ status: response.statusCode, body }));
      },
    );
    request.on('error', reject);
    for (const piece of pieces) request.write(piece);
    request.end();
  });
}

describe('HttpServer that accepts bodies', () => {
  const echo: HttpHandler = ({ method, body }) => ({
    status: 200,
    body: `${method} ${Buffer.from(body).toString('utf8')}`,
  });

  it('passes the whole body to its handler, and keeps the connection', async () => {
    const server = await start(echo, { maxBodyBytes: 10 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<unknown>();
    agent.on('free', (socket) => sockets.add(socket));
    try {
      expect(await post(server, ['größe'], { agent })).toEqual({ status: 200, body: 'POST größe' });
      expect(await post(server, ['0123456789'], { agent, headers: { 'content-length': '10' } })).toEqual({
        status: 200,
        body: 'POST 0123456789',
      });
      expect(await post(server, [], { agent })).toEqual({ status: 200, body: 'POST ' });
      expect(sockets.size).toBe(1);
    } finally {
      agent.destroy();
    }
    expect(await responseTo(server, 'DELETE / HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(
      /^HTTP\/1.1 405 .*allow: GET, HEAD, POST/s,
    );
  });

  it.each([
    ['a length', { 'content-length': '8000000' }],
    ['no length', { 'transfer-encoding': 'chunked' }],
  ])('rejects a body that is too large and has %s, and its client can read the response', async (_what, headers) => {
    let called = 0;
    const server = await start(() => ({ status: 200, body: String(++called) }), { maxBodyBytes: 1000 });
    const pieces = Array.from({ length: 8 }, () => Buffer.alloc(1_000_000, 'a'));
    expect(await post(server, pieces, { headers })).toEqual({
      status: 413,
      body: 'the body is larger than 1000 bytes\n',
    });
    expect(called).toBe(0);
  });

  it('responds with 408 if a body takes too long', async () => {
    const clock = new ManualClock();
    const server = await start(echo, { maxBodyBytes: 1000, bodyTimeoutMs: 500, clock });
    const answer = responseTo(server, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
    let isClosed = false;
    void answer.then(() => {
      isClosed = true;
    });
    // The first limit is that of the body, the second that of the rest of it.
    while (!isClosed) {
      await clock.advance(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await answer).toMatch(/^HTTP\/1.1 408 .*connection: close.*the body did not arrive within 500 ms/is);
  });

  it('logs nothing and keeps nothing of a client that disconnects while it sends its body', async () => {
    const lines: string[] = [];
    const logger: Logger = Object.assign(new SilentLogger(), { error: (message: string) => lines.push(message) });
    const server = await start(echo, { maxBodyBytes: 1000, maxConcurrent: 1, logger });
    const socket = connect(portOf(server), '127.0.0.1', () =>
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf', () => socket.destroy()),
    );
    await new Promise((resolve) => socket.on('close', resolve));
    let status: number | undefined;
    while (status !== 200) ({ status } = await post(server, ['next']));
    expect(lines).toEqual([]);
  });
});

describe('HttpServer with limits', () => {
  it('responds with 504 if a handler takes too long, and aborts its signal', async () => {
    const clock = new ManualClock();
    const started = Promise.withResolvers<AbortSignal>();
    const server = await start(
      ({ signal }) => {
        started.resolve(signal);
        return new Promise(() => undefined);
      },
      { responseTimeoutMs: 700, clock },
    );
    const { answer } = begin(server);
    const signal = await started.promise;
    await clock.advance(699);
    expect(signal.aborted).toBe(false);
    await clock.advance(1);
    expect(await answer).toBe('there was no response within 700 ms\n');
    expect(signal.reason).toEqual(new Error('there was no response within 700 ms'));
  });

  it('aborts the signal of a handler whose client has gone', async () => {
    const started = Promise.withResolvers<AbortSignal>();
    const server = await start(({ signal }) => {
      started.resolve(signal);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ status: 200, body: '' })));
    });
    const { request, answer } = begin(server);
    answer.catch(() => undefined);
    const signal = await started.promise;
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
    request.destroy();
    await aborted;
    expect(signal.reason).toEqual(new Error('the client has gone'));
  });

  it('responds with 503 while too many handlers are running, including those that were given up', async () => {
    const clock = new ManualClock();
    const started = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const server = await start(
      async ({ path }) => {
        if (path === '/hook') return { status: 200, body: 'free' };
        started.resolve();
        await end.promise;
        return { status: 200, body: 'slow' };
      },
      { maxConcurrent: 1, maxBodyBytes: 100, clock },
    );
    const { answer } = begin(server);
    await started.promise;
    expect(await post(server, ['x'])).toEqual({ status: 503, body: 'too many requests are in progress\n' });
    await clock.advance(30_000);
    expect(await answer).toBe('there was no response within 30000 ms\n');
    expect((await post(server, ['x'])).status).toBe(503);
    end.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await post(server, ['x'])).toEqual({ status: 200, body: 'free' });
  });

  it('disconnects a client that does not read its response', async () => {
    const clock = new ManualClock();
    const server = await start(() => ({ status: 200, body: 'a'.repeat(50_000_000) }), {
      responseTimeoutMs: 700,
      clock,
    });
    const socket = connect(portOf(server), '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    await new Promise((resolve) => socket.once('readable', resolve));
    await clock.advance(700);
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(received).toBeLessThan(50_000_000);
  });
});

/** The names in the certificate that a server sends, and the negotiated protocol. */
async function shown(server: HttpServer): Promise<{ names: string | undefined; protocol: string | false | null }> {
  return await new Promise((resolve, reject) => {
    const socket = secureConnect(
      { port: portOf(server), host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] },
      () => {
        resolve({ names: socket.getPeerCertificate().subjectaltname, protocol: socket.alpnProtocol });
        socket.destroy();
      },
    );
    socket.on('error', reject);
  });
}

describe('HttpServer over TLS', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-serving-'));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  function pairFor(host: string): TlsPair {
    const { certificatePem, privateKeyPem } = new CertificateAuthority('test', Date.now()).issue({
      commonName: 'x',
      usage: 'server',
      hosts: [host],
    });
    return { cert: certificatePem, key: privateKeyPem };
  }

  async function writePair(directory: string, host: string, part: 'both' | 'certificate' = 'both'): Promise<void> {
    const { cert, key } = pairFor(host);
    await writeFile(join(directory, 'tls.crt'), cert);
    if (part === 'both') await writeFile(join(directory, 'tls.key'), key);
  }

  it('serves HTTP/1.1 with the files of a directory, and with new ones within 10 s, but never with half of a pair', async () => {
    const clock = new ManualClock();
    const warned: string[] = [];
    const logger: Logger = Object.assign(new SilentLogger(), {
      warn: (_message: string, { error }: { error: Error }) => warned.push(error.message),
    });
    await writePair(folder, 'one.example.com');
    const server = await start(ok, { certificate: certificateIn(folder), clock, logger });
    expect(await shown(server)).toEqual({ names: 'DNS:one.example.com', protocol: 'http/1.1' });
    const namesAfter = async (isNew: (names: string | undefined) => boolean): Promise<string | undefined> => {
      for (let tries = 0; ; tries++) {
        await clock.advance(10_000);
        // The injected clock does not control the threads that read files.
        await new Promise((resolve) => setTimeout(resolve, 10));
        const { names } = await shown(server);
        if (isNew(names) || tries === 100) return names;
      }
    };
    await writePair(folder, 'half.example.com', 'certificate');
    expect(await namesAfter(() => warned.length > 0)).toBe('DNS:one.example.com');
    await namesAfter(() => true);
    expect(warned).toEqual([expect.stringContaining('tls.key is not the key of tls.crt')]);
    await writePair(folder, 'two.example.com');
    expect(await namesAfter((names) => names !== 'DNS:one.example.com')).toBe('DNS:two.example.com');
  });

  it('serves the files of a mounted Secret at once when the kubelet has swapped them', async () => {
    const mount = await mkdtemp(join(folder, 'mount-'));
    const swapIn = async (host: string): Promise<void> => {
      const version = await mkdtemp(join(mount, '..version-'));
      await writePair(version, host);
      await symlink(basename(version), join(mount, '..data_tmp'));
      await rename(join(mount, '..data_tmp'), join(mount, '..data'));
    };
    await swapIn('one.example.com');
    for (const file of ['tls.crt', 'tls.key']) await symlink(join('..data', file), join(mount, file));
    const warned: string[] = [];
    const swapped: (() => void)[] = [];
    const logger: Logger = Object.assign(new SilentLogger(), {
      warn: (message: string) => warned.push(message),
      info: (message: string) => (message.includes('uses a new certificate') ? swapped.shift()?.() : undefined),
    });
    // The clock stands still, so that the server never looks by itself.
    const server = await start(ok, { certificate: certificateIn(mount), logger });
    for (const host of ['two.example.com', 'three.example.com']) {
      const isSwapped = new Promise<void>((resolve) => swapped.push(resolve));
      await swapIn(host);
      await isSwapped;
      expect((await shown(server)).names).toBe(`DNS:${host}`);
    }
    expect(warned).toEqual([]);
  });

  it('serves the files of another directory of the same name within 10 s', async () => {
    const clock = new ManualClock();
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    await mkdir(first);
    await mkdir(second);
    await writePair(first, 'one.example.com');
    await writePair(second, 'two.example.com');
    await symlink('first', join(folder, 'current'));
    const swapped = Promise.withResolvers<void>();
    const logger: Logger = Object.assign(new SilentLogger(), {
      info: (message: string) => (message.includes('uses a new certificate') ? swapped.resolve() : undefined),
    });
    const server = await start(ok, { certificate: certificateIn(join(folder, 'current')), clock, logger });
    await symlink('second', join(folder, 'next'));
    await rename(join(folder, 'next'), join(folder, 'current'));
    expect((await shown(server)).names).toBe('DNS:one.example.com');
    await clock.advance(10_000);
    await swapped.promise;
    expect((await shown(server)).names).toBe('DNS:two.example.com');
  });

  it('asks the source of its certificate at once when it reports a change, and never after its stop', async () => {
    const pairs = ['one.example.com', 'two.example.com'].map(pairFor);
    const listeners = new Set<() => void>();
    const swapped = Promise.withResolvers<void>();
    let asked = 0;
    const certificate: ServingCertificate = {
      current: async () => pairs[asked++ === 0 ? 0 : 1] as TlsPair,
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const logger: Logger = Object.assign(new SilentLogger(), {
      info: (message: string) => (message.includes('uses a new certificate') ? swapped.resolve() : undefined),
    });
    const server = await start(ok, { certificate, logger });
    expect((await shown(server)).names).toBe('DNS:one.example.com');
    for (const listener of listeners) listener();
    await swapped.promise;
    expect((await shown(server)).names).toBe('DNS:two.example.com');
    await server.stop(never);
    expect(listeners.size).toBe(0);
  });

  it.each([
    ['no files', async () => undefined, /tls\.crt: ENOENT/],
    ['a file that is not PEM', async (at: string) => writeFile(join(at, 'tls.crt'), 'x'), /tls\.key: ENOENT/],
    [
      'files that are not PEM',
      async (at: string) => {
        await writeFile(join(at, 'tls.crt'), 'x');
        await writeFile(join(at, 'tls.key'), 'x');
      },
      /PEM|no start line/i,
    ],
  ])('does not start with a directory of %s', async (_what, fill, message) => {
    const at = await mkdtemp(join(folder, 'bad-'));
    await fill(at);
    await expect(start(ok, { certificate: certificateIn(at) })).rejects.toMatchObject({
      code: 'certificate-unusable',
      message: expect.stringMatching(message),
    });
  });

  it('sends the current response when it stops, and does not wait for a handshake', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const server = await start(
      async () => {
        started.resolve();
        await promise;
        return { status: 200, body: 'done' };
      },
      { certificate: selfMadeCertificate(new ManualClock()) },
    );
    const silent = responseTo(server, '');
    const answer = new Promise<string>((settle) => {
      let text = '';
      const socket = secureConnect({ port: portOf(server), host: '127.0.0.1', rejectUnauthorized: false }, () =>
        socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
      );
      socket.on('data', (chunk) => {
        text += String(chunk);
      });
      socket.on('close', () => settle(text));
    });
    await started.promise;
    const stopped = server.stop(never);
    expect(await silent).toBe('');
    resolve();
    expect(await answer).toMatch(/done$/);
    await stopped;
  });

  it('creates its own certificate, and a new one within a year', async () => {
    const clock = new ManualClock();
    const certificate = selfMadeCertificate(clock);
    const first = await certificate.current();
    expect(await certificate.current()).toBe(first);
    await clock.advance(299 * 24 * 3_600_000);
    expect(await certificate.current()).toBe(first);
    await clock.advance(24 * 3_600_000);
    expect((await certificate.current()).cert).not.toBe(first.cert);
    const server = await start(ok, { certificate });
    expect((await shown(server)).names).toMatch(/DNS:localhost/);
  });
});
