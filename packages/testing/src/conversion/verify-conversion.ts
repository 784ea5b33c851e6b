import { isJsonObject, type JsonObject, jsonEqual } from '@evenkeel/apimachinery/json';
import {
  apiVersionOf,
  EvenkeelError,
  type KindClass,
  messageOf,
  type Random,
  resourceOf,
  SeededRandom,
  userPlaceOf,
} from '@evenkeel/core';
import { KindConversions, keptPrefix, readConversion, SharingCopy } from '@evenkeel/core/conversion';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { StructuralSchema } from '@evenkeel/schema/evaluate';
import { RandomObjects, smallerObject } from '@evenkeel/schema/sample';
import { AcceptedFields, type ValuePath } from './accepted-fields.ts';

/** The options of {@link verifyConversion}. */
export interface VerifyConversionOptions {
  /** The number of random objects of each version. Default: 200. */
  readonly runs?: number;
  /** The seed of the random numbers. Default: the environment variable `EVENKEEL_SEED`, otherwise 1. */
  readonly seed?: number;
  /**
   * Valid objects of either version, from which some of the random objects are made. Needed only if a schema has rules that random
   * objects rarely satisfy. Default: none.
   */
  readonly samples?: readonly object[];
}

/** What {@link verifyConversion} did. */
export interface ConversionReport {
  readonly seed: number;
  /** The number of objects that were converted and converted back. */
  readonly objects: number;
}

/**
 * Checks with random objects that the conversion of a version loses nothing: from the version to the hub and back, and from the hub
 * to the version and back. The objects are valid by the schemas of the definition. Between two conversions, they are pruned and get
 * defaults, as the API server does. Each object is also converted without some of its fields, as in server-side apply. Fields in
 * `lossy.versions` of the class may be lost or invalid. The annotation in which Evenkeel keeps fields of the other version does not count
 * as a difference. Needs no server.
 *
 * ```ts
 * it('loses nothing between v1 and v2', async () => {
 *   verifyConversion(await customResourceDefinitionOf([CronJob, CronJobV1]), CronJobV1);
 * });
 * ```
 *
 * @param definition the CRD with both versions.
 * @param type the class that declares the conversion, not the hub.
 * @throws EvenkeelError `lossy-conversion` with the smallest object that shows a loss, or that is invalid or cannot be converted in
 * the other version. `invalid-conversion` for a mistake in the declaration. `invalid-sample` if a sample is invalid, or if too few
 * random objects are valid.
 */
export function verifyConversion(
  definition: CustomResourceDefinition,
  type: KindClass,
  { runs = 200, seed = seedOf(process.env['EVENKEEL_SEED']), samples = [] }: VerifyConversionOptions = {},
): ConversionReport {
  const conversions = new KindConversions([type]);
  const checked = readConversion(type, () => undefined);
  if (checked === undefined) throw new EvenkeelError('invalid-conversion', `${type.name} declares no conversion`);
  const random = new SeededRandom(seed);
  const versionOf = (side: 'spoke' | 'hub'): Version =>
    new Version({
      definition,
      type: checked[side].type,
      accepted: new AcceptedFields(checked, side),
      random,
      samples,
    });
  const [spoke, hub] = [versionOf('spoke'), versionOf('hub')];
  for (const [from, via] of [
    [spoke, hub],
    [hub, spoke],
  ] as const) {
    new RoundTrip({ from, via, conversions, seed }).run(runs);
  }
  return { seed, objects: 2 * runs };
}

function seedOf(text = '1'): number {
  const seed = Number(text);
  if (Number.isSafeInteger(seed)) return seed;
  throw new EvenkeelError('invalid-option', `EVENKEEL_SEED is ${JSON.stringify(text)}; set an integer`);
}

interface RoundTripOptions {
  readonly from: Version;
  readonly via: Version;
  readonly conversions: KindConversions;
  readonly seed: number;
}

/** What went wrong with an object, and the objects that show it. */
interface Loss {
  readonly lines: readonly string[];
  readonly objects: readonly (readonly [title: string, object: unknown])[];
}

/** Conversions from one version to another and back. */
class RoundTrip {
  readonly #options: RoundTripOptions;
  readonly #from: Version;
  readonly #via: Version;

  constructor(options: RoundTripOptions) {
    this.#options = options;
    this.#from = options.from;
    this.#via = options.via;
  }

