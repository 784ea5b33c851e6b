import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';

/** Simulates WebSockets (RFC 6455) of a kubelet, which a test server does not have. */
class StreamServer {
  /** Path and token of every request. */
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();

  private constructor(frames: readonly Buffer[]) {
    const record = ({ url = '', headers }: IncomingMessage): void => {
      this.requests.push(`${url.split('?')[0]} ${headers.authorization} as ${headers['impersonate-user']}`);
    };
    this.#server = createServer((request, response) => {
      record(request);
      response.end('line one\nline two\n');
    });
    this.#server.on('upgrade', (request, socket) => {
      record(request);
      const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash('sha1').update(key).digest('base64');
      const protocol = request.headers['sec-websocket-protocol']?.split(',')[0];
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\nsec-websocket-protocol: ${protocol}\r\n\r\n`,
      );
      for (const frame of frames) socket.write(Buffer.concat([Buffer.from([0x82, frame.length]), frame]));
      // Input is ignored.
      socket.resume();
      socket.on('error', () => undefined);
      this.#sockets.add(socket);
    });
  }

  static async start(...frames: Buffer[]): Promise<StreamServer> {
    const server = new StreamServer(frames);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const stdout = Buffer.from('\x01hello\n');
const done = Buffer.from(`\x03${JSON.stringify({ kind: 'Status', status: 'Success' })}`);

const run = promisify(execFile);

/** Runs a program of a client-node user and returns its output. It needs a separate process because jest loads `ws` wrongly. */
async function output(server: StreamServer, program: string): Promise<string> {
  const preamble = `
    import { PassThrough } from 'node:stream';
    import { Attach, Exec, Log, PortForward } from '@kubernetes/client-node';
    import { clientNodeConfig } from '@evenkeel/client/client-node';
    let requests = 0;
    const config = await clientNodeConfig({
      server: ${JSON.stringify(server.url)},
      credentials: async () => ({ headers: { authorization: 'Bearer t' + ++requests, 'impersonate-user': 'jane' } }),
    });
    const stream = new PassThrough();
    stream.pipe(process.stdout);`;
  const options = [
    '--no-warnings',
    '--conditions=evenkeel-source',
    '--input-type=module',
    '--eval',
    preamble + program,
  ];
  const { stdout: printed } = await run(process.execPath, options, { cwd: import.meta.dirname, timeout: 50_000 });
  return printed;
}

const pod = '/api/v1/namespaces/default/pods/web-0';

describe('client-node with clientNodeConfig()', () => {
  let server: StreamServer;
  afterEach(() => server.close());

  it('runs a command in a pod, and receives its exit status', async () => {
    server = await StreamServer.start(stdout, done);
    const program = `
      const { promise, resolve } = Promise.withResolvers();
      await new Exec(config).exec('default', 'web-0', 'web', ['echo', 'hello'], stream, null, null, false, resolve);
      process.stdout.write((await promise).status, () => process.exit());`;
    expect(await output(server, program)).toBe('hello\nSuccess');
    expect(server.requests).toEqual([`${pod}/exec Bearer t1 as jane`]);
  });

  it('attaches to a container', async () => {
    server = await StreamServer.start(stdout);
    const program = `
      stream.once('data', () => setImmediate(() => process.exit()));
      await new Attach(config).attach('default', 'web-0', 'web', stream, null, null, false);`;
    expect(await output(server, program)).toBe('hello\n');
    expect(server.requests).toEqual([`${pod}/attach Bearer t1 as jane`]);
  });

  it('forwards a port', async () => {
    // Each of the two streams of a port starts with the port number.
    const port = Buffer.from([0x90, 0x1f]);
    server = await StreamServer.start(
      Buffer.concat([Buffer.from([0]), port]),
      Buffer.concat([Buffer.from([1]), port]),
      Buffer.from('\x00answer'),
    );
    const program = `
      stream.once('data', () => setImmediate(() => process.exit()));
      await new PortForward(config).portForward('default', 'web-0', [8080], stream, null, new PassThrough());`;
    expect(await output(server, program)).toBe('answer');
    expect(server.requests).toEqual([`${pod}/portforward Bearer t1 as jane`]);
  });

  it('reads a log, and requests credentials before each request', async () => {
    server = await StreamServer.start();
    const program = `
      for (let at = 0; at < 2; at++) {
        const one = new PassThrough();
        one.pipe(stream, { end: false });
        await new Log(config).log('default', 'web-0', 'web', one, {});
        await new Promise((resolve) => one.once('end', resolve));
      }`;
    expect(await output(server, program)).toBe('line one\nline two\n'.repeat(2));
    expect(server.requests).toEqual([`${pod}/log Bearer t1 as jane`, `${pod}/log Bearer t2 as jane`]);
  });
});
