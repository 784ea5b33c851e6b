import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { requestBytesMax } from '@evenkeel/apimachinery/limits';
import type { IncomingRequest, OutgoingResponse } from '../request/request-handler.ts';
import { HttpsListener } from './https-listener.ts';
import { writeKubeconfig } from './kubeconfig.ts';

const authority = new CertificateAuthority('test', Date.now());
const client = authority.issue({ commonName: 'ann', organizations: ['team', 'more'], usage: 'client' });

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

function send(url: string, options: { method?: string; body?: Uint8Array; cert?: boolean; agent?: Agent } = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: options.method ?? 'GET',
        ca: authority.certificatePem,
        ...(options.cert === true ? { cert: client.certificatePem, key: client.privateKeyPem } : {}),
        agent: options.agent ?? false,
      },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }));
        incoming.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(options.body);
  });
}

async function withListener(
  handler: (request: IncomingRequest) => Promise<OutgoingResponse>,
  run: (listener: HttpsListener) => Promise<void>,
): Promise<void> {
  const listener = await HttpsListener.open(authority, handler);
  try {
    await run(listener);
  } finally {
    await listener.close();
  }
}

const tooLarge: OutgoingResponse = { status: 413, headers: {}, body: Buffer.from('too large\n') };

async function echo({ method, url, receive, clientCertificate }: IncomingRequest): Promise<OutgoingResponse> {
  const body = await receive();
  if (body === undefined) return tooLarge;
  return {
    status: 200,
    headers: { 'content-type': 'application/json', warning: ['299 - "one"', '299 - "two"'] },
    body: Buffer.from(JSON.stringify({ method, url, length: body.length, clientCertificate })),
  };
}

