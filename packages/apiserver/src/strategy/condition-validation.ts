import {
  duplicate,
  type FieldError,
  invalid,
  invalidBy,
  labelKeyErrors,
  notSupported,
  required,
  tooLong,
} from '../apimachinery/index.ts';

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

const statuses = ['False', 'True', 'Unknown'];
const reasonMax = 1024;
const messageMax = 32 * 1024;
const reasonForm = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const reasonDetail =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

/** Validates conditions of the common type. Source: `ValidateConditions`, apimachinery `meta/v1/validation`. */
export function validateConditions(conditions: readonly Condition[] = [], path: string): FieldError[] {
  const types = new Set<string>();
  return conditions.flatMap((condition, index) => {
    const { type = '', status = '', observedGeneration = 0, reason = '', message = '' } = condition;
    const at = `${path}[${index}]`;
    const errors: FieldError[] = types.has(type) ? [duplicate(`${at}.type`, type)] : [];
    types.add(type);
    errors.push(...invalidBy(labelKeyErrors, `${at}.type`, type));
    if (!statuses.includes(status)) errors.push(notSupported(`${at}.status`, status, statuses));
    if (observedGeneration < 0) {
      const detail = 'must be greater than or equal to zero';
      errors.push(invalid(`${at}.observedGeneration`, observedGeneration, detail));
    }
    if (!condition.lastTransitionTime) errors.push(required(`${at}.lastTransitionTime`));
    if (reason === '') errors.push(required(`${at}.reason`));
    else if (!reasonForm.test(reason)) errors.push(invalid(`${at}.reason`, reason, reasonDetail));
    if (reason.length > reasonMax) errors.push(tooLong(`${at}.reason`, reasonMax));
    if (message.length > messageMax) errors.push(tooLong(`${at}.message`, messageMax));
    return errors;
  });
}
