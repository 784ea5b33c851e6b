import type { IncomingMessage } from 'node:http';
import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { OutgoingResponse, RequestHandler } from '../request/request-handler.ts';
import { ClientFrames } from '../websocket/client-frames.ts';
import { closeFrame, pongFrame } from '../websocket/server-frame.ts';
import { incomingRequestOf } from './incoming-request.ts';
import { drained, send, writeStream } from './response-writer.ts';

/** How long a client may be silent after the server has ended a WebSocket. */
const lingerMs = 5000;

/**
 * The connections on which a client requests another protocol. Only WebSocket is supported, and only if a handler accepts it; all
 * other requests are served as if they did not contain the header.
 */
export class UpgradedConnections {
  readonly #server: Server;
  readonly #handler: RequestHandler;
  readonly #sockets = new Set<TLSSocket>();

  constructor(server: Server, handler: RequestHandler) {
    this.#server = server;
    this.#handler = handler;
  }

  /** Serves a request that Node's server has passed on with its socket. `head` has what the client sent after the request. */
  serve(incoming: IncomingMessage, socket: TLSSocket, head: Buffer): void {
    if (incoming.method !== 'GET' || incoming.headers.upgrade?.toLowerCase() !== 'websocket') {
      this.#serveHttp(socket, Buffer.concat([requestHeadOf(incoming), head]));
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    void this.#serveWebSocket(incoming, socket, head);
  }

  /** Ends all connections at once. */
  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Gives a socket back to Node's server, which reads `unread` first. */
  #serveHttp(socket: TLSSocket, unread: Buffer): void {
    this.#sockets.delete(socket);
    if (unread.length > 0) socket.unshift(unread);
    this.#server.emit('secureConnection', socket);
  }

  async #serveWebSocket(incoming: IncomingMessage, socket: TLSSocket, head: Buffer): Promise<void> {
    const gone = new AbortController();
    const abort = (): void => gone.abort(new Error('the client has gone'));
    // Node has removed its own listener. The event "close" follows.
    const ignore = (): void => undefined;
    socket.on('error', ignore).once('close', abort);
    try {
      const request = { ...incomingRequestOf(incoming, async () => new Uint8Array(), gone.signal), upgradable: true };
      const response = await this.#handler(request);
      response.dropped?.addEventListener('abort', () => socket.destroy(), { once: true });
      if (response.status === 101) await sendFrames(socket, response, head, abort);
      else {
        await this.#sendHttp(incoming, socket, head, response);
        socket.off('error', ignore).off('close', abort);
      }
    } catch {
      socket.destroy();
    }
  }

  async #sendHttp(
    incoming: IncomingMessage,
    socket: TLSSocket,
    head: Buffer,
    response: OutgoingResponse,
  ): Promise<void> {
    const { ServerResponse } = process.getBuiltinModule('node:http');
    const outgoing = new ServerResponse(incoming);
    outgoing.assignSocket(socket);
    const finished = new Promise<void>((resolve) => outgoing.once('finish', resolve).once('close', resolve));
    await send(outgoing, response, false);
    await finished;
    outgoing.detachSocket(socket);
    if (response.headers['connection'] === 'close') socket.destroySoon();
    else this.#serveHttp(socket, head);
  }
}

/** Returns the head of a request without the header `upgrade`. */
function requestHeadOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.toLowerCase() !== 'upgrade') text += `${name}: ${rawHeaders[at + 1]}\r\n`;
  }
  return Buffer.from(`${text}\r\n`, 'latin1');
}

/** Sends the frames of a WebSocket, and then a close frame. Responds to pings, and ends when the client closes the connection. */
async function sendFrames(
  socket: TLSSocket,
  { headers, body }: OutgoingResponse,
  head: Buffer,
  abort: () => void,
): Promise<void> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
  const frames = new ClientFrames({
    ping(payload) {
      if (socket.writableEnded || socket.write(pongFrame(payload))) return;
      // A client that does not read its pongs is not read either.
      socket.pause();
      void drained(socket).then(() => socket.resume());
    },
    close(reason) {
      if (reason === 'protocol error') socket.write(closeFrame(1002));
      endSocket(socket);
      abort();
    },
  });
  frames.read(head);
  socket.on('data', (bytes: Buffer) => frames.read(bytes));
  socket.once('end', abort);
  await writeStream(socket, body);
  endSocket(socket);
}

function endSocket(socket: TLSSocket): void {
  if (socket.destroyed || socket.writableEnded) return;
  socket.setTimeout(lingerMs, () => socket.destroy());
  socket.end(closeFrame(1000));
  socket.destroySoon();
}
