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
import { KindConversions, readConversion } from '@evenkeel/core/conversion';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { StructuralSchema } from '@evenkeel/schema/evaluate';
import { RandomObjects, smallerObject } from '@evenkeel/schema/sample';

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
 * defaults, as the API server does. Needs no server.
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
  const { spoke, hub } = checked;
  const random = new SeededRandom(seed);
  const trips = [
    [spoke, hub],
    [hub, spoke],
  ] as const;
  for (const [from, to] of trips) {
    new RoundTrip({ definition, conversions, type: from.type, via: to.type, random, seed, samples }).run(runs);
  }
  return { seed, objects: 2 * runs };
}

function seedOf(text = '1'): number {
  const seed = Number(text);
  if (Number.isSafeInteger(seed)) return seed;
  throw new EvenkeelError('invalid-option', `EVENKEEL_SEED is ${JSON.stringify(text)}; set an integer`);
}

interface RoundTripOptions {
  readonly definition: CustomResourceDefinition;
  readonly conversions: KindConversions;
  readonly type: KindClass;
  readonly via: KindClass;
  readonly random: Random;
  readonly seed: number;
  readonly samples: readonly object[];
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
    this.#from = new Version(options.definition, options.type, options);
    this.#via = new Version(options.definition, options.via, options);
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
        `conversion of ${this.#from.kind} from ${from} to ${via} and back; fix moves, toHub or fromHub, or list fields in keep (seed ${seed}, run ${run})`,
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
    if (read.errors.length > 0) {
      return { lines: read.errors.map((error) => `invalid in ${via.version}: ${error}`), objects: [asVia] };
    }
    const back = this.#converted(read.object, from.apiVersion);
    if ('error' in back) return { lines: [`from ${via.version}: ${back.error}`], objects: [asVia] };
    const returned = from.pruned(back.object);
    const lines = [...differences(object, returned, '')];
    if (lines.length === 0) return undefined;
    return { lines, objects: [asVia, [`in ${from.version} again`, returned]] };
  }

  #converted(object: JsonObject, apiVersion: string): { readonly object: JsonObject } | { readonly error: string } {
    try {
      const converted = this.#options.conversions.convert(object, apiVersion);
      // As on the wire.
      return { object: JSON.parse(JSON.stringify(converted)) as JsonObject };
    } catch (error) {
      const place = userPlaceOf(error);
      return { error: `${messageOf(error)}${place === undefined ? '' : ` (${place.file}:${place.line})`}` };
    }
  }
}

/** A version with its schema. */
class Version {
  readonly type: KindClass;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly #objects: RandomObjects;
  readonly #isNamespaced: boolean;

  constructor(
    { metadata, spec }: CustomResourceDefinition,
    type: KindClass,
    { random, samples }: { readonly random: Random; readonly samples: readonly object[] },
  ) {
    const resource = resourceOf(type);
    this.type = type;
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

/** The fields in which two objects differ, with both values. */
function* differences(before: unknown, after: unknown, path: string): Generator<string> {
  if (jsonEqual(before, after)) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const values = [before, after].map((object) => (Object.hasOwn(object, name) ? object[name] : undefined));
      yield* differences(values[0], values[1], path === '' ? name : `${path}.${name}`);
    }
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [at, item] of before.entries()) yield* differences(item, after[at], `${path}[${at}]`);
    return;
  }
  yield after === undefined
    ? `${path}: ${JSON.stringify(before)} is lost`
    : before === undefined
      ? `${path}: ${JSON.stringify(after)} is added`
      : `${path}: ${JSON.stringify(before)} becomes ${JSON.stringify(after)}`;
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