  run(runs: number): void {
    for (let run = 0; run < runs; run++) {
      const object = this.#from.random(run);
      if (object === undefined) {
        throw new EvenkeelError(
          'invalid-sample',
          `${this.#from.type.name}: no random object is valid by its schema (seed ${this.#options.seed}, run ${run}); pass valid objects with the option "samples"`,
        );
      }
      if (this.#lossOf(object) !== undefined) this.#fail(object, run);
    }
  }

  #fail(object: JsonObject, run: number): never {
    const { seed } = this.#options;
    const smallest = smallerObject(
      object,
      (attempt) => this.#from.stored(attempt),
      (attempt) => this.#lossOf(attempt) !== undefined,
    );
    const { lines, objects } = this.#lossOf(smallest) ?? { lines: [], objects: [] };
    const [from, via] = [this.#from.version, this.#via.version];
    const shown = [[`the smallest object that shows it, in ${from}`, smallest] as const, ...objects];
    throw new EvenkeelError(
      'lossy-conversion',
      [
        `conversion of ${this.#from.kind} from ${from} to ${via} and back; fix moves, toHub or fromHub, or list fields in keep, or in lossy.versions with a reason (seed ${seed}, run ${run})`,
        ...lines.map((line) => `  ${line}`),
        ...shown.map(([title, value]) => `${title}:\n${indented(value)}`),
      ].join('\n'),
    );
  }

  /** Undefined if the object survives. */
  #lossOf(object: JsonObject): Loss | undefined {
    const [from, via] = [this.#from, this.#via];
    const there = this.#converted(object, via.apiVersion);
    if ('error' in there) return { lines: [`to ${via.version}: ${there.error}`], objects: [] };
    const read = via.read(there.object);
    const asVia = [`in ${via.version}`, read.object] as const;
    const errors = read.errors.filter((error) => !via.accepted.isAbout(error));
    if (errors.length > 0) {
      return { lines: errors.map((error) => `invalid in ${via.version}: ${error}`), objects: [asVia] };
    }
    const back = this.#converted(read.object, from.apiVersion);
    if ('error' in back) return { lines: [`from ${via.version}: ${back.error}`], objects: [asVia] };
    const returned = from.pruned(back.object);
    // It has what only the other version has, such as the defaults of kept fields. The other round trip checks that.
    const kept = `${keptPrefix}${via.version}`;
    const lines = [...differences(withoutAnnotation(object, kept), withoutAnnotation(returned, kept), [])]
      .filter(({ path }) => !from.accepted.has(path))
      .map(({ path, change }) => `${pathText(path)}: ${change}`);
    if (lines.length === 0) return this.#undeclaredIn(there.object) ?? this.#partialLossOf(object);
    return { lines, objects: [asVia, [`in ${from.version} again`, returned]] };
  }

  /** The API server prunes unknown fields of converted objects, except in server-side apply, which it then rejects. */
  #undeclaredIn(converted: JsonObject): Loss | undefined {
    const { version } = this.#via;
    const lines = [...differences(converted, this.#via.pruned(converted), [])].map(
      ({ path }) =>
        `${pathText(path)}: ${version} has no such field; add its path to omit of the conversion, or do not set it in toHub and fromHub`,
    );
    return lines.length === 0 ? undefined : { lines, objects: [[`in ${version}`, converted]] };
  }

  /** In server-side apply, the API server converts objects from which it has removed some fields. */
  #partialLossOf(object: JsonObject): Loss | undefined {
    for (const part of ['spec', 'status']) {
      const value = object[part];
      if (!isJsonObject(value)) continue;
      const { [part]: _removed, ...others } = object;
      const partial = [
        [part, others] as const,
        ...Object.keys(value).map((field) => {
          const { [field]: _field, ...rest } = value;
          return [`${part}.${field}`, { ...object, [part]: rest }] as const;
        }),
      ];
      for (const [missing, without] of partial) {
        const converted = this.#converted(without, this.#via.apiVersion);
        const problem =
          'error' in converted ? converted.error : madeUpIn({ ...converted.raw, metadata: {} }, JSON.stringify(object));
        if (problem === undefined) continue;
        const why = 'as in server-side apply, which converts objects with missing fields';
        return { lines: [`to ${this.#via.version}, without ${missing}, ${why}: ${problem}`], objects: [] };
      }
    }
    return undefined;
  }

  #converted(
    object: JsonObject,
    apiVersion: string,
  ): { readonly object: JsonObject; readonly raw: JsonObject } | { readonly error: string } {
    try {
      const converted = this.#options.conversions.convert(object, apiVersion);
      // As on the wire.
      return { object: JSON.parse(JSON.stringify(converted)) as JsonObject, raw: converted };
    } catch (error) {
      const place = userPlaceOf(error);
      return { error: `${messageOf(error)}${place === undefined ? '' : ` (${place.file}:${place.line})`}` };
    }
  }
}

