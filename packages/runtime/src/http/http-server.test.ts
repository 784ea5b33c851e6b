import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as secureConnect } from 'node:tls';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { type Logger, type LogKeys, ManualClock, SilentLogger } from '@evenkeel/core';
import type { HttpHandler } from './http-handler.ts';
import { HttpServer, type HttpServerOptions } from './http-server.ts';
import { certificateIn, selfMadeCertificate } from './serving-certificate.ts';

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

/** What a server says to these bytes, until it closes the connection. */
async function said(server: HttpServer, bytes: string): Promise<string> {
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
  it('hands path and query to its handler, and answers HEAD without the body', async () => {
    const server = await start(ok);
    expect(await said(server, 'GET /x/y?a=b%20c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /\r\n\r\n\/x\/y b c$/,
    );
    const head = await said(server, 'HEAD /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n.*content-length: 3\r\n/s);
    expect(head).toMatch(/\r\n\r\n$/);
    expect(head).toMatch(/x-content-type-options: nosniff/i);
  });

  it.each([
    ['another method', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc', 405],
    ['a body', 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc', 413],
    ['a body of unknown length', 'GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n', 413],
    ['a head beyond 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
    ['what is no HTTP', 'hello\r\n\r\n', 400],
  ])('refuses %s, and closes the connection', async (_what, bytes, status) => {
    let called = 0;
    const server = await start(() => ({ status: 200, body: String(++called) }));
    expect(await said(server, bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(called).toBe(0);
  });

  it('answers 500 where the handler throws, says why in the log alone, and goes on', async () => {
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
    expect(await said(server, 'GET /x HTTP/1.0\r\n\r\n')).toMatch(/fine$/);
  });

  it('says in one line what to do where another has the port', async () => {
    const first = await start(ok);
    const second = start(ok, { address: { host: '127.0.0.1', port: portOf(first) } });
    await expect(second).rejects.toMatchObject({
      code: 'address-unavailable',
      message: `the test server cannot listen on ${first.address}: another process listens there, maybe a second operator; give another by --test-address, or 0 for none`,
    });
  });

  it('lets an answer in the making go out when it stops, takes no new connection, and leaves no idle one open', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const server = await start(async () => {
      begun.resolve();
      await promise;
      return { status: 200, body: 'done' };
    });
    const port = portOf(server);
    const idle = said(server, '');
    const { answer } = begin(server);
    await begun.promise;
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

  it('breaks off what is left when the grace period is over', async () => {
    const begun = Promise.withResolvers<void>();
    const server = await start(() => {
      begun.resolve();
      return new Promise(() => undefined);
    });
    const { answer } = begin(server);
    const failed = expect(answer).rejects.toThrow('socket hang up');
    await begun.promise;
    const abort = new AbortController();
    const stopped = server.stop(abort.signal);
    abort.abort();
    await stopped;
    await failed;
  });

  it('may be stopped before it was started', async () => {
    const server = new HttpServer({
      ...{ name: 'x', flag: '--x', address: { host: '127.0.0.1', port: 0 }, handler: ok },
      ...{ clock: new ManualClock(), logger: new SilentLogger() },
    });
    await server.stop(never);
    expect(server.address).toBeUndefined();
  });
});

/** Sends a POST whose body comes in pieces, and gives the status and the body of the response. */
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
    expect(await said(server, 'DELETE / HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(
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
    const answer = said(server, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
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
    const begun = Promise.withResolvers<AbortSignal>();
    const server = await start(
      ({ signal }) => {
        begun.resolve(signal);
        return new Promise(() => undefined);
      },
      { responseTimeoutMs: 700, clock },
    );
    const { answer } = begin(server);
    const signal = await begun.promise;
    await clock.advance(699);
    expect(signal.aborted).toBe(false);
    await clock.advance(1);
    expect(await answer).toBe('there was no response within 700 ms\n');
    expect(signal.reason).toEqual(new Error('there was no response within 700 ms'));
  });

  it('aborts the signal of a handler whose client has gone', async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const server = await start(({ signal }) => {
      begun.resolve(signal);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ status: 200, body: '' })));
    });
    const { request, answer } = begin(server);
    answer.catch(() => undefined);
    const signal = await begun.promise;
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
    request.destroy();
    await aborted;
    expect(signal.reason).toEqual(new Error('the client has gone'));
  });

  it('responds with 503 while too many handlers are running, including those that were given up', async () => {
    const clock = new ManualClock();
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const server = await start(
      async ({ path }) => {
        if (path === '/hook') return { status: 200, body: 'free' };
        begun.resolve();
        await end.promise;
        return { status: 200, body: 'slow' };
      },
      { maxConcurrent: 1, maxBodyBytes: 100, clock },
    );
    const { answer } = begin(server);
    await begun.promise;
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

/** The names for which the certificate was made that a server shows, and which protocol was agreed on. */
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

  async function write(host: string, part: 'both' | 'certificate' = 'both'): Promise<void> {
    const issued = new CertificateAuthority('test', Date.now()).issue({
      commonName: 'x',
      usage: 'server',
      hosts: [host],
    });
    await writeFile(join(folder, 'tls.crt'), issued.certificatePem);
    if (part === 'both') await writeFile(join(folder, 'tls.key'), issued.privateKeyPem);
  }

  it('serves HTTP/1.1 with the files of a directory, and with new ones within 10 s, but never with half of a pair', async () => {
    const clock = new ManualClock();
    const warned: string[] = [];
    const logger: Logger = Object.assign(new SilentLogger(), {
      warn: (_message: string, { error }: { error: Error }) => warned.push(error.message),
    });
    await write('one.example.com');
    const server = await start(ok, { certificate: certificateIn(folder), clock, logger });
    expect(await shown(server)).toEqual({ names: 'DNS:one.example.com', protocol: 'http/1.1' });
    const namesAfter = async (isNew: (names: string | undefined) => boolean): Promise<string | undefined> => {
      for (let tries = 0; ; tries++) {
        await clock.advance(10_000);
        // Files are read on threads, of which the clock knows nothing.
        await new Promise((resolve) => setTimeout(resolve, 10));
        const { names } = await shown(server);
        if (isNew(names) || tries === 100) return names;
      }
    };
    await write('half.example.com', 'certificate');
    expect(await namesAfter(() => warned.length > 0)).toBe('DNS:one.example.com');
    await namesAfter(() => true);
    expect(warned).toEqual([expect.stringContaining('tls.key is not the key of tls.crt')]);
    await write('two.example.com');
    expect(await namesAfter((names) => names !== 'DNS:one.example.com')).toBe('DNS:two.example.com');
  });

  it.each([
    ['no files', async () => undefined, /tls\.crt: ENOENT/],
    ['a file that is no PEM', async (at: string) => writeFile(join(at, 'tls.crt'), 'x'), /tls\.key: ENOENT/],
    [
      'files that are no PEM',
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

  it('lets an answer in the making go out when it stops, and waits for no handshake', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const server = await start(
      async () => {
        begun.resolve();
        await promise;
        return { status: 200, body: 'done' };
      },
      { certificate: selfMadeCertificate(new ManualClock()) },
    );
    const silent = said(server, '');
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
    await begun.promise;
    const stopped = server.stop(never);
    expect(await silent).toBe('');
    resolve();
    expect(await answer).toMatch(/done$/);
    await stopped;
  });

  it('makes a certificate of its own, and another before a year is over', async () => {
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
