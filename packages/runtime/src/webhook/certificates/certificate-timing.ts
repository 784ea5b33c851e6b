import { type Duration, durationMs, EvenkeelError } from '@evenkeel/core';

/** The times of the certificates that an operator creates itself. */
export interface CertificateTimingOptions {
  /**
   * The validity of the certificate authority. After two thirds of it, a replica adds the next one. Default: `'365d'`, as the
   * authority of a cluster signs for by default (`--cluster-signing-duration` of kube-controller-manager).
   */
  readonly authorityDuration?: Duration;
  /**
   * The validity of a replica's certificate, which the replica renews after two thirds of it. Default: `'90d'`, as in cert-manager
   * (`Certificate.spec.duration` and `renewBefore`).
   */
  readonly leafDuration?: Duration;
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

/** Returns the times of the options with their defaults. Throws `invalid-duration`, and `invalid-option` if they do not fit together. */
export function certificateTiming(options: CertificateTimingOptions = {}): CertificateTiming {
  const authorityMs = durationMs(options.authorityDuration ?? '365d');
  const leafMs = durationMs(options.leafDuration ?? '90d');
  const trustDelayMs = durationMs(options.trustDelay ?? '5m');
  const checkMs = durationMs(options.checkInterval ?? '1m');
  if (checkMs <= 0) throw invalid(`checkInterval is ${checkMs} ms; use a positive duration`);
  if (leafMs > authorityMs) {
    throw invalid(
      `leafDuration (${leafMs} ms) is longer than authorityDuration (${authorityMs} ms), which it cannot outlive; set a shorter leafDuration`,
    );
  }
  if (leafMs * renewalShare < checkMs) {
    throw invalid(
      `a third of leafDuration (${leafMs} ms) is less than checkInterval (${checkMs} ms), so a certificate could expire before its renewal; set a shorter checkInterval`,
    );
  }
  if (authorityMs * renewalShare < trustDelayMs + 2 * checkMs) {
    throw invalid(
      `a third of authorityDuration (${authorityMs} ms) is less than trustDelay (${trustDelayMs} ms) and two intervals of ${checkMs} ms, so an authority could expire before the next one signs; set a longer authorityDuration`,
    );
  }
  return { authorityMs, leafMs, trustDelayMs, checkMs };
}

function invalid(what: string): EvenkeelError {
  return new EvenkeelError('invalid-option', `webhook certificates: ${what}`);
}
