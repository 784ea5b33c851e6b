import type { ObjectMeta } from '@evenkeel/core';
import { type FieldError, invalid, validateObjectMeta } from '../apimachinery/index.ts';
import type { KindDescription } from '../kind/kind-description.ts';

/** What is wrong with an object's metadata: apimachinery's rules, and what Kubernetes' own kinds insist on. */
export function objectMetaErrors(
  metadata: ObjectMeta,
  { names, custom }: Pick<KindDescription, 'names' | 'custom'>,
  nameErrors: (name: string, isPrefix: boolean) => readonly string[],
): FieldError[] {
  const errors = validateObjectMeta(metadata, { isNamespaced: names.namespaced, nameErrors, path: 'metadata' });
  if (!custom && names.group !== 'apiextensions.k8s.io') errors.push(...validateQualified(metadata.finalizers ?? []));
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
