import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { type ComparedVersion, compareVersions } from '../diff/compare-versions.ts';
import type { DifferenceEffect, SchemaDifference } from '../diff/schema-difference.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { checkConversion } from './check-conversion.ts';
import { comparedVersion } from './compared-version.ts';
import { hubSchemaWithout, spokeSchemaInHub } from './converted-schema.ts';
import { type ComparedSide, differenceDetails, differingFields } from './difference-details.ts';
import type { ClassVersion, MergedKind } from './merge-versions.ts';

/**
 * Reports versions of a kind between which objects lose data or become invalid. Without conversion, the API server changes
 * only `apiVersion`: it prunes what the other version does not specify when it stores and when it reads an object, and the
 * next write through that version, even of the status or of a label, makes the loss permanent. With conversion, each version is
 * compared with the hub as its objects are converted. Reports one error for the kind, or a notice for a version whose class
 * accepts this by `lossy`.
 *
 * @param needing the versions whose `lossy` is already known to have an effect.
 */
export function checkVersions(
  { spec }: CustomResourceDefinition,
  kind: MergedKind,
  needing: ReadonlySet<ClassVersion>,
): void {
  const compared = new Map(spec.versions.map((version, i) => [kind.versions[i], comparedVersion(version)]));
  if (kind.hub !== undefined && !areConversionsValid(kind.hub, kind, compared)) return;
  const refused: UnsafePair[] = [];
  const needed = new Set(needing);
  for (const pair of kind.hub === undefined ? unconvertedPairs(kind) : convertedPairs(kind.hub, kind)) {
    const [first, second] = [compared.get(pair.first), compared.get(pair.second)];
    if (first === undefined || second === undefined) continue;
    const all = differencesOf(pair, first, second).filter((difference) => pair.isAffectedBy(difference));
    // Functions can convert every value, so only a test with objects shows what they lose.
    const hasFunctions = pair.second.declaration.conversion?.toHub !== undefined;
    const differences = hasFunctions ? all.filter(({ effect }) => !ofValues.has(effect)) : all;
    const isAccepted = [pair.first, pair.second].filter((version) => version !== baseOf(kind) && isLossy(version));
    if (all.length > 0) for (const version of isAccepted) needed.add(version);
    if (differences.length === 0) continue;
    const unsafe = { ...pair, differences, schemas: { first: first.schema, second: second.schema } };
    if (isAccepted.length === 0) refused.push(unsafe);
    else reportAccepted(unsafe, isAccepted[0] ?? pair.second, kind);
  }
  reportRefused(refused, kind);
  for (const version of kind.versions) if (isLossy(version) && !needed.has(version)) reportNeedless(version, kind);
}

/** The version with which the others are compared. */
function baseOf({ hub, storage }: MergedKind): ClassVersion {
  return hub ?? storage;
}

function areConversionsValid(
  hub: ClassVersion,
  { versions }: MergedKind,
  compared: ReadonlyMap<ClassVersion | undefined, ComparedVersion>,
): boolean {
  for (const { declaration, report } of versions) {
    const [spoke, target] = [compared.get(versions.find((it) => it.declaration === declaration)), compared.get(hub)];
    if (declaration.conversion === undefined || spoke === undefined || target === undefined) continue;
    checkConversion(declaration.conversion, { spoke: spoke.schema, hub: target.schema }, report);
  }
  return !versions.some(({ findings }) => findings.some(({ level }) => level === 'error'));
}

function differencesOf(pair: ComparedPair, first: ComparedVersion, second: ComparedVersion): SchemaDifference[] {
  const { conversion } = pair.second.declaration;
  if (conversion === undefined) return compareVersions(first, second);
  return compareVersions(
    { ...first, schema: hubSchemaWithout(first.schema, conversion) },
    { ...second, schema: spokeSchemaInHub(second.schema, conversion) },
  );
}

/** Two versions whose objects the API server reads and writes through each other: the base or hub, and another. */
interface ComparedPair {
  readonly first: ClassVersion;
  readonly second: ClassVersion;
  /** Whether a difference affects objects, which depends on which of the versions are served. */
  isAffectedBy(difference: SchemaDifference): boolean;
}

interface UnsafePair extends ComparedPair {
  readonly differences: readonly SchemaDifference[];
  readonly schemas: { readonly first: StructuralSchema; readonly second: StructuralSchema };
}

/** Effects of pruning and defaulting, which happen in a version that is only stored too. */
const onStorage: ReadonlySet<DifferenceEffect> = new Set(['lost', 'defaulted']);

/** Effects on values, which a conversion can prevent. The others are about how objects are written. */
const ofValues: ReadonlySet<DifferenceEffect> = new Set(['lost', 'defaulted', 'invalid', 'undecided']);

/** Each version that is served or stored, with the hub. Others are only read from old objects. */
function convertedPairs(hub: ClassVersion, { versions, storage }: MergedKind): ComparedPair[] {
  return versions
    .filter((version) => version !== hub && (version.declaration.served || version === storage))
    .map((second) => ({ first: hub, second, isAffectedBy: ({ effect }) => effect !== 'new-objects' }));
}

/**
 * The pairs of versions that the API server does not convert. Every object passes through the storage version, so each
 * served version is compared with that one. Versions that are neither served nor stored are not used. A pair whose classes
 * declare conversion does not belong to this list.
 */
function unconvertedPairs({ versions, storage }: MergedKind): ComparedPair[] {
  const others = versions.filter((version) => version !== storage && version.declaration.served);
  const isStorageServed = storage.declaration.served;
  const pairs = others.map((second): ComparedPair => {
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

function reportRefused(refused: readonly UnsafePair[], kind: MergedKind): void {
  const [first] = refused;
  if (first === undefined) return;
  const { hub, names } = kind;
  const base = baseOf(kind);
  const others = [...new Set(refused.flatMap((pair) => [pair.first, pair.second]))].filter((it) => it !== base);
  const classes = others.map(({ root }) => root.name).join(' and of ');
  const [why, fix] =
    hub === undefined
      ? [
          'because no conversion is declared',
          `declare the same fields and constraints in all versions, a conversion with conversion: { hub: () => ${base.root.name} } in @CustomResource of ${classes}, or accept this with lossy: '<reason>' there`,
        ]
      : [
          'which their conversion does not prevent',
          `add the fields to moves or keep of the conversion, convert them in toHub and fromHub, declare the same constraints, or accept this with lossy: '<reason>' in @CustomResource of ${classes}`,
        ];
  first.second.report.error(
    'lossy-versions',
    `objects of ${names.kind} lose data or become invalid between versions, ${why}; ${fix}`,
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

function reportNeedless(version: ClassVersion, kind: MergedKind): void {
  const { hub, versions } = kind;
  const base = hub === undefined ? 'the storage version' : 'the hub';
  const isBase = version === baseOf(kind);
  const why =
    versions.length === 1
      ? 'this is the only version'
      : isBase
        ? `this is ${base}, with which the others are compared`
        : version.declaration.served
          ? `objects lose nothing between this version and ${base}`
          : 'this version is not served';
  const fix = isBase && versions.length > 1 ? 'move it to the other version, or remove it' : 'remove it';
  version.report.notice('lossy-versions', `@CustomResource: lossy has no effect, because ${why}; ${fix}`);
}

function sideOf({ declaration: { version }, root }: ClassVersion, schema: StructuralSchema): ComparedSide {
  return { name: version, schema, root };
}
