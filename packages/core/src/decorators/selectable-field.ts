import { declare, listed, recordField } from '../declarations/class-record.ts';
import type { AnyClass } from '../declarations/class-reference.ts';

/** The record of `@SelectableField`: JSON paths. */
export const selectableFields = recordField('selectableFields', listed<string>());

/**
 * Lets clients list and watch by a field (`kubectl get --field-selector spec.color=blue`), in addition to `metadata.name` and
 * `metadata.namespace`. Repeat it for up to eight fields of a version.
 *
 * @param jsonPath a path with dots only: `.spec.color`. It must lead to a string, an integer or a boolean outside of
 * `metadata` (KEP-4358).
 */
export function SelectableField(jsonPath: string): (target: AnyClass) => void {
  return (target) => declare(selectableFields, target, jsonPath);
}
