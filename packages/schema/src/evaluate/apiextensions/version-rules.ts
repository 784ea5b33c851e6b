import {
  addErrors,
  childPath,
  duplicate,
  type FieldError,
  GoPointer,
  invalid,
  isPrintable,
  keyPath,
  required,
  tooMany,
} from '../apimachinery.ts';
import { noSuchField, resolveFieldPath } from '../custom-resource/field-path.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import type { JsonSchemaProps, PrinterColumn, Subresources } from './custom-resource-definition.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** The errors of `additionalPrinterColumns`. */
export function printerColumnErrors(columns: readonly PrinterColumn[], path: string): FieldError[] {
  return columns.flatMap((column, i) => {
    const errors: FieldError[] = [];
    const at = (name: string) => childPath(keyPath(path, i), name);
    const oneOf = (allowed: readonly string[]) => `must be one of ${allowed.join(',')}`;
    if (!column.name) errors.push(required(at('name')));
    if (!column.type) errors.push(required(at('type'), oneOf(columnTypes)));
    else if (!columnTypes.includes(column.type)) errors.push(invalid(at('type'), column.type, oneOf(columnTypes)));
    if (column.format && !columnFormats.includes(column.format)) {
      errors.push(invalid(at('format'), column.format, oneOf(columnFormats)));
    }
    if (!column.jsonPath) errors.push(required(at('JSONPath')));
    else addErrors(errors, simplePathErrors(column.jsonPath, at('JSONPath')));
    return errors;
  });
}

/** The errors of the scale subresource's paths. */
export function subresourceErrors(subresources: Subresources | undefined, path: string): FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined || scale === null) return [];
  const check = (name: keyof typeof scale, prefixes: readonly string[], where: string): FieldError[] => {
    const field = childPath(path, `scale.${name}`);
    const jsonPath = scale[name];
    if (!jsonPath) return name === 'labelSelectorPath' ? [] : [required(field)];
    const errors = simplePathErrors(jsonPath, field);
    if (errors.length > 0 || prefixes.some((prefix) => jsonPath.startsWith(prefix))) return errors;
    const shown = name === 'labelSelectorPath' ? new GoPointer(jsonPath) : jsonPath;
    return [invalid(field, shown, `should be a json path under ${where}`)];
  };
  return [
    ...check('specReplicasPath', ['.spec.'], '.spec'),
    ...check('statusReplicasPath', ['.status.'], '.status'),
    ...check('labelSelectorPath', ['.spec.', '.status.'], 'either .spec or .status'),
  ];
}

function simplePathErrors(jsonPath: string, path: string): FieldError[] {
  return jsonPath.startsWith('.') ? [] : [invalid(path, jsonPath, 'must be a simple json path starting with .')];
}

const maxSelectableFields = 8;

/**
 * The errors of `selectableFields`. An old CRD with too many of them may keep them unchanged. Without a schema with fields,
 * only their form is checked: the API server panics for every name, which is not imitated.
 */
export function selectableFieldErrors(
  fields: readonly { readonly jsonPath?: string }[],
  schema: JsonSchemaProps | undefined,
  path: string,
  allowsTooMany: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  fields.forEach(({ jsonPath = '' }, i) => {
    const at = childPath(keyPath(path, i), 'jsonPath');
    if (jsonPath === '') {
      errors.push(required(at));
      return;
    }
    const resolved = resolveFieldPath(jsonPath, (schema ?? {}) as StructuralSchema, false);
    if (schema === undefined && resolved.error === noSuchField) return;
    if (resolved.error !== undefined) {
      errors.push(invalid(at, jsonPath, `is an invalid path: ${resolved.error}`));
      return;
    }
    if (/^metadata(?:\.|$)/.test(resolved.path)) {
      errors.push(invalid(at, jsonPath, 'must not point to fields in metadata'));
    }
    if (!['string', 'boolean', 'integer'].includes(resolved.schema.type ?? '')) {
      const allowed = 'Enum string fields and strings with formats are allowed.';
      errors.push(invalid(at, jsonPath, `must point to a field of type string, boolean or integer. ${allowed}`));
    }
    if (seen.has(resolved.path)) errors.push(duplicate(at, jsonPath));
    seen.add(resolved.path);
  });
  if (seen.size > maxSelectableFields && !allowsTooMany) errors.push(tooMany(path, seen.size, maxSelectableFields));
  return errors;
}

/** The errors of `deprecationWarning`. */
export function deprecationErrors(
  version: { readonly deprecated?: boolean; readonly deprecationWarning?: string },
  path: string,
): FieldError[] {
  const warning = version.deprecationWarning;
  if (warning === undefined) return [];
  const field = childPath(path, 'deprecationWarning');
  const shown = new GoPointer(warning);
  if (version.deprecated !== true) return [invalid(field, shown, 'can only be set for deprecated versions')];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(warning) > 256) errors.push(invalid(field, shown, 'must be <= 256 characters long'));
  if (warning === '') errors.push(invalid(field, shown, 'must not be an empty string'));
  const characters = Array.from(warning);
  const odd = characters.findIndex((character) => !isPrintable(character));
  if (odd >= 0) {
    const index = Buffer.byteLength(characters.slice(0, odd).join(''));
    const detail = `must only contain printable UTF-8 characters; non-printable character found at index ${index}`;
    errors.push(invalid(field, shown, detail));
  }
  return errors;
}
