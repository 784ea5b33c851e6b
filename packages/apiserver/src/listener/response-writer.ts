import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import type { OutgoingResponse } from '../request/request-handler.ts';

/**
 * Sends a response; `headOnly` omits its body. Fulfilled when all of it is written. The response ends after `beforeEnd`, if it is
 * set; the body is sent before.
 */
export async function send(
  outgoing: ServerResponse,
  { status, headers, body }: OutgoingResponse,
  headOnly: boolean,
  beforeEnd?: Promise<unknown>,
): Promise<void> {
  for (const [name, value] of Object.entries(headers)) {
    outgoing.setHeader(name, typeof value === 'string' ? bytesOf(value) : value.map(bytesOf));
  }
  outgoing.statusCode = status;
  // Node has a newer reason phrase than Go and Kubernetes.
  if (status === 413) outgoing.statusMessage = 'Request Entity Too Large';
  if (body instanceof Uint8Array) {
    outgoing.setHeader('content-length', body.length);
    if (beforeEnd !== undefined) {
      if (headOnly) outgoing.flushHeaders();
      else outgoing.write(body);
      await beforeEnd;
    }
    outgoing.end(headOnly || beforeEnd !== undefined ? undefined : body);
    return;
  }
  outgoing.flushHeaders();
  for await (const chunk of body) {
    if (outgoing.destroyed) return;
    await writePiece(outgoing, chunk);
  }
  outgoing.end();
}

/** Writes a piece of a stream. Fulfilled when the next piece may be written. */
export async function writePiece(outgoing: Writable, piece: Uint8Array): Promise<void> {
  if (!outgoing.write(piece)) await drained(outgoing);
  // Other requests in this turn of the event loop can cause events, which are then written in one piece.
  await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until a slow client has read, so that unread data does not fill the memory. */
export function drained(outgoing: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.on('drain', done);
    outgoing.on('close', done);
  });
}

/** UTF-8, as the API server writes it, in the form in which Node expects the bytes of a header. */
function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
