/** The Service of an operator's webhook server. Names of operators may have dots, those of Services must not. */
export function webhookServiceName(operator: string): string {
  return `${operator.replaceAll('.', '-')}-webhook`;
}

/** The Secret of the certificate authority that an operator creates itself. */
export function authoritySecretName(operator: string): string {
  return `${operator}-webhook-authority`;
}
