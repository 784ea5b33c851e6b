import { type LabelSelectorSpec, labelRequirementsOf, matchesLabels } from '@evenkeel/core';
import type { PodTemplateSpec } from '@evenkeel/kinds';
import {
  type FieldError,
  forbidden,
  GoStruct,
  invalid,
  isEmptySelector,
  notSupported,
  required,
  shownSelector,
  validateLabelSelector,
} from '../apimachinery/index.ts';
import { validateNonNegative } from './number-validation.ts';

/** A selector that must be there and select something. `kind` is the word of the message, which upstream has of old. */
export function validateSelector(
  selector: LabelSelectorSpec | undefined,
  kind: 'deployment' | 'statefulset' | 'daemonset',
): FieldError[] {
  const path = 'spec.selector';
  if (!selector) return [required(path)];
  const errors = validateLabelSelector(selector, path);
  if (isEmptySelector(selector))
    errors.push(invalid(path, shownSelector(selector), `empty selector is invalid for ${kind}`));
  return errors;
}

/** Whether a selector can be read at all: it is not matched with anything otherwise. */
export function isReadableSelector(selector: LabelSelectorSpec | undefined): boolean {
  return validateLabelSelector(selector, '').length === 0;
}

/** The template's Pods are those that the selector selects. An absent selector selects nothing, an empty one everything. */
export function validateTemplateLabels(
  template: PodTemplateSpec | undefined,
  selector: LabelSelectorSpec | undefined,
): FieldError[] {
  const labels = template?.metadata?.labels;
  if (selector && matchesLabels(labelRequirementsOf(selector), labels)) return [];
  const detail = '`selector` does not match template `labels`';
  return [invalid('spec.template.metadata.labels', labels ?? null, detail)];
}

/** Pods that are always replaced always restart, and have no deadline. */
export function validateAlwaysRestarting(template: PodTemplateSpec | undefined, kind: string): FieldError[] {
  const path = 'spec.template.spec';
  const policy = template?.spec?.restartPolicy ?? '';
  const errors: FieldError[] = policy === 'Always' ? [] : [notSupported(`${path}.restartPolicy`, policy, ['Always'])];
  if (template?.spec?.activeDeadlineSeconds !== undefined) {
    errors.push(forbidden(`${path}.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`));
  }
  return errors;
}

/** Counts of a status: none is negative, and no part is greater than the whole. */
export function validateCounts<T extends object>(
  status: T | undefined,
  fields: readonly (keyof T & string)[],
  parts: readonly (keyof T & string)[],
  readyReplicas: string,
): FieldError[] {
  const counts = (status ?? {}) as Readonly<Record<string, number | undefined>>;
  const errors = fields.flatMap((field) => validateNonNegative(counts[field], `status.${field}`));
  const all = counts['replicas'] ?? 0;
  for (const part of parts) {
    const count = counts[part] ?? 0;
    if (count > all) errors.push(invalid(`status.${part}`, count, 'cannot be greater than status.replicas'));
  }
  const available = counts['availableReplicas'] ?? 0;
  if (parts.length > 0 && available > (counts['readyReplicas'] ?? 0)) {
    errors.push(invalid('status.availableReplicas', available, `cannot be greater than ${readyReplicas}`));
  }
  return errors;
}

/** A count of hash collisions only grows. */
export function validateCollisionCount(
  status: { collisionCount?: number } | undefined,
  old: { collisionCount?: number } | undefined,
): FieldError[] {
  const before = old?.collisionCount;
  const count = status?.collisionCount ?? 0;
  return before !== undefined && (status?.collisionCount === undefined || count < before)
    ? [invalid('status.collisionCount', count, 'cannot be decremented')]
    : [];
}

/** A strategy of updates as messages show it: as Go's internal type has it. */
export function shownStrategy(type: string | undefined, rollingUpdate: unknown): GoStruct {
  return new GoStruct({ Type: type ?? '', RollingUpdate: rollingUpdate ?? null });
}
