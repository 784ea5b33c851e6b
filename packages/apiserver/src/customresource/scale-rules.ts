import type { ApiObject } from '../apimachinery/api-object.ts';
import { type FieldError, invalid } from '../apimachinery/field-error.ts';
import type { VersionDefinition } from './custom-definition.ts';

type ScaleDefinition = NonNullable<NonNullable<VersionDefinition['subresources']>['scale']>;

const replicasMax = 2 ** 31 - 1;

/**
 * What is wrong with the fields that a scale subresource reads. Source: `ValidateScaleSpec` and `ValidateScaleStatus`,
 * apiextensions-apiserver `pkg/registry/customresource/validator.go`.
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
  if (typeof value !== 'number' || !Number.isInteger(value)) return [invalid(path, 0, wrongType(path, value, 'int64'))];
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
        error: `.${reached} accessor error: ${goValue(value)} is of the type ${goType(value)}, expected map[string]interface{}`,
      };
    }
    if (!Object.hasOwn(value, field)) return {};
    value = (value as Record<string, unknown>)[field];
  }
  return { value };
}

function wrongType(path: string, value: unknown, expected: string): string {
  return `.${path.replace(/^\./, '')} accessor error: ${goValue(value)} is of the type ${goType(value)}, expected ${expected}`;
}

function goType(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'object') return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/** `%v`: lists and objects in Go's own notation. */
function goValue(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${key}:${goValue((value as Record<string, unknown>)[key])}`);
  return `map[${members.join(' ')}]`;
}
