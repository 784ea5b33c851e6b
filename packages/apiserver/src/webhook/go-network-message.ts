import { goQuote } from '../apimachinery/index.ts';

/** Returns the message of Go's `net` and `net/http` for an error of Node's. */
export function goNetworkMessage(error: unknown, { hostname }: { readonly hostname: string }): string {
  // A name with several addresses: Go reports the first. Errors of Node's own are no `Error` of every realm.
  const failure = (error ?? {}) as NetworkError;
  const { code = '', syscall, address = '', port, message = String(error) } = failure.errors?.[0] ?? failure;
  if (syscall === 'connect') {
    const endpoint = `${address.includes(':') ? `[${address}]` : address}:${port}`;
    return `dial tcp ${endpoint}: connect: ${connectReasons[code] ?? message}`;
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${hostname}: no such host`;
  if (code === 'ECONNRESET') return syscall === 'read' ? 'read tcp: read: connection reset by peer' : 'EOF';
  if (code === 'EPIPE') return 'write tcp: write: broken pipe';
  const tls = tlsReasons[code];
  if (tls !== undefined) return tls;
  if (code.startsWith('HPE_')) {
    const [line = ''] = (failure.rawPacket?.toString('latin1') ?? '').split(/\r?\n/, 1);
    return `net/http: HTTP/1.x transport connection broken: malformed HTTP response ${goQuote(line)}`;
  }
  return message;
}

interface NetworkError {
  readonly code?: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly port?: number;
  readonly message?: string;
  /** What the parser of responses could not read. */
  readonly rawPacket?: Buffer;
  readonly errors?: readonly NetworkError[];
}

const connectReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
  ECONNRESET: 'connection reset by peer',
};

const notTls = 'http: server gave HTTP response to HTTPS client';

const tlsReasons: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notTls,
  ERR_SSL_HTTP_REQUEST: notTls,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'remote error: tls: protocol version not supported',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'tls: server selected unsupported protocol version',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'remote error: tls: handshake failure',
  ERR_SSL_SSL_TLS_ALERT_HANDSHAKE_FAILURE: 'remote error: tls: handshake failure',
};
