import { type CallCost, callCost, equalityCost, isAmplifying, sizeOf } from '../cost/cost.ts';
import type { CallExpr } from '../syntax/ast.ts';
import type { Implementation, Overload } from '../value/declaration.ts';
import { EvaluationFault, noSuchOverload } from '../value/fault.ts';
import type { Evaluator, Frame } from '../value/frame.ts';
import type { CelType, CelTypeKind } from '../value/type.ts';
import { CelOptional, type CelValue, isEqual, typeOfValue } from '../value/value.ts';
import { planMembership } from './membership.ts';
import type { Plan } from './plan.ts';
import { planRegex } from './regex-call.ts';

type ResolvedCall = NonNullable<CallExpr['resolved']>;

const conversions = new Set('bool bytes double duration dyn int string timestamp type uint'.split(' '));

/** Whether the function is a type conversion, so that constants are converted while compiling. */
export function isConversion(name: string): boolean {
  return conversions.has(name);
}

/**
 * Plans a call with the overloads that the type checker has found. A failed call costs the same as a successful one,
 * because `||` may continue after it. `types` are the static types of the arguments.
 */
export function planCall(call: ResolvedCall, args: readonly Plan[], types: readonly (CelType | undefined)[]): Plan {
  const special = planEquality(call, args) ?? planOptional(call, args) ?? planMembership(call, args);
  if (special !== undefined) return special;
  const single = call.overloads.length === 1 ? call.overloads[0] : undefined;
  const invoke = planRegex(call, args) ?? implementation(call, types);
  const cost = callCost(call.declaration.name, single?.id ?? '');
  const [first, second] = args.map((arg) => arg.evaluate);
  if (args.length === 1 && first !== undefined && cost === undefined) {
    return {
      evaluate: (frame) => {
        try {
          return invoke(first(frame));
        } finally {
          frame.charge(1);
        }
      },
    };
  }
  if (args.length === 2 && first !== undefined && second !== undefined && cost === undefined) {
    return {
      evaluate: (frame) => {
        const [left, right] = evaluatePair(frame, first, second, oneEach);
        return invoke(left, right);
      },
    };
  }
  const watched = isAmplifying(call.declaration.name);
  const callCosts = cost ?? oneEach;
  return {
    evaluate: (frame) => {
      let values: readonly CelValue[];
      if (args.length === 2 && first !== undefined && second !== undefined) {
        values = evaluatePair(frame, first, second, callCosts);
      } else {
        values = args.map((arg) => arg.evaluate(frame));
        frame.charge(callCosts(values));
      }
      const result = invoke(...values);
      if (watched) frame.watch(typeof result === 'string' ? result.length : sizeOf(result));
      return result;
    },
  };
}

const oneEach: CallCost = () => 1;

/**
 * Evaluates both operands, even if the first fails, and charges for the call before it runs. A failed operand counts with
 * size 1.
 */
function evaluatePair(frame: Frame, left: Evaluator, right: Evaluator, cost: CallCost): readonly [CelValue, CelValue] {
  let fault: EvaluationFault | undefined;
  const evaluate = (operand: Evaluator): CelValue => {
    try {
      return operand(frame);
    } catch (error) {
      fault ??= passFault(error);
      return true;
    }
  };
  const values = [evaluate(left), evaluate(right)] as const;
  frame.charge(cost(values));
  if (fault !== undefined) throw fault;
  return values;
}

/** Throws every error that is not an EvaluationFault of the expression. */
function passFault(error: unknown): EvaluationFault {
  if (error instanceof EvaluationFault) return error;
  throw error;
}

function planEquality(call: ResolvedCall, [left, right]: readonly Plan[]): Plan | undefined {
  const negated = call.declaration.name === '_!=_';
  if ((!negated && call.declaration.name !== '_==_') || left === undefined || right === undefined) return undefined;
  const cost: CallCost = ([a, b]) => equalityCost(a ?? null, b ?? null, negated);
  return {
    evaluate: (frame) => {
      const [a, b] = evaluatePair(frame, left.evaluate, right.evaluate, cost);
      return isEqual(a, b) !== negated;
    },
  };
}

/** `or` and `orValue` evaluate their argument only if they need it, and cost nothing. */
function planOptional(call: ResolvedCall, [target, other]: readonly Plan[]): Plan | undefined {
  const unwrap = call.declaration.name === 'orValue';
  if ((!unwrap && call.declaration.name !== 'or') || target === undefined || other === undefined) return undefined;
  const evaluate: Evaluator = (frame) => {
    const value = target.evaluate(frame);
    if (!(value instanceof CelOptional)) return value;
    if (value.hasValue) return unwrap ? value.value : value;
    return other.evaluate(frame);
  };
  return { evaluate };
}

/** The implementation to run: the only matching overload, or the one that matches the values at run time. */
function implementation(
  { declaration, overloads }: ResolvedCall,
  types: readonly (CelType | undefined)[],
): Implementation {
  const { name, receives } = declaration;
  const [single, ...others] = overloads;
  if (single === undefined) throw new Error(`the type checker found an overload of ${name}`);
  const isKnown = single.args.every((declared, i) => {
    const known = types[i];
    return declared.kind === 'param' || declared.kind === 'dyn' || known?.kind === declared.kind;
  });
  if (others.length === 0 && isKnown) return implementationOf(name, single);
  if (receives !== undefined) return receiving(name, receives, implementationOf(name, single));
  return (...args) => {
    for (const overload of overloads) {
      if (overload.args.every((declared, i) => accepts(declared, args[i] ?? null))) {
        return implementationOf(name, overload)(...args);
      }
    }
    throw noMatch(name, args);
  };
}

/** Kinds for whose values upstream reports a missing function with a different message. */
const receiverKinds: readonly CelTypeKind[] = ['string', 'timestamp', 'duration'];

function receiving(
  name: string,
  receives: 'anything' | readonly CelTypeKind[],
  invoke: Implementation,
): Implementation {
  if (receives === 'anything') return invoke;
  return (...args) => {
    const { kind } = typeOfValue(args[0] ?? null);
    if (receives.includes(kind)) return invoke(...args);
    throw receiverKinds.includes(kind) ? noSuchOverload() : new EvaluationFault(`no such overload: ${name}`);
  };
}

function implementationOf(name: string, overload: Overload): Implementation {
  if (overload.invoke === undefined) throw new Error(`${name} is built in and not called like this`);
  return overload.invoke;
}

/** Whether a value can be an argument of the type; elements of lists and maps are not checked. */
function accepts(declared: CelType | undefined, value: CelValue): boolean {
  if (declared === undefined || declared.kind === 'param' || declared.kind === 'dyn') return true;
  const actual = typeOfValue(value);
  return actual.kind === declared.kind && actual.name === declared.name;
}

function noMatch(name: string, args: readonly CelValue[]): EvaluationFault {
  return new EvaluationFault(`no such overload: ${name}(${args.map((arg) => typeOfValue(arg).name).join(', ')})`);
}
