import type { Condition, KubernetesObject } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/schema/evaluate';

export type DefinitionSpec = NonNullable<CustomResourceDefinition['spec']>;
export type DefinitionNames = NonNullable<DefinitionSpec['names']>;
export type VersionDefinition = NonNullable<DefinitionSpec['versions']>[number];

export interface DefinitionStatus {
  /** Null before the first one is set. */
  readonly conditions?: readonly Condition[] | null;
  readonly acceptedNames?: DefinitionNames;
  readonly storedVersions?: readonly string[];
}

/** A CustomResourceDefinition as the server stores it: decoded, defaulted and valid. */
export interface StoredDefinition extends KubernetesObject {
  readonly spec: DefinitionSpec;
  readonly status?: DefinitionStatus;
}

/** The storage key of definitions. */
export const definitionsStorageKey = 'apiextensions.k8s.io/customresourcedefinitions';

/** The finalizer that keeps a definition until its objects are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export function isConditionTrue({ status }: StoredDefinition, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true;
}

/** Returns the storage key of a definition's objects. */
export function storageKeyOf({ group = '', names }: DefinitionSpec): string {
  return `${group}/${names?.plural ?? ''}`;
}

export function storageVersionOf({ versions }: DefinitionSpec): string {
  // Null in a definition without versions that is not validated yet.
  return (versions ?? []).find(({ storage }) => storage === true)?.name ?? '';
}
