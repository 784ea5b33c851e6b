import { goQuote, isInt64 } from '../apimachinery.ts';
import type { ValidationResult } from './validation-result.ts';

/** Returns whether the value has the type, and adds an error if it does not. */
export type TypeCheck = (value: unknown, path: string, result: ValidationResult) => boolean;

/**
 * Checks the type as kube-openapi does (pkg/validation/validate/type.go). The format has an effect: the error for a wrong
 * type names the format, and a list is accepted for a string with a format.
 */
export function compileTypeCheck(types: readonly string[], nullable: boolean, format: string): TypeCheck {
  const typeNames = types.join(',');
  const takesNumbers = types.includes('number') || types.includes('integer');
  return (value, path, result) => {
    if (value === null) {
      if (types.length === 0 || nullable) return true;
      return refuse(path, typeNames, 'null', result);
    }
    const type = jsonTypeOf(value);
    if (types.includes(type)) return true;
    if (type === 'integer' && types.includes('number')) return true;
    if (type === 'number' && types.includes('integer') && isNearlyInteger(value as number)) return true;
    if (format !== '') {
      const isText = type === 'string' || type === 'array';
      const valueFormat = formatOfType(type);
      if (!isText && valueFormat !== format) return refuse(path, format, valueFormat, result);
      if (isText && !takesNumbers) return true;
    }
    return refuse(path, typeNames, type, result);
  };
}

function refuse(path: string, expected: string, found: string, result: ValidationResult): false {
  result.typeInvalid(path, found, `${path} in body must be of type ${expected}: ${goQuote(found)}`);
  return false;
}

function jsonTypeOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
    case 'bigint':
      return isInt64(value) ? 'integer' : 'number';
    default:
      return Array.isArray(value) ? 'array' : 'object';
  }
}

function formatOfType(type: string): string {
  if (type === 'integer') return 'int64';
  return type === 'number' ? 'float64' : '';
}

/** go-openapi/swag IsFloat64AJSONInteger: a relative distance of less than 1e-9 to the integer below is ignored. */
export function isNearlyInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(value)) return true;
  if (value < 0) return false;
  const below = Math.trunc(value);
  return below !== 0 && (value - below) / (value + below) < 1e-9;
}
