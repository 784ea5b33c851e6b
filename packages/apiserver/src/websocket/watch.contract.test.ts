import {
  describeOnEmbeddedServer,
  describeWithRealServer,
  type RealServer,
  startRealServer,
} from '../../../../test/real-server.fixture.ts';
import { ApiServer } from '../api-server.ts';
import { clientFrame, type SocketServer, type UpgradeOptions, WebSocketClient } from './web-socket-client.fixture.ts';

interface TestedServer {
  readonly server: SocketServer;
  create(name: string, data: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
}

async function embedded(): Promise<TestedServer> {
  const server = await ApiServer.create({ controllers: false });
  const transport = server.transport();
  return {
    server: await server.listen(),
    async create(name, data) {
      const body = JSON.stringify({ metadata: { name }, data });
      const { status } = await transport.request({
        method: 'POST',
        path: configMaps,
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(status).toBe(201);
    },
    stop: () => server.close(),
  };
}

async function real(): Promise<TestedServer> {
  const server: RealServer = await startRealServer();
  return {
    server,
    async create(name, data) {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
      expect((await server.send('POST', configMaps, { body })).status).toBe(201);
    },
    stop: () => server.stop(),
  };
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const watchOne = `${configMaps}?watch=1&fieldSelector=metadata.name=one`;
const watchNone = `${configMaps}?watch=1&fieldSelector=metadata.name=none`;
const acceptedKey = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=';
const bearer = 'base64url.bearer.authorization.k8s.io.';
const encoded = (token: string): string => Buffer.from(token).toString('base64url');

describeOnEmbeddedServer('a watch over a WebSocket of the embedded server', () => watchTests(embedded));
describeWithRealServer('a watch over a WebSocket of the real server', () => watchTests(real));

function watchTests(start: () => Promise<TestedServer>): void {
  let tested: TestedServer;
  const clients: WebSocketClient[] = [];

  beforeAll(async () => {
    tested = await start();
    await tested.create('one', { key: 'value' });
    await tested.create('long', { text: 'x'.repeat(70_000) });
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });
  afterAll(() => tested?.stop());

  const open = (path: string, options?: UpgradeOptions): WebSocketClient => {
    const client = WebSocketClient.open(tested.server, path, options);
    clients.push(client);
    return client;
  };
  const opened = async (path: string, options?: UpgradeOptions): Promise<WebSocketClient> => {
    const client = open(path, options);
    const { status, body } = await client.response();
    expect({ status, body }).toEqual({ status: 101, body: '' });
    return client;
  };
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the server sends
  const event = async (client: WebSocketClient): Promise<any> => {
    const frame = await client.frame();
    expect(frame?.type).toBe('text');
    return JSON.parse(String(frame?.payload));
  };

  describe('in its handshake', () => {
    it.each<[string, string | undefined]>([
      ['no subprotocol', undefined],
      ['an empty subprotocol', ''],
      ['binary.k8s.io', 'binary.k8s.io'],
      ['base64.binary.k8s.io', 'base64.binary.k8s.io'],
      ['an unknown subprotocol', 'v4.channel.k8s.io'],
    ])('accepts %s, and sends text frames', async (_, protocol) => {
      const client = open(watchOne, { headers: { 'sec-websocket-protocol': protocol } });
      const { status, headers } = await client.response();
      expect(status).toBe(101);
      expect(headers).toEqual({
        upgrade: 'websocket',
        connection: 'Upgrade',
        'sec-websocket-accept': acceptedKey,
        ...(protocol !== undefined && protocol !== '' && { 'sec-websocket-protocol': protocol }),
      });
      const frame = await client.frame();
      expect(frame).toMatchObject({ type: 'text', payload: expect.stringMatching(/^{"type":"ADDED","object":.*}\n$/) });
    });

    it.each<[string, Record<string, string | undefined>]>([
      ['the word Upgrade among others', { connection: 'keep-alive, Upgrade' }],
      ['WebSocket in other case', { upgrade: 'WebSocket' }],
      ['a short key', { 'sec-websocket-key': 'abc' }],
      ['the origin *', { origin: '*' }],
      ['the origin file://', { origin: 'file://' }],
    ])('accepts %s', async (_, headers) => {
      await opened(watchOne, { headers });
    });

    it.each<[string, Record<string, string | undefined>, number, string]>([
      ['no key', { 'sec-websocket-key': undefined }, 400, 'mismatch challenge/response'],
      ['an empty key', { 'sec-websocket-key': '' }, 400, 'mismatch challenge/response'],
      ['version 12', { 'sec-websocket-version': '12' }, 400, 'missing or bad WebSocket Version'],
      ['no version', { 'sec-websocket-version': undefined }, 400, 'missing or bad WebSocket Version'],
      ['two subprotocols', { 'sec-websocket-protocol': 'a, b' }, 400, ''],
      ['an empty second subprotocol', { 'sec-websocket-protocol': 'a,' }, 400, ''],
      ['no origin', { origin: undefined }, 403, ''],
      ['the origin null', { origin: 'null' }, 403, ''],
      ['a relative origin', { origin: 'server' }, 403, ''],
      ['an origin with a space', { origin: 'http://a b' }, 403, ''],
      ['an origin without scheme', { origin: '://server' }, 403, ''],
      ['an origin with an invalid escape', { origin: '/%zz' }, 403, ''],
      ['an origin with an invalid port', { origin: 'http://server:1x' }, 403, ''],
      ['an origin with half an IPv6 address', { origin: 'http://[::1' }, 403, ''],
    ])('rejects %s, and closes the connection', async (_, headers, status, body) => {
      const client = open(watchOne, { headers });
      const answer = await client.response();
      expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
      expect(answer.headers['sec-websocket-version']).toBe(body.endsWith('Version') ? '13' : undefined);
      expect(await client.frame()).toBeUndefined();
    });
  });

  describe('before its handshake', () => {
    it.each<[string, string, UpgradeOptions, number, string]>([
      ['a missing kind', '/api/v1/namespaces/default/foos?watch=1', {}, 404, 'NotFound'],
      ['an invalid selector', `${watchOne}&labelSelector=%21%21`, {}, 400, 'BadRequest'],
      ['an invalid resourceVersion', `${watchOne}&resourceVersion=abc`, {}, 500, ''],
      ['an invalid timeout', `${watchOne}&timeoutSeconds=x`, {}, 400, 'BadRequest'],
      ['a type that watches do not have', watchOne, { headers: { accept: 'application/yaml' } }, 406, 'NotAcceptable'],
      ['no credentials', watchOne, { authorized: false }, 403, 'Forbidden'],
      ['an unknown token', watchOne, { headers: { authorization: 'Bearer unknown' } }, 401, 'Unauthorized'],
    ])('responds to %s with a Status, and keeps the connection', async (_, path, options, status, reason) => {
      const client = open(path, options);
      const answer = await client.response();
      expect(answer.status).toBe(status);
      if (options.headers?.['accept'] === undefined) expect(JSON.parse(answer.body).reason ?? '').toBe(reason);
      client.request(tested.server, watchOne, {});
      expect((await client.response()).status).toBe(101);
    });

    it('ignores a request for another protocol', async () => {
      const client = open(watchOne, { headers: { upgrade: 'h2c' } });
      expect(await client.response()).toMatchObject({ status: 200, headers: { 'transfer-encoding': 'chunked' } });
    });

    it('ignores the header "upgrade" of other requests, and keeps the connection', async () => {
      const client = open(`${configMaps}/one`);
      const read = await client.response();
      expect({ status: read.status, name: JSON.parse(read.body).metadata.name }).toEqual({ status: 200, name: 'one' });
      client.request(tested.server, `${configMaps}?fieldSelector=metadata.name=none`, {});
      expect((await client.response()).status).toBe(200);
      client.request(tested.server, `${configMaps}/one?watch=1`, {});
      expect((await client.response()).status).toBe(200);
      const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"two"}}';
      const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
      client.request(tested.server, `${configMaps}?dryRun=All`, { method: 'POST', headers, body });
      expect((await client.response()).status).toBe(201);
      client.request(tested.server, `${configMaps}?dryRun=All`, {
        method: 'POST',
        headers: { ...headers, upgrade: 'SPDY/3.1' },
        body,
      });
      expect((await client.response()).status).toBe(201);
    });
  });

  describe('with a token as a subprotocol', () => {
    const openWith = (protocol: string, authorization?: string): WebSocketClient =>
      open(watchOne, { headers: { 'sec-websocket-protocol': protocol, authorization } });
    const token = (): string => `${bearer}${encoded(tested.server.token)}`;

    it('authenticates, and removes the token from the subprotocols', async () => {
      const { status, headers } = await openWith(`${token()}, base64.binary.k8s.io`).response();
      expect([status, headers['sec-websocket-protocol']]).toEqual([101, 'base64.binary.k8s.io']);
    });

    it('authenticates although the token in the header is unknown', async () => {
      expect((await openWith(`a, ${token()}`, 'Bearer unknown').response()).status).toBe(101);
    });

    it('keeps the token among the subprotocols if the header authenticates', async () => {
      const { status, headers } = await openWith(token(), `Bearer ${tested.server.token}`).response();
      expect([status, headers['sec-websocket-protocol']]).toEqual([101, token()]);
      expect((await openWith(`${token()},a`, `Bearer ${tested.server.token}`).response()).status).toBe(400);
    });

    it.each<[string, () => string, number]>([
      ['no other subprotocol', () => token(), 401],
      ['an unknown token', () => `${bearer}${encoded('unknown')}, a`, 401],
      ['half a byte', () => `${bearer}x, a`, 401],
      ['characters that are not base64url', () => `${bearer}!!!!, a`, 401],
      ['padding', () => `${token()}=, a`, 401],
      ['bytes that are not UTF-8', () => `${bearer}_w, a`, 401],
      ['two tokens', () => `${token()}, ${token()}, a`, 401],
      ['an empty token', () => `${bearer}, a`, 403],
      ['two other subprotocols', () => `a, ${token()}, b`, 400],
    ])('rejects %s', async (_, protocol, status) => {
      expect((await openWith(protocol()).response()).status).toBe(status);
    });

    it('ignores it without a WebSocket', async () => {
      const headers = { upgrade: undefined, authorization: undefined, 'sec-websocket-protocol': `${token()}, a` };
      expect((await open(watchOne, { headers }).response()).status).toBe(403);
    });
  });

  describe('once it is open', () => {
    it('sends each event as one frame, even a long one', async () => {
      const client = await opened(`${configMaps}?watch=1&fieldSelector=metadata.name=long`);
      expect(await event(client)).toMatchObject({ type: 'ADDED', object: { data: { text: 'x'.repeat(70_000) } } });
    });

    it('sends the changes after the existing objects', async () => {
      const name = 'later';
      const client = await opened(`${configMaps}?watch=1&fieldSelector=metadata.name!=long`);
      expect(await event(client)).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'one' } } });
      await tested.create(name, {});
      expect(await event(client)).toMatchObject({ type: 'ADDED', object: { metadata: { name } } });
    });

