import type { SchemaNode } from '@evenkeel/kinds/schemas';
import {
  copyJson,
  goJsonError,
  goText,
  invalid,
  isJsonObject,
  type JsonObject,
  JsonRangeError,
  NumberLiterals,
  numbersOf,
  parseJson,
  stringifyJson,
  stringifyLiterals,
} from '../apimachinery/index.ts';
import { type ApiObject, withSortedKeys } from '../kind/api-object.ts';
import { DecodingError } from '../kind/object-codec.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch, invalidMergePatch, withoutNulls } from '../patch/merge-patch.ts';
import { badPatch } from '../patch/patch-refusal.ts';
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.ts';
import { invalidObject, refusal, unsupportedMediaType } from '../status/refusal.ts';
import { tooDeepAt } from '../text/json-text.ts';
import { noTypeIn } from './body-type.ts';

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
] as const;
export type PatchType = (typeof patchTypes)[number];

/** The type of a patch. Throws 415 for others, and for a strategic patch of a custom kind. */
export function patchTypeOf(contentType: string, custom: boolean): PatchType {
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase();
  const type = patchTypes.find((candidate) => candidate === mediaType);
  if (type === 'application/strategic-merge-patch+json' && custom) {
    const accepted = patchTypes.filter((candidate) => candidate !== type);
    throw unsupportedMediaType(accepted);
  }
  if (type === undefined) throw refusal(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  return type;
}

/** A patch other than an apply, as parsed. */
export interface PatchBody {
  readonly type: PatchType;
  readonly value: unknown;
  /** Those in `value`. */
  readonly literals: NumberLiterals;
  /** Unless it reports unknown fields, upstream decodes only the patched object, and not the patch itself. */
  readonly isLazy: boolean;
}

/**
 * Parses a patch. An error is returned, because upstream parses the patch after it has looked up the object.
 *
 * Source: `applyJSPatch` and `strategicPatchObject`, apiserver `pkg/endpoints/handlers/patch.go`.
 */
export function patchOrError(type: PatchType, text: string, fieldValidation: string): PatchBody | Error {
  const isStrategic = type === 'application/strategic-merge-patch+json';
  const isMerge = type === 'application/merge-patch+json';
  const isLazy = fieldValidation === 'Ignore' && !isStrategic;
  const undecodable = (why: string): Error => {
    if (isLazy) return badPatch(isMerge ? invalidMergePatch : why);
    return badPatch(isStrategic ? why : `error decoding patch: ${why}`);
  };
  const deep = tooDeepAt(text);
  if (deep !== undefined) return undecodable(`invalid character '${deep}' exceeded max depth`);
  const literals = new NumberLiterals();
  let value: unknown;
  try {
    value = parseJson(text, { allowsRange: true, literals });
  } catch {
    return undecodable(goJsonError(text));
  }
  const tooLarge = isLazy || Array.isArray(value) === (isStrategic || isMerge) ? undefined : literals.outOfRange;
  if (tooLarge === undefined) return { type, value, literals, isLazy };
  const { message } = new JsonRangeError(tooLarge);
  return undecodable(
    isStrategic || isMerge ? message : message.replace('Go value', 'Go struct field jsonPatchOp.value'),
  );
}

/** The JSON of a patch, with numbers as they are written. */
export function patchText({ value, literals }: PatchBody): string {
  return literals.isEmpty ? stringifyJson(value) : stringifyLiterals(value);
}

/** What a patch makes of an object. */
export class PatchedObject {
  readonly #patch: PatchBody;
  readonly #value: unknown;

  constructor(patch: PatchBody, current: ApiObject, schema: SchemaNode) {
    const { type, value, isLazy } = patch;
    const original = current as unknown as JsonObject;
    this.#patch = patch;
    if (type === 'application/json-patch+json') this.#value = applyJsonPatch(original, value, { isLazy });
    else if (type !== 'application/merge-patch+json') this.#value = applyStrategicMergePatch(original, value, schema);
    // The library replaces the object.
    else if (isLazy && Array.isArray(value)) this.#value = withoutNulls(value);
    else this.#value = applyMergePatch(original, value, { isLazy });
  }

  /** A copy, which may be changed. Throws {@link DecodingError} if it is not an object. */
  json(): JsonObject {
    return this.#copy(this.#value);
  }

  /** The same with sorted keys, as upstream decodes it unless the patch is strategic. */
  sortedJson(): JsonObject {
    return this.#copy(withSortedKeys(this.#value));
  }

  #copy(value: unknown): JsonObject {
    const copy = this.#patch.literals.isEmpty ? copyJson(value) : numbersOf(value);
    if (!isJsonObject(copy)) throw new DecodingError(`couldn't get version/kind; ${noTypeIn(copy)}`);
    return copy;
  }

  /** Throws {@link DecodingError} for a number that is no float64. Go decodes a custom resource into a map, and typed fields without it. */
  checkRange(): void {
    const { outOfRange } = this.#patch.literals;
    if (outOfRange !== undefined) throw new DecodingError(new JsonRangeError(outOfRange).message);
  }

  /** The error if the result cannot be decoded as its kind. */
  invalid(message: string): Error {
    const { type, value } = this.#patch;
    const shown =
      type === 'application/strategic-merge-patch+json'
        ? goText(numbersOf(value))
        : patchText({ ...this.#patch, value: this.#value });
    return invalidObject({ group: '', kind: '' }, '', [invalid('patch', shown, message)]);
  }
}
