import { goFloat, type JsonObject, setKey } from '../../apimachinery.ts';
import { DeclaredList, DeclaredMap, DeclaredObject } from '../value/declared-value.ts';
import { countVisits } from '../value/evaluation-limit.ts';
import { EvaluationFault } from '../value/fault.ts';
import { formatDuration, formatTimestamp } from '../value/time.ts';
import {
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelTimestamp,
  CelUint,
  type CelValue,
  typeOfValue,
} from '../value/value.ts';
import { ConstructedObject } from './constructed-object.ts';

/** The JSON of a result. Throws EvaluationFault for a value that JSON cannot have, CostExceeded for a result that is too large. */
export function valueToJson(value: CelValue): unknown {
  countVisits(1);
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') {
    return value;
  }
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof DeclaredList || value instanceof DeclaredMap || value instanceof DeclaredObject) {
    return value.json;
  }
  if (value instanceof CelList) return [...value].map((item) => valueToJson(item));
  if (value instanceof CelMap) {
    const object: JsonObject = {};
    for (const key of value.keys()) setKey(object, keyOf(key), valueToJson(value.find(key) ?? null));
    return object;
  }
  if (value instanceof ConstructedObject) {
    const object: JsonObject = {};
    for (const [name, part] of value.fields) setKey(object, name, valueToJson(part));
    return object;
  }
  if (value instanceof CelDouble) return value.value;
  if (value instanceof CelUint) return Number(value.value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  throw new EvaluationFault(`unsupported type in JSON: ${typeOfValue(value).name}`);
}

function keyOf(key: CelValue): string {
  if (typeof key === 'string') return key;
  if (key instanceof CelDouble) return goFloat(key.value);
  return key instanceof CelUint ? String(key.value) : String(key);
}
