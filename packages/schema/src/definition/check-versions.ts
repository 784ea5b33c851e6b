import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { compareVersions } from '../diff/compare-versions.ts';
import type { DifferenceEffect, SchemaDifference } from '../diff/schema-difference.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { comparedVersion } from './compared-version.ts';
import { type ComparedSide, differenceDetails, differingFields } from './difference-details.ts';
import type { ClassVersion, MergedKind } from './merge-versions.ts';

/**
 * Reports versions of a kind between which objects lose data or become invalid. Without conversion, the API server changes
 * only `apiVersion`: it prunes what the other version does not specify when it stores and when it reads an object, and the
 * next write through that version, even of the status or of a label, makes the loss permanent. Reports one error for the
 * kind, or a notice for a version whose class accepts this by `lossy`.
 *
 * @param needing the versions whose `lossy` is already known to have an effect.
 */
export function checkVersions(
  { spec }: CustomResourceDefinition,
  kind: MergedKind,
  needing: ReadonlySet<ClassVersion>,
): void {
  const compared = new Map(spec.versions.map((version, i) => [kind.versions[i], comparedVersion(version)]));
  const refused: UnsafePair[] = [];
  const needed = new Set(needing);
  for (const pair of unconvertedPairs(kind)) {
    const [first, second] = [compared.get(pair.first), compared.get(pair.second)];
    if (first === undefined || second === undefined) continue;
    const differences = compareVersions(first, second).filter((difference) => pair.isAffectedBy(difference));
    if (differences.length === 0) continue;
    const unsafe = { ...pair, differences, schemas: { first: first.schema, second: second.schema } };
    const accepting = [pair.first, pair.second].filter((version) => version !== kind.storage && isLossy(version));
    for (const version of accepting) needed.add(version);
    if (accepting.length === 0) refused.push(unsafe);
    else reportAccepted(unsafe, accepting[0] ?? pair.second, kind);
  }
  reportRefused(refused, kind);
  for (const version of kind.versions) if (isLossy(version) && !needed.has(version)) reportNeedless(version, kind);
}

/** Two versions whose objects the API server reads and writes through each other. */
interface UnconvertedPair {
  readonly first: ClassVersion;
  readonly second: ClassVersion;
  /** Whether a difference affects objects, which depends on which of the versions are served. */
  isAffectedBy(difference: SchemaDifference): boolean;
}

interface UnsafePair extends UnconvertedPair {
  readonly differences: readonly SchemaDifference[];
  readonly schemas: { readonly first: StructuralSchema; readonly second: StructuralSchema };
}

/** Effects of pruning and defaulting, which happen in a version that is only stored too. */
const onStorage: ReadonlySet<DifferenceEffect> = new Set(['lost', 'defaulted']);

/**
 * The pairs of versions that the API server does not convert. Every object passes through the storage version, so each
 * served version is compared with that one. Versions that are neither served nor stored are not used. A pair whose classes
 * declare conversion does not belong to this list.
 */
function unconvertedPairs({ versions, storage }: MergedKind): UnconvertedPair[] {
  const others = versions.filter((version) => version !== storage && version.declaration.served);
  const isStorageServed = storage.declaration.served;
  const pairs = others.map((second): UnconvertedPair => {
    const isAffectedBy = ({ effect, direction }: SchemaDifference): boolean => {
      if (effect === 'new-objects') return false;
      if (isStorageServed || onStorage.has(effect)) return true;
      // Stored objects are validated when they are written through the served version, but not the opposite.
      return direction === 'forward' && (effect === 'invalid' || effect === 'undecided');
    };
    return { first: storage, second, isAffectedBy };
  });
  if (isStorageServed) return pairs;
  const isAffectedBy = ({ effect }: SchemaDifference) => effect !== 'new-objects' && !onStorage.has(effect);
  const served = others.flatMap((second, i) => others.slice(0, i).map((first) => ({ first, second, isAffectedBy })));
  return [...pairs, ...served];
}

function isLossy({ declaration }: ClassVersion): boolean {
  return declaration.lossy !== undefined;
}

function reportRefused(refused: readonly UnsafePair[], { storage, names }: MergedKind): void {
  const [first] = refused;
  if (first === undefined) return;
  const others = [...new Set(refused.flatMap((pair) => [pair.first, pair.second]))].filter((it) => it !== storage);
  const classes = others.map(({ root }) => root.name).join(' and of ');
  first.second.report.error(
    'lossy-versions',
    `objects of ${names.kind} lose data or become invalid between versions, because no conversion is declared; declare the same fields and constraints in all versions, or accept this with lossy: '<reason>' in @CustomResource of ${classes}`,
    {
      details: refused.flatMap(({ first, second, differences, schemas }) =>
        differenceDetails(differences, sideOf(first, schemas.first), sideOf(second, schemas.second)),
      ),
    },
  );
}

function reportAccepted(
  { first, second, differences }: UnsafePair,
  accepting: ClassVersion,
  { names }: MergedKind,
): void {
  const between = `${first.declaration.version} and ${second.declaration.version}`;
  accepting.report.notice(
    'lossy-versions',
    `objects of ${names.kind} lose data or become invalid between ${between} (${differingFields(differences, names.kind)}), which lossy accepts: ${accepting.declaration.lossy}`,
  );
}

function reportNeedless(version: ClassVersion, { storage, versions }: MergedKind): void {
  const why =
    versions.length === 1
      ? 'this is the only version'
      : version === storage
        ? 'this is the storage version, with which the others are compared'
        : version.declaration.served
          ? 'objects lose nothing between this version and the storage version'
          : 'this version is not served';
  const fix = version === storage && versions.length > 1 ? 'move it to the other version' : 'remove it';
  version.report.notice('lossy-versions', `@CustomResource: lossy has no effect, because ${why}; ${fix}`);
}

function sideOf({ declaration: { version }, root }: ClassVersion, schema: StructuralSchema): ComparedSide {
  return { name: version, schema, root };
}
