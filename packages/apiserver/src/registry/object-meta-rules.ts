import type { ObjectMeta } from '@evenkeel/core';
import { type FieldError, invalid, validateObjectMeta, validateObjectMetaUpdate } from '../apimachinery/index.ts';
import type { KindDescription } from '../kind/kind-description.ts';

/**
 * The errors in an object's metadata, by apimachinery's rules and the additional rules of built-in kinds. `old` is the metadata of the
 * stored object, if the object is updated.
 */
export function objectMetaErrors(
  metadata: ObjectMeta,
  { names, custom, strategy }: Pick<KindDescription, 'names' | 'custom' | 'strategy'>,
  nameErrors: (name: string, isPrefix: boolean) => readonly string[],
  old?: ObjectMeta,
): FieldError[] {
  const errors = validateObjectMeta(metadata, { isNamespaced: names.namespaced, nameErrors, path: 'metadata' });
  if (old !== undefined) errors.push(...validateObjectMetaUpdate(metadata, old, 'metadata'));
  const isGeneric = custom || strategy.metadataLast === true || genericGroups.has(names.group);
  if (!isGeneric) errors.push(...validateQualified(metadata.finalizers ?? []));
  return errors;
}

/** The groups whose validation leaves the metadata to apimachinery. */
const genericGroups = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
]);
const standardFinalizers = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/**
 * Built-in kinds require qualified finalizers; custom kinds only get a warning (core's `validateKubeFinalizerName`).
 * Kinds whose validation leaves the metadata to the generic registry are an exception.
 */
function validateQualified(finalizers: readonly string[]): FieldError[] {
  return finalizers.flatMap((finalizer, index) => {
    if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return [];
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    return [invalid(`metadata.finalizers[${index}]`, finalizer, detail)];
  });
}
