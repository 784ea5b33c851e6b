import { EvaluationFault } from './fault.ts';
import { formatValue } from './format-value.ts';
import type { Evaluator, Frame } from './frame.ts';
import { CelDouble, CelList, CelMap, CelOptional, CelUint, type CelValue, typeOfValue } from './value.ts';

/** One step into a value: a field or index, which may be missing if it is optional. */
export interface Qualifier {
  readonly key: Evaluator;
  readonly optional: boolean;
  /** `has()`: the step only tests whether the part exists. */
  readonly testOnly: boolean;
}

/**
 * Steps from a value into its parts. Each step has a cost. After an optional step, or from an optional value, the rest is
 * optional too, and a step to a missing part ends the chain without cost. The rules are those of cel-go v0.26
 * `interpreter/attributes.go`.
 */
export function qualify(frame: Frame, base: CelValue, qualifiers: readonly Qualifier[]): CelValue {
  let value = base;
  let isOptional = false;
  if (value instanceof CelOptional) {
    if (!value.hasValue) return qualifiers.at(-1)?.testOnly === true ? false : value;
    value = value.value;
    isOptional = true;
  }
  for (const qualifier of qualifiers) {
    const key = qualifier.key(frame);
    isOptional ||= qualifier.optional;
    if (qualifier.testOnly) {
      frame.charge(1);
      return find(value, key) !== undefined;
    }
    if (isOptional) {
      const found = find(value, key);
      if (found === undefined) return CelOptional.none;
      frame.charge(1);
      value = found;
    } else {
      frame.charge(1);
      value = select(value, key);
    }
  }
  return isOptional ? CelOptional.of(value) : value;
}

/** The same for a chain of one required field, the most common case. */
export function qualifyField(frame: Frame, base: CelValue, field: string): CelValue {
  if (base instanceof CelOptional) {
    return qualify(frame, base, [{ key: () => field, optional: false, testOnly: false }]);
  }
  frame.charge(1);
  return select(base, field);
}

/** The part of a value under a key. Throws EvaluationFault if it is missing. */
export function select(value: CelValue, key: CelValue): CelValue {
  const found = find(value, key);
  if (found !== undefined) return found;
  throw new EvaluationFault(`${value instanceof CelList ? 'index out of bounds' : 'no such key'}: ${formatValue(key)}`);
}

/** The part of a value under a key, or undefined. Values without parts have none. */
export function find(value: CelValue, key: CelValue): CelValue | undefined {
  if (value instanceof CelMap) return value.find(key);
  if (!(value instanceof CelList)) return undefined;
  const index = indexOf(key);
  return index >= 0 && index < value.size ? value.at(index) : undefined;
}

/** A list index from an int or another number without a fraction. */
export function indexOf(key: CelValue): number {
  if (typeof key === 'number') return key;
  if (typeof key === 'bigint') return Number(key);
  if (key instanceof CelUint) return Number(key.value);
  if (key instanceof CelDouble) {
    if (Number.isInteger(key.value)) return key.value;
    throw new EvaluationFault(`unsupported index value ${formatValue(key)} in list`);
  }
  throw new EvaluationFault(`unsupported index type '${typeOfValue(key).name}' in list`);
}
