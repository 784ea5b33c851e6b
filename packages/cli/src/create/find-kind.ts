import { compareVersions, didYouMean, EvenkeelError } from '@evenkeel/core';
import type { DeclaredVersion, ProjectSources } from './project-sources.ts';

/** A kind of the project with its versions. */
export interface DeclaredKind {
  readonly kind: string;
  readonly group: string;
  /** The newest version first. */
  readonly versions: readonly (DeclaredVersion & { readonly group: string; readonly version: string })[];
}

/** All kinds of the project whose group and versions are written as strings. */
export function kindsOf(project: ProjectSources): DeclaredKind[] {
  const known = project
    .versions()
    .flatMap(({ group, version, ...rest }) =>
      group === undefined || version === undefined ? [] : [{ ...rest, group, version }],
    );
  return [...Map.groupBy(known, ({ kind, group }) => `${kind}.${group}`).values()].flatMap((versions) => {
    const [first] = versions;
    if (first === undefined) return [];
    const { kind, group } = first;
    return { kind, group, versions: versions.toSorted((left, right) => compareVersions(left.version, right.version)) };
  });
}

/** The kind with a name. Throws `invalid-option` for an unknown or ambiguous name. */
export function findKind(project: ProjectSources, name: string, group?: string): DeclaredKind {
  const kinds = kindsOf(project);
  const found = kinds.filter((each) => each.kind === name && (group === undefined || each.group === group));
  if (found.length > 1) {
    const groups = found.map((each) => each.group).join(' or ');
    throw new EvenkeelError('invalid-option', `several groups have the kind ${name}; pass --group ${groups}`);
  }
  const [one] = found;
  if (one !== undefined) return one;
  const names = [...new Set(kinds.map(({ kind }) => kind))];
  const other = kinds.find(({ kind }) => kind === name);
  const fix =
    other !== undefined
      ? `; its group is ${other.group}`
      : didYouMean(name, names) ||
        (names.length > 0 ? `; the project has ${names.join(', ')}` : '; create one with evenkeel create api KIND');
  const unknown = project
    .versions()
    .find((each) => each.kind === name && (each.group === undefined || each.version === undefined));
  if (unknown === undefined) {
    throw new EvenkeelError(
      'invalid-option',
      `no class of the project declares the kind ${name}${group === undefined ? '' : ` of the group ${group}`}${fix}`,
    );
  }
  throw new EvenkeelError(
    'edit-refused',
    `${project.shown(unknown.path)}:${unknown.line}: cannot read group and version of ${name}; write both as strings in @CustomResource`,
  );
}

/** The version that controllers use: the hub, the storage version, or the newest one. */
export function mainVersionOf(project: ProjectSources, { versions }: DeclaredKind): DeclaredKind['versions'][number] {
  const spoke = versions.find(({ hub }) => hub !== undefined);
  const hub = spoke?.hub === undefined ? undefined : project.origin(spoke.path, spoke.hub);
  const main =
    versions.find(({ path, name }) => path === hub?.path && name === hub.name) ??
    versions.find(({ storage }) => storage === true) ??
    versions[0];
  if (main === undefined) throw new RangeError('a kind has at least one version');
  return main;
}