describe('HttpsListener', () => {
  it('passes on method, path, body and the client certificate', async () => {
    await withListener(echo, async ({ url }) => {
      const answer = await send(`${url}/api/v1/pods?limit=1`, {
        method: 'POST',
        body: Buffer.alloc(70_000),
        cert: true,
      });
      expect(JSON.parse(answer.text)).toEqual({
        method: 'POST',
        url: '/api/v1/pods?limit=1',
        length: 70_000,
        clientCertificate: {
          commonName: 'ann',
          organizations: ['team', 'more'],
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      });
      expect(answer.headers['warning']).toBe('299 - "one", 299 - "two"');
      expect(JSON.parse((await send(url)).text).clientCertificate).toBeUndefined();
    });
  });

  it('ignores a client certificate of another authority', async () => {
    const stranger = new CertificateAuthority('stranger', Date.now()).issue({ commonName: 'root', usage: 'client' });
    await withListener(echo, async ({ url }) => {
      const agent = new Agent({
        ca: authority.certificatePem,
        cert: stranger.certificatePem,
        key: stranger.privateKeyPem,
      });
      expect(JSON.parse((await send(url, { agent })).text).clientCertificate).toBeUndefined();
      agent.destroy();
    });
  });

  it('rejects a body beyond the limit, with or without a content length', async () => {
    await withListener(echo, async ({ url }) => {
      const answer = await send(url, { method: 'POST', body: Buffer.alloc(requestBytesMax + 1) });
      expect([answer.status, answer.text]).toEqual([413, 'too large\n']);
    });
  });

  it.each(['content-length: 20000000', 'transfer-encoding: chunked'])(
    'returns the error to a client that continues to send, and continues to read: %s',
    async (framing) => {
      await withListener(echo, async ({ port }) => {
        const socket = connect({ port, host: '127.0.0.1', ca: authority.certificatePem });
        const errors: Error[] = [];
        socket.on('error', (error) => errors.push(error));
        let text = '';
        socket.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        const closed = once(socket, 'close');
        const chunk = `${(5_000_000).toString(16)}\r\n${'x'.repeat(5_000_000)}\r\n`;
        const part = framing.startsWith('content') ? 'x'.repeat(5_000_000) : chunk;
        socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\n${framing}\r\n\r\n${part}`);
        while (!text.endsWith('large\n') && !socket.closed) await Promise.race([once(socket, 'data'), closed]);
        expect(text).toMatch(/^HTTP\/1\.1 413 [\s\S]*too large/);
        for (let parts = 1; parts < 4; parts++) await new Promise((resolve) => socket.write(part, resolve));
        // If both sides close the connection at the same moment, one of them reports an error.
        expect(errors).toEqual([]);
        if (framing.startsWith('transfer')) socket.write('0\r\n\r\n');
        await closed;
      });
    },
  );

  it('does not read a body before the handler requests it', async () => {
    const refusing = async (): Promise<OutgoingResponse> => {
      await answered.promise;
      return { status: 403, headers: {}, body: Buffer.from('no\n') };
    };
    const answered = Promise.withResolvers<void>();
    await withListener(refusing, async ({ port }) => {
      const socket = connect({ port, host: '127.0.0.1', ca: authority.certificatePem });
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.on('error', () => undefined);
      const closed = once(socket, 'close');
      await once(socket, 'secureConnect');
      socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 90000000\r\n\r\n');
      let written = 0;
      const part = 'x'.repeat(1_000_000);
      // The buffers of both sides take a few megabytes. The rest waits in the client.
      while (socket.writableLength < 10_000_000) {
        socket.write(part);
        written += part.length;
        await new Promise((resolve) => setImmediate(resolve));
        expect(written).toBeLessThan(60_000_000);
      }
      answered.resolve();
      while (!text.includes('no\n')) await once(socket, 'data');
      expect(text).toMatch(/^HTTP\/1\.1 403 [\s\S]*connection: close/i);
      socket.destroy();
      await closed;
    });
  });

  it('keeps the connection after an early response to a short body', async () => {
    const early = async ({ method }: IncomingRequest): Promise<OutgoingResponse> => ({
      status: method === 'POST' ? 403 : 200,
      headers: {},
      body: Buffer.from(`${method}\n`),
    });
    await withListener(early, async ({ port }) => {
      const socket = connect({ port, host: '127.0.0.1', ca: authority.certificatePem });
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n12345');
      while (!text.includes('POST\n')) await once(socket, 'data');
      socket.write('67890GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
      while (!text.includes('GET\n')) await once(socket, 'data');
      socket.destroy();
    });
  });

  it('sends "100 Continue" only if the handler requests the body', async () => {
    const onlyPuts = async (incoming: IncomingRequest): Promise<OutgoingResponse> =>
      incoming.method === 'PUT' ? await echo(incoming) : { status: 403, headers: {}, body: Buffer.from('no\n') };
    await withListener(onlyPuts, async ({ port }) => {
      const answerTo = async (method: string): Promise<string> => {
        const socket = connect({ port, host: '127.0.0.1', ca: authority.certificatePem });
        let text = '';
        socket.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (text.endsWith('100 Continue\r\n\r\n')) socket.write('{}');
        });
        socket.write(`${method} / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n`);
        while (!/(?:no\n|\})$/.test(text)) await once(socket, 'data');
        socket.destroy();
        return text;
      };
      expect(await answerTo('PUT')).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
      expect(await answerTo('POST')).toMatch(/^HTTP\/1\.1 403 /);
    });
  });

  describe('for requests that Node cannot parse', () => {
    const host = 'Host: x\r\n';
    const exchange = async (port: number, bytes: string): Promise<string> => {
      const socket = connect({ port, host: '127.0.0.1', ca: authority.certificatePem });
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.write(Buffer.from(bytes, 'latin1'));
      await once(socket, 'close');
      return text;
    };

    it.each([
      ['an unknown method', `FOO /a HTTP/1.1\r\n${host}\r\n`, { method: 'FOO', url: '/a', length: 0 }],
      ['a method with an authority', `CONNECT x:1 HTTP/1.1\r\n${host}\r\n`, { method: 'CONNECT', url: '/', length: 0 }],
      ['lines that end with LF', 'GET /a HTTP/1.1\nHost: x\n\n', { method: 'GET', url: '/a', length: 0 }],
      ['folded headers', `GET /a HTTP/1.1\r\n${host}a: b\r\n\tc\r\n\r\n`, { method: 'GET', url: '/a', length: 0 }],
      [
        'a body',
        `FOO /a HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
        { method: 'FOO', url: '/a', length: 2 },
      ],
    ])('serves %s as Go does, and closes the connection', async (_, bytes, expected) => {
      await withListener(echo, async ({ port }) => {
        const [head = '', body = ''] = (await exchange(port, bytes)).split('\r\n\r\n');
        expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
        expect(head).toMatch(/^connection: close$/im);
        expect(JSON.parse(body)).toEqual(expected);
      });
    });

    it.each([
      ['400 Bad Request', `FOO /a HTTP/1.1\r\n${host}a\r\n\r\n`],
      ['400 Bad Request', `FOO /a HTTP/1.1\r\n${host}Content-Length: 3\r\n\r\n{}`],
      ['400 Bad Request', `FOO /a HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`],
      ['400 Bad Request', `FOO /a HTTP/1.1\r\n${host}`],
      ['400 Bad Request: invalid header name', `FOO /a HTTP/1.1\r\n${host}a b: c\r\n\r\n`],
      ['400 Bad Request: missing required Host header', 'FOO /a HTTP/1.1\r\n\r\n'],
      ['505 HTTP Version Not Supported: unsupported protocol version', `GET /a HTTP/3.0\r\n${host}\r\n`],
    ])('responds with %s', async (expected, bytes) => {
      await withListener(echo, async ({ port }) => {
        const [head, body] = (await exchange(port, bytes)).split('\r\n\r\n');
        expect([head?.split('\r\n')[0], body]).toEqual([`HTTP/1.1 ${expected}`, expected]);
      });
    });

    it('responds to the request before an invalid one first', async () => {
      await withListener(echo, async ({ port }) => {
        const text = await exchange(port, `GET /a HTTP/1.1\r\n${host}\r\n nonsense\r\n\r\n`);
        expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
      });
    });
  });

  it('sends the error for a long head to a client that reads it after it has sent more', async () => {
    await withListener(echo, async ({ port }) => {
      const socket = connect({ host: '127.0.0.1', port, ca: authority.certificatePem });
      await once(socket, 'secureConnect');
      const write = (text: string) => new Promise<void>((resolve) => socket.write(text, () => resolve()));
      await write(`GET / HTTP/1.1\r\nhost: a\r\nlong: ${'x'.repeat(1_100_000)}`);
      for (let more = 0; more < 20; more++) await write('x'.repeat(20_000));
      const chunks = await socket.toArray().catch((error: Error) => [error.message]);
      expect(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString()).toMatch(/^HTTP\/1.1 431 /);
    });
  });

  it('streams, notifies the handler when the client disconnects, and ends streams when it closes', async () => {
    const aborted: string[] = [];
    const endless = async ({ signal }: IncomingRequest): Promise<OutgoingResponse> => ({
      status: 200,
      headers: {},
      body: (async function* () {
        yield Buffer.from('first\n');
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        aborted.push(String(signal.reason));
      })(),
    });
    const listener = await HttpsListener.open(authority, endless);
    const watch = (): Promise<{ destroy: () => void; ended: Promise<unknown> }> =>
      new Promise((resolve, reject) => {
        const outgoing = request(listener.url, { ca: authority.certificatePem, agent: false }, (incoming) => {
          const ended = new Promise((done) => incoming.on('close', done).on('error', () => undefined));
          incoming.once('data', () => resolve({ destroy: () => outgoing.destroy(), ended }));
        });
        outgoing.on('error', reject);
        outgoing.end();
      });
    const leaving = await watch();
    leaving.destroy();
    await leaving.ended;
    while (aborted.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const staying = await watch();
    await listener.close();
    await staying.ended;
    while (aborted.length === 1) await new Promise((resolve) => setImmediate(resolve));
    expect(aborted).toHaveLength(2);
    await expect(send(listener.url)).rejects.toThrow('ECONNREFUSED');
  });

  it('closes the connection of a client whose stream is dropped, even if it reads nothing', async () => {
    const dropped = new AbortController();
    const waiting = Promise.withResolvers<void>();
    const endless = async ({ signal }: IncomingRequest): Promise<OutgoingResponse> => {
      signal.addEventListener('abort', () => waiting.resolve());
      return {
        status: 200,
        headers: {},
        dropped: dropped.signal,
        body: (async function* () {
          for (;;) yield Buffer.alloc(1_000_000);
        })(),
      };
    };
    await withListener(endless, async ({ port }) => {
      const socket = connect({ port, host: '127.0.0.1', ca: authority.certificatePem });
      socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
      await once(socket, 'readable');
      dropped.abort();
      await waiting.promise;
      const closed = once(socket, 'close');
      socket.resume();
      await closed;
    });
  });

  it('reports how to resolve a port conflict', async () => {
    await withListener(echo, async ({ port }) => {
      await expect(HttpsListener.open(authority, echo, { port })).rejects.toMatchObject({
        code: 'port-in-use',
        message: `cannot listen on 127.0.0.1:${port}: another program uses that port; stop it, choose another port, or omit the port to use a free one`,
      });
    });
  });
});

describe('writeKubeconfig', () => {
  it('writes a file that only its owner can read, also if it replaces an older one', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'evenkeel-kubeconfig-'));
    const file = join(directory, 'kubeconfig');
    const contents = { server: 'https://127.0.0.1:1', certificateAuthorityPem: 'pem', token: 'a"b', name: 'embedded' };
    await writeKubeconfig(file, { ...contents, token: 'old' });
    await writeKubeconfig(file, contents);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain('    token: "a\\"b"\n');
    await rm(directory, { recursive: true });
  });
});
