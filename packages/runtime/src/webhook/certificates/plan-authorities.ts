import { backdateMs } from '@evenkeel/apimachinery/certificate';
import { type CertificateTiming, renewalShare } from '@evenkeel/core/certificates';
import { type AuthorityRecord, isValidAt, withoutDuplicates, withoutKey } from './authority-record.ts';
import type { StoredAuthorities } from './authority-secret.ts';

/** What one replica knows. */
export interface AuthorityFacts {
  /** Undefined if there is no Secret. */
  readonly stored: StoredAuthorities | undefined;
  /** The authorities that this replica knows from earlier reads, with their keys. */
  readonly remembered: readonly AuthorityRecord[];
  /** The authorities with the operator's name in the `caBundle` of its configurations. */
  readonly trusted: readonly AuthorityRecord[];
  /** The authority of the certificate that this replica serves. */
  readonly signing: AuthorityRecord | undefined;
  /** Whether all configurations have trusted {@link signing} for the trust delay. */
  readonly isSigningTrusted: boolean;
  readonly nowMs: number;
  readonly timing: CertificateTiming;
  readonly create: () => AuthorityRecord;
}

/**
 * More authorities than a year of rotations needs. If a program deletes the Secret again and again, each deletion adds one, but none
 * before the previous one signs.
 */
const mostAuthorities = 8;

/**
 * Returns the authorities that the Secret should have, newest first. Their order is that of the Secret, because the times of their
 * certificates depend on the clocks of several machines. All replicas decide with this function, and the
 * resourceVersion of the Secret decides whose decision counts.
 *
 * - An authority stays until it has expired, because a certificate never outlives the authority that signed it. So no certificate
 *   in use loses its trust.
 * - Its key is removed when a newer authority signs, which all configurations trust.
 * - The next authority is added when two thirds of the validity have passed, if it is valid for longer than the operator now
 *   declares, and if the Secret was deleted or damaged. It is trusted from then on, and signs later: see `chooseSigner`.
 * - A lost Secret is restored from memory. A replica without memory keeps the trust in the authorities of the configurations,
 *   because other replicas may still use them.
 */
export function planAuthorities(facts: AuthorityFacts): AuthorityRecord[] {
  const { stored, signing, isSigningTrusted, nowMs, timing, create } = facts;
  const isLost = stored === undefined || stored.damage !== undefined;
  const kept = withoutDuplicates([
    ...(stored?.records ?? []),
    ...(isLost ? knownBefore(facts) : []),
    ...(signing === undefined ? [] : [isLost ? signing : withoutKey(signing)]),
    // The clock of another replica may be behind.
  ]).filter(({ toMs }) => nowMs < toMs + timing.trustDelayMs);
  const [newest] = kept.filter((record) => record.privateKeyPem !== undefined && isValidAt(record, nowMs));
  const isDue = newest === undefined || nowMs >= renewalOf(newest) || isTooLong(newest, facts);
  // Otherwise a rotation is in progress already.
  const isReplaced = isLost && (signing === undefined || signing.id === newest?.id);
  const records = isDue || isReplaced ? [create(), ...kept] : kept;
  const at = isSigningTrusted ? records.findIndex(({ id }) => id === signing?.id) : -1;
  return records
    .slice(0, mostAuthorities)
    .map((record, index) => (at >= 0 && index > at ? withoutKey(record) : record));
}

/**
 * When the next authority is added. It depends on the authority and not on the declared duration, because replicas of the previous
 * and the next version of the operator, with different durations, must agree during an update.
 */
export function renewalOf({ fromMs, toMs }: AuthorityRecord): number {
  return toMs - (toMs - fromMs - backdateMs) * renewalShare;
}

function isTooLong({ toMs }: AuthorityRecord, { nowMs, timing }: AuthorityFacts): boolean {
  return toMs > nowMs + timing.authorityMs + backdateMs;
}

function knownBefore({ remembered, trusted, nowMs, timing }: AuthorityFacts): readonly AuthorityRecord[] {
  if (remembered.length > 0) return remembered;
  // An authority of this operator is never valid for longer. A day is for a clock that is behind.
  const latestMs = nowMs + timing.authorityMs + 24 * 3_600_000;
  return trusted.filter((record) => isValidAt(record, nowMs) && record.toMs <= latestMs);
}
