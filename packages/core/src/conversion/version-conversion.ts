import { copyJson, isJsonObject, type JsonObject, jsonEqual } from '@evenkeel/apimachinery/json';
import type { ConversionOptions } from '../declarations/conversion-declaration.ts';
import { EvenkeelError } from '../errors/evenkeel-error.ts';
import type { KindClass } from '../kind/api-resource.ts';
import { type FieldMove, FieldMoves } from './field-moves.ts';
import { type PathStep, withoutPaths } from './field-path.ts';
import { KeptFields } from './kept-fields.ts';

/** One of the two versions of a conversion. */
export interface ConvertedVersion {
  readonly type: KindClass;
  readonly version: string;
  readonly apiVersion: string;
  /** The properties with `@Spec` and `@Status`, which functions always find. */
  readonly parts: readonly string[];
}

/** Paths of each of the two versions. */
export interface PathsOfSides {
  readonly spoke: readonly (readonly PathStep[])[];
  readonly hub: readonly (readonly PathStep[])[];
}

/** A checked declaration of a conversion between a version and the hub. */
export interface CheckedConversion {
  readonly spoke: ConvertedVersion;
  readonly hub: ConvertedVersion;
  /** From the version to the hub. */
  readonly moves: readonly FieldMove[];
  readonly keep: PathsOfSides;
  readonly omit: PathsOfSides;
  readonly toHub: ConversionOptions['toHub'];
  readonly fromHub: ConversionOptions['fromHub'];
}

type Complete = (from: object, to: object) => void;

interface Direction {
  readonly from: ConvertedVersion;
  readonly to: ConvertedVersion;
  readonly moves: FieldMoves;
  readonly complete: { readonly name: 'toHub' | 'fromHub'; readonly call: Complete } | undefined;
  /** Fields that only the version of the given object has. */
  readonly kept: KeptFields;
  /** Fields that only the other version has. */
  readonly restored: KeptFields;
  /** Fields of the version of the given object that are not copied. */
  readonly uncopied: readonly (readonly PathStep[])[];
  /** Fields of the other version that are not copied from fields of the same path. */
  readonly unmatched: readonly (readonly PathStep[])[];
}

/** Converts objects of a version to the hub of its kind and back. Objects are JSON, and are not changed. */
export class VersionConversion {
  readonly spoke: ConvertedVersion;
  readonly hub: ConvertedVersion;
  readonly #toHub: Direction;
  readonly #fromHub: Direction;

  constructor({ spoke, hub, moves, keep, omit, toHub, fromHub }: CheckedConversion) {
    this.spoke = spoke;
    this.hub = hub;
    const ofSpoke = new KeptFields(spoke.version, keep.spoke);
    const ofHub = new KeptFields(hub.version, keep.hub);
    const [uncopied, unmatched] = [
      [...keep.spoke, ...omit.spoke],
      [...keep.hub, ...omit.hub],
    ];
    this.#toHub = {
      from: spoke,
      to: hub,
      moves: new FieldMoves(moves),
      complete: toHub === undefined ? undefined : { name: 'toHub', call: toHub as Complete },
      kept: ofSpoke,
      restored: ofHub,
      uncopied,
      unmatched,
    };
    this.#fromHub = {
      from: hub,
      to: spoke,
      moves: new FieldMoves(moves.map(({ from, to }) => ({ from: to, to: from }))),
      complete: fromHub === undefined ? undefined : { name: 'fromHub', call: fromHub as Complete },
      kept: ofHub,
      restored: ofSpoke,
      uncopied: unmatched,
      unmatched: uncopied,
    };
  }

  /** Returns an object of the version as one of the hub. Throws what the class's function throws, and `conversion-failed`. */
  toHub(object: JsonObject): JsonObject {
    return convert(object, this.#toHub, this.#fromHub);
  }

  /** Returns an object of the hub as one of the version. Throws like {@link toHub}. */
  fromHub(object: JsonObject): JsonObject {
    return convert(object, this.#fromHub, this.#toHub);
  }
}

function convert(object: JsonObject, direction: Direction, opposite: Direction): JsonObject {
  const plain = plainConversion(object, direction);
  const { kept, restored } = direction;
  const before = annotationsOf(object)[restored.annotation];
  const completed = typeof before === 'string' ? restored.restore(plain, before) : plain;
  const after = kept.isEmpty ? undefined : kept.annotationFor(object, plainConversion(completed, opposite));
  if (before === undefined && after === undefined && annotationsOf(plain)[kept.annotation] === undefined) {
    return completed;
  }
  const { [restored.annotation]: _used, [kept.annotation]: _old, ...others } = annotationsOf(plain);
  const annotations = { ...others, ...(after === undefined ? {} : { [kept.annotation]: after }) };
  const { annotations: _, ...metadata } = metadataOf(completed);
  return {
    ...completed,
    metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations },
  };
}

