import {
  addErrors,
  childPath,
  type FieldError,
  forbidden,
  invalid,
  keyPath,
  required,
  tooLong,
} from '../field-error/field-error.ts';
import { GoStruct, goQuote, isPrintable } from '../go-format/go-format.ts';
import { isJsonObject, type JsonObject, jsonEqual, valueAt } from '../json/json-value.ts';
import { annotationBytesMax, fieldManagerBytesMax } from '../limits/limits.ts';
import { dns1123LabelErrors, labelKeyErrors } from '../names/names.ts';
import { invalidBy, validateLabels } from './label-rules.ts';

/** The properties of a kind that the rules of metadata depend on. */
export interface ObjectMetaRules {
  readonly isNamespaced: boolean;
  /** Returns the errors of a name, or of the prefix of a generated name. */
  nameErrors(name: string, isPrefix: boolean): readonly string[];
  /** The path of the metadata, such as `metadata`. */
  readonly path: string;
}

const subresourceBytesMax = 256;

/**
 * Returns the errors of an object's metadata. The JSON types must be right: a value of a wrong type counts as missing
 * (`ValidateObjectMetaAccessor`, apimachinery `pkg/api/validation/objectmeta.go`).
 */
export function validateObjectMeta(object: object, { isNamespaced, nameErrors, path }: ObjectMetaRules): FieldError[] {
  const metadata = object as JsonObject;
  const errors: FieldError[] = [];
  const at = (name: string) => childPath(path, name);
  const name = textAt(metadata, 'name');
  const generateName = textAt(metadata, 'generateName');
  const namespace = textAt(metadata, 'namespace');
  if (generateName !== '') {
    for (const reason of nameErrors(generateName, true)) errors.push(invalid(at('generateName'), generateName, reason));
  }
  if (name === '') errors.push(required(at('name'), 'name or generateName is required'));
  else for (const reason of nameErrors(name, false)) errors.push(invalid(at('name'), name, reason));
  if (isNamespaced && namespace === '') errors.push(required(at('namespace')));
  else if (isNamespaced) addErrors(errors, invalidBy(dns1123LabelErrors, at('namespace'), namespace));
  else if (namespace !== '') errors.push(forbidden(at('namespace'), 'not allowed on this type'));
  const generation = valueAt(metadata, 'generation');
  if (typeof generation === 'number' && generation < 0) {
    errors.push(invalid(at('generation'), generation, 'must be greater than or equal to 0'));
  }
  addErrors(errors, validateLabels(textsAt(metadata, 'labels'), at('labels')));
  addErrors(errors, validateAnnotations(textsAt(metadata, 'annotations'), at('annotations')));
  addErrors(errors, ownerErrors(objectsAt(metadata, 'ownerReferences'), at('ownerReferences')));
  addErrors(errors, finalizerErrors(listAt(metadata, 'finalizers').map(String), at('finalizers')));
  addErrors(errors, managedFieldsErrors(objectsAt(metadata, 'managedFields'), at('managedFields')));
  return errors;
}

