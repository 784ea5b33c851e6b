/** A policy or binding that cannot be evaluated for a request, so that the failure policy decides. */
export class PolicyConfigurationError extends Error {
  override readonly name = 'PolicyConfigurationError';
}
