import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Clock, EvenkeelError } from '@evenkeel/core';

/** A certificate, with those that vouch for it, and its key, as PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** Where a server has its certificate from. */
export interface ServingCertificate {
  /** The one there is now. Rejects with `certificate-unusable` where there is none that a server could use. */
  current(): Promise<TlsPair>;
}

/** The files `tls.crt` and `tls.key` of a directory, as a Secret of type `kubernetes.io/tls` is mounted. */
export function certificateIn(directory: string): ServingCertificate {
  const read = async (file: string): Promise<string> => {
    try {
      return await readFile(join(directory, file), 'utf8');
    } catch (error) {
      throw unusable(join(directory, file), (error as Error).message, error);
    }
  };
  return {
    current: async () => {
      const pair = { cert: await read('tls.crt'), key: await read('tls.key') };
      checkPair(directory, pair);
      return pair;
    },
  };
}

function checkPair(directory: string, { cert, key }: TlsPair): void {
  let belongs: boolean;
  try {
    belongs = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw unusable(directory, (error as Error).message, error);
  }
  if (!belongs) throw unusable(directory, 'tls.key is not the key of tls.crt');
}

function unusable(where: string, reason: string, cause?: unknown): EvenkeelError {
  return new EvenkeelError(
    'certificate-unusable',
    `${where}: ${reason}; put tls.crt and its tls.key there, or name no directory to have one made`,
    { cause },
  );
}

/** Before the year that it is valid for is over. */
const renewAfterMs = 300 * 24 * 3_600_000;

/**
 * One of its own, made when first asked for, in memory alone, and again before it runs out. It keeps what is sent from being
 * read, and does not say who sends it: whoever scrapes cannot check it. kube-controller-manager has the same by default.
 */
export function selfMadeCertificate(clock: Clock): ServingCertificate {
  let made: { readonly pair: TlsPair; readonly atMs: number } | undefined;
  return {
    current: async () => {
      const nowMs = clock.now();
      if (made !== undefined && nowMs - made.atMs < renewAfterMs) return made.pair;
      const { CertificateAuthority } = await import('@evenkeel/apimachinery/certificate');
      const authority = new CertificateAuthority('evenkeel-operator-ca', nowMs);
      const { certificatePem, privateKeyPem } = authority.issue({
        commonName: 'evenkeel-operator',
        usage: 'server',
        hosts: ['localhost', '127.0.0.1', '::1', hostname()],
      });
      made = { pair: { cert: certificatePem + authority.certificatePem, key: privateKeyPem }, atMs: nowMs };
      return made.pair;
    },
  };
}
