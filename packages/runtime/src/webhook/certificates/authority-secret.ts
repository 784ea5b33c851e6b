import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { authorityProblem } from '@evenkeel/apimachinery/certificate';
import { type AuthorityRecord, pemBlocks, recordOf, withoutDuplicates } from './authority-record.ts';

/** The authorities of a Secret. */
export interface StoredAuthorities {
  /** The valid ones, in the order of `ca.crt`: newest first. */
  readonly records: readonly AuthorityRecord[];
  /** Why the content is not what an operator writes; undefined if it is. Contains nothing of the content. */
  readonly damage: string | undefined;
}

/**
 * Returns the data of the Secret: `ca.crt` has the certificates of all authorities, newest first. `ca.key` has the keys of those
 * that may still sign, in the same order.
 */
export function secretData(records: readonly AuthorityRecord[]): {
  readonly 'ca.crt': string;
  readonly 'ca.key': string;
} {
  const joined = (parts: readonly (string | undefined)[]): string => Buffer.from(parts.join('')).toString('base64');
  return {
    'ca.crt': joined(records.map(({ certificatePem }) => certificatePem)),
    'ca.key': joined(records.map(({ privateKeyPem }) => privateKeyPem)),
  };
}

/** Reads the data of a Secret. It trusts no block before it has checked it, and leaves out those that are not valid. */
export function readAuthorities(
  data: Readonly<Record<string, string>> | undefined,
  commonName: string,
): StoredAuthorities {
  const problems: string[] = [];
  const blocksOf = (key: 'ca.crt' | 'ca.key', type: string): string[] => {
    const value: unknown = data !== undefined && Object.hasOwn(data, key) ? data[key] : undefined;
    const blocks = typeof value === 'string' ? pemBlocks(Buffer.from(value, 'base64').toString('latin1'), type) : [];
    if (blocks.length === 0) problems.push(`${key} has no PEM block ${type}`);
    return blocks;
  };
  const attempt = <T>(key: string, at: number, parse: () => T): T[] => {
    try {
      return [parse()];
    } catch (error) {
      problems.push(`block ${at + 1} of ${key}: ${(error as Error).message}`);
      return [];
    }
  };
  const certificates = blocksOf('ca.crt', 'CERTIFICATE').flatMap((block, at) =>
    attempt('ca.crt', at, () => checkedCertificate(block, commonName)),
  );
  const keys = blocksOf('ca.key', 'PRIVATE KEY').flatMap((block, at) =>
    attempt('ca.key', at, () => {
      const key = createPrivateKey(block);
      if (!certificates.some((certificate) => certificate.checkPrivateKey(key))) {
        throw new Error('it is the key of no certificate in ca.crt');
      }
      return key;
    }),
  );
  const records = certificates.map((certificate) => recordOf(certificate, keyOf(certificate, keys)));
  return { records: withoutDuplicates(records), damage: problems.length === 0 ? undefined : problems.join('; ') };
}

function checkedCertificate(block: string, commonName: string): X509Certificate {
  const certificate = new X509Certificate(block);
  const problem = authorityProblem(certificate, commonName);
  if (problem !== undefined) throw new Error(problem);
  return certificate;
}

function keyOf(certificate: X509Certificate, keys: readonly KeyObject[]): string | undefined {
  const key = keys.find((one) => certificate.checkPrivateKey(one));
  return key?.export({ format: 'pem', type: 'pkcs8' }) as string | undefined;
}
