import { once } from 'node:events';
import { ApiServer } from '../api-server.ts';
import { request } from '../request.fixture.ts';
import { type SocketServer, WebSocketClient } from '../websocket/web-socket-client.fixture.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const megabyte = 'x'.repeat(1_000_000);

describe('a WebSocket', () => {
  let server: ApiServer;
  let listening: SocketServer;

  beforeEach(async () => {
    server = await ApiServer.create({ controllers: false });
    listening = await server.listen();
  });
  afterEach(() => server.close());

  const opened = async (): Promise<WebSocketClient> => {
    const client = WebSocketClient.open(listening, `${configMaps}?watch=1`);
    expect((await client.response()).status).toBe(101);
    return client;
  };

  it('ends when the server is closed', async () => {
    const client = await opened();
    const closed = once(client.socket, 'close');
    await server.close();
    await closed;
  });

  it('is closed if its client reads too slowly, and does not send the waiting events', async () => {
    const client = await opened();
    client.socket.on('error', () => undefined).pause();
    const closed = once(client.socket, 'close');
    const transport = server.transport();
    await request(transport, 'POST', configMaps, { metadata: { name: 'large' }, data: { megabyte } });
    for (let at = 0; at < 59; at++) {
      const { status } = await request(transport, 'PATCH', `${configMaps}/large`, { data: { at: String(at) } }, merge);
      expect(status).toBe(200);
    }
    client.socket.resume();
    await closed;
    const frames = await client.frames();
    expect(frames.every(({ type }) => type !== 'close')).toBe(true);
    expect(frames.length).toBeLessThan(30);
  });

  it('does not block other clients if its client sends many pings and reads no pongs', async () => {
    const client = await opened();
    client.socket.pause();
    const ping = Buffer.concat([Buffer.of(0x89, 0xfd, 0, 0, 0, 0), Buffer.alloc(125)]);
    const pings = Buffer.concat(Array.from({ length: 10_000 }, () => ping));
    // The server stops reading, so the client's own buffer fills.
    for (let at = 0; at < 100 && client.socket.write(pings); at++) await new Promise(setImmediate);
    expect((await request(server.transport(), 'GET', configMaps)).status).toBe(200);
    client.close();
  });
});

const merge = { 'content-type': 'application/merge-patch+json' };
