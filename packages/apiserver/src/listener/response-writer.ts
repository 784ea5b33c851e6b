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
  await writeStream(outgoing, body);
  if (!outgoing.destroyed) outgoing.end();
}

/** The streams that are open in this process, and those to which one piece each is written in about a millisecond. */
let openStreams = 0;
const streamsPerMs = 200;

/**
 * Writes the pieces of a stream until it ends or the client has gone. A piece after a pause is written at once. If pieces follow each other,
 * the next one is read in a later turn of the event loop, and later if hundreds of streams are open: the events of a watch that
 * have arrived meanwhile are one piece, and one write.
 */
export async function writeStream(outgoing: Writable, body: OutgoingResponse['body']): Promise<void> {
  openStreams++;
  try {
    for await (const piece of body instanceof Uint8Array ? [body] : body) {
      if (outgoing.destroyed || outgoing.writableEnded) return;
      if (!outgoing.write(piece)) await drained(outgoing);
      const pauseMs = Math.floor(openStreams / streamsPerMs);
      await new Promise((resolve) => (pauseMs === 0 ? setImmediate(resolve) : setTimeout(resolve, pauseMs)));
    }
  } finally {
    openStreams--;
  }
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
