/** What cert-manager's objects depend on. */
export interface CertManagerOptions {
  /** The name of the operator, with which the names of the objects start. */
  readonly name: string;
  /** The namespace of the operator's pods. */
  readonly namespace: string;
  /** The Service of the webhook server. */
  readonly service: string;
  /** The validity of the certificate, in milliseconds. Default: that of cert-manager, 90 days. */
  readonly certificateMs?: number | undefined;
  /** The validity of the authority, in milliseconds. */
  readonly authorityMs: number;
}

/** An object to create. */
export interface CertManagerManifest {
  readonly apiVersion: 'cert-manager.io/v1';
  readonly kind: 'Issuer' | 'Certificate';
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: object;
}

/** The annotation by which cert-manager finds the objects whose `caBundle` it sets. */
export const injectionAnnotation = 'cert-manager.io/inject-ca-from';

/** The Secret that cert-manager writes, to mount into the operator's pods. It has the files `tls.crt`, `tls.key` and `ca.crt`. */
export function servingSecretName({ name }: Pick<CertManagerOptions, 'name'>): string {
  return `${name}-webhook-tls`;
}

/**
 * Returns the objects by which cert-manager issues the certificate of a webhook server: an Issuer that signs a certificate
 * authority with its own key, the authority, an Issuer that signs with this authority, and the certificate.
 *
 * kubebuilder generates one self-signed certificate instead. With it, cert-manager replaces the certificate and the `caBundle` at
 * once, and calls fail until both have arrived everywhere. With an authority, the renewal of the certificate changes no `caBundle`.
 * The renewal of the authority still does.
 */
export function certManagerManifests(options: CertManagerOptions): CertManagerManifest[] {
  const { name, namespace, service, certificateMs, authorityMs } = options;
  const metadata = (suffix: string) => ({ name: `${name}-${suffix}`, namespace });
  const apiVersion = 'cert-manager.io/v1';
  const issuerRef = (suffix: string) => ({ kind: 'Issuer', name: `${name}-${suffix}` });
  const privateKey = { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' };
  const host = `${service}.${namespace}.svc`;
  return [
    { apiVersion, kind: 'Issuer', metadata: metadata('webhook-selfsigned'), spec: { selfSigned: {} } },
    {
      apiVersion,
      kind: 'Certificate',
      metadata: metadata('webhook-ca'),
      spec: {
        isCA: true,
        commonName: `${name}-webhook-ca`,
        secretName: `${name}-webhook-ca`,
        duration: goDuration(authorityMs),
        privateKey,
        issuerRef: issuerRef('webhook-selfsigned'),
      },
    },
    {
      apiVersion,
      kind: 'Issuer',
      metadata: metadata('webhook-ca'),
      spec: { ca: { secretName: `${name}-webhook-ca` } },
    },
    {
      apiVersion,
      kind: 'Certificate',
      metadata: metadata('webhook'),
      spec: {
        secretName: servingSecretName(options),
        ...(certificateMs === undefined ? {} : { duration: goDuration(certificateMs) }),
        dnsNames: [host, `${host}.cluster.local`],
        usages: ['digital signature', 'server auth'],
        privateKey,
        issuerRef: issuerRef('webhook-ca'),
      },
    },
  ];
}

/** As cert-manager writes it back, so that `kubectl diff` shows no difference. It has whole seconds. */
function goDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 3600)}h${Math.floor(seconds / 60) % 60}m${seconds % 60}s`;
}

/** The annotations of configurations and definitions whose `caBundle` cert-manager sets, from the `ca.crt` of the certificate. */
export function injectionAnnotations({
  name,
  namespace,
}: Pick<CertManagerOptions, 'name' | 'namespace'>): Readonly<Record<string, string>> {
  return { [injectionAnnotation]: `${namespace}/${name}-webhook` };
}
