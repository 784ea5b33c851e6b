import type { LabelSelectorSpec } from '@evenkeel/core';
import { type FieldError, forbidden, invalid, notSupported, required } from './field-error.ts';
import { labelKeyErrors, labelValueErrors, type NameRule } from './names.ts';

/** One error for each thing that a rule finds wrong with a value. */
export function invalidBy(rule: NameRule, path: string, value: string): FieldError[] {
  return rule(value).map((detail) => invalid(path, value, detail));
}

/** Labels, or a plain map of labels to select by. Source: `ValidateLabels`, apimachinery `meta/v1/validation`. */
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
    } else errors.push(invalid(`${at}.operator`, operator, 'not a valid selector operator'));
    errors.push(...invalidBy(labelKeyErrors, `${at}.key`, key ?? ''));
    for (const [position, value] of values.entries()) {
      errors.push(...invalidBy(labelValueErrors, `${at}.values[${position}]`, value));
    }
  }
  return errors;
}

/** A selector as messages show it: as the Go struct that it is. */
export function shownSelector(selector: LabelSelectorSpec | null | undefined): ReadonlyMap<string, unknown> | null {
  if (!selector) return null;
  const fields = (['matchLabels', 'matchExpressions'] as const).map((name) => [name, selector[name]] as const);
  return new Map(fields.filter(([, value]) => value !== undefined));
}

/** A selector that says nothing. */
export function isEmptySelector(selector: LabelSelectorSpec): boolean {
  return Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;
}

/** A value out of a closed list: required, and one of these. */
export function validateChoice(value: string | undefined, path: string, choices: readonly string[]): FieldError[] {
  if (!value) return [required(path)];
  return choices.includes(value) ? [] : [notSupported(path, value, choices)];
}
