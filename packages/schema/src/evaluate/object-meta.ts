import {
  addErrors,
  childPath,
  type FieldError,
  forbidden,
  invalid,
  keyPath,
  required,
  tooLong,
} from './field-error.ts';
import { GoStruct } from './go-format.ts';
import { isJsonObject, type JsonObject, valueAt } from './json-value.ts';
import { dns1123Label, labelKey, labelValue, type NameRule } from './name-rule.ts';

/**
 * The errors of an object's metadata, whose JSON types must be right; what is not of its type counts as missing
 * (ValidateObjectMeta of k8s.io/apimachinery pkg/api/validation/objectmeta.go, on create).
 */
export function validateObjectMeta(
  metadata: JsonObject,
  isNamespaced: boolean,
  nameRule: NameRule,
  prefixRule: NameRule,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = (name: string) => childPath(path, name);
  const name = textAt(metadata, 'name');
  const generateName = textAt(metadata, 'generateName');
  const namespace = textAt(metadata, 'namespace');
  if (generateName !== '') {
    addErrors(
      errors,
      prefixRule(generateName).map((reason) => invalid(at('generateName'), generateName, reason)),
    );
  }
  if (name === '') errors.push(required(at('name'), 'name or generateName is required'));
  else
    addErrors(
      errors,
      nameRule(name).map((reason) => invalid(at('name'), name, reason)),
    );
  if (isNamespaced && namespace === '') errors.push(required(at('namespace')));
  else if (isNamespaced) {
    addErrors(
      errors,
      dns1123Label(namespace).map((reason) => invalid(at('namespace'), namespace, reason)),
    );
  } else if (namespace !== '') errors.push(forbidden(at('namespace'), 'not allowed on this type'));
  const generation = valueAt(metadata, 'generation');
  if (typeof generation === 'number' && generation < 0) {
    errors.push(invalid(at('generation'), generation, 'must be greater than or equal to 0'));
  }
  addErrors(errors, labelErrors(textsAt(metadata, 'labels'), at('labels')));
  addErrors(errors, annotationErrors(textsAt(metadata, 'annotations'), at('annotations')));
  addErrors(errors, ownerErrors(listAt(metadata, 'ownerReferences').filter(isJsonObject), at('ownerReferences')));
  addErrors(errors, finalizerErrors(listAt(metadata, 'finalizers').map(String), at('finalizers')));
  addErrors(errors, managedFieldsErrors(listAt(metadata, 'managedFields').filter(isJsonObject), at('managedFields')));
  return errors;
}

function labelErrors(labels: readonly [string, string][], path: string): FieldError[] {
  return labels.flatMap(([key, value]) => [
    ...labelKey(key).map((reason) => invalid(path, key, reason)),
    ...labelValue(value).map((reason) => invalid(path, value, reason)),
  ]);
}

/** TotalAnnotationSizeLimitB: keys and values together. */
const maxAnnotationBytes = 256 * 1024;

function annotationErrors(annotations: readonly [string, string][], path: string): FieldError[] {
  const errors = annotations.flatMap(([key]) =>
    labelKey(key.toLowerCase()).map((reason) => invalid(path, key, reason)),
  );
  const size = annotations.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (size > maxAnnotationBytes) errors.push(tooLong(path, maxAnnotationBytes));
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
  const errors = finalizers.flatMap((finalizer) =>
    labelKey(finalizer).map((reason) => invalid(path, finalizer, reason)),
  );
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

const maxManagerBytes = 128;
const maxSubresourceBytes = 256;

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
    if (Buffer.byteLength(textAt(entry, 'manager')) > maxManagerBytes)
      errors.push(tooLong(at('manager'), maxManagerBytes));
    if (Buffer.byteLength(textAt(entry, 'subresource')) > maxSubresourceBytes) {
      errors.push(tooLong(at('subresource'), maxSubresourceBytes));
    }
    return errors;
  });
}

function textAt(object: JsonObject, key: string): string {
  const value = valueAt(object, key);
  return typeof value === 'string' ? value : '';
}

function textsAt(object: JsonObject, key: string): [string, string][] {
  const value = valueAt(object, key);
  return isJsonObject(value) ? Object.entries(value).map(([name, text]) => [name, String(text)]) : [];
}

function listAt(object: JsonObject, key: string): readonly unknown[] {
  const value = valueAt(object, key);
  return Array.isArray(value) ? value : [];
}
