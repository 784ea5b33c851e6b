import { connect, type TLSSocket } from 'node:tls';

/** A server on a socket, with a token of its administrator. */
export interface SocketServer {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
}

export interface ReceivedFrame {
  readonly type: 'text' | 'close' | 'pong';
  /** The payload: a string of a text frame or of a pong, and the code of a close frame. */
  readonly payload: string | number;
}

export interface UpgradeOptions {
  readonly method?: string;
  /** Replace those of a valid handshake; undefined omits one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Default: true. */
  readonly authorized?: boolean;
  readonly body?: string;
}

const typeOfOpcode: Readonly<Record<number, ReceivedFrame['type']>> = { 129: 'text', 136: 'close', 138: 'pong' };

/** A connection that requests a WebSocket from a server, and reads all that the server sends. */
export class WebSocketClient {
  readonly socket: TLSSocket;
  #unread = Buffer.alloc(0);
  #changed: () => void = () => undefined;
  #ended = false;

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.#unread = Buffer.concat([this.#unread, bytes]);
      this.#changed();
    });
    socket.on('error', () => undefined);
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        this.#ended = true;
        this.#changed();
      });
    }
  }

  static open(server: SocketServer, path: string, options: UpgradeOptions = {}): WebSocketClient {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port), ca: server.caPem, ALPNProtocols: ['http/1.1'] });
    const client = new WebSocketClient(socket);
    client.request(server, path, options);
    return client;
  }

  /** Sends a request on the same connection. */
  request(
    server: SocketServer,
    path: string,
    { method = 'GET', headers, authorized, body = '' }: UpgradeOptions,
  ): void {
    const all = {
      host: 'server',
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
      origin: 'https://server',
      authorization: authorized === false ? undefined : `Bearer ${server.token}`,
      ...headers,
    };
    const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : `${name}: ${value}\r\n`));
    this.socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`, 'latin1');
  }

  /** Reads the head of a response, with names in lower case, and its body if it has a `content-length` or none at all. */
  async response(): Promise<{ status: number; headers: Record<string, string>; body: string }> {
    const head = (await this.#take(headSize)).toString('latin1');
    const [first = '', ...lines] = head.trimEnd().split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const status = Number(first.split(' ')[1]);
    if (status === 101 || headers['transfer-encoding'] !== undefined) return { status, headers, body: '' };
    const length = headers['content-length'];
    const body =
      length === undefined
        ? await this.#takeRest()
        : await this.#take((unread) => (unread.length >= Number(length) ? Number(length) : undefined));
    return { status, headers, body: body.toString('utf8') };
  }

  /** Reads one frame; undefined if the server has closed the connection. */
  async frame(): Promise<ReceivedFrame | undefined> {
    const bytes = await this.#take((unread) => {
      const sizes = frameSizes(unread);
      return sizes === undefined || unread.length < sizes.head + sizes.payload ? undefined : sizes.head + sizes.payload;
    }).catch(() => undefined);
    if (bytes === undefined) return undefined;
    const type = typeOfOpcode[bytes[0] ?? 0];
    if (type === undefined) throw new Error(`unknown type of frame ${bytes[0]}`);
    const payload = bytes.subarray(frameSizes(bytes)?.head);
    return { type, payload: type === 'close' ? payload.readUInt16BE() : payload.toString('utf8') };
  }

  /** Reads frames up to the end of the connection. */
  async frames(): Promise<readonly ReceivedFrame[]> {
    const all: ReceivedFrame[] = [];
    for (;;) {
      const frame = await this.frame();
      if (frame === undefined) return all;
      all.push(frame);
    }
  }

  send(...frames: readonly Uint8Array[]): void {
    this.socket.write(Buffer.concat(frames));
  }

  close(): void {
    this.socket.destroy();
  }

  async #take(sizeOf: (unread: Buffer) => number | undefined): Promise<Buffer> {
    for (;;) {
      const size = sizeOf(this.#unread);
      if (size !== undefined) {
        const taken = this.#unread.subarray(0, size);
        this.#unread = this.#unread.subarray(size);
        return taken;
      }
      if (this.#ended) throw new Error(`the connection has ended after ${this.#unread.toString('latin1')}`);
      await this.#change();
    }
  }

  async #takeRest(): Promise<Buffer> {
    while (!this.#ended) await this.#change();
    return this.#unread;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed = resolve;
    });
  }
}

function headSize(unread: Buffer): number | undefined {
  const end = unread.indexOf('\r\n\r\n');
  return end < 0 ? undefined : end + 4;
}

function frameSizes(bytes: Buffer): { head: number; payload: number } | undefined {
  const short = bytes[1];
  if (short === undefined) return undefined;
  if (short < 126) return { head: 2, payload: short };
  if (short === 126) return bytes.length < 4 ? undefined : { head: 4, payload: bytes.readUInt16BE(2) };
  return bytes.length < 10 ? undefined : { head: 10, payload: Number(bytes.readBigUInt64BE(2)) };
}

/** A frame as a client sends it, masked. `first` is its first byte, and `length` the length that it declares. */
export function clientFrame(first: number, payload = '', length = payload.length): Uint8Array {
  const mask = [1, 2, 3, 4];
  const masked = Buffer.from(payload, 'latin1').map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  const size =
    length < 126
      ? Buffer.of(0x80 | length)
      : length < 0x10000
        ? Buffer.of(0xfe, length >> 8, length & 0xff)
        : Buffer.concat([Buffer.of(0xff), bigEndian(length)]);
  return Buffer.concat([Buffer.of(first), size, Buffer.from(mask), masked]);
}

function bigEndian(length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return bytes;
}
