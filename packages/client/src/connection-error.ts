import { EvenkeelError } from '@evenkeel/core';

const checkAuthority = 'check certificate-authority or certificate-authority-data of its cluster there';
const foreignAuthority = `its certificate is not signed by the authority of the kubeconfig; ${checkAuthority}`;

const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused; is the cluster running?'],
  ['ENOTFOUND', 'its host name is not known; is the address right, and the network up?'],
  ['EAI_AGAIN', 'its host name cannot be looked up now; is the network up?'],
  ['ETIMEDOUT', 'nobody answers; is the address right, and reachable from here?'],
  ['EHOSTUNREACH', 'there is no route to it; is the network up?'],
  ['ENETUNREACH', 'there is no route to it; is the network up?'],
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was reset'],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    `its certificate is self-signed and not the one of the kubeconfig; ${checkAuthority}`,
  ],
  ['SELF_SIGNED_CERT_IN_CHAIN', foreignAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', foreignAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', foreignAuthority],
  ['CERT_SIGNATURE_FAILURE', foreignAuthority],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet; is the clock of this machine right?'],
  [
    'ERR_OSSL_X509_KEY_VALUES_MISMATCH',
    'the client certificate and its key do not belong together; was only one of them replaced?',
  ],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name; set tls-server-name in the kubeconfig'],
]);

/** `cluster-unreachable` in one line, whatever Node made of it; that is its `cause`. */
export function connectionError(server: string, cause: unknown): EvenkeelError {
  const { code, message } = cause as { code?: unknown; message?: unknown };
  const reason =
    otherProtocol(server, code, message) ??
    (typeof code === 'string' ? reasons.get(code) : undefined) ??
    (typeof message === 'string' && message !== '' ? message : String(code));
  return new EvenkeelError('cluster-unreachable', `cannot reach ${server}: ${reason}`, { cause });
}

/** The same of a server that speaks HTTPS and was asked over plain HTTP. */
export function httpsExpected(server: string): EvenkeelError {
  return new EvenkeelError('cluster-unreachable', `cannot reach ${server}: it speaks HTTPS; ${writeServer(server)}`);
}

/** Why one side may have spoken HTTPS, and the other plain HTTP. */
function otherProtocol(server: string, code: unknown, message: unknown): string | undefined {
  if (/^http:/i.test(server)) {
    // What Node's own servers do with a request that is no TLS.
    return code === 'ECONNRESET'
      ? `the connection was reset; where it speaks HTTPS, ${writeServer(server)}`
      : undefined;
  }
  // OpenSSL's words for a first record that is no TLS.
  const isPlain = typeof message === 'string' && /wrong version number|packet length too long/.test(message);
  return isPlain ? `it answers plain HTTP; ${writeServer(server)}, or the port where it speaks HTTPS` : undefined;
}

function writeServer(server: string): string {
  const other = /^http:/i.test(server) ? server.replace(/^http:/i, 'https:') : server.replace(/^https:/i, 'http:');
  return `write ${other} as its server in the kubeconfig`;
}
