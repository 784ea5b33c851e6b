import { compareVersions, didYouMean } from '@evenkeel/core';
import type { ClassVersion, MergedKind } from './merge-versions.ts';

/** A class that looks like a version of a kind, but declares another kind, because its `kind` or `group` is another one. */
export interface StrayVersion {
  readonly version: ClassVersion;
  /** The kind that its author probably means. It does not have this version. */
  readonly of: MergedKind;
  readonly differs: 'kind' | 'group';
}

/**
 * Finds classes whose kind is that of another class with their own version, such as `ShopV1` for v1 of `Shop`, because the kind is the
 * name of the class by default. Also finds classes of the same kind in another group.
 */
export function strayVersions(kinds: readonly MergedKind[]): StrayVersion[] {
  const all = kinds.filter(({ storage }) => storage.declaration.isIdentified);
  return all.flatMap((of) => {
    const has = new Set(of.versions.map(({ declaration }) => declaration.version));
    return all
      .filter((other) => other !== of)
      .flatMap(({ versions }) => versions)
      .filter(({ declaration }) => !has.has(declaration.version))
      .flatMap((version): StrayVersion | [] => {
        const { group, kind } = version.declaration;
        if (group !== of.names.group) return kind === of.names.kind ? { version, of, differs: 'group' } : [];
        // With another class name, the author has chosen the kind.
        const isDefault = kind === version.root.name;
        const looksLike = `${of.names.kind}${version.declaration.version}`.toLowerCase();
        return isDefault && kind.toLowerCase() === looksLike ? { version, of, differs: 'kind' } : [];
      });
  });
}

/** Reports classes that are probably meant to be versions of another kind. */
export function checkStrayVersions(strays: readonly StrayVersion[]): void {
  for (const { version, of, differs } of strays) {
    const { declaration, report } = version;
    const { group, kind } = of.names;
    const related = of.storage.root.location === undefined ? {} : { related: of.storage.root.location };
    if (differs === 'kind') {
      report.error(
        'separate-kind',
        `the class does not set kind, so it declares the kind ${declaration.kind}, and not the version ${declaration.version} of ${kind}; set kind: '${kind}' in @CustomResource. If ${declaration.kind} is a separate kind, rename the class and set kind: '${declaration.kind}'`,
        related,
      );
    } else if (isSecond(version, of) && didYouMean(declaration.group, [group]) !== '') {
      report.notice(
        'separate-kind',
        `the class declares ${kind} in the group ${declaration.group}, but ${of.storage.root.name} declares it in the group ${group}, so they are two kinds; use the same group if they are versions of one kind`,
        related,
      );
    }
  }
}

/** Each of two kinds looks like a version of the other, but one report is enough. */
function isSecond({ declaration: { version, group } }: ClassVersion, { versions, names }: MergedKind): boolean {
  const [preferred] = versions;
  const order = preferred === undefined ? 0 : compareVersions(version, preferred.declaration.version);
  return order === 0 ? group > names.group : order > 0;
}
