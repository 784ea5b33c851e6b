import { nodeCrypto } from '../crypto/node-crypto.ts';
import type { IncomingRequest, OutgoingResponse } from '../request/request-handler.ts';

type RequestHeaders = IncomingRequest['headers'];

/** RFC 6455, section 1.3. */
const acceptedKeySuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Whether the headers request a WebSocket. */
export function isWebSocketRequest(headers: RequestHeaders): boolean {
  return headers['upgrade']?.toLowerCase() === 'websocket' && /upgrade/i.test(headers['connection'] ?? '');
}

/**
 * The response to a request for a WebSocket, without a body if its status is 101. Accepts any subprotocol, but only one, and
 * requires an `Origin`, as the real server does.
 *
 * Source: `hybiServerHandshaker` and `checkOrigin` of golang.org/x/net/websocket.
 */
export function webSocketHandshake(headers: RequestHeaders): OutgoingResponse {
  const key = headers['sec-websocket-key'] ?? '';
  if (key === '') return failed(400, 'mismatch challenge/response');
  if (headers['sec-websocket-version'] !== '13') {
    return failed(400, 'missing or bad WebSocket Version', { 'sec-websocket-version': '13' });
  }
  if (!isOrigin(headers['origin'] ?? '')) return failed(403);
  const protocol = (headers['sec-websocket-protocol'] ?? '').trim();
  if (protocol.includes(',')) return failed(400);
  return {
    status: 101,
    headers: {
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-accept': acceptedKeyOf(key),
      ...(protocol !== '' && { 'sec-websocket-protocol': protocol }),
    },
    body: new Uint8Array(),
  };
}

function acceptedKeyOf(key: string): string {
  return nodeCrypto().createHash('sha1').update(`${key}${acceptedKeySuffix}`).digest('base64');
}

function failed(status: number, message = '', headers: OutgoingResponse['headers'] = {}): OutgoingResponse {
  return { status, headers: { connection: 'close', ...headers }, body: Buffer.from(message) };
}

const scheme = '[a-z][a-z\\d+.-]*:';
const authority = '(?:[^@/?#]*@)?(?:[^\\s<>"\\[\\]:/?#]*|\\[[^\\]]*\\])(?::\\d*)?';
const originPattern = new RegExp(`^(?:\\*|/.*|${scheme}(?:|[^/].*|/(?!/).*|//${authority}(?:[/?#].*)?))$`, 'i');

/** Whether Go's `url.ParseRequestURI` accepts a string: an absolute URI, an absolute path or `*`. */
function isOrigin(text: string): boolean {
  return originPattern.test(text) && !/%(?![\da-f]{2})/i.test(text);
}
