import { Agent, request } from 'node:https';
import { connect } from 'node:tls';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { ManualClock, SilentLogger, SystemClock, type WebhookAnswer } from '@evenkeel/core';
import type { WebhookRoute } from './webhook-route.ts';
import { WebhookRouter } from './webhook-router.ts';
import { WebhookServer, type WebhookServerParts } from './webhook-server.ts';

const never = new AbortController().signal;
const servers: WebhookServer[] = [];
const authority = new CertificateAuthority('webhook-test', Date.now());
const issued = authority.issue({ commonName: 'webhook', usage: 'server', hosts: ['127.0.0.1'] });
const certificate = { current: async () => ({ cert: issued.certificatePem, key: issued.privateKeyPem }) };

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(AbortSignal.abort());
});

class EchoRoute implements WebhookRoute {
  readonly path = '/echo';
  readonly maxBodyBytes = 1000;
  readonly defaultTimeoutMs = 10_000;
  before: Promise<void> = Promise.resolve();
  handled = 0;

  async handle({ body, contentType }: { body: Uint8Array; contentType: string | undefined }): Promise<WebhookAnswer> {
    this.handled++;
    await this.before;
    return { status: 200, body: `${contentType} ${body.length}`, contentType: 'text/plain' };
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function start(given: Partial<WebhookServerParts> = {}) {
  const route = new EchoRoute();
  const clock = given.clock ?? new SystemClock();
  const logger = new SilentLogger();
  const server = new WebhookServer({
    address: { host: '127.0.0.1', port: 0 },
    ...{ certificate, clientCa: undefined, maxBytesInFlight: 10_000, stopDelayMs: 0, clock, logger },
    router: new WebhookRouter({ routes: [route], maxConcurrent: 4, clock, logger }),
    ...given,
  });
  servers.push(server);
  expect(server.problem).toBe('the webhook server does not listen yet');
  await server.start(() => undefined);
  expect(server.problem).toBeUndefined();
  const port = Number(server.address?.split(':').at(-1));
  return { route, server, port, post: (body: string, path = '/echo', options = {}) => post(port, path, body, options) };
}

function post(port: number, path: string, body: string, options: object): Promise<{ status?: number; text: string }> {
  const agent = new Agent({ keepAlive: false });
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, path, method: 'POST', ca: authority.certificatePem, agent },
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        ...options,
      },
      async (response) => {
        let text = '';
        for await (const piece of response) text += String(piece);
        resolve({ ...(response.statusCode === undefined ? {} : { status: response.statusCode }), text });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('WebhookServer', () => {
  it('passes POSTs to the routes, within the size of each path', async () => {
    const { post } = await start();
    expect(await post('{}')).toEqual({ status: 200, text: 'application/json 2' });
    expect((await post('{}', '/other')).status).toBe(404);
    expect((await post('x'.repeat(1001))).status).toBe(413);
    expect((await post('', '/echo', { method: 'GET' })).status).toBe(405);
  });

  it('speaks only TLS 1.2 and later, with suites that authenticate, and only HTTP/1.1', async () => {
    const { port } = await start();
    const connected = (options: object) =>
      new Promise<string>((resolve) => {
        const socket = connect({ host: '127.0.0.1', port, ca: authority.certificatePem, ...options }, () => {
          resolve(`${socket.getProtocol()} ${socket.getCipher().name} ${String(socket.alpnProtocol)}`);
          socket.destroy();
        });
        socket.on('error', () => resolve('refused'));
      });
    expect(await connected({ maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' })).toBe('refused');
    expect(await connected({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' })).toBe('refused');
    expect(await connected({ maxVersion: 'TLSv1.2' })).toMatch(/^TLSv1\.2 ECDHE-ECDSA-AES\d+-GCM-SHA\d+ /);
    expect(await connected({ ALPNProtocols: ['h2', 'http/1.1'] })).toMatch(/^TLSv1\.3 \S+ http\/1\.1$/);
    expect(await connected({ ALPNProtocols: ['h2'] })).toBe('refused');
  });

  it('refuses clients without a certificate of the given authority', async () => {
    const clients = new CertificateAuthority('clients', Date.now());
    const { post } = await start({ clientCa: clients.certificatePem });
    const withCertificateOf = (signer: CertificateAuthority) => {
      const client = signer.issue({ commonName: 'kube-apiserver', usage: 'client' });
      return { cert: client.certificatePem, key: client.privateKeyPem };
    };
    expect((await post('{}', '/echo', withCertificateOf(clients))).status).toBe(200);
    await expect(post('{}')).rejects.toThrow();
    await expect(post('{}', '/echo', withCertificateOf(authority))).rejects.toThrow();
  });

  it('lets requests wait whose bodies do not fit into the memory for all of them', async () => {
    const { route, post } = await start({ maxBytesInFlight: 1500 });
    const gate = Promise.withResolvers<void>();
    route.before = gate.promise;
    const first = post('x'.repeat(1000));
    while (route.handled === 0) await turn();
    const second = post('x'.repeat(900));
    for (let turns = 0; turns < 50; turns++) await turn();
    expect(route.handled).toBe(1);
    gate.resolve();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    expect(route.handled).toBe(2);
  });

  it('goes on accepting calls for the delay after the stop has begun, and finishes the calls in progress', async () => {
    const clock = new ManualClock();
    const { route, server, post } = await start({ clock, stopDelayMs: 5000 });
    server.stopping();
    await clock.advance(2000);
    const gate = Promise.withResolvers<void>();
    route.before = gate.promise;
    let isStopped = false;
    const stopped = server.stop(never).then(() => {
      isStopped = true;
    });
    const late = post('{}');
    while (route.handled === 0) await turn();
    await clock.advance(2999);
    expect(isStopped).toBe(false);
    await clock.advance(1);
    gate.resolve();
    expect((await late).status).toBe(200);
    await stopped;
    await expect(post('{}')).rejects.toThrow('ECONNREFUSED');
  });

  it('does not wait for the delay if the manager is aborted', async () => {
    const clock = new ManualClock();
    const { server } = await start({ clock, stopDelayMs: 5000 });
    await server.stop(AbortSignal.abort());
    expect(clock.monotonic()).toBe(0);
  });
});