    it('serves the deprecated paths of watches', async () => {
      const client = await opened('/api/v1/watch/namespaces/default/configmaps/one');
      expect(await event(client)).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'one' } } });
    });

    it('sends Tables and partial metadata', async () => {
      const as = (kind: string): UpgradeOptions => ({
        headers: { accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` },
      });
      const table = await event(await opened(watchOne, as('Table')));
      expect(table).toMatchObject({
        type: 'ADDED',
        object: { kind: 'Table', rows: [{ cells: ['one', 1, expect.any(String)] }] },
      });
      const partial = await event(await opened(watchOne, as('PartialObjectMetadata')));
      expect(partial).toMatchObject({
        type: 'ADDED',
        object: { kind: 'PartialObjectMetadata', metadata: { name: 'one' } },
      });
      expect(partial.object.data).toBeUndefined();
    });

    it('sends the bookmark after the initial objects', async () => {
      const initial = 'sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
      const client = await opened(`${watchOne}&${initial}`);
      expect(await event(client)).toMatchObject({ type: 'ADDED' });
      expect(await event(client)).toMatchObject({
        type: 'BOOKMARK',
        object: { kind: 'ConfigMap', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
      });
    });

    it('ends with a close frame after its timeout', async () => {
      const client = await opened(`${watchNone}&timeoutSeconds=1`);
      expect(await client.frames()).toEqual([{ type: 'close', payload: 1000 }]);
    });
  });

  describe('when the client sends', () => {
    const ping = clientFrame(0x89, 'end');
    const pong = { type: 'pong', payload: 'end' };
    const closed = { type: 'close', payload: 1000 };

    it.each<[string, readonly Uint8Array[], readonly object[]]>([
      ['a ping', [clientFrame(0x89, 'hi')], [{ type: 'pong', payload: 'hi' }]],
      ['an empty ping', [clientFrame(0x89)], [{ type: 'pong', payload: '' }]],
      ['a ping of 126 bytes', [clientFrame(0x89, 'x'.repeat(126))], [{ type: 'pong', payload: 'x'.repeat(125) }]],
      ['half a ping', [clientFrame(0x09, 'hi')], [{ type: 'pong', payload: 'hi' }]],
      ['a pong', [clientFrame(0x8a, 'hi')], []],
      ['text', [clientFrame(0x81, 'hi')], []],
      ['no text', [clientFrame(0x81)], []],
      ['bytes', [clientFrame(0x82, 'hi')], []],
      ['long text', [clientFrame(0x81, 'x'.repeat(70_000))], []],
      ['fragments', [clientFrame(0x01, 'h'), clientFrame(0x80, 'i')], []],
      ['only a continuation', [clientFrame(0x80, 'hi')], []],
      ['reserved bits', [clientFrame(0xf1, 'hi')], []],
      ['an unknown type', [clientFrame(0x83, 'hi'), clientFrame(0x8b, 'hi')], []],
    ])('%s: responds to pings and ignores all other frames', async (_, frames, expected) => {
      const client = await opened(watchNone);
      client.send(...frames, ping);
      for (const frame of [...expected, pong]) expect(await client.frame()).toEqual(frame);
    });

    it('reads frames that arrive in pieces', async () => {
      const client = await opened(watchNone);
      client.socket.setNoDelay(true);
      for (const byte of Buffer.concat([clientFrame(0x81, 'x'.repeat(200)), ping])) client.send(Buffer.of(byte));
      expect(await client.frame()).toEqual(pong);
    });

    it.each<[string, readonly Uint8Array[]]>([
      ['a close frame', [clientFrame(0x88, '\x03\xe8')]],
      ['a close frame with a reason', [clientFrame(0x88, '\x03\xe9bye')]],
      ['an empty close frame', [clientFrame(0x88)]],
      ['a close frame, and then a ping', [clientFrame(0x88), ping]],
      ['a message of more than 32 MiB', [clientFrame(0x81, 'x', 33 * 1024 * 1024)]],
    ])('%s: closes the connection', async (_, frames) => {
      const client = await opened(watchNone);
      client.send(...frames);
      expect(await client.frames()).toEqual([closed]);
    });

    it.each<[string, Uint8Array]>([
      ['text without a mask', Buffer.from('\x81\x02hi', 'latin1')],
      ['a close frame without a mask', Buffer.from('\x88\x02\x03\xe8', 'latin1')],
      ['a request', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ])('%s: closes the connection with a protocol error', async (_, frame) => {
      const client = await opened(watchNone);
      client.send(frame);
      expect(await client.frames()).toEqual([{ type: 'close', payload: 1002 }, closed]);
    });

    it('a frame together with the request: responds to it', async () => {
      const client = open(watchNone, { body: Buffer.from(ping).toString('latin1') });
      expect((await client.response()).status).toBe(101);
      expect(await client.frame()).toEqual(pong);
    });
  });
}
