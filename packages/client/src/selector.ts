import { formatLabelSelector, type LabelSelectorSpec, labelRequirementsOf } from '@evenkeel/core';

/**
 * Labels that an object must have; or a selector in kubectl's syntax; or a `metav1.LabelSelector`. An invalid key or
 * value is rejected with a `LabelSelectorError`. A string is sent unchanged, so do not build one from the fields of an
 * object.
 */
export type LabelFilter =
  | string
  | Readonly<Record<string, string>>
  | { readonly matchLabels?: Record<string, string>; readonly matchExpressions: LabelSelectorSpec['matchExpressions'] };

/** Values that fields must have; or a field selector in kubectl's syntax. The server supports few fields of each kind. */
export type FieldFilter = string | Readonly<Record<string, string>>;

/** Returns the `labelSelector` parameter; undefined if everything is selected. */
export function labelSelectorOf(labels: LabelFilter | undefined): string | undefined {
  if (labels === undefined || labels === '') return undefined;
  if (typeof labels === 'string') return labels;
  const spec: LabelSelectorSpec =
    'matchExpressions' in labels && typeof labels.matchExpressions === 'object'
      ? (labels as LabelSelectorSpec)
      : { matchLabels: labels as Record<string, string> };
  const text = formatLabelSelector(labelRequirementsOf(spec));
  return text === '' ? undefined : text;
}

/** Returns the `fieldSelector` parameter; undefined if everything is selected. */
export function fieldSelectorOf(fields: FieldFilter | undefined): string | undefined {
  if (fields === undefined || fields === '') return undefined;
  if (typeof fields === 'string') return fields;
  const text = Object.entries(fields)
    .map(([field, value]) => `${field}=${value.replace(/[\\,=]/g, '\\$&')}`)
    .join(',');
  return text === '' ? undefined : text;
}
