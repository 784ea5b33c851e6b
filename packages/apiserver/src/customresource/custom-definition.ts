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

/** Where the store keeps the definitions themselves. */
export const definitionsStorageKey = 'apiextensions.k8s.io/customresourcedefinitions';

/** What makes a definition wait until its objects are gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export function isConditionTrue({ status }: StoredDefinition, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true;
}

/** Where the store keeps the objects of a definition. */
export function storageKeyOf({ group = '', names }: DefinitionSpec): string {
  return `${group}/${names?.plural ?? ''}`;
}

export function storageVersionOf({ versions }: DefinitionSpec): string {
  // Null where a definition that is yet to be validated says nothing.
  return (versions ?? []).find(({ storage }) => storage === true)?.name ?? '';
}
