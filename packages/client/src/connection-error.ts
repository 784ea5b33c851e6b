import { EvenkeelError } from '@evenkeel/core';

const checkAuthority = 'check certificate-authority or certificate-authority-data of its cluster in the kubeconfig';
const foreignAuthority = `its certificate is not signed by the authority of the kubeconfig; ${checkAuthority}`;

const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused; check that the cluster is running'],
  ['ENOTFOUND', 'unknown host name; check the address and the network'],
  ['EAI_AGAIN', 'the lookup of its host name failed; check the network'],
  ['ETIMEDOUT', 'no response in time; check the address, and that it is reachable from here'],
  ['EHOSTUNREACH', 'no route to host; check the network'],
  ['ENETUNREACH', 'no route to host; check the network'],
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was reset'],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    `its certificate is self-signed and differs from the one in the kubeconfig; ${checkAuthority}`,
  ],
  ['SELF_SIGNED_CERT_IN_CHAIN', foreignAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', foreignAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', foreignAuthority],
  ['CERT_SIGNATURE_FAILURE', foreignAuthority],
  ['CERT_HAS_EXPIRED', 'its certificate has expired; renew it'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet; check the clock of this machine'],
  ['ERR_OSSL_X509_KEY_VALUES_MISMATCH', 'the client certificate and its key do not match; replace both'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name; set tls-server-name in the kubeconfig'],
]);

/** Returns `cluster-unreachable` with a message in one line. Node's error is its `cause`. */
export function connectionError(server: string, cause: unknown): EvenkeelError {
  const { code, message } = cause as { code?: unknown; message?: unknown };
  const reason =
    otherProtocol(server, code, message) ??
    (typeof code === 'string' ? reasons.get(code) : undefined) ??
    (typeof message === 'string' && message !== '' ? message : String(code));
  return new EvenkeelError('cluster-unreachable', `cannot reach ${server}: ${reason}`, { cause });
}

/** The same for a server that uses HTTPS but got a plain HTTP request. */
export function httpsExpected(server: string): EvenkeelError {
  return new EvenkeelError('cluster-unreachable', `cannot reach ${server}: it uses HTTPS; ${writeServer(server)}`);
}

/** Describes the case that one side uses HTTPS and the other plain HTTP. */
function otherProtocol(server: string, code: unknown, message: unknown): string | undefined {
  if (/^http:/i.test(server)) {
    // Node's own servers reset the connection for a request without TLS.
    return code === 'ECONNRESET' ? `the connection was reset; if it uses HTTPS, ${writeServer(server)}` : undefined;
  }
  // OpenSSL's messages for a first record that is not TLS.
  const isPlain = typeof message === 'string' && /wrong version number|packet length too long/.test(message);
  return isPlain ? `it uses plain HTTP; ${writeServer(server)}, or use its HTTPS port` : undefined;
}

function writeServer(server: string): string {
  const other = /^http:/i.test(server) ? server.replace(/^http:/i, 'https:') : server.replace(/^https:/i, 'http:');
  return `write ${other} as the server in the kubeconfig`;
}
