import { DeclaredList, DeclaredMap } from './declared-value.ts';
import { CelDouble, type CelValue, intValue } from './value.ts';

/** Reads JSON without a schema, as cel-go's native type adapter reads unstructured objects. */
const dynamic = { fromJson: dynamicValue };

/** The value of JSON whose type is not declared. Nothing is copied; parts are converted when they are read. */
export function dynamicValue(json: unknown): CelValue {
  if (json === null || json === undefined) return null;
  if (typeof json === 'string' || typeof json === 'boolean') return json;
  if (typeof json === 'bigint') return intValue(json);
  if (typeof json === 'number') return Number.isInteger(json) ? intValue(BigInt(json)) : new CelDouble(json);
  if (Array.isArray(json)) return new DeclaredList(json, dynamic);
  return new DeclaredMap(json as Record<string, unknown>, dynamic);
}
