import { parseFieldPath } from '@evenkeel/core/conversion';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { type ComparedVersion, compareVersions } from '../diff/compare-versions.ts';
import type { DifferenceEffect, SchemaDifference } from '../diff/schema-difference.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { lossyCode } from '../resource-options/accepted-losses.ts';
import { checkConversion } from './check-conversion.ts';
import { checkConvertedDefaults } from './check-converted-defaults.ts';
import { comparedVersion } from './compared-version.ts';
import { fieldsMissingIn, hubSchemaWithout, scaleInHub, schemaAtPath, spokeSchemaInHub } from './converted-schema.ts';
import { type ComparedSide, differenceDetails, lossyPath, lossyPaths } from './difference-details.ts';
import { type LossyWrites, lossyWrites, type PairLosses } from './lossy-writes.ts';
import type { ClassVersion, MergedKind } from './merge-versions.ts';

/**
 * Reports versions of a kind between which objects lose data or become invalid. Without conversion, the API server changes
 * only `apiVersion`: it prunes what the other version does not specify when it stores and when it reads an object, and the
 * next write through that version, even of the status or of a label, makes the loss permanent. With conversion, each version is
 * compared with the hub as its objects are converted. Reports one error for the kind, and a notice for the fields that a class
 * accepts by `lossy`. Returns the versions whose writes drop such fields.
 *
 * @param replaced the CRD that this one replaces. Clusters have objects in its storage version.
 */
export function checkVersions(
  { spec }: CustomResourceDefinition,
  kind: MergedKind,
  replaced?: CustomResourceDefinition,
): LossyWrites[] {
  const compared = new Map(spec.versions.map((version, i) => [kind.versions[i], comparedVersion(version)]));
  if (kind.hub !== undefined && !areConversionsValid(kind.hub, kind, compared)) return [];
  const refused: UnsafePair[] = [];
  const losses: PairLosses[] = [];
  const needed = new Map(kind.versions.map((version) => [version, new Set<string>()]));
  for (const pair of kind.hub === undefined ? unconvertedPairs(kind) : convertedPairs(kind.hub, kind)) {
    const [first, second] = [compared.get(pair.first), compared.get(pair.second)];
    if (first === undefined || second === undefined) continue;
    const all = differencesOf(pair, first, second).filter((difference) => pair.isAffectedBy(difference));
    const accepting = [pair.first, pair.second].filter((version) => version !== baseOf(kind));
    for (const version of accepting)
      for (const path of lossyPaths(all, kind.names.kind)) needed.get(version)?.add(path);
    if (hasFunctions(pair.second)) {
      for (const path of fieldsOf([first, second], pair.second)) needed.get(pair.second)?.add(path);
    }
    // Functions can convert every value, so only a test with objects shows what they lose.
    const differences = hasFunctions(pair.second) ? all.filter(({ effect }) => !ofValues.has(effect)) : all;
    const schemas = { first: first.schema, second: second.schema };
    const isAcceptedBy = ({ declaration }: ClassVersion, difference: SchemaDifference) =>
      declaration.lossy.versions.has(lossyPath(difference, kind.names.kind));
    losses.push({
      ...pair,
      lost: all.filter((it) => it.effect === 'lost' && accepting.some((version) => isAcceptedBy(version, it))),
    });
    let open = differences;
    for (const version of accepting) {
      const isAccepted = (difference: SchemaDifference) => isAcceptedBy(version, difference);
      reportAccepted({ ...pair, differences: open.filter(isAccepted), schemas }, version, kind);
      open = open.filter((difference) => !isAccepted(difference));
    }
    if (open.length > 0) refused.push({ ...pair, differences: open, schemas });
  }
  reportRefused(refused, kind);
  if (kind.hub !== undefined && refused.length === 0) {
    reportCopied(kind.hub, kind, compared);
    const stored = [...spec.versions, ...(replaced?.spec.versions ?? [])].filter(({ storage }) => storage);
    checkConvertedDefaults(kind, compared, new Set(stored.map(({ name }) => name)));
  }
  for (const version of kind.versions) reportNeedless(version, kind, needed.get(version) ?? new Set());
  return lossyWrites(kind, baseOf(kind), losses);
}

