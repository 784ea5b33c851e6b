import { StatusError } from '@evenkeel/core';
import { causeOf, type FieldError, formatFieldErrors } from '../kind/field-error.ts';

/** What the server answers where fields are wrong and the strategy cannot wait for validation to say so. */
export function invalidObject(
  kind: { group?: string; kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const group = kind.group ?? '';
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `${kind.kind}${group === '' ? '' : `.${group}`} ${JSON.stringify(name)} is invalid: ${formatFieldErrors(errors)}`,
    reason: 'Invalid',
    details: {
      name,
      ...(group === '' ? {} : { group }),
      kind: kind.kind,
      causes: errors.map(causeOf),
    },
    code: 422,
  });
}
