import { isUtf8 } from 'node:buffer';

const bearerPrefix = 'base64url.bearer.authorization.k8s.io.';

/** A token that a browser sent as a subprotocol, because it cannot set headers of a WebSocket. */
export interface BearerProtocol {
  readonly token: string;
  /** The other subprotocols, as a header. */
  readonly others: string;
}

/**
 * The token in a header `Sec-WebSocket-Protocol`; undefined if there is none, `invalid` if there are several, if its encoding is
 * invalid, or if it is the only subprotocol.
 *
 * Source: `ProtocolAuthenticator` of apiserver `pkg/authentication/request/websocket`.
 */
export function bearerProtocolOf(header: string): BearerProtocol | 'invalid' | undefined {
  const protocols = header.split(',').map((protocol) => protocol.trim());
  const [encoded, second] = protocols.filter((protocol) => protocol.startsWith(bearerPrefix));
  if (encoded === undefined) return undefined;
  if (second !== undefined) return 'invalid';
  const text = encoded.slice(bearerPrefix.length);
  if (text === '') return undefined;
  const bytes = Buffer.from(text, 'base64url');
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1 || !isUtf8(bytes)) return 'invalid';
  const token = bytes.toString('utf8');
  const others = protocols.filter((protocol) => protocol !== encoded);
  return others.length === 0 ? 'invalid' : { token, others: others.join(',') };
}
