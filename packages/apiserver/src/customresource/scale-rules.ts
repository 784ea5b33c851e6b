import { type FieldError, goText, goTypeOf, invalid } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { VersionDefinition } from './custom-definition.ts';

type ScaleDefinition = NonNullable<NonNullable<VersionDefinition['subresources']>['scale']>;

const replicasMax = 2 ** 31 - 1;

/**
 * Returns the errors of the fields that a scale subresource reads. Source: `ValidateScaleSpec` and
 * `ValidateScaleStatus`, apiextensions-apiserver `pkg/registry/customresource/validator.go`.
 */
export function scaleErrors(object: ApiObject, scale: ScaleDefinition | undefined, isStatus: boolean): FieldError[] {
  if (scale === undefined) return [];
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale;
  return [
    ...(isStatus ? [] : replicasErrors(object, specReplicasPath)),
    ...replicasErrors(object, statusReplicasPath),
    ...(labelSelectorPath === '' ? [] : selectorErrors(object, labelSelectorPath)),
  ];
}

function replicasErrors(object: ApiObject, path: string): FieldError[] {
  const { value, error } = follow(object, path);
  if (error !== undefined) return [invalid(path, 0, error)];
  if (value === undefined) return [];
  if (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isInteger(value))) {
    return [invalid(path, 0, wrongType(path, value, 'int64'))];
  }
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  return value > replicasMax ? [invalid(path, value, `should be less than or equal to ${replicasMax}`)] : [];
}

function selectorErrors(object: ApiObject, path: string): FieldError[] {
  const { value, error } = follow(object, path);
  if (error !== undefined) return [invalid(path, '', error)];
  return value === undefined || typeof value === 'string' ? [] : [invalid(path, '', wrongType(path, value, 'string'))];
}

/** apimachinery's `NestedFieldNoCopy`. */
function follow(object: ApiObject, path: string): { readonly value?: unknown; readonly error?: string } {
  const fields = path.replace(/^\./, '').split('.');
  let value: unknown = object;
  for (const [index, field] of fields.entries()) {
    if (value === null) return {};
    if (typeof value !== 'object' || Array.isArray(value)) {
      const reached = fields.slice(0, index + 1).join('.');
      return {
        error: `.${reached} accessor error: ${goText(value)} is of the type ${goTypeOf(value)}, expected map[string]interface{}`,
      };
    }
    if (!Object.hasOwn(value, field)) return {};
    value = (value as Record<string, unknown>)[field];
  }
  return { value };
}

function wrongType(path: string, value: unknown, expected: string): string {
  return `.${path.replace(/^\./, '')} accessor error: ${goText(value)} is of the type ${goTypeOf(value)}, expected ${expected}`;
}
