import type { PatchOperation } from '@evenkeel/schema/evaluate';
import { copyJson, isJsonObject, type JsonObject } from '../../apimachinery/index.ts';
import { atomicPathsOf } from '../../apply/atomic-paths.ts';
import { type FieldType, SchemaMismatch } from '../../apply/field-type.ts';
import { mergeObjects } from '../../apply/merge-objects.ts';
import { schemaErrorsOf } from '../../apply/schema-check.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { applyJsonPatch } from '../../patch/json-patch.ts';
import { PolicyConfigurationError } from './policy-configuration-error.ts';

/** Applies the JSON patch that an expression returned. Source: `Patch` in `mutating/patch/json_patch.go`. */
export function patchedByOperations(object: ApiObject, operations: readonly PatchOperation[]): JsonObject {
  try {
    const patched = applyJsonPatch(object as unknown as JsonObject, operations);
    if (!isJsonObject(patched)) throw new Error('the patched value is not an object');
    return patched;
  } catch (error) {
    // A patch that does not apply has a general message for the clients of PATCH.
    const { cause, message } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    if (why.endsWith('test failed')) return object as unknown as JsonObject;
    throw new PolicyConfigurationError(`JSON Patch: ${why}`);
  }
}

/**
 * Merges the configuration that an expression returned, without owners. Source: `ApplyStructuredMergeDiff` in
 * `mutating/patch/smd.go`.
 */
export function patchedByConfiguration(object: ApiObject, configuration: JsonObject, type: FieldType): JsonObject {
  const { apiVersion, kind } = object;
  const applied = { ...configuration, apiVersion, kind };
  const failed = (why: string): PolicyConfigurationError =>
    new PolicyConfigurationError(`error applying patch: ${why}`);
  const errors = schemaErrorsOf(applied, type);
  if (errors !== undefined) throw failed(`failed to convert patch object to typed object: ${errors}`);
  const atomic = atomicPathsOf(applied, type);
  if (atomic.length > 0) {
    const what = `may not mutate atomic arrays, maps or structs: ${atomic.join(', ')}`;
    throw failed(`invalid ApplyConfiguration: ${what}`);
  }
  try {
    return copyJson(mergeObjects(object as unknown as JsonObject, applied, type));
  } catch (error) {
    if (error instanceof SchemaMismatch) throw failed(`failed to merge patch: ${error.message}`);
    throw error;
  }
}
