import type { ClassReport, FindingSubject } from '../finding/finding.ts';
import type { KindNames, MergedKind } from './merge-versions.ts';

/**
 * Reports names that two kinds use. Within a group the API server accepts a name for only one of them and never serves the
 * other (`NamesAccepted` of apiextensions-apiserver pkg/controller/status). Between groups kubectl picks one: a short name
 * selects the group that the server lists first, and a category hides a resource of the same name.
 */
export function checkNames(all: readonly MergedKind[]): void {
  const kinds = all.filter(({ storage }) => storage.declaration.isIdentified);
  for (const [i, kind] of kinds.entries()) {
    for (const other of kinds.slice(0, i)) {
      const sameGroup = kind.names.group === other.names.group;
      if (sameGroup) checkWithinGroup(kind, other);
      else checkBetweenGroups(kind, other);
    }
    for (const other of kinds) checkCategories(kind, other);
  }
}

function checkWithinGroup(kind: MergedKind, other: MergedKind): void {
  const { group } = kind.names;
  const related = relatedTo(other);
  const fix = 'the API server would serve only the first of them; give one of them another name or group';
  // Both classes are for one version, which has been reported.
  if (kind.names.kind === other.names.kind) return;
  if (kind.names.plural === other.names.plural) {
    reportOf(kind).error(
      'duplicate-declaration',
      `${classNameOf(other)} declares ${kind.names.plural}.${group} too; give one of them another kind, plural or group, or list only one`,
      related,
    );
    return;
  }
  const claimed = resourceNames(other.names);
  const names = [...resourceNames(kind.names)].filter((name) => claimed.has(name));
  const kinds = [...kindNames(kind.names)].filter((name) => kindNames(other.names).has(name));
  for (const name of [...names, ...kinds]) {
    reportOf(kind).error(
      'duplicate-declaration',
      `${classNameOf(other)} is called ${name} in ${group} too: ${fix}`,
      related,
    );
  }
}

function checkBetweenGroups(kind: MergedKind, other: MergedKind): void {
  const claimed = resourceNames(other.names);
  for (const name of kind.names.shortNames ?? []) {
    if (!claimed.has(name)) continue;
    reportOf(kind).notice(
      'ambiguous-name',
      `the short name ${name} is also a name of ${classNameOf(other)} in ${other.names.group}, so "kubectl get ${name}" may list either; give one of them another short name`,
      relatedTo(other),
    );
  }
}

function checkCategories(kind: MergedKind, other: MergedKind): void {
  const claimed = resourceNames(other.names);
  for (const category of kind.names.categories ?? []) {
    if (!claimed.has(category)) continue;
    reportOf(kind).notice(
      'ambiguous-name',
      `the category ${category} is also a name of ${classNameOf(other)}, so "kubectl get ${category}" lists the whole category; give it another name`,
      relatedTo(other),
    );
  }
}

function reportOf({ storage }: MergedKind): ClassReport {
  return storage.report;
}

function classNameOf({ storage }: MergedKind): string {
  return storage.root.name;
}

function relatedTo({ storage }: MergedKind): FindingSubject {
  return { related: storage.root.location };
}

function resourceNames({ kind, plural, singular, shortNames = [] }: KindNames): Set<string> {
  return new Set([plural, singular ?? kind.toLowerCase(), ...shortNames]);
}

function kindNames({ kind, listKind }: KindNames): Set<string> {
  return new Set([kind, listKind ?? `${kind}List`]);
}
