/** The directory from which a webhook server reads tls.crt and tls.key by default, as in controller-runtime. */
export const servingCertificatesDirectory = '/tmp/k8s-webhook-server/serving-certs';

/** The Service of an operator's webhook server. Names of operators may have dots, those of Services must not. */
export function webhookServiceName(operator: string): string {
  return `${operator.replaceAll('.', '-')}-webhook`;
}

/** The Secret of the certificate authority that an operator creates itself. */
export function authoritySecretName(operator: string): string {
  return `${operator}-webhook-authority`;
}

/**
 * The type of that Secret, which no other program uses: an operator replaces the content of a damaged Secret, and must not do that with the
 * Secret of another program.
 */
export const authoritySecretType = 'evenkeel.dev/certificate-authority';
