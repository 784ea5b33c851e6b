import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { EvenkeelError, type Transport } from '@evenkeel/core';
import type { Connection } from './connection.ts';
import { type HttpsTransportOptions, httpsTransport } from './https-transport.ts';
import { readBody } from './response-body.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];
const transports: Transport[] = [];

afterEach(async () => {
  for (const transport of transports.splice(0)) await transport.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(handler: Handler): Promise<{ server: Server; url: string }> {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function transportTo(connection: Connection, options?: HttpsTransportOptions): Transport {
  const transport = httpsTransport(connection, options);
  transports.push(transport);
  return transport;
}

describe('httpsTransport()', () => {
  it('sends the method, path, headers, credentials and body, and returns the response', async () => {
    const seen: unknown[] = [];
    const { url } = await listen((request, response) => {
      request.setEncoding('utf8');
      request.on('data', (body) =>
        seen.push([
          request.method,
          request.url,
          request.headers['x-a'],
          request.headers.authorization,
          request.headers['impersonate-group'],
          body,
        ]),
      );
      request.on('end', () => {
        response.writeHead(201, { Warning: ['299 - "a"', '299 - "b"'] });
        response.end('größe');
      });
    });
    const credentials = async () => ({ headers: { authorization: 'Bearer t', 'impersonate-group': ['a', 'b'] } });
    const transport = transportTo({ server: `${url}/prefix/`, credentials });
    const response = await transport.request({
      method: 'POST',
      path: '/api?x=1',
      headers: { 'x-a': '1' },
      body: 'größe',
    });
    expect(response.status).toBe(201);
    expect(response.headers['warning']).toBe('299 - "a", 299 - "b"');
    expect((await readBody(response)).toString()).toBe('größe');
    expect(seen).toEqual([['POST', '/prefix/api?x=1', '1', 'Bearer t', 'a, b', 'größe']]);
  });

  it('calls beforeSend just before the first byte, with credentials and connection ready, and sends nothing if it throws', async () => {
    const seen: string[] = [];
    const { url } = await listen((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.end();
    });
    const order: string[] = [];
    const credentials = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push('credentials');
      return {};
    };
    const transport = transportTo({ server: url, credentials });
    const passing = { method: 'POST', path: '/a', body: '{}', beforeSend: () => order.push('asked') } as const;
    await readBody(await transport.request(passing));
    const refusing = (): never => {
      throw new Error('too late');
    };
    // Once on a kept connection, once on a new one.
    await expect(transport.request({ ...passing, path: '/b', beforeSend: refusing })).rejects.toThrow('too late');
    await expect(transport.request({ ...passing, path: '/c', beforeSend: refusing })).rejects.toThrow('too late');
    await readBody(await transport.request({ ...passing, path: '/d' }));
    expect(order).toEqual(['credentials', 'asked', 'credentials', 'credentials', 'credentials', 'asked']);
    expect(seen).toEqual(['POST /a', 'POST /d']);
  });

  it('reuses a connection for sequential requests, and opens a separate one for each watch', async () => {
    const ports: (number | undefined)[] = [];
    const { url } = await listen((request, response) => {
      ports.push(request.socket.remotePort);
      response.end('{}');
    });
    const transport = transportTo({ server: url });
    for (const path of ['/a', '/a?watch=true', '/a', '/a']) {
      await readBody(await transport.request({ method: 'GET', path }));
      // The agent takes the connection back one turn of the event loop later.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(new Set([ports[0], ports[2], ports[3]]).size).toBe(1);
    expect(ports[1]).not.toBe(ports[0]);
  });

  it('reports a refused connection in one line with the address', async () => {
    const { server, url } = await listen(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    servers.length = 0;
    const error = await transportTo({ server: url })
      .request({ method: 'GET', path: '/' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EvenkeelError);
    expect(error).toMatchObject({
      code: 'cluster-unreachable',
      message: `cannot reach ${url}: connection refused; check that the cluster is running`,
    });
  });

  it('rejects with the reason of the signal before, during and after the request, and closes the connection', async () => {
    let closed = 0;
    const { url } = await listen((request, response) => {
      response.on('close', () => closed++);
      if (request.url?.startsWith('/silent') === true) return;
      response.write('begin');
    });
    const transport = transportTo({ server: url });
    const aborted = AbortSignal.abort(new Error('before'));
    await expect(transport.request({ method: 'GET', path: '/', signal: aborted })).rejects.toThrow('before');
    const waiting = new AbortController();
    const silent = transport.request({ method: 'GET', path: '/silent', signal: waiting.signal });
    setImmediate(() => waiting.abort(new Error('while waiting')));
    await expect(silent).rejects.toThrow('while waiting');
    const reading = new AbortController();
    const response = await transport.request({ method: 'GET', path: '/?watch=1', signal: reading.signal });
    const read = (async () => {
      for await (const _ of response.body) reading.abort(new Error('while reading'));
    })();
    await expect(read).rejects.toThrow('while reading');
    while (closed === 0) await new Promise((resolve) => setImmediate(resolve));
  });

  it('rejects with the reason of the signal while it waits for credentials', async () => {
    let requests = 0;
    const { url } = await listen(() => requests++);
    const never = Promise.withResolvers<never>();
    const transport = transportTo({ server: url, credentials: () => never.promise });
    const waiting = new AbortController();
    const request = transport.request({ method: 'GET', path: '/', signal: waiting.signal });
    setImmediate(() => waiting.abort(new Error('lost patience')));
    await expect(request).rejects.toThrow('lost patience');
    expect(requests).toBe(0);
  });

  it('requests new credentials after the server rejected the last ones', async () => {
    const { url } = await listen((request, response) => {
      response.statusCode = request.headers.authorization === 'Bearer new' ? 200 : 401;
      response.end('{}');
    });
    const asked: unknown[] = [];
    const transport = transportTo({
      server: url,
      credentials: async (options) => {
        asked.push(options?.renew);
        return { headers: { authorization: options?.renew === true ? 'Bearer new' : 'Bearer old' } };
      },
    });
    const statuses: number[] = [];
    for (let at = 0; at < 3; at++) {
      const response = await transport.request({ method: 'GET', path: '/' });
      await readBody(response);
      statuses.push(response.status);
    }
    expect([statuses, asked]).toEqual([
      [401, 200, 401],
      [false, true, false],
    ]);
  });

  it('limits its connections, queues other requests, and removes aborted ones from the queue', async () => {
    const sockets = new Set<unknown>();
    const held: ServerResponse[] = [];
    const { server, url } = await listen((request, response) => {
      sockets.add(request.socket);
      held.push(response);
    });
    server.keepAliveTimeout = 5_000;
    const transport = httpsTransport({ server: url }, { maxConnections: 8 });
    transports.push(transport);
    const get = async (signal?: AbortSignal): Promise<void> => {
      await readBody(
        await transport.request({ method: 'GET', path: '/', ...(signal === undefined ? {} : { signal }) }),
      );
    };
    const all = Array.from({ length: 100 }, () => get());
    const waiting = new AbortController();
    const impatient = get(waiting.signal);
    while (held.length < 8) await new Promise((resolve) => setImmediate(resolve));
    waiting.abort(new Error('waits no longer'));
    await expect(impatient).rejects.toThrow('waits no longer');
    let answered = 0;
    while (answered < 100) {
      for (const response of held.splice(0)) {
        response.end('{}');
        answered++;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(all);
    expect(sockets.size).toBe(8);
  });

  it('releases the connection when the reader stops early, and reports a broken one', async () => {
    let closed = false;
    const { url } = await listen((request, response) => {
      response.on('close', () => {
        closed = true;
      });
      response.write('begin');
      if (request.url === '/broken?watch=1') response.socket?.destroySoon();
    });
    const transport = transportTo({ server: url });
    for await (const chunk of (await transport.request({ method: 'GET', path: '/?watch=1' })).body) {
      expect(Buffer.from(chunk).toString()).toBe('begin');
      break;
    }
    while (!closed) await new Promise((resolve) => setImmediate(resolve));
    const broken = await transport.request({ method: 'GET', path: '/broken?watch=1' });
    await expect(readBody(broken)).rejects.toMatchObject({ code: 'cluster-unreachable' });
  });

  it('rejects a body that is larger than the limit, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await listen((request, response) => {
      if (request.url === '/exact') {
        response.end('0123456789');
        return;
      }
      response.on('close', closed.resolve);
      response.write('0123456789');
      response.write('a');
    });
    const transport = transportTo({ server: url }, { maxResponseBytes: 10 });
    const exact = await transport.request({ method: 'GET', path: '/exact' });
    expect((await readBody(exact)).toString()).toBe('0123456789');
    const large = await transport.request({ method: 'GET', path: '/large' });
    await expect(readBody(large)).rejects.toThrow(
      'the response of the API server is larger than 10 bytes; request less',
    );
    await closed.promise;
  });

  it('keeps no connection after close, also not that of a request which ends later', async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    const { server, url } = await listen((_request, response) => arrived.resolve(response));
    // The server keeps the connection.
    server.keepAliveTimeout = 0;
    const gone = new Promise<void>((resolve) =>
      server.once('connection', (socket) => socket.once('close', () => resolve())),
    );
    const transport = transportTo({ server: url });
    const response = transport.request({ method: 'GET', path: '/' });
    const outgoing = await arrived.promise;
    await transport.close();
    outgoing.end('late');
    expect(String(await readBody(await response))).toBe('late');
    await gone;
  });

  it('rejects an invalid URL with its origin, and rejects requests after close', async () => {
    expect(() => httpsTransport({ server: 'kubernetes', origin: 'context "a" in /x' })).toThrow(
      'context "a" in /x: the server "kubernetes" is not a URL; write https://host:port',
    );
    const transport = transportTo({ server: 'http://127.0.0.1:1' });
    await transport.close();
    await expect(transport.request({ method: 'GET', path: '/' })).rejects.toThrow('is closed; create a new transport');
  });

  it('reports the correct URL if a plain HTTP server is called with HTTPS', async () => {
    const { url } = await listen((_request, response) => response.end());
    const server = url.replace('http:', 'https:');
    await expect(transportTo({ server }).request({ method: 'GET', path: '/' })).rejects.toMatchObject({
      code: 'cluster-unreachable',
      message: `cannot reach ${server}: it uses plain HTTP; write ${url} as the server in the kubeconfig, or use its HTTPS port`,
    });
  });

  it('does not treat other 400 responses as those of an HTTPS server', async () => {
    const { url } = await listen((_request, response) => response.writeHead(400).end('why'));
    const response = await transportTo({ server: url }).request({ method: 'GET', path: '/' });
    expect([response.status, Buffer.from(await readBody(response)).toString()]).toEqual([400, 'why']);
  });

  it('reports a proxy that does not connect, and times out for a silent one', async () => {
    const ends: (() => void)[] = [];
    const { server, url } = await listen(() => undefined);
    server.on('connect', (request: IncomingMessage, socket) => {
      socket.on('error', () => undefined);
      if (request.url?.startsWith('silent') === true) ends.push(() => socket.destroy());
      if (request.url?.startsWith('refused') === true) socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    const refused = transportTo({ server: 'https://refused.example', proxyUrl: url });
    await expect(refused.request({ method: 'GET', path: '/' })).rejects.toThrow(
      'cannot reach https://refused.example: the proxy 127.0.0.1 did not connect to refused.example:443: 403',
    );
    const silent = transportTo({ server: 'https://silent.example', proxyUrl: url });
    const waiting = new AbortController();
    const request = silent.request({ method: 'GET', path: '/', signal: waiting.signal });
    while (ends.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    waiting.abort(new Error('lost patience'));
    await expect(request).rejects.toThrow('lost patience');
    for (const end of ends) end();
  });

  it('connects to an https server through a proxy by CONNECT, with the credentials of the proxy', async () => {
    const asked: unknown[] = [];
    const { server, url } = await listen(() => undefined);
    server.on('connect', (request: IncomingMessage, socket) => {
      asked.push([request.url, request.headers['proxy-authorization']]);
      // The target has no TLS. The failing handshake is enough to see whose connection it is.
      const target = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        target.pipe(socket).pipe(target);
      });
      target.on('error', () => socket.destroy());
      socket.on('error', () => target.destroy());
    });
    const proxyUrl = url.replace('http://', 'http://me:pass@');
    const transport = transportTo({ server: 'https://cluster.example:6443', proxyUrl });
    await expect(transport.request({ method: 'GET', path: '/' })).rejects.toMatchObject({
      code: 'cluster-unreachable',
    });
    expect(asked).toEqual([['cluster.example:6443', `Basic ${Buffer.from('me:pass').toString('base64')}`]]);
  });
});
