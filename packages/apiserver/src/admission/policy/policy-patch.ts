import { copyJson, type JsonObject } from '../../apimachinery/index.ts';
import { atomicPathsOf } from '../../apply/atomic-paths.ts';
import { type FieldType, SchemaMismatch } from '../../apply/field-type.ts';
import { mergeObjects } from '../../apply/merge-objects.ts';
import { schemaErrorsOf } from '../../apply/schema-check.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { PolicyConfigurationError } from './policy-configuration-error.ts';

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
