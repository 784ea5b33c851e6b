import { createPrivateKey, X509Certificate } from 'node:crypto';
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Clock, EvenkeelError } from '@evenkeel/core';

/** A certificate with its chain, and its private key, as PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** The source of a server's certificate. */
export interface ServingCertificate {
  /** The current certificate. Rejects with `certificate-unusable` if there is no valid one. */
  current(): Promise<TlsPair>;
  /**
   * Calls `listener` when the certificate may have changed. Returns a function that ends this. A server asks for the certificate
   * every 10 s too, so a source without this method is used with that delay.
   */
  onChange?(listener: () => void): () => void;
}

/**
 * The files `tls.crt` and `tls.key` in a directory, such as a mounted Secret of type `kubernetes.io/tls`. A change is reported when
 * the directory changes, as it does when the kubelet swaps its link `..data`. The file system may not report it, for example if the
 * directory itself is replaced, or on a network file system.
 *
 * @param otherwise what else fixes missing files, for messages. Default: that of the metrics.
 */
export function certificateIn(
  directory: string,
  otherwise = 'set no directory, and the process creates its own certificate',
): ServingCertificate {
  const read = async (file: string): Promise<string> => {
    try {
      return await readFile(join(directory, file), 'utf8');
    } catch (error) {
      throw unusable(join(directory, file), (error as Error).message, otherwise, error);
    }
  };
  const readPair = async (): Promise<TlsPair> => {
    const pair = { cert: await read('tls.crt'), key: await read('tls.key') };
    checkPair(directory, pair, otherwise);
    return pair;
  };
  return {
    // The files may be swapped between the two reads.
    current: () => readPair().catch(readPair),
    onChange: (listener) => {
      try {
        const watcher = watch(directory, { persistent: false }, () => listener());
        watcher.on('error', () => watcher.close());
        return () => watcher.close();
      } catch {
        return () => undefined;
      }
    },
  };
}

function checkPair(directory: string, { cert, key }: TlsPair, otherwise: string): void {
  let belongs: boolean;
  try {
    belongs = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw unusable(directory, (error as Error).message, otherwise, error);
  }
  if (!belongs) throw unusable(directory, 'tls.key is not the key of tls.crt', otherwise);
}

function unusable(where: string, reason: string, otherwise: string, cause?: unknown): EvenkeelError {
  return new EvenkeelError(
    'certificate-unusable',
    `${where}: ${reason}; put tls.crt and the matching tls.key there, or ${otherwise}`,
    { cause },
  );
}

/** Less than the year for which it is valid. */
const renewAfterMs = 300 * 24 * 3_600_000;

/**
 * A self-made certificate, only in memory. It is created at the first call of `current`, and again before it expires. It encrypts
 * the connection, but clients cannot verify the server. kube-controller-manager does the same by default.
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
