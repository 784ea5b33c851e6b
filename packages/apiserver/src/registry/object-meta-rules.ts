import type { ObjectMeta } from '@evenkeel/core';
import { type FieldError, invalid, validateObjectMeta } from '../apimachinery/index.ts';
import type { KindDescription } from '../kind/kind-description.ts';

/** The errors in an object's metadata, by apimachinery's rules and the additional rules of built-in kinds. */
export function objectMetaErrors(
  metadata: ObjectMeta,
  { names, custom, strategy }: Pick<KindDescription, 'names' | 'custom' | 'strategy'>,
  nameErrors: (name: string, isPrefix: boolean) => readonly string[],
): FieldError[] {
  const errors = validateObjectMeta(metadata, { isNamespaced: names.namespaced, nameErrors, path: 'metadata' });
  const isGeneric = custom || strategy.metadataLast === true || names.group === 'apiextensions.k8s.io';
  if (!isGeneric) errors.push(...validateQualified(metadata.finalizers ?? []));
  return errors;
}

const standardFinalizers = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/**
 * Built-in kinds require qualified finalizers; custom kinds only get a warning (core's `validateKubeFinalizerName`).
 * Definitions are an exception: their own finalizer is the only one that is not qualified. So are kinds whose validation leaves the
 * metadata to the generic registry.
 */
function validateQualified(finalizers: readonly string[]): FieldError[] {
  return finalizers.flatMap((finalizer, index) => {
    if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return [];
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    return [invalid(`metadata.finalizers[${index}]`, finalizer, detail)];
  });
}
