import type { CallExpr } from './ast.ts';
import type { Plan } from './compile.ts';
import { callCost, equalityCost } from './cost.ts';
import type { Implementation, Overload } from './declaration.ts';
import { EvaluationFault } from './fault.ts';
import type { Evaluator } from './frame.ts';
import { planMembership } from './membership.ts';
import { planRegex } from './regex.ts';
import type { CelType } from './type.ts';
import { CelOptional, type CelValue, isEqual, typeOfValue } from './value.ts';

type ResolvedCall = NonNullable<CallExpr['resolved']>;

const conversions = new Set('bool bytes double duration dyn int string timestamp type uint'.split(' '));

/** Whether the function makes a value of one type into one of another, so that constants are converted at once. */
export function isConversion(name: string): boolean {
  return conversions.has(name);
}

/** Plans a call whose overloads the type checker has found. `types` are the static types of the arguments. */
export function planCall(call: ResolvedCall, args: readonly Plan[], types: readonly (CelType | undefined)[]): Plan {
  const special = planEquality(call, args) ?? planOptional(call, args) ?? planMembership(call, args);
  if (special !== undefined) return special;
  const single = call.overloads.length === 1 ? call.overloads[0] : undefined;
  const invoke = planRegex(call, args) ?? (single === undefined ? dispatch(call) : guarded(call.name, single, types));
  const cost = callCost(call.name, single?.id ?? '');
  const [first, second] = args.map((arg) => arg.evaluate);
  if (args.length === 1 && first !== undefined && cost === undefined) {
    return {
      evaluate: (frame) => {
        const result = invoke(first(frame));
        frame.charge(1);
        return result;
      },
    };
  }
  if (args.length === 2 && first !== undefined && second !== undefined && cost === undefined) {
    return {
      evaluate: (frame) => {
        const result = invoke(first(frame), second(frame));
        frame.charge(1);
        return result;
      },
    };
  }
  return {
    evaluate: (frame) => {
      const values = args.map((arg) => arg.evaluate(frame));
      const result = invoke(...values);
      frame.charge(cost === undefined ? 1 : cost(values, result));
      return result;
    },
  };
}

function planEquality(call: ResolvedCall, [left, right]: readonly Plan[]): Plan | undefined {
  const negated = call.name === '_!=_';
  if ((!negated && call.name !== '_==_') || left === undefined || right === undefined) return undefined;
  return {
    evaluate: (frame) => {
      const a = left.evaluate(frame);
      const b = right.evaluate(frame);
      const equal = isEqual(a, b);
      frame.charge(equalityCost(a, b, negated));
      return equal !== negated;
    },
  };
}

/** `or` and `orValue` look at their argument only when they need it, and cost nothing. */
function planOptional(call: ResolvedCall, [target, other]: readonly Plan[]): Plan | undefined {
  const unwrap = call.name === 'orValue';
  if ((!unwrap && call.name !== 'or') || target === undefined || other === undefined) return undefined;
  const evaluate: Evaluator = (frame) => {
    const value = target.evaluate(frame);
    if (!(value instanceof CelOptional)) return value;
    if (value.hasValue) return unwrap ? value.value : value;
    return other.evaluate(frame);
  };
  return { evaluate };
}

/** The only overload that fits, with a look at arguments whose type is known only now. */
function guarded(name: string, overload: Overload, types: readonly (CelType | undefined)[]): Implementation {
  const invoke = implementationOf(name, overload);
  const unknown = overload.args.flatMap((declared, i) => {
    const known = types[i];
    const isKnown = known !== undefined && known.kind === declared.kind;
    return isKnown || declared.kind === 'param' || declared.kind === 'dyn' ? [] : [i];
  });
  if (unknown.length === 0) return invoke;
  return (...args) => {
    if (unknown.some((i) => !accepts(overload.args[i], args[i] ?? null))) throw noMatch(name, args);
    return invoke(...args);
  };
}

/** The overload is chosen at run time. */
function dispatch({ name, overloads }: ResolvedCall): Implementation {
  return (...args) => {
    for (const overload of overloads) {
      if (overload.args.every((declared, i) => accepts(declared, args[i] ?? null))) {
        return implementationOf(name, overload)(...args);
      }
    }
    throw noMatch(name, args);
  };
}

function implementationOf(name: string, overload: Overload): Implementation {
  if (overload.invoke === undefined) throw new Error(`${name} is built in and not called like this`);
  return overload.invoke;
}

/** Whether a value can be an argument of the type; elements of lists and maps are not looked at. */
function accepts(declared: CelType | undefined, value: CelValue): boolean {
  if (declared === undefined || declared.kind === 'param' || declared.kind === 'dyn') return true;
  const actual = typeOfValue(value);
  return actual.kind === declared.kind && actual.name === declared.name;
}

function noMatch(name: string, args: readonly CelValue[]): EvaluationFault {
  return new EvaluationFault(`no such overload: ${name}(${args.map((arg) => typeOfValue(arg).name).join(', ')})`);
}
