import { jsonEqual } from '@evenkeel/apimachinery/json';
import { compareVersions } from '@evenkeel/core';
import type { ClassReport, Finding, SourceLocation } from '../finding/finding.ts';
import type { ApiClass } from '../model/api-class.ts';
import type { ResourceDeclaration } from '../resource-options/resource-declaration.ts';

/** A class that was read: a version of a kind. */
export interface ClassVersion {
  readonly declaration: ResourceDeclaration;
  readonly root: ApiClass;
  readonly report: ClassReport;
  /** All findings about the class, including those of `report`. */
  readonly findings: Finding[];
}

/** A kind with all its versions. */
export interface MergedKind {
  readonly names: KindNames;
  /** In Kubernetes' order of preference. */
  readonly versions: readonly ClassVersion[];
  readonly storage: ClassVersion;
  /** The version to and from which all others are converted; undefined if the API server only changes `apiVersion`. */
  readonly hub: ClassVersion | undefined;
}

/** The fields of a CRD that belong to the kind as a whole. */
export type KindNames = Pick<
  ResourceDeclaration,
  'group' | 'kind' | 'plural' | 'scope' | (typeof saidOnce)[number] | (typeof saidByKey)[number]
>;

/** Every class must set these, because the client of each version reads them from its own class. */
const saidByEach = ['plural', 'scope'] as const;
const saidOnce = ['singular', 'listKind', 'shortNames', 'categories'] as const;
const saidByKey = ['labels', 'annotations'] as const;

/**
 * Groups classes by the kind that they are versions of. A second class for the same version is reported with both places.
 * It becomes a separate kind, so that its other errors are found too.
 */
export function kindsOf(classes: readonly ClassVersion[]): ClassVersion[][] {
  const kinds = new Map<string, ClassVersion[]>();
  const apart: ClassVersion[][] = [];
  for (const version of classes) {
    const { group, kind, isIdentified } = version.declaration;
    const key = `${group}/${kind}`;
    const others = kinds.get(key);
    const same = others?.find((other) => other.declaration.version === version.declaration.version);
    if (!isIdentified) apart.push([version]);
    else if (others === undefined) kinds.set(key, [version]);
    else if (same === undefined) others.push(version);
    else {
      version.report.error(
        'duplicate-declaration',
        `${same.root.name} declares ${kind} of ${group}/${version.declaration.version} too; give one of them another version or kind, or list only one`,
        { related: same.root.location },
      );
      apart.push([version]);
    }
  }
  return [...kinds.values(), ...apart];
}

/**
 * Merges the versions of one kind. They are in Kubernetes' order of preference: v2, v1, v1beta2, v1beta1, v1alpha1, then any
 * other name (`CompareKubeAwareVersionStrings` of k8s.io/apimachinery). The API server uses this order whatever the order in
 * the CRD, so kubectl shows the first served version of the file. controller-gen sorts by name, which puts v10 before v2
 * and v1alpha1 before v1beta1.
 *
 * @param isPart whether the kind has other versions, whose rules together are not checked. Default: these are all.
 */
export function mergeVersions(classes: readonly ClassVersion[], isPart = false): MergedKind {
  const versions = [...classes].sort((left, right) =>
    compareVersions(left.declaration.version, right.declaration.version),
  );
  const [first] = versions;
  if (first === undefined) throw new RangeError('a kind has at least one version');
  const names = mergedNames(first, versions);
  if (isPart) return { names, versions, storage: first, hub: undefined };
  return { names, versions, storage: storageOf(first, versions), hub: hubOf(versions) };
}

function storageOf(first: ClassVersion, versions: readonly ClassVersion[]): ClassVersion {
  const { group, kind } = first.declaration;
  if (!versions.some(({ declaration }) => declaration.served)) {
    first.report.error(
      'conflicting-versions',
      `no version of ${kind} in ${group} is served (${namesOf(versions)}), so no client could use it; remove served: false from one of them`,
    );
  }
  if (versions.length === 1) {
    if (first.declaration.storage === false) {
      first.report.error(
        'conflicting-versions',
        `@CustomResource: storage is false, but this is the only version of ${kind}; remove the option, or list the class of the storage version`,
      );
    }
    return first;
  }
  const stored = versions.filter(({ declaration }) => declaration.storage === true);
  const [storage, second] = stored;
  if (storage === undefined) {
    first.report.error(
      'conflicting-versions',
      `none of ${namesOf(versions)} is the storage version of ${kind}; set storage: true in one of them, usually in the newest that every installed operator can read`,
    );
  } else if (second !== undefined) {
    second.report.error(
      'conflicting-versions',
      `${namesOf(stored)} all set storage: true for ${kind}; remove it from all but one`,
      { related: storage.root.location },
    );
  }
  return storage ?? first;
}

