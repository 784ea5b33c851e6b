import { goSyntax, goText, goTypeOf, isJsonObject, isNumeric, type JsonObject } from '../apimachinery/index.ts';
import { type FieldType, type ListType, type MapType, type ScalarType, SchemaMismatch } from './field-type.ts';
import { elementOf } from './list-element.ts';
import { formatElement, formatPath, IndexElement, identityOf, type PathElement } from './path-element.ts';

/**
 * Returns the errors of an applied object that does not fit its schema, in the server's words; undefined if there are
 * none. As upstream, the first undeclared field of an object ends the check of the object's other fields.
 *
 * Difference: fields are visited in the object's order; upstream's order is random.
 */
export function schemaErrorsOf(
  object: JsonObject,
  type: FieldType,
  { allowsDuplicates = false } = {},
): string | undefined {
  const errors: Errors = { texts: [], allowsDuplicates };
  checkValue(object, type, [], errors);
  const { texts } = errors;
  if (texts.length <= 1) return texts[0];
  return ['errors:', ...texts.map((error) => `  ${error}`)].join('\n');
}

interface Errors {
  readonly texts: string[];
  /** Whether a list may have several elements with the same keys, or the same values. */
  readonly allowsDuplicates: boolean;
}

type Path = PathElement[];

function report(errors: Errors, path: Path, message: string): void {
  const where = formatPath(path);
  errors.texts.push(where === '' ? message : `${where}: ${message}`);
}

function checkValue(value: unknown, type: FieldType, path: Path, errors: Errors): void {
  if (value === null) return;
  const { map, list, scalar } = type.shape;
  if (isJsonObject(value) && map !== undefined) checkFields(value, map, path, errors);
  else if (Array.isArray(value) && list !== undefined) checkItems(value, list, path, errors);
  else if (typeof value !== 'object' && scalar !== undefined) checkScalar(value, scalar, path, errors);
  else if (map !== undefined) report(errors, path, `expected map, got &{${goText(value)}}`);
  else if (scalar !== undefined) checkScalar(value, scalar, path, errors);
  else report(errors, path, `expected list, got &{${goText(value)}}`);
}

function checkFields(object: JsonObject, map: MapType, path: Path, errors: Errors): void {
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (value === undefined) continue;
    const type = map.fields.get(name) ?? map.element;
    path.push(name);
    if (type === undefined) report(errors, path, 'field not declared in schema');
    else checkValue(value, type, path, errors);
    path.pop();
    if (type === undefined) return;
  }
}

function checkItems(items: unknown[], list: ListType, path: Path, errors: Errors): void {
  const seen = new Set<unknown>();
  for (let i = 0; i < items.length; i++) {
    let element: PathElement | undefined;
    if (list.associative) {
      element = elementAt(items, i, list, path, errors);
      if (element === undefined) return;
      const identity = identityOf(element);
      if (seen.has(identity) && !errors.allowsDuplicates)
        report(errors, path, `duplicate entries for key ${formatElement(element)}`);
      seen.add(identity);
    }
    path.push(element ?? new IndexElement(i));
    checkValue(items[i], list.element, path, errors);
    path.pop();
  }
}

function elementAt(
  items: unknown[],
  index: number,
  list: ListType,
  path: Path,
  errors: Errors,
): PathElement | undefined {
  try {
    return elementOf(items[index], list);
  } catch (error) {
    if (!(error instanceof SchemaMismatch)) throw error;
    report(errors, path, `element ${index}: ${error.message}`);
    return undefined;
  }
}

function checkScalar(value: unknown, scalar: ScalarType, path: Path, errors: Errors): void {
  if (scalar === 'numeric' && !isNumeric(value)) {
    report(errors, path, `expected numeric (int or float), got ${goTypeOf(value)}`);
  } else if (scalar === 'string' && typeof value !== 'string') {
    report(errors, path, `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
  } else if (scalar === 'boolean' && typeof value !== 'boolean') {
    report(errors, path, `expected boolean, got &{${goText(value)}}`);
  } else if (scalar === 'untyped' && typeof value === 'object') {
    report(errors, path, `expected any scalar, got &{${goText(value)}}`);
  }
}
