import type { Toleration } from '@evenkeel/kinds';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidBy,
  jsonEqual,
  labelKeyErrors,
  labelValueErrors,
  notSupported,
} from '../../apimachinery/index.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const operators = ['Equal', 'Exists'];
const comparisons = ['Lt', 'Gt'];

/** Source: `ValidateTolerations`, `pkg/apis/core/validation/validation.go`. */
export function validateTolerations(tolerations: readonly Toleration[] | undefined, path: string): FieldError[] {
  return (tolerations ?? []).flatMap((toleration, index) => {
    const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
    const at = `${path}[${index}]`;
    const errors = key === '' ? [] : invalidBy(labelKeyErrors, `${at}.key`, key);
    if (key === '' && operator !== 'Exists') {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalid(`${at}.operator`, operator, detail));
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      errors.push(invalid(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    }
    if (operator === '' || operator === 'Equal') {
      const found = labelValueErrors(value);
      if (found.length > 0) errors.push(invalid(`${at}.operator`, value, found.join(';')));
    } else if (operator === 'Exists') {
      if (value !== '') {
        errors.push(invalid(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'"));
      }
    } else {
      // Upstream knows the comparisons, which are not enabled.
      const known = comparisons.includes(operator) ? [...operators, ...comparisons] : operators;
      errors.push(notSupported(`${at}.operator`, operator, known));
    }
    if (effect !== '' && !effects.includes(effect)) errors.push(notSupported(`${at}.effect`, effect, effects));
    return errors;
  });
}

/** Tolerations of an existing Pod may only be added or get a longer time. */
export function validateTolerationUpdate(
  tolerations: readonly Toleration[],
  old: readonly Toleration[],
  path: string,
): FieldError[] {
  const withoutSeconds = ({ tolerationSeconds: _, ...rest }: Toleration): object => rest;
  const lost = old.some((known) => !tolerations.some((one) => jsonEqual(withoutSeconds(one), withoutSeconds(known))));
  if (lost) return [forbidden(path, 'existing toleration can not be modified except its tolerationSeconds')];
  return validateTolerations(tolerations, path);
}
