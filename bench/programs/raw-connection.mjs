// One HTTP/1.1 connection over TLS that sends one request at a time. It needs less time than a client of Node, so the
// server limits a measurement, and not the program that loads it.
import { once } from 'node:events';
import { connect } from 'node:tls';
import { loadConnection } from '@evenkeel/client';

/** Opens a number of connections to the server of a kubeconfig. */
export async function openConnections(kubeconfig, count) {
  const { server, ca, credentials } = await loadConnection({ kubeconfig });
  const { headers = {}, cert, key } = (await credentials?.()) ?? {};
  const { hostname, port } = new URL(server);
  const fixed = Object.entries({ host: `${hostname}:${port}`, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ host: hostname, port: Number(port), ca, cert, key, ALPNProtocols: ['http/1.1'] });
      await once(socket, 'secureConnect');
      return new RawConnection(socket.setNoDelay(true), fixed);
    }),
  );
}

class RawConnection {
  #socket;
  #fixed;
  #received = Buffer.alloc(0);
  #more;

  constructor(socket, fixed) {
    this.#socket = socket;
    this.#fixed = fixed;
    socket.on('data', (chunk) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      this.#more?.resolve();
    });
    for (const event of ['error', 'end']) {
      socket.on(event, (error = new Error('the server closed the connection')) => this.#more?.reject(error));
    }
  }

  /** Returns the body of the response. Throws for a status that is not in `status`. */
  async send(method, path, { body, contentType = 'application/json', status = 200 } = {}) {
    const length = await this.#head(method, path, body, contentType, status);
    if (length !== undefined) return await this.#take(length);
    const chunks = [];
    for (;;) {
      const chunk = await this.#chunk();
      if (chunk.length === 0) return Buffer.concat(chunks);
      chunks.push(chunk);
    }
  }

  /** Calls `take` with every chunk of a watch, until it returns true. */
  async watch(path, take) {
    await this.#head('GET', path, undefined, undefined, 200);
    while (!take(await this.#chunk()));
  }

  close() {
    this.#socket.removeAllListeners('end').destroy();
  }

  /** Returns the length of the body, or undefined for one in chunks. */
  async #head(method, path, body, contentType, status) {
    const bodyHead =
      body === undefined ? '' : `content-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    this.#socket.write(`${method} ${path} HTTP/1.1\r\n${this.#fixed}${bodyHead}\r\n${body ?? ''}`);
    const head = await this.#until('\r\n\r\n');
    if (![status].flat().includes(Number(head.slice(9, 12))))
      throw new Error(`${method} ${path}: ${head}${this.#received}`);
    const [, length] = /^content-length: (\d+)/im.exec(head) ?? [];
    return length === undefined ? undefined : Number(length);
  }

  async #chunk() {
    const size = Number.parseInt(await this.#until('\r\n'), 16);
    const chunk = await this.#take(size + 2);
    return chunk.subarray(0, size);
  }

  /** The text before a separator. */
  async #until(separator) {
    for (;;) {
      const at = this.#received.indexOf(separator);
      if (at >= 0) return (await this.#take(at + separator.length)).toString('latin1', 0, at);
      await this.#next();
    }
  }

  async #take(length) {
    // Joins the chunks of a long body once, and not at each chunk.
    if (this.#received.length < length) {
      const parts = [];
      let missing = length;
      for (;;) {
        parts.push(this.#received.subarray(0, missing));
        this.#received = this.#received.subarray(parts.at(-1).length);
        missing -= parts.at(-1).length;
        if (missing === 0) return Buffer.concat(parts);
        await this.#next();
      }
    }
    const taken = this.#received.subarray(0, length);
    this.#received = this.#received.subarray(length);
    return taken;
  }

  #next() {
    this.#more = Promise.withResolvers();
    return this.#more.promise;
  }
}
