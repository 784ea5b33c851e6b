import { EvenkeelError } from '../errors/evenkeel-error.ts';
import { type Duration, durationMs } from '../time/duration.ts';

/**
 * How long the certificates of a webhook server are valid, if the operator or cert-manager issues them. Both options have an effect
 * from the next start of the operator, or when the generated files are applied. Other values than those below are rejected with
 * `invalid-option`, by `evenkeel generate` and when the operator starts.
 */
export interface CertificateDurations {
  /**
   * How long the certificate of a replica is valid. It is renewed after two thirds of this time. At least `'3m'`, with cert-manager
   * `'1h'`. Default: `'90d'`, as in cert-manager (`Certificate.spec.duration` and `renewBefore`).
   */
  readonly certificateDuration?: Duration;
  /**
   * How long the certificate authority is valid. The next one is added after two thirds of this time. At least `'21m'` and
   * `certificateDuration`, at most `'3650d'`. Default: `'365d'`, as the authority of a cluster signs for by default
   * (`--cluster-signing-duration` of kube-controller-manager); with cert-manager `'3650d'`.
   */
  readonly authorityDuration?: Duration;
}

/** The times of the certificates that an operator creates itself. */
export interface CertificateTimingOptions extends CertificateDurations {
  /**
   * How long all configurations must trust a new authority before it signs. It covers API servers whose watch is behind, and
   * requests that still use the previous `caBundle` of a CRD, which take up to twice the `--request-timeout` of the API server: 2
   * minutes by default (`crdHandler.tearDown` of apiextensions-apiserver). Default: `'5m'`.
   */
  readonly trustDelay?: Duration;
  /**
   * How often a replica compares everything, even if no watch reports a change. It limits how long a jump of the wall clock or a
   * watch that silently stopped goes unnoticed. Default: `'1m'`.
   */
  readonly checkInterval?: Duration;
}

/** The same in milliseconds. */
export interface CertificateTiming {
  readonly authorityMs: number;
  readonly leafMs: number;
  readonly trustDelayMs: number;
  readonly checkMs: number;
}

/** The part of a validity that is left when a successor is created. cert-manager renews at the same point. */
export const renewalShare = 1 / 3;

const defaults = {
  authorityDuration: '365d',
  certificateDuration: '90d',
  trustDelay: '5m',
  checkInterval: '1m',
} as const satisfies Required<CertificateTimingOptions>;

/** Returns the times of the options with their defaults. Throws `invalid-duration`, and `invalid-option` if they contradict each other. */
export function certificateTiming(options: CertificateTimingOptions = {}): CertificateTiming {
  const given = { ...defaults, ...options };
  const { certificateMs: leafMs, authorityMs } = checkedDurations(given);
  const trustDelayMs = durationMs(given.trustDelay);
  const checkMs = durationMs(given.checkInterval);
  if (checkMs <= 0) throw invalid(`checkInterval is ${given.checkInterval}; use a positive duration`);
  const shortestLeafMs = checkMs / renewalShare;
  if (leafMs < shortestLeafMs) {
    throw invalid(
      `certificateDuration is ${given.certificateDuration}, so a certificate could expire before its renewal; use at least ${shortestLeafMs / 1000}s`,
    );
  }
  const shortestAuthorityMs = (trustDelayMs + 2 * checkMs) / renewalShare;
  if (authorityMs < shortestAuthorityMs) {
    throw invalid(
      `authorityDuration is ${given.authorityDuration}, so an authority could expire before the next one signs; use at least ${shortestAuthorityMs / 1000}s`,
    );
  }
  return { authorityMs, leafMs, trustDelayMs, checkMs };
}

/** Ten years. A longer one is a mistake, and a date far beyond cannot be written into a certificate. */
const longestAuthority = '3650d';

/** Returns the durations in milliseconds. Throws if one of them is not a duration, or if they contradict each other. */
export function checkedDurations({ certificateDuration, authorityDuration }: Required<CertificateDurations>): {
  readonly certificateMs: number;
  readonly authorityMs: number;
} {
  const certificateMs = msOf('certificateDuration', certificateDuration);
  const authorityMs = msOf('authorityDuration', authorityDuration);
  if (authorityMs > durationMs(longestAuthority)) {
    throw invalid(`authorityDuration is ${authorityDuration}; use at most ${longestAuthority}`);
  }
  if (certificateMs > authorityMs) {
    throw invalid(
      `certificateDuration (${certificateDuration}) is longer than authorityDuration (${authorityDuration}); set a shorter certificateDuration`,
    );
  }
  return { certificateMs, authorityMs };
}

function msOf(option: keyof CertificateDurations, duration: string): number {
  try {
    return durationMs(duration);
  } catch (error) {
    throw error instanceof EvenkeelError
      ? new EvenkeelError(error.code, `webhookServer: ${option}: ${error.message}`, { cause: error })
      : error;
  }
}

export function invalid(what: string): EvenkeelError {
  return new EvenkeelError('invalid-option', `webhookServer: ${what}`);
}