/** The hub of a kind, if one of its versions declares a conversion. All others then need one to the same hub. */
function hubOf(versions: readonly ClassVersion[]): ClassVersion | undefined {
  const [first, ...others] = versions.filter(({ declaration }) => declaration.conversion !== undefined);
  const type = first?.declaration.conversion?.hub.type;
  if (first === undefined || type === undefined) return undefined;
  for (const version of others) {
    const { hub } = version.declaration.conversion ?? {};
    if (hub === undefined || hub.type === type) continue;
    version.report.error(
      'invalid-conversion',
      `@CustomResource: conversion: hub is ${hub.type.name} here and ${type.name} in ${first.root.name}; use one hub for all versions of ${version.declaration.kind}`,
      { related: first.root.location },
    );
  }
  const hub = versions.find(({ root }) => root.type === type);
  if (hub === undefined) {
    first.report.error(
      'invalid-conversion',
      `@CustomResource: conversion: no CRD is generated from the hub ${type.name}; export it from a module of "apis"`,
    );
  }
  for (const version of versions) {
    if (version === hub || version.declaration.isConverted) continue;
    version.report.error(
      'invalid-conversion',
      `@CustomResource: it has no conversion, but ${first.root.name} has one, so the API server also converts this version of ${version.declaration.kind}; add conversion: { hub: () => ${type.name} }`,
      { related: first.root.location },
    );
  }
  return hub;
}

function namesOf(versions: readonly ClassVersion[]): string {
  const names = versions.map(({ root, declaration }) => `${root.name} (${declaration.version})`);
  return `${names.slice(0, -1).join(', ')}${names.length > 1 ? ' and ' : ''}${names.at(-1)}`;
}

/** A value that only one class sets is used for all. If two classes differ, the value of the preferred version is used. */
function mergedNames(first: ClassVersion, versions: readonly ClassVersion[]): KindNames {
  const { group, kind, plural, scope } = first.declaration;
  for (const option of saidByEach) {
    for (const version of versions) {
      if (version.declaration[option] === first.declaration[option]) continue;
      disagree(
        version,
        first,
        option,
        version.declaration[option],
        first.declaration[option],
        'set the same value in all of them',
      );
    }
  }
  const merged: Record<string, unknown> = { group, kind, plural, scope };
  for (const option of saidOnce) {
    const giver = versions.find(({ declaration }) => declaration[option] !== undefined);
    if (giver === undefined) continue;
    merged[option] = giver.declaration[option];
    for (const version of versions) {
      const value = version.declaration[option];
      if (value === undefined || jsonEqual(sorted(value), sorted(merged[option]))) continue;
      disagree(version, giver, option, value, merged[option], onceIsEnough);
    }
  }
  for (const option of saidByKey) {
    const givers = new Map<string, { value: string; by: ClassVersion }>();
    for (const version of versions) {
      for (const [key, value] of Object.entries(version.declaration[option] ?? {})) {
        const given = givers.get(key);
        if (given === undefined) givers.set(key, { value, by: version });
        else if (given.value !== value) {
          disagree(version, given.by, `${option}["${key}"]`, value, given.value, onceIsEnough);
        }
      }
    }
    if (givers.size > 0) merged[option] = Object.fromEntries([...givers].map(([key, { value }]) => [key, value]));
  }
  return merged as unknown as KindNames;
}

const onceIsEnough = 'set the same value, or set it in only one of them';

/** Short names and categories are sets. */
function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...value].sort() : value;
}

function disagree(
  version: ClassVersion,
  other: ClassVersion,
  option: string,
  value: unknown,
  otherValue: unknown,
  fix: string,
): void {
  const related: { related?: SourceLocation | undefined } = { related: other.root.location };
  version.report.error(
    'conflicting-versions',
    `@CustomResource: ${option} is ${JSON.stringify(value)} here and ${JSON.stringify(otherValue)} in ${other.root.name}, but both are versions of ${version.declaration.kind}; ${fix}`,
    related,
  );
}
