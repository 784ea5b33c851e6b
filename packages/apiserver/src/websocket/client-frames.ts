/** The longest message that is skipped: `DefaultMaxPayloadBytes` of golang.org/x/net/websocket. */
const messageBytesMax = 32 * 1024 * 1024;
const pingBytesMax = 125;
const maskBytes = 4;

const closeOpcode = 8;
const pingOpcode = 9;
const pongOpcode = 10;

export interface ClientFrameListener {
  /** The client expects a pong with this payload, of at most 125 bytes. */
  ping(payload: Uint8Array): void;
  /** The connection must be closed: at the request of the client, or because it broke the protocol. Called at most once. */
  close(reason: 'requested' | 'protocol error'): void;
}

/**
 * Reads what the client of a watch sends. Messages are skipped without being kept; reserved bits and unknown types are ignored,
 * as by the real server.
 *
 * Source: `hybiFrameReaderFactory` and `hybiFrameHandler` of golang.org/x/net/websocket.
 */
export class ClientFrames {
  readonly #listener: ClientFrameListener;
  #head: number[] = [];
  #payloadLeft = 0;
  /** The payload of the current ping; undefined in other frames. */
  #ping: number[] | undefined;
  #closed = false;

  constructor(listener: ClientFrameListener) {
    this.#listener = listener;
  }

  /** Reads the next bytes, which can end anywhere in a frame. */
  read(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.byteLength && !this.#closed; ) {
      if (this.#payloadLeft > 0) {
        const end = Math.min(bytes.byteLength, at + this.#payloadLeft);
        this.#readPayload(bytes.subarray(at, end));
        at = end;
      } else this.#readHead(bytes[at++] ?? 0);
    }
  }

  #readHead(byte: number): void {
    const head = this.#head;
    head.push(byte);
    const [type = 0, second = 0] = head;
    if (head.length < 2) return;
    const shortLength = second & 0x7f;
    const lengthBytes = shortLength === 127 ? 8 : shortLength === 126 ? 2 : 0;
    const isMasked = (second & 0x80) !== 0;
    if (head.length < 2 + lengthBytes + (isMasked ? maskBytes : 0)) return;
    if (!isMasked) {
      this.#close('protocol error');
      return;
    }
    const opcode = type & 0x0f;
    const long = head.slice(2, 2 + lengthBytes).reduce((sum, each) => sum * 256 + each, 0);
    // The highest bit of a long length is ignored.
    const length = lengthBytes === 0 ? shortLength : long % 2 ** 63;
    const isControl = opcode === pingOpcode || opcode === pongOpcode;
    if (opcode === closeOpcode || (!isControl && length > messageBytesMax)) {
      this.#close('requested');
      return;
    }
    this.#payloadLeft = length;
    this.#ping = opcode === pingOpcode ? [] : undefined;
    if (length === 0) this.#endFrame();
  }

  #readPayload(bytes: Uint8Array): void {
    const ping = this.#ping;
    if (ping !== undefined) {
      const mask = this.#head.slice(-maskBytes);
      for (const byte of bytes.subarray(0, pingBytesMax - ping.length)) {
        ping.push(byte ^ (mask[ping.length % maskBytes] ?? 0));
      }
    }
    this.#payloadLeft -= bytes.byteLength;
    if (this.#payloadLeft === 0) this.#endFrame();
  }

  #endFrame(): void {
    this.#head = [];
    if (this.#ping !== undefined) this.#listener.ping(Uint8Array.from(this.#ping));
    this.#ping = undefined;
  }

  #close(reason: 'requested' | 'protocol error'): void {
    this.#closed = true;
    this.#listener.close(reason);
  }
}
