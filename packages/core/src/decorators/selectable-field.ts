import { declare, listed, recordField } from '../declarations/class-record.ts';
import type { AnyClass } from '../declarations/class-reference.ts';

/** JSON paths. */
export const selectableFields = recordField('selectableFields', listed<string>());

/**
 * Lets clients list and watch by a field (`kubectl get --field-selector spec.color=blue`) besides `metadata.name` and
 * `metadata.namespace`. Repeat it, for up to eight fields of a version.
 *
 * @param jsonPath dots only: `.spec.color`. It leads to a string, an integer or a boolean, not in `metadata` (KEP-4358).
 */
export function SelectableField(jsonPath: string): (target: AnyClass) => void {
  return (target) => declare(selectableFields, target, jsonPath);
}
