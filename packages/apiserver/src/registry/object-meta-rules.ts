import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from '@evenkeel/core';
import { sameJson } from '../apimachinery/api-object.ts';
import { type FieldError, forbidden, invalid, required, tooLong } from '../apimachinery/field-error.ts';
import { invalidBy, validateLabels } from '../apimachinery/label-validation.ts';
import { dns1123LabelErrors, labelKeyErrors } from '../apimachinery/names.ts';
import { isPrintable } from '../apply/manager.ts';
import type { KindDescription } from '../kind/kind-description.ts';

const annotationBytesMax = 256 * 1024;
const managerLengthMax = 128;
const subresourceLengthMax = 256;
const immutable = 'field is immutable';

/** What is wrong with an object's metadata, after apimachinery's `ValidateObjectMetaAccessor`. */
export function validateObjectMeta(
  metadata: ObjectMeta,
  { names, custom }: Pick<KindDescription, 'names' | 'custom'>,
  nameErrors: (name: string, prefix: boolean) => readonly string[],
): FieldError[] {
  const errors: FieldError[] = [];
  const { name, generateName, namespace } = metadata;
  if (generateName !== undefined && generateName !== '') {
    for (const message of nameErrors(generateName, true)) {
      errors.push(invalid('metadata.generateName', generateName, message));
    }
  }
  if (name === undefined || name === '') {
    errors.push(required('metadata.name', 'name or generateName is required'));
  } else {
    for (const message of nameErrors(name, false)) errors.push(invalid('metadata.name', name, message));
  }
  if (names.namespaced) {
    if (namespace === undefined || namespace === '') errors.push(required('metadata.namespace'));
    else errors.push(...invalidBy(dns1123LabelErrors, 'metadata.namespace', namespace));
  } else if (namespace !== undefined && namespace !== '') {
    errors.push(forbidden('metadata.namespace', 'not allowed on this type'));
  }
  if ((metadata.generation ?? 0) < 0) {
    errors.push(invalid('metadata.generation', metadata.generation, 'must be greater than or equal to 0'));
  }
  errors.push(...validateLabelsAndAnnotations(metadata));
  errors.push(...validateOwnerReferences(metadata.ownerReferences ?? []));
  errors.push(...validateFinalizers(metadata.finalizers ?? []));
  if (!custom && names.group !== 'apiextensions.k8s.io') errors.push(...validateQualified(metadata.finalizers ?? []));
  errors.push(...validateManagedFields(metadata.managedFields ?? []));
  return errors;
}

/** What an update may not do to metadata, after apimachinery's `ValidateObjectMetaAccessorUpdate`. */
export function validateObjectMetaUpdate(metadata: ObjectMeta, old: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) {
    const extra = (metadata.finalizers ?? []).filter((finalizer) => !(old.finalizers ?? []).includes(finalizer));
    if (extra.length > 0) {
      const list = [...new Set(extra)].sort().map((finalizer) => JSON.stringify(finalizer));
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list.join(', ')}}`;
      errors.push(forbidden('metadata.finalizers', detail));
    }
  }
  if (metadata.resourceVersion === undefined || metadata.resourceVersion === '') {
    errors.push(invalid('metadata.resourceVersion', '', 'must be specified for an update'));
  }
  if ((metadata.generation ?? 0) < (old.generation ?? 0)) {
    errors.push(invalid('metadata.generation', metadata.generation ?? 0, 'must not be decremented'));
  }
  const fixed = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'];
  for (const field of fixed as (keyof ObjectMeta)[]) {
    if (!sameJson(metadata[field], old[field])) {
      errors.push(invalid(`metadata.${field}`, metadata[field] ?? null, immutable));
    }
  }
  errors.push(...validateLabelsAndAnnotations(metadata));
  errors.push(...validateOwnerReferences(metadata.ownerReferences ?? []));
  errors.push(...validateManagedFields(metadata.managedFields ?? []));
  return errors;
}

function validateLabelsAndAnnotations({ labels, annotations = {} }: ObjectMeta): FieldError[] {
  const errors = [...validateLabels(labels, 'metadata.labels')];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    for (const message of labelKeyErrors(key.toLowerCase())) {
      errors.push(invalid('metadata.annotations', key, message));
    }
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > annotationBytesMax) errors.push(tooLong('metadata.annotations', annotationBytesMax));
  return errors;
}

function validateOwnerReferences(references: readonly OwnerReference[]): FieldError[] {
  const path = 'metadata.ownerReferences';
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const reference of references) {
    const { apiVersion, kind, name, uid } = reference;
    if (!apiVersion) errors.push(invalid(`${path}.apiVersion`, apiVersion ?? '', 'version must not be empty'));
    if (!kind) errors.push(invalid(`${path}.kind`, kind ?? '', 'must not be empty'));
    if (!name) errors.push(invalid(`${path}.name`, name ?? '', 'must not be empty'));
    if (!uid) errors.push(invalid(`${path}.uid`, uid ?? '', 'must not be empty'));
    if (apiVersion === 'v1' && kind === 'Event') {
      errors.push(invalid(path, reference, '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (reference.controller !== true) continue;
    const current = `${kind}/${name}`;
    if (controller === undefined) controller = current;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`;
      errors.push(invalid(path, references, detail));
    }
  }
  return errors;
}

function validateFinalizers(finalizers: readonly string[]): FieldError[] {
  const errors = finalizers.flatMap((finalizer) => invalidBy(labelKeyErrors, 'metadata.finalizers', finalizer));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
    errors.push(invalid('metadata.finalizers', finalizers, detail));
  }
  return errors;
}

const standardFinalizers = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/**
 * Kubernetes' own kinds insist on what custom kinds only get a warning for (core's `validateKubeFinalizerName`).
 * Definitions do not: theirs is the one name of a finalizer that is not qualified.
 */
function validateQualified(finalizers: readonly string[]): FieldError[] {
  return finalizers.flatMap((finalizer, index) => {
    if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return [];
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    return [invalid(`metadata.finalizers[${index}]`, finalizer, detail)];
  });
}

function validateManagedFields(entries: readonly ManagedFieldsEntry[]): FieldError[] {
  return entries.flatMap((entry, index) => {
    const path = `metadata.managedFields[${index}]`;
    const errors: FieldError[] = [];
    if (entry.operation !== 'Apply' && entry.operation !== 'Update') {
      errors.push(invalid(`${path}.operation`, entry.operation ?? '', 'must be `Apply` or `Update`'));
    }
    if (entry.fieldsType !== undefined && entry.fieldsType !== 'FieldsV1') {
      errors.push(invalid(`${path}.fieldsType`, entry.fieldsType, 'must be `FieldsV1`'));
    }
    errors.push(...validateFieldManager(entry.manager ?? '', `${path}.manager`));
    if ((entry.subresource ?? '').length > subresourceLengthMax) {
      errors.push(tooLong(`${path}.subresource`, subresourceLengthMax));
    }
    return errors;
  });
}

/** What is wrong with the name of a field manager. */
export function validateFieldManager(manager: string, path: string): FieldError[] {
  const errors = Buffer.byteLength(manager) > managerLengthMax ? [tooLong(path, managerLengthMax)] : [];
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