/** A conversion without annotations: it copies, moves, and calls the class's function. */
function plainConversion(
  object: JsonObject,
  { from, to, moves, complete, uncopied, unmatched }: Direction,
): JsonObject {
  // Fields that only the other version has cannot be in this object, unless they mean something else here.
  const moved = withoutPaths(moves.apply(withoutPaths(object, uncopied)), unmatched);
  const draft = { ...moved, apiVersion: to.apiVersion };
  if (complete === undefined) return draft;
  const target = instanceOf(to, copyJson(draft));
  const before = copyJson(metadataOf(draft));
  const returned: unknown = complete.call(instanceOf(from, copyJson(object)), target);
  if (isThenable(returned)) {
    throw new EvenkeelError(
      'conversion-failed',
      `${complete.name} of ${from.type.name === to.type.name ? to.version : nameOfSpoke(complete.name, from, to)} returned a Promise; it must change the object before it returns`,
    );
  }
  const result: JsonObject = { ...target, apiVersion: to.apiVersion };
  for (const part of to.parts) {
    if (isEmptyObject(result[part]) && !Object.hasOwn(draft, part)) delete result[part];
  }
  checkMetadata(complete.name, before, result);
  return result;
}

/** Labels and annotations are the only metadata that a conversion may change: the API server restores or rejects the rest. */
function checkMetadata(name: string, before: JsonObject, { kind, metadata }: JsonObject): void {
  const after = isJsonObject(metadata) ? metadata : {};
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].find(
    (field) => field !== 'labels' && field !== 'annotations' && !jsonEqual(before[field], after[field]),
  );
  if (changed !== undefined) {
    throw new EvenkeelError(
      'conversion-failed',
      `${name} changed metadata.${changed} of the ${String(kind)}; a conversion can only change labels and annotations`,
    );
  }
  for (const field of ['labels', 'annotations']) {
    const map = after[field] ?? {};
    if (!isJsonObject(map) || !Object.values(map).every((value) => typeof value === 'string')) {
      throw new EvenkeelError(
        'conversion-failed',
        `${name} set metadata.${field} to a value that is not a map of strings`,
      );
    }
  }
}

function nameOfSpoke(name: 'toHub' | 'fromHub', from: ConvertedVersion, to: ConvertedVersion): string {
  return (name === 'toHub' ? from : to).type.name;
}

/** An object with its class as prototype, and with a spec and a status if the class declares them. */
function instanceOf({ type, parts }: ConvertedVersion, object: JsonObject): JsonObject {
  const instance = Object.assign(Object.create(type.prototype) as JsonObject, object);
  for (const part of parts) if (!isJsonObject(object[part])) instance[part] = {};
  return instance;
}

function isEmptyObject(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value;
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {};
}

function annotationsOf(object: JsonObject): JsonObject {
  const { annotations } = metadataOf(object);
  return isJsonObject(annotations) ? annotations : {};
}
