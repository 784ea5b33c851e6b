import { applyJsonPatch, isJsonObject, type JsonObject, JsonPatchError, setKey } from '../apimachinery.ts';
import { ConstructedObject, JsonPatchOperation } from '../cel/library/constructed-object.ts';
import { valueToJson } from '../cel/library/value-to-json.ts';
import { CostExceeded, withOwnVisits } from '../cel/value/evaluation-limit.ts';
import { CelError, EvaluationFault } from '../cel/value/fault.ts';
import { CelList, type CelValue } from '../cel/value/value.ts';

export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/**
 * The JSON patch that an expression with the result `jsonPatch` returned. Throws CelError with the API server's message.
 * Source: k8s.io/apiserver v0.36 `pkg/admission/plugin/policy/mutating/patch/json_patch.go`.
 */
export function jsonPatchOf(result: CelValue): readonly PatchOperation[] {
  const mismatch = 'type mismatch: JSONPatchType.expression should evaluate to array';
  if (!(result instanceof CelList)) throw new CelError(mismatch, 'evaluation');
  return [...result].map((operation) => {
    if (!(operation instanceof JsonPatchOperation)) throw new CelError(`${mismatch} of JSONPatch`, 'evaluation');
    const from = operation.text('from');
    const value = operation.fields.get('value');
    if (value instanceof ConstructedObject) checkTypeNames(value);
    return {
      op: operation.text('op'),
      path: operation.text('path'),
      ...(from !== '' && { from }),
      ...(value !== undefined && {
        value: jsonOf(value, 'JSONPath valueExpression evaluated to a type that could not marshal to JSON'),
      }),
    };
  });
}

/**
 * The configuration that an expression with the result `applyConfiguration` returned, without kind. Throws CelError with
 * the API server's message. Source: `smd.go` of the same folder.
 */
export function appliedConfigurationOf(result: CelValue): JsonObject {
  if (!(result instanceof ConstructedObject)) {
    throw new CelError('unsupported return type from ApplyConfiguration expression', 'evaluation');
  }
  checkTypeNames(result);
  return jsonOf(result, 'invalid return type') as JsonObject;
}

/**
 * Applies the JSON patch that an expression returned. Throws CelError with the API server's message. Source: `Patch` of
 * `json_patch.go`.
 */
export function patchedByOperations(object: JsonObject, operations: readonly PatchOperation[]): JsonObject {
  try {
    const patched = applyJsonPatch(object, operations);
    if (!isJsonObject(patched)) throw new JsonPatchError('mismatch', 'the patched value is not an object');
    return patched;
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    if (error.message.endsWith('test failed')) return object;
    throw new CelError(`JSON Patch: ${error.message}`, 'evaluation');
  }
}

/**
 * Merges the configuration that an expression returned, without a schema: objects field by field. Throws CelError for a list, which
 * only the API server can merge, because the schema says how.
 */
export function mergedWithoutSchema(object: JsonObject, configuration: JsonObject): JsonObject {
  return mergedFields(object, configuration, '');
}

function mergedFields(live: JsonObject, configuration: JsonObject, path: string): JsonObject {
  const merged: JsonObject = { ...live };
  for (const [name, value] of Object.entries(configuration)) {
    const at = `${path}.${name}`;
    if (Array.isArray(value)) {
      const fix = "use patchType 'JSONPatch' for it";
      throw new CelError(`error applying patch: the operator cannot merge the list ${at}; ${fix}`, 'evaluation');
    }
    const current = Object.hasOwn(live, name) ? live[name] : undefined;
    if (isJsonObject(value)) setKey(merged, name, mergedFields(isJsonObject(current) ? current : {}, value, at));
    else if (value !== null || !isJsonObject(current)) setKey(merged, name, value);
  }
  return merged;
}

function checkTypeNames(object: ConstructedObject): void {
  const errors = limited(() => object.typeErrors());
  if (errors.length > 0) throw new CelError(`type mismatch: ${errors.join('\n')}`, 'evaluation');
}

function jsonOf(value: CelValue, what: string): unknown {
  try {
    return limited(() => valueToJson(value));
  } catch (error) {
    if (error instanceof EvaluationFault) throw new CelError(`${what}: ${error.message}`, 'evaluation');
    throw error;
  }
}

/** Throws CelError for a result that is too large or too deep. */
function limited<T>(read: () => T): T {
  try {
    return withOwnVisits(read);
  } catch (error) {
    if (!(error instanceof CostExceeded || error instanceof RangeError)) throw error;
    throw new CelError('operation cancelled: actual cost limit exceeded', 'cost');
  }
}
