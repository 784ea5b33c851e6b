import type { SchemaNode } from '@evenkeel/kinds/schemas';
import type { JsonObject } from '../apimachinery/index.ts';
import { type Comparison, compareObjects } from './compare-objects.ts';
import { type FieldType, fieldTypeOf } from './field-type.ts';
import { isSameManager, type Manager } from './manager.ts';
import { PathSet } from './path-set.ts';
import { withoutPathsInAtomic } from './remove-fields.ts';

/** One version of a kind. */
export interface ServedVersion {
  readonly schema: SchemaNode;
  /** Converts an object of any served version of the kind to this one. */
  convert(object: JsonObject): JsonObject;
}

/** What a change of an object is measured by. */
export interface OwnershipContext {
  /** The schema of the request's version: the kind's root node. */
  readonly schema: SchemaNode;
  /** The request's version, in which the objects are. */
  readonly apiVersion: string;
  /** Paths that this request does not change whatever it says, such as `status`; nobody comes to own them by it. */
  readonly ignored?: PathSet | undefined;
  /**
   * The kind in a version that an entry of managedFields names, the request's own included; undefined where it is not
   * served any more. Without it, entries of other versions are dropped.
   */
  readonly versionOf?: ((apiVersion: string) => ServedVersion | undefined) | undefined;
}

/** Paths that no entry of managedFields holds: `stripmeta.go` of apimachinery's managedfields. */
const neverOwned = PathSet.of(
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((field) => ['metadata', field]),
);

/** The paths of `set` that a manager of a request may own. */
export function ownable(set: PathSet, { ignored }: OwnershipContext): PathSet {
  return (ignored === undefined ? set : set.recursiveDifference(ignored)).difference(neverOwned);
}

/** The type of a manager's version; undefined where that version is not served any more. */
export function typeAt(apiVersion: string, context: OwnershipContext): FieldType | undefined {
  if (apiVersion === context.apiVersion) return fieldTypeOf(context.schema);
  const version = context.versionOf?.(apiVersion);
  return version && fieldTypeOf(version.schema);
}

/** An object of the request's version in another; undefined where that is not served any more. */
export function convertTo(apiVersion: string, object: JsonObject, context: OwnershipContext): JsonObject | undefined {
  return apiVersion === context.apiVersion ? object : context.versionOf?.(apiVersion)?.convert(object);
}

/** The managers with their sets as the schemas are now, without those whose version is gone. */
export function currentManagers(managers: readonly Manager[], context: OwnershipContext): Manager[] {
  const current: Manager[] = [];
  for (const manager of managers) {
    const type = typeAt(manager.apiVersion, context);
    if (type === undefined) continue;
    const set = withoutPathsInAtomic(manager.set, type);
    current.push(set === manager.set ? manager : { ...manager, set });
  }
  return current;
}

/** What a change does to the managers: which of them lose paths to it, and which paths it touched. */
export interface OwnershipChange {
  /** In the request's version, without the ignored paths. */
  readonly comparison: Comparison;
  /** The managers that own a changed or added path, with those paths. */
  readonly conflicts: readonly { readonly manager: Manager; readonly paths: PathSet }[];
  /** The managers without what was changed, added or removed; those left with nothing are gone. */
  readonly managers: readonly Manager[];
}

/**
 * Measures the change from `before` to `after` against the managers. `acting`, if given, is the manager who makes the
 * change: it has no conflict with itself and keeps its set.
 */
export function changeOwnership(
  before: JsonObject,
  after: JsonObject,
  managers: readonly Manager[],
  context: OwnershipContext,
  acting?: Manager,
): OwnershipChange {
  const comparisons = new Map<string, Comparison | undefined>();
  const comparisonAt = (apiVersion: string): Comparison | undefined => {
    if (!comparisons.has(apiVersion)) comparisons.set(apiVersion, compareAt(apiVersion, before, after, context));
    return comparisons.get(apiVersion);
  };
  const comparison = comparisonAt(context.apiVersion) ?? noDifference;
  const conflicts: { manager: Manager; paths: PathSet }[] = [];
  const left: Manager[] = [];
  for (const manager of managers) {
    if (acting !== undefined && isSameManager(manager, acting)) {
      if (!manager.set.isEmpty) left.push(manager);
      continue;
    }
    const difference = comparisonAt(manager.apiVersion);
    if (difference === undefined) continue;
    const paths = manager.set.intersection(difference.modified).union(manager.set.intersection(difference.added));
    if (!paths.isEmpty) conflicts.push({ manager, paths });
    const set = manager.set.difference(paths).difference(difference.removed);
    if (!set.isEmpty) left.push(set === manager.set ? manager : { ...manager, set });
  }
  return { comparison, conflicts, managers: left };
}

const noDifference: Comparison = { added: PathSet.empty, modified: PathSet.empty, removed: PathSet.empty };

function compareAt(
  apiVersion: string,
  before: JsonObject,
  after: JsonObject,
  context: OwnershipContext,
): Comparison | undefined {
  const type = typeAt(apiVersion, context);
  const old = convertTo(apiVersion, before, context);
  const current = convertTo(apiVersion, after, context);
  if (type === undefined || old === undefined || current === undefined) return undefined;
  const comparison = compareObjects(old, current, type);
  const { ignored } = context;
  if (ignored === undefined) return comparison;
  return {
    added: comparison.added.recursiveDifference(ignored),
    modified: comparison.modified.recursiveDifference(ignored),
    removed: comparison.removed.recursiveDifference(ignored),
  };
}
