import { createHash, X509Certificate } from 'node:crypto';
import { authorityProblem, CertificateAuthority } from '@evenkeel/apimachinery/certificate';

/** A certificate authority that the replicas of an operator share. */
export interface AuthorityRecord {
  /** The SHA-256 of its certificate, in hex. */
  readonly id: string;
  /** One certificate. */
  readonly certificatePem: string;
  /** Undefined if it signs no more and is only trusted. */
  readonly privateKeyPem: string | undefined;
  readonly fromMs: number;
  readonly toMs: number;
}

export function createAuthority(commonName: string, nowMs: number, validMs: number): AuthorityRecord {
  const { certificatePem, privateKeyPem } = new CertificateAuthority(commonName, nowMs, validMs);
  return recordOf(new X509Certificate(certificatePem), privateKeyPem);
}

export function recordOf(certificate: X509Certificate, privateKeyPem: string | undefined): AuthorityRecord {
  return {
    id: createHash('sha256').update(certificate.raw).digest('hex'),
    certificatePem: certificate.toString(),
    privateKeyPem,
    fromMs: certificate.validFromDate.getTime(),
    toMs: certificate.validToDate.getTime(),
  };
}

export function withoutKey(record: AuthorityRecord): AuthorityRecord {
  return record.privateKeyPem === undefined ? record : { ...record, privateKeyPem: undefined };
}

export function isValidAt({ fromMs, toMs }: AuthorityRecord, nowMs: number): boolean {
  return fromMs <= nowMs && nowMs < toMs;
}

/** Each authority once, where it is first, with its key if one of the records has it. */
export function withoutDuplicates(records: readonly AuthorityRecord[]): AuthorityRecord[] {
  const byId = new Map<string, AuthorityRecord>();
  for (const record of records) {
    if (byId.get(record.id)?.privateKeyPem === undefined) byId.set(record.id, record);
  }
  return [...byId.values()];
}

/** The `caBundle` that trusts these authorities: PEM in base64. */
export function bundleOf(records: readonly AuthorityRecord[]): string {
  return Buffer.from(records.map(({ certificatePem }) => certificatePem).join('')).toString('base64');
}

/** The authorities of a `caBundle` that carry this name; other certificates are ignored. */
export function authoritiesIn(bundle: string, commonName: string): AuthorityRecord[] {
  return pemBlocks(Buffer.from(bundle, 'base64').toString('latin1'), 'CERTIFICATE').flatMap((block) => {
    const certificate = parsed(block);
    if (certificate === undefined || authorityProblem(certificate, commonName) !== undefined) return [];
    return [recordOf(certificate, undefined)];
  });
}

function parsed(block: string): X509Certificate | undefined {
  try {
    return new X509Certificate(block);
  } catch {
    return undefined;
  }
}

/** More blocks than an operator ever writes are ignored. */
const mostBlocks = 64;

/** The PEM blocks of a type, unchecked. */
export function pemBlocks(text: string, type: string): string[] {
  const [begin, end] = [`-----BEGIN ${type}-----`, `-----END ${type}-----`];
  const blocks: string[] = [];
  for (let from = text.indexOf(begin); from >= 0 && blocks.length < mostBlocks; from = text.indexOf(begin, from + 1)) {
    const to = text.indexOf(end, from);
    if (to < 0) break;
    blocks.push(text.slice(from, to + end.length));
    from = to;
  }
  return blocks;
}
