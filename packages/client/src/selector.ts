import { formatLabelSelector, type LabelSelectorSpec, labelRequirementsOf } from '@evenkeel/core';

/**
 * Labels an object must carry; or a selector as kubectl writes it; or a `metav1.LabelSelector`. A key or value that no
 * label can have is refused with a `LabelSelectorError`; a text is sent as it is, so build none from an object's fields.
 */
export type LabelFilter =
  | string
  | Readonly<Record<string, string>>
  | { readonly matchLabels?: Record<string, string>; readonly matchExpressions: LabelSelectorSpec['matchExpressions'] };

/** Values that fields must have; or a field selector as kubectl writes it. The server knows few fields for each kind. */
export type FieldFilter = string | Readonly<Record<string, string>>;

/** The `labelSelector` parameter; undefined where everything is selected. */
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

/** The `fieldSelector` parameter; undefined where everything is selected. */
export function fieldSelectorOf(fields: FieldFilter | undefined): string | undefined {
  if (fields === undefined || fields === '') return undefined;
  if (typeof fields === 'string') return fields;
  const text = Object.entries(fields)
    .map(([field, value]) => `${field}=${value.replace(/[\\,=]/g, '\\$&')}`)
    .join(',');
  return text === '' ? undefined : text;
}
