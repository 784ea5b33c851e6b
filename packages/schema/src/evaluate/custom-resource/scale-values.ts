import { type FieldError, goText, goTypeOf, invalid, isInt64, isJsonObject, valueAt } from '../apimachinery.ts';

/** The paths of the values of a scale subresource: `spec.versions[].subresources.scale` of the CRD. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

const maxReplicas = 2 ** 31 - 1;

/**
 * The errors of the values of a scale subresource; on writes of the status only of the values in the status
 * (`ValidateScaleSpec`, `ValidateScaleStatus` of apiextensions-apiserver pkg/registry/customresource/validator.go).
 */
export function validateScale(value: unknown, scale: ScalePaths, isStatus: boolean): FieldError[] {
  const errors = isStatus ? [] : replicaErrors(value, scale.specReplicasPath);
  errors.push(...replicaErrors(value, scale.statusReplicasPath));
  const { labelSelectorPath } = scale;
  if (labelSelectorPath) {
    const { found, error } = follow(value, labelSelectorPath, 'string', (selector) => typeof selector === 'string');
    if (error !== undefined) errors.push(invalid(labelSelectorPath, found ?? '', error));
  }
  return errors;
}

function replicaErrors(value: unknown, path: string): FieldError[] {
  const { found = 0, error } = follow(value, path, 'int64', isInt64);
  if (error !== undefined) return [invalid(path, 0, error)];
  const replicas = Number(found);
  if (replicas < 0) return [invalid(path, found, 'should be a non-negative integer')];
  return replicas > maxReplicas ? [invalid(path, found, `should be less than or equal to ${maxReplicas}`)] : [];
}

/** Follows a dotted path through objects, with the errors of Go's unstructured accessors for values of another type. */
function follow(
  value: unknown,
  path: string,
  type: string,
  isOfType: (value: unknown) => boolean,
): { found?: unknown; error?: string } {
  const names = path.replace(/^\./, '').split('.');
  let current: unknown = value;
  for (const [i, name] of names.entries()) {
    if (current === null || current === undefined) return {};
    if (!isJsonObject(current)) {
      const at = `.${names.slice(0, i + 1).join('.')}`;
      return { error: accessorError(at, current, 'map[string]interface{}') };
    }
    current = valueAt(current, name);
  }
  if (current === undefined) return {};
  return isOfType(current) ? { found: current } : { error: accessorError(`.${names.join('.')}`, current, type) };
}

function accessorError(path: string, value: unknown, expected: string): string {
  return `${path} accessor error: ${goText(value)} is of the type ${goTypeOf(value)}, expected ${expected}`;
}
