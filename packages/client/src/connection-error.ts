import { EvenkeelError } from '@evenkeel/core';

const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused; is the cluster running?'],
  ['ENOTFOUND', 'its host name is not known; is the address right, and the network up?'],
  ['EAI_AGAIN', 'its host name cannot be looked up now; is the network up?'],
  ['ETIMEDOUT', 'nobody answers; is the address right, and reachable from here?'],
  ['EHOSTUNREACH', 'there is no route to it; is the network up?'],
  ['ENETUNREACH', 'there is no route to it; is the network up?'],
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was reset'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed and not the one of the kubeconfig'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is not signed by the authority of the kubeconfig'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is not signed by the authority of the kubeconfig'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate is not signed by the authority of the kubeconfig'],
  ['CERT_SIGNATURE_FAILURE', 'its certificate is not signed by the authority of the kubeconfig'],
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
    (typeof code === 'string' ? reasons.get(code) : undefined) ??
    (typeof message === 'string' && message !== '' ? message : String(code));
  return new EvenkeelError('cluster-unreachable', `cannot reach ${server}: ${reason}`, { cause });
}
