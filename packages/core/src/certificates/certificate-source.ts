import {
  type CertificateDurations,
  type CertificateTiming,
  certificateTiming,
  checkedDurations,
  invalid,
} from './certificate-timing.ts';

/** Where the certificate of a webhook server comes from. */
export type CertificateSource = 'built-in' | 'cert-manager' | 'files';

/** The certificates of an operator's webhook server, as `defineOperator()` declares them. */
export interface DeclaredCertificates extends CertificateDurations {
  /** Default: `built-in`. */
  readonly certificates?: CertificateSource;
  /** Default: the Service of the operator. */
  readonly url?: string;
}

/** The same with defaults. */
export type PlannedCertificates =
  | { readonly source: 'built-in'; readonly timing: CertificateTiming }
  /** A duration is undefined if it is not declared. */
  | { readonly source: 'cert-manager'; readonly certificateMs: number | undefined; readonly authorityMs: number }
  /** The URL at which the API server calls the webhooks; undefined for the Service of the operator. */
  | { readonly source: 'files'; readonly url: string | undefined };

/** The shortest validity that cert-manager issues. */
const certManagerMinMs = 3_600_000;
/** 10 years, because calls can fail when cert-manager replaces an authority. */
const certManagerAuthority = '3650d';
const certManagerCertificate = '90d';

/**
 * Returns the certificates with their defaults. Throws `invalid-option` and `invalid-duration` for durations that cannot work, and
 * `invalid-option` for a URL that the API server would reject.
 */
export function plannedCertificates(declared: DeclaredCertificates = {}): PlannedCertificates {
  const { certificates: source = 'built-in', certificateDuration, authorityDuration, url } = declared;
  if (url !== undefined && source !== 'files') {
    throw invalid(
      `url needs certificates: 'files', because other certificates are only for the Service of the operator`,
    );
  }
  if (source === 'built-in') {
    return {
      source,
      timing: certificateTiming({
        ...(certificateDuration === undefined ? {} : { certificateDuration }),
        ...(authorityDuration === undefined ? {} : { authorityDuration }),
      }),
    };
  }
  if (source === 'files') {
    const useless = Object.entries({ certificateDuration, authorityDuration }).find(
      ([, duration]) => duration !== undefined,
    );
    if (useless === undefined) return { source, url: url === undefined ? undefined : checkedUrl(url) };
    throw invalid(
      `${useless[0]} has no effect with certificates: 'files', because another program issues them; remove it`,
    );
  }
  const durations = {
    certificateDuration: certificateDuration ?? certManagerCertificate,
    authorityDuration: authorityDuration ?? certManagerAuthority,
  } as const;
  const { certificateMs, authorityMs } = checkedDurations(durations);
  if (certificateMs < certManagerMinMs) {
    // The authority is valid for at least as long.
    throw invalid(
      `certificateDuration is ${durations.certificateDuration}, and cert-manager rejects less than 1h; use at least 1h`,
    );
  }
  return { source, certificateMs: certificateDuration === undefined ? undefined : certificateMs, authorityMs };
}

/** The rules are those of `ValidateWebhookURL` of apiserver `pkg/util/webhook`. */
function checkedUrl(text: string): string {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  const isValid =
    url?.protocol === 'https:' && url.host !== '' && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (isValid) return text;
  throw invalid(
    `url is ${JSON.stringify(text)}; write an https URL without user, query and fragment, such as https://webhooks.example.com:8443`,
  );
}
