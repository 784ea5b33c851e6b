import { type FieldError, forbidden, invalid, required } from '../field-error/field-error.ts';
import { GoStruct } from '../go-format/go-format.ts';
import { labelKeyErrors, labelValueErrors, type NameRule } from '../names/names.ts';
import type { LabelSelectorSpec } from '../selector/label-selector.ts';

/** One field error for each message of a rule. */
export function invalidBy(rule: NameRule, path: string, value: string): FieldError[] {
  return rule(value).map((detail) => invalid(path, value, detail));
}

/**
 * Validates labels, or a plain map of labels that selects objects. Source: `ValidateLabels`, apimachinery
 * `meta/v1/validation`.
 */
export function validateLabels(labels: Readonly<Record<string, string>> | undefined, path: string): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...invalidBy(labelKeyErrors, path, key),
    ...invalidBy(labelValueErrors, path, value),
  ]);
}

/** Source: `ValidateLabelSelector`, apimachinery `meta/v1/validation`. */
export function validateLabelSelector(selector: LabelSelectorSpec | null | undefined, path: string): FieldError[] {
  if (!selector) return [];
  const errors = validateLabels(selector.matchLabels, `${path}.matchLabels`);
  for (const [index, { key, operator, values = [] }] of (selector.matchExpressions ?? []).entries()) {
    const at = `${path}.matchExpressions[${index}]`;
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) {
        errors.push(required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      }
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) {
        errors.push(forbidden(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
      }
    } else errors.push(invalidOperator(`${at}.operator`, operator));
    errors.push(...invalidBy(labelKeyErrors, `${at}.key`, key ?? ''));
    for (const [position, value] of values.entries()) {
      errors.push(...invalidBy(labelValueErrors, `${at}.values[${position}]`, value));
    }
  }
  return errors;
}

/** A selector as messages show it: as a Go struct. */
export function shownSelector(selector: LabelSelectorSpec | null | undefined): GoStruct | null {
  if (!selector) return null;
  const { matchLabels, matchExpressions } = selector;
  return new GoStruct({ matchLabels, matchExpressions });
}

/** Whether a selector has no requirements. */
export function isEmptySelector(selector: LabelSelectorSpec): boolean {
  return Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;
}

/** The error of an operator that no selector has. */
export function invalidOperator(path: string, operator: string | undefined): FieldError {
  return invalid(path, operator, 'not a valid selector operator');
}