/**
 * Finds a value that a function has computed from a missing field: `NaN`, or a text with `undefined`. Server-side apply would write such a
 * value on behalf of a user who has removed the field.
 *
 * @param source the JSON of the whole object. What it contains is not from a missing field.
 */
function madeUpIn(value: unknown, source: string, path = ''): string | undefined {
  if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      const at = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
      const found = madeUpIn(inner, source, at);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const isMadeUp =
    typeof value === 'number'
      ? !Number.isFinite(value)
      : typeof value === 'string' && (/undefined|NaN/.exec(value)?.some((word) => !source.includes(word)) ?? false);
  return isMadeUp
    ? `${path} becomes ${typeof value === 'string' ? JSON.stringify(value) : String(value)}; set it only if the fields that it depends on exist`
    : undefined;
}

interface VersionOptions {
  readonly definition: CustomResourceDefinition;
  readonly type: KindClass;
  readonly accepted: AcceptedFields;
  readonly random: Random;
  readonly samples: readonly object[];
}

/** A version with its schema. */
class Version {
  readonly type: KindClass;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly accepted: AcceptedFields;
  readonly #objects: RandomObjects;
  readonly #isNamespaced: boolean;

  constructor({ definition: { metadata, spec }, type, accepted, random, samples }: VersionOptions) {
    const resource = resourceOf(type);
    this.type = type;
    this.accepted = accepted;
    this.version = resource.version;
    this.apiVersion = apiVersionOf(resource);
    this.kind = resource.kind;
    this.#isNamespaced = resource.namespaced;
    const version = spec.versions.find(({ name }) => name === resource.version);
    if (version === undefined) {
      throw new EvenkeelError(
        'invalid-conversion',
        `the CRD ${metadata.name} has no version ${resource.version} (${type.name}); pass the CRD with all versions`,
      );
    }
    const schema = (version.schema?.openAPIV3Schema ?? {}) as StructuralSchema;
    const own = samples.filter((sample) => (sample as JsonObject)['apiVersion'] === this.apiVersion);
    this.#objects = new RandomObjects(schema, { random, samples: own });
    for (const sample of own) {
      if (this.#objects.stored(sample) !== undefined) continue;
      throw new EvenkeelError('invalid-sample', `samples: ${JSON.stringify(sample)} is invalid in ${this.version}`);
    }
  }

  /** A random object; every other one has labels and annotations. */
  random(run: number): JsonObject | undefined {
    const metadata = {
      name: 'a',
      ...(this.#isNamespaced ? { namespace: 'default' } : {}),
      ...(run % 2 === 0 ? {} : { labels: { app: 'web' }, annotations: { 'example.com/note': 'x' } }),
    };
    return this.#objects.next({ apiVersion: this.apiVersion, kind: this.kind, metadata }) as JsonObject | undefined;
  }

  stored(object: object): JsonObject | undefined {
    return this.#objects.stored(object) as JsonObject | undefined;
  }

  /** An object as it is read from the store, and why it cannot be written again. */
  read(object: JsonObject): { readonly object: JsonObject; readonly errors: readonly string[] } {
    return this.#objects.read(object) as { readonly object: JsonObject; readonly errors: readonly string[] };
  }

  /** An object as a client gets it. */
  pruned(object: JsonObject): JsonObject {
    return this.#objects.pruned(object) as JsonObject;
  }
}

function withoutAnnotation(object: JsonObject, annotation: string): JsonObject {
  const copy = new SharingCopy(object);
  copy.take(['metadata', 'annotations', annotation]);
  return copy.root;
}

interface Difference {
  readonly path: ValuePath;
  readonly change: string;
}

/** The fields in which two objects differ, with both values. */
function* differences(before: unknown, after: unknown, path: ValuePath): Generator<Difference> {
  if (jsonEqual(before, after)) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const values = [before, after].map((object) => (Object.hasOwn(object, name) ? object[name] : undefined));
      yield* differences(values[0], values[1], [...path, name]);
    }
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [at, item] of before.entries()) yield* differences(item, after[at], [...path, at]);
    return;
  }
  const change =
    after === undefined
      ? `${JSON.stringify(before)} is lost`
      : before === undefined
        ? `${JSON.stringify(after)} is added`
        : `${JSON.stringify(before)} becomes ${JSON.stringify(after)}`;
  yield { path, change };
}

function pathText(path: ValuePath): string {
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`)).join('');
}

function indented(value: unknown): string {
  return JSON.stringify(sorted(value), undefined, 2)
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

/** Sorts the fields as kubectl does. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}
