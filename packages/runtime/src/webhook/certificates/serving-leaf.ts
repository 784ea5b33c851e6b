import { X509Certificate } from 'node:crypto';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { type CertificateTiming, renewalShare } from '@evenkeel/core/certificates';
import type { TlsPair } from '../../http/serving-certificate.ts';
import { type AuthorityRecord, isValidAt } from './authority-record.ts';

/** The certificate that one replica serves. Its key exists only in the memory of this process. */
export interface ServingLeaf {
  readonly pair: TlsPair;
  readonly authority: AuthorityRecord;
  readonly fromMs: number;
  readonly toMs: number;
  /** When it must be renewed. */
  readonly renewMs: number;
}

/**
 * Returns the authority that signs this replica's certificate; undefined if there is none. `authorities` are newest first.
 *
 * This is the newest one that all configurations have trusted for long enough, and otherwise that of the current certificate. A
 * replica without a certificate uses the oldest, which is in the most `caBundle`s.
 */
export function chooseSigner(
  authorities: readonly AuthorityRecord[],
  current: AuthorityRecord | undefined,
  isTrusted: (authority: AuthorityRecord) => boolean,
  nowMs: number,
): AuthorityRecord | undefined {
  const usable = authorities.filter((record) => record.privateKeyPem !== undefined && isValidAt(record, nowMs));
  const upToCurrent = usable.findIndex(({ id }) => id === current?.id);
  const candidates = upToCurrent < 0 ? usable : usable.slice(0, upToCurrent + 1);
  return candidates.find(isTrusted) ?? candidates.at(-1);
}

/** Whether a certificate must be replaced. */
export function isDue(leaf: ServingLeaf, signer: AuthorityRecord, nowMs: number): boolean {
  if (leaf.authority.id !== signer.id) return true;
  if (nowMs < leaf.fromMs) return true;
  // A certificate that ends with its authority cannot be extended by it.
  return nowMs >= leaf.renewMs && leaf.toMs < signer.toMs;
}

export interface LeafRequest {
  readonly commonName: string;
  /** The name of the authority. */
  readonly authorityName: string;
  readonly hosts: readonly string[];
  readonly nowMs: number;
  readonly timing: CertificateTiming;
}

export function issueLeaf(authority: AuthorityRecord, request: LeafRequest): ServingLeaf {
  const { commonName, authorityName, hosts, nowMs, timing } = request;
  const { certificatePem, privateKeyPem = '' } = authority;
  const issued = CertificateAuthority.load({ certificatePem, privateKeyPem }, authorityName).issue({
    ...{ commonName, usage: 'server', hosts },
    ...{ nowMs, validMs: timing.leafMs },
  });
  const { validFromDate, validToDate } = new X509Certificate(issued.certificatePem);
  const toMs = validToDate.getTime();
  return {
    pair: { cert: issued.certificatePem, key: issued.privateKeyPem },
    authority,
    fromMs: validFromDate.getTime(),
    toMs,
    renewMs: toMs - (toMs - nowMs) * renewalShare,
  };
}
