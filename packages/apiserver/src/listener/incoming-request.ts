import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { IncomingRequest } from '../request/request-handler.ts';
import { targetOf } from './request-head.ts';

/** A request as a handler gets it. */
export function incomingRequestOf(
  incoming: IncomingMessage,
  receive: IncomingRequest['receive'],
  signal: AbortSignal,
): IncomingRequest {
  const clientCertificate = clientCertificateOf(incoming.socket as TLSSocket);
  const { localAddress, localPort, remoteAddress = '' } = incoming.socket;
  return {
    method: incoming.method ?? 'GET',
    url: targetOf(incoming),
    headers: joinedHeaders(incoming),
    receive,
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    localAddress: `${localAddress}:${localPort}`,
    remoteAddress,
    signal,
  };
}

const clientCertificates = new WeakMap<TLSSocket, IncomingRequest['clientCertificate'] | null>();

/** Read once for each connection, because Node parses the certificate at every call. */
function clientCertificateOf(socket: TLSSocket): IncomingRequest['clientCertificate'] {
  let certificate = clientCertificates.get(socket);
  if (certificate === undefined) {
    certificate = readClientCertificate(socket) ?? null;
    clientCertificates.set(socket, certificate);
  }
  return certificate ?? undefined;
}

function readClientCertificate(socket: TLSSocket): IncomingRequest['clientCertificate'] {
  if (!socket.authorized) return undefined;
  const { subject, fingerprint256 } = socket.getPeerCertificate();
  if (subject === undefined) return undefined;
  const names = (value: string | readonly string[] | undefined): readonly string[] =>
    value === undefined ? [] : typeof value === 'string' ? [value] : value;
  return {
    commonName: names(subject.CN)[0] ?? '',
    organizations: names(subject.O),
    hash: fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

function joinedHeaders(incoming: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return headers;
}