/** Returns the errors of an update of an object's metadata (`ValidateObjectMetaAccessorUpdate`). */
export function validateObjectMetaUpdate(object: object, oldObject: object, path: string): FieldError[] {
  const [metadata, old] = [object as JsonObject, oldObject as JsonObject];
  const errors: FieldError[] = [];
  const at = (name: string) => childPath(path, name);
  if (valueAt(old, 'deletionTimestamp') !== undefined) {
    const known = new Set(listAt(old, 'finalizers').map(String));
    const extra = listAt(metadata, 'finalizers')
      .map(String)
      .filter((finalizer) => !known.has(finalizer));
    if (extra.length > 0) {
      const list = [...new Set(extra)].sort().map(goQuote);
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list.join(', ')}}`;
      errors.push(forbidden(at('finalizers'), detail));
    }
  }
  if (textAt(metadata, 'resourceVersion') === '') {
    errors.push(invalid(at('resourceVersion'), '', 'must be specified for an update'));
  }
  const [generation, oldGeneration] = [numberAt(metadata, 'generation'), numberAt(old, 'generation')];
  if (generation < oldGeneration) errors.push(invalid(at('generation'), generation, 'must not be decremented'));
  for (const field of immutableFields) {
    const value = valueAt(metadata, field);
    if (!jsonEqual(value, valueAt(old, field))) errors.push(invalid(at(field), value ?? null, 'field is immutable'));
  }
  addErrors(errors, validateLabels(textsAt(metadata, 'labels'), at('labels')));
  addErrors(errors, validateAnnotations(textsAt(metadata, 'annotations'), at('annotations')));
  addErrors(errors, ownerErrors(objectsAt(metadata, 'ownerReferences'), at('ownerReferences')));
  addErrors(errors, managedFieldsErrors(objectsAt(metadata, 'managedFields'), at('managedFields')));
  return errors;
}

const immutableFields = [
  ...['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'],
];

/** Returns the errors of the name of a field manager (`ValidateFieldManager`). */
export function validateFieldManager(manager: string, path: string): FieldError[] {
  const errors = Buffer.byteLength(manager) > fieldManagerBytesMax ? [tooLong(path, fieldManagerBytesMax)] : [];
  let at = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalid(path, manager, `invalid character U+${code} (at position ${at})`));
    }
    at += Buffer.byteLength(character);
  }
  return errors;
}

/** Returns the errors of annotations (`ValidateAnnotations`). `path` is their path, such as `metadata.annotations`. */
export function validateAnnotations(annotations: Readonly<Record<string, string>>, path: string): FieldError[] {
  const entries = Object.entries(annotations);
  const errors = entries.flatMap(([key]) =>
    labelKeyErrors(key.toLowerCase()).map((reason) => invalid(path, key, reason)),
  );
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (size > annotationBytesMax) errors.push(tooLong(path, annotationBytesMax));
  return errors;
}

function ownerErrors(owners: readonly JsonObject[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  let controller = '';
  for (const owner of owners) {
    const [apiVersion, kind, name] = ['apiVersion', 'kind', 'name'].map((key) => textAt(owner, key));
    const isVersioned = apiVersion !== '' && apiVersion?.endsWith('/') === false && apiVersion.split('/').length < 3;
    if (!isVersioned) errors.push(invalid(childPath(path, 'apiVersion'), apiVersion, 'version must not be empty'));
    for (const key of ['kind', 'name', 'uid']) {
      if (textAt(owner, key) === '') errors.push(invalid(childPath(path, key), '', 'must not be empty'));
    }
    if (apiVersion === 'v1' && kind === 'Event') {
      errors.push(invalid(path, ownerStruct(owner), '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (owner['controller'] !== true) continue;
    const current = `${kind}/${name}`;
    if (controller === '') controller = current;
    else {
      const found = `Found "true" in references for ${controller} and ${current}`;
      errors.push(
        invalid(path, owners.map(ownerStruct), `Only one reference can have Controller set to true. ${found}`),
      );
    }
  }
  return errors;
}

/** An owner as Go prints it: its fields in the order of the struct. */
function ownerStruct(owner: JsonObject): GoStruct {
  const texts = ['apiVersion', 'kind', 'name', 'uid'].map((key) => [key, textAt(owner, key)]);
  const flags = ['controller', 'blockOwnerDeletion'].map((key) => [key, valueAt(owner, key)]);
  return new GoStruct(Object.fromEntries([...texts, ...flags]));
}

function finalizerErrors(finalizers: readonly string[], path: string): FieldError[] {
  const errors = finalizers.flatMap((finalizer) => invalidBy(labelKeyErrors, path, finalizer));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

function managedFieldsErrors(entries: readonly JsonObject[], path: string): FieldError[] {
  return entries.flatMap((entry, i) => {
    const errors: FieldError[] = [];
    const at = (name: string) => childPath(keyPath(path, i), name);
    const operation = textAt(entry, 'operation');
    const fieldsType = textAt(entry, 'fieldsType');
    if (operation !== 'Apply' && operation !== 'Update') {
      errors.push(invalid(at('operation'), operation, 'must be `Apply` or `Update`'));
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      errors.push(invalid(at('fieldsType'), fieldsType, 'must be `FieldsV1`'));
    }
    addErrors(errors, validateFieldManager(textAt(entry, 'manager'), at('manager')));
    if (Buffer.byteLength(textAt(entry, 'subresource')) > subresourceBytesMax) {
      errors.push(tooLong(at('subresource'), subresourceBytesMax));
    }
    return errors;
  });
}

function textAt(object: JsonObject, key: string): string {
  const value = valueAt(object, key);
  return typeof value === 'string' ? value : '';
}

function numberAt(object: JsonObject, key: string): number {
  const value = valueAt(object, key);
  return typeof value === 'number' ? value : 0;
}

function textsAt(object: JsonObject, key: string): Readonly<Record<string, string>> {
  const value = valueAt(object, key);
  const texts = isJsonObject(value) ? Object.entries(value).map(([name, text]) => [name, String(text)]) : [];
  return Object.fromEntries(texts) as Readonly<Record<string, string>>;
}

function listAt(object: JsonObject, key: string): readonly unknown[] {
  const value = valueAt(object, key);
  return Array.isArray(value) ? value : [];
}

function objectsAt(object: JsonObject, key: string): readonly JsonObject[] {
  return listAt(object, key).filter(isJsonObject);
}
