import {
  applyJsonPatch as apply,
  JsonPatchError,
  type JsonPatchOptions,
  jsonPatchCopyBytesMax,
  jsonPatchOperationsMax,
} from '@evenkeel/apimachinery/json-patch';
import type { JsonObject } from '../apimachinery/index.ts';
import { badPatch, patchDoesNotApply, patchTooLarge } from './patch-refusal.ts';

export { jsonPatchCopyBytesMax, jsonPatchOperationsMax };

/**
 * Applies a JSON patch as apimachinery does.
 *
 * @throws StatusError 400 if the patch is not a list of operations, 413 if it has more than 10,000 of them, 422 if one
 *   of them does not apply or the copies exceed 3 MiB. Then no part of the patch takes effect.
 */
export function applyJsonPatch(original: JsonObject, patch: unknown, options?: JsonPatchOptions): unknown {
  try {
    return apply(original, patch, options);
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    throw refusals[error.reason](error.message);
  }
}

const refusals = { malformed: badPatch, large: patchTooLarge, mismatch: patchDoesNotApply } as const;
