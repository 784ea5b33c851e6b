import { type AnyClass, recordOf } from '../declarations/class-declarations.ts';

/**
 * Lets clients list and watch by a field (`kubectl get --field-selector spec.color=blue`) besides `metadata.name` and
 * `metadata.namespace`. Repeat it, for up to eight fields of a version.
 *
 * @param jsonPath dots only: `.spec.color`. It leads to a string, an integer or a boolean, not in `metadata` (KEP-4358).
 */
export function SelectableField(jsonPath: string): (target: AnyClass) => void {
  return (target) => {
    // Decorators of a class run from the last to the first.
    recordOf(target).selectableFields.unshift(jsonPath);
  };
}
