import { callCost } from '../cost/cost.ts';
import { contains } from '../library/standard.ts';
import type { CallExpr } from '../syntax/ast.ts';
import { CelDouble, CelList, CelUint, type CelValue, canonicalKey } from '../value/value.ts';
import type { Plan } from './plan.ts';

/**
 * `x in y`. For a list of constants it is a lookup in a set that is created while compiling, without cost, as upstream
 * optimizes it (cel-go v0.26 `interpreter/decorators.go`).
 */
export function planMembership(
  call: NonNullable<CallExpr['resolved']>,
  [value, container]: readonly Plan[],
): Plan | undefined {
  if (call.declaration.name !== '@in' || value === undefined || container === undefined) return undefined;
  const isList = call.overloads.length === 1 && call.overloads[0]?.id === 'in_list';
  const set = isList ? constantSet(container.constant) : undefined;
  if (set?.size === 0) return { evaluate: () => false, constant: false };
  if (set !== undefined) {
    return {
      evaluate: (frame) => {
        return set.has(canonicalKey(value.evaluate(frame)));
      },
    };
  }
  const cost = callCost(call.declaration.name, call.overloads.length === 1 ? (call.overloads[0]?.id ?? '') : '');
  return {
    evaluate: (frame) => {
      const needle = value.evaluate(frame);
      const haystack = container.evaluate(frame);
      frame.charge(cost === undefined ? 1 : cost([needle, haystack]));
      return contains(haystack, needle);
    },
  };
}

function constantSet(list: CelValue | undefined): ReadonlySet<unknown> | undefined {
  if (!(list instanceof CelList)) return undefined;
  const values = [...list];
  const isPrimitive = (value: CelValue) =>
    (value !== null && typeof value !== 'object') || value instanceof CelDouble || value instanceof CelUint;
  return values.every(isPrimitive) ? new Set(values.map(canonicalKey)) : undefined;
}