function hasFunctions({ declaration }: ClassVersion): boolean {
  return declaration.conversion?.toHub !== undefined;
}

/** The accepted paths that are fields of one of the versions. What functions lose there is not known. */
function fieldsOf(versions: readonly ComparedVersion[], { declaration }: ClassVersion): string[] {
  return [...declaration.lossy.versions.keys()].filter((path) => {
    const steps = parseFieldPath(path);
    return typeof steps === 'string' || versions.some(({ schema }) => schemaAtPath(schema, steps).is !== 'missing');
  });
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
    {
      ...second,
      schema: spokeSchemaInHub(second.schema, conversion),
      scale: second.scale && scaleInHub(second.scale, conversion),
    },
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

/** Each version with the hub. A version that is neither served nor stored may have old objects, which are only read. */
function convertedPairs(hub: ClassVersion, { versions, storage }: MergedKind): ComparedPair[] {
  return versions
    .filter((version) => version !== hub)
    .map((second) => {
      const isUsed = second.declaration.served || second === storage;
      return {
        first: hub,
        second,
        isAffectedBy: isUsed ? ({ effect }) => effect !== 'new-objects' : affectsOldObjects,
      };
    });
}

/** Whether a difference affects objects that were stored in the second version, and are read in the first. */
function affectsOldObjects({ effect, direction }: SchemaDifference): boolean {
  return ofValues.has(effect) && direction === 'backward';
}

/**
 * The pairs of versions that the API server does not convert. Every object passes through the storage version, so each
 * version is compared with that one. A version that is neither served nor stored is in the CRD because there may be old objects in it.
 * Pairs whose classes declare a conversion are not in the list.
 */
function unconvertedPairs({ versions, storage }: MergedKind): ComparedPair[] {
  const others = versions.filter((version) => version !== storage && version.declaration.served);
  const unserved = versions.filter((version) => version !== storage && !version.declaration.served);
  const isStorageServed = storage.declaration.served;
  const old = unserved.map((second): ComparedPair => ({ first: storage, second, isAffectedBy: affectsOldObjects }));
  const pairs = others.map((second): ComparedPair => {
    const isAffectedBy = ({ effect, direction }: SchemaDifference): boolean => {
      if (effect === 'new-objects') return false;
      if (isStorageServed || onStorage.has(effect)) return true;
      // Stored objects are validated when they are written through the served version, but not the opposite.
      return direction === 'forward' && (effect === 'invalid' || effect === 'undecided');
    };
    return { first: storage, second, isAffectedBy };
  });
  if (isStorageServed) return [...pairs, ...old];
  const isAffectedBy = ({ effect }: SchemaDifference) => effect !== 'new-objects' && !onStorage.has(effect);
  const served = others.flatMap((second, i) => others.slice(0, i).map((first) => ({ first, second, isAffectedBy })));
  return [...pairs, ...served, ...old];
}

function reportRefused(refused: readonly UnsafePair[], kind: MergedKind): void {
  const [first] = refused;
  if (first === undefined) return;
  const { hub, names } = kind;
  const base = baseOf(kind);
  const classes = [...Map.groupBy(refused, ({ second }) => second)];
  const accept = `accept this with ${classes
    .map(([{ root }, pairs]) => {
      const paths = lossyPaths(
        pairs.flatMap(({ differences }) => differences),
        names.kind,
      );
      return `${lossyCode('versions', paths)} in @CustomResource of ${root.name}`;
    })
    .join(', and ')}`;
  const [why, fix] =
    hub === undefined
      ? [
          'because no conversion is declared',
          `declare the same fields and constraints in all versions, declare a conversion with conversion: { hub: () => ${base.root.name} } in @CustomResource of ${classes.map(([{ root }]) => root.name).join(' and of ')}`,
        ]
      : [
          'although a conversion is declared',
          'add the fields to moves or keep of the conversion, convert them in toHub and fromHub, declare the same constraints',
        ];
  const remove = classes
    .filter(([{ declaration }]) => !declaration.served)
    .map(([{ declaration, root }]) => `, remove ${root.name} if no object is stored in ${declaration.version} any more`)
    .join('');
  first.second.report.error(
    'lossy-versions',
    `objects of ${names.kind} lose data or become invalid between versions, ${why}; ${fix}${remove}, or ${accept}`,
    {
      details: refused.flatMap(({ first, second, differences, schemas }) =>
        differenceDetails(differences, sideOf(first, schemas.first), sideOf(second, schemas.second)),
      ),
    },
  );
}

/** Fields that a conversion would copy to a version that does not have them. The API server rejects them in server-side apply. */
function reportCopied(
  hub: ClassVersion,
  kind: MergedKind,
  compared: ReadonlyMap<ClassVersion | undefined, ComparedVersion>,
): void {
  for (const { second: version } of convertedPairs(hub, kind)) {
    const { conversion } = version.declaration;
    const [first, second] = [compared.get(hub), compared.get(version)];
    if (conversion === undefined || first === undefined || second === undefined) continue;
    const { moves, keep, omit } = conversion;
    const copied = { moves, keep: { spoke: [...keep.spoke, ...omit.spoke], hub: [...keep.hub, ...omit.hub] } };
    const [ofHub, ofSpoke] = [hubSchemaWithout(first.schema, copied), spokeSchemaInHub(second.schema, copied)];
    const spoke = spokeSchemaInHub(second.schema, { moves, keep: { spoke: [], hub: [] } });
    for (const [side, from, to, fields] of [
      ['spoke', version, hub, fieldsMissingIn(first.schema, ofSpoke)],
      ['hub', hub, version, fieldsMissingIn(spoke, ofHub)],
    ] as const) {
      if (fields.length === 0) continue;
      const listed = fields.map((field) => `'${field}'`).join(', ');
      version.report.error(
        'invalid-conversion',
        `@CustomResource: conversion: ${to.declaration.version} does not have ${fields.join(', ')} of ${from.declaration.version}; add omit: { ${side}: [${listed}] } if toHub and fromHub convert them or their loss is accepted, or add them to moves or keep`,
      );
    }
  }
}

function reportAccepted(
  { first, second, differences, schemas }: UnsafePair,
  { declaration, report }: ClassVersion,
  { names }: MergedKind,
): void {
  if (differences.length === 0) return;
  report.notice(
    'lossy-versions',
    `objects of ${names.kind} lose data or become invalid between ${first.declaration.version} and ${second.declaration.version}, which lossy accepts`,
    {
      details: differenceDetails(
        differences,
        sideOf(first, schemas.first),
        sideOf(second, schemas.second),
        (difference) => declaration.lossy.versions.get(lossyPath(difference, names.kind)),
      ),
    },
  );
}

function reportNeedless(version: ClassVersion, kind: MergedKind, needed: ReadonlySet<string>): void {
  const { hub, versions } = kind;
  const paths = [...version.declaration.lossy.versions.keys()].filter((path) => !needed.has(path));
  if (paths.length === 0) return;
  const base = hub === undefined ? 'the storage version' : 'the hub';
  const isBase = version === baseOf(kind);
  const why =
    versions.length === 1
      ? 'this is the only version'
      : isBase
        ? `this is ${base}, with which the others are compared`
        : version.declaration.served
          ? `objects lose nothing there between this version and ${base}`
          : 'old objects lose nothing when they are read in another version';
  const fix = isBase && versions.length > 1 ? 'move it to the other version, or remove it' : 'remove it';
  version.report.notice(
    'lossy-versions',
    `@CustomResource: lossy.versions has no effect on ${paths.join(', ')}, because ${why}; ${fix}`,
  );
}

function sideOf({ declaration: { version }, root }: ClassVersion, schema: StructuralSchema): ComparedSide {
  return { name: version, schema, root };
}
