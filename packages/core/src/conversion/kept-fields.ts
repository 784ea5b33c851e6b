import { parseJson, stringifyJson } from '@evenkeel/apimachinery/exact-json';
import { isJsonObject, type JsonObject, jsonEqual } from '@evenkeel/apimachinery/json';
import { EvenkeelError } from '../errors/evenkeel-error.ts';
import { type PathStep, SharingCopy, valueAtPath } from './field-path.ts';

/** The prefix of the annotations with kept fields. The version that has the fields follows. */
export const keptPrefix = 'conversion.evenkeel.dev/';

/** Half of what the API server allows for all annotations of an object (TotalAnnotationSizeLimitB). */
const keptBytesMax = 128 * 1024;

/** A value of a version, and what a conversion from the other version and back makes of it. */
interface KeptValue {
  readonly value?: unknown;
  readonly without?: unknown;
}

/** The fields of one version that are kept in an annotation of objects of another version. */
export class KeptFields {
  readonly annotation: string;
  /** The values in the annotation: those of the paths; for a path with `[*]` its outermost list. */
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(version: string, paths: readonly (readonly PathStep[])[]) {
    this.annotation = `${keptPrefix}${version}`;
    this.#values = new Map(
      paths.map((steps) => {
        const each = steps.findIndex((step) => step.each);
        const names = (each < 0 ? steps : steps.slice(0, each + 1)).map(({ name }) => name);
        return [names.join('.'), names];
      }),
    );
  }

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  /**
   * Returns the annotation for an object that was converted; undefined if nothing needs to be kept.
   *
   * @param back the converted object, converted back without the annotation.
   * @throws EvenkeelError if the annotation would be too large.
   */
  annotationFor(original: JsonObject, back: JsonObject): string | undefined {
    const kept: Record<string, KeptValue> = {};
    for (const [path, names] of this.#values) {
      const [value, without] = [valueAtPath(original, names), valueAtPath(back, names)];
      if (!jsonEqual(value, without)) kept[path] = { value, without };
    }
    if (Object.keys(kept).length === 0) return undefined;
    const text = stringifyJson(kept);
    const bytes = new TextEncoder().encode(text).length;
    if (bytes > keptBytesMax) {
      throw new EvenkeelError(
        'conversion-failed',
        `the fields that the other version cannot hold (${Object.keys(kept).join(', ')}) need ${bytes} bytes in the annotation ${this.annotation}, which has at most ${keptBytesMax}; shorten them`,
      );
    }
    return text;
  }

  /**
   * Puts the kept fields back into an object that was converted without them. A field that was changed in between is not
   * touched. An invalid annotation is ignored, because users can write it.
   */
  restore(converted: JsonObject, annotation: string): JsonObject {
    const kept = parsed(annotation);
    let copy: SharingCopy | undefined;
    for (const [path, names] of this.#values) {
      const entry = Object.hasOwn(kept, path) ? kept[path] : undefined;
      if (!isJsonObject(entry) || !jsonEqual(valueAtPath(converted, names), entry['without'])) continue;
      copy ??= new SharingCopy(converted);
      if (entry['value'] === undefined) copy.take(names);
      else copy.set(names, entry['value']);
    }
    return copy?.root ?? converted;
  }
}

function parsed(annotation: string): JsonObject {
  if (annotation.length > keptBytesMax) return {};
  try {
    const value = parseJson(annotation);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
