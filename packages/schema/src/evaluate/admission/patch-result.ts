import type { JsonObject } from '../apimachinery.ts';
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
