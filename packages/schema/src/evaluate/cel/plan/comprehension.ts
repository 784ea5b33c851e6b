import { listCreateCost } from '../cost/cost.ts';
import type { ComprehensionExpr, Expr } from '../syntax/ast.ts';
import { EvaluationFault, noSuchOverload } from '../value/fault.ts';
import { formatValue } from '../value/format-value.ts';
import type { Evaluator, Frame } from '../value/frame.ts';
import { ArrayList, CelList, CelMap, type CelValue, canonicalKey, EntryMap, typeOfValue } from '../value/value.ts';
import type { Planner } from './plan.ts';

/** One step of a loop. It returns true to end the loop. */
type Step = (frame: Frame) => boolean;

/** A loop with its own result, created for each evaluation. */
interface Loop {
  readonly step: Step;
  readonly result: (frame: Frame) => CelValue;
}

/**
 * Plans an expanded macro. The known forms run as special loops, which change their result in place. Each charges the cost
 * that upstream charges for the expanded tree, in which reading the result, comparing it and adding to it are separate
 * operations.
 */
export function planComprehension(planner: Planner, expr: ComprehensionExpr): Evaluator {
  const init = planner.plan(expr.init).evaluate;
  const range = planner.plan(expr.range);
  const names = [expr.accumulator, expr.variable, ...(expr.variable2 === undefined ? [] : [expr.variable2])];
  return planner.withVariables(names, ([accumulator = 0, variable = 0, variable2]) => {
    if (expr.condition.kind === 'literal' && expr.condition.value === false) {
      // Only binds a name. The value is computed when the name is first read.
      planner.bindLazily(accumulator, init);
      const result = planner.plan(expr.result).evaluate;
      return (frame) => {
        frame.slots[accumulator] = undefined;
        return result(frame);
      };
    }
    const begin = planLoop(planner, expr);
    return (frame) => {
      const loop = begin();
      const bind = (first: CelValue, second: CelValue): boolean => {
        frame.slots[variable] = first;
        if (variable2 !== undefined) frame.slots[variable2] = second;
        return loop.step(frame);
      };
      iterate(range.evaluate(frame), variable2 !== undefined, bind);
      frame.charge(1);
      return loop.result(frame);
    };
  });
}

/** Calls the step with each element, or with index and element, until it returns true. */
function iterate(range: CelValue, withIndex: boolean, visit: (first: CelValue, second: CelValue) => boolean): void {
  if (range instanceof CelList) {
    for (let i = 0; i < range.size; i++) {
      if (withIndex ? visit(i, range.at(i)) : visit(range.at(i), null)) return;
    }
  } else if (range instanceof CelMap) {
    for (const key of range.keys()) if (visit(key, withIndex ? (range.find(key) ?? null) : null)) return;
  } else {
    throw new EvaluationFault(
      withIndex
        ? `unsupported comprehension range type: ${goTypeName(range)}`
        : `got '${goTypeName(range)}', expected iterable type`,
    );
  }
}

function planLoop(planner: Planner, expr: ComprehensionExpr): () => Loop {
  const { step } = expr;
  if (step.kind !== 'call') throw new Error('every macro steps with a call');
  if (step.name === '_&&_' || step.name === '_||_') {
    return quantifier(planner.plan(argument(step.args, 1)).evaluate, step.name === '_||_');
  }
  if (step.name !== '_?_:_') return collector(planner, step.name, step.args, undefined);
  const filter = planner.plan(argument(step.args, 0)).evaluate;
  const added = argument(step.args, 1);
  if (added.kind !== 'call') throw new Error('every macro adds with a call');
  if (expr.init.kind === 'literal') return counter(filter);
  return collector(planner, added.name, added.args, filter);
}

/** `all` (decided by false) and `exists` (decided by true); a decision overrides faults before and after it. */
function quantifier(predicate: Evaluator, decisive: boolean): () => Loop {
  // The condition reads the result, negates it for `exists`, and tests it.
  const conditionCost = decisive ? 3 : 2;
  return () => {
    let decided = false;
    let fault: EvaluationFault | undefined;
    const step: Step = (frame) => {
      frame.charge(conditionCost);
      if (decided) return true;
      frame.charge(1);
      try {
        const value = predicate(frame);
        if (value === decisive) decided = true;
        else if (typeof value !== 'boolean') fault ??= noSuchOverload();
      } catch (error) {
        if (!(error instanceof EvaluationFault)) throw error;
        fault ??= error;
      }
      return false;
    };
    const result = (): CelValue => {
      if (decided) return decisive;
      if (fault !== undefined) throw fault;
      return !decisive;
    };
    return { step, result };
  };
}

/** `exists_one`: counts to the end, because it must not stop early. */
function counter(filter: Evaluator): () => Loop {
  return () => {
    let count = 0;
    const step: Step = (frame) => {
      if (!test(filter, frame)) return false;
      count++;
      frame.charge(2);
      return false;
    };
    const result = (frame: Frame): boolean => {
      frame.charge(1);
      return count === 1;
    };
    return { step, result };
  };
}

/** `map`, `filter` and the transforms, which add to a list or a map. */
function collector(
  planner: Planner,
  operation: string,
  args: readonly Expr[],
  filter: Evaluator | undefined,
): () => Loop {
  if (operation === '_+_') {
    const list = argument(args, 1);
    if (list.kind !== 'list') throw new Error('every macro adds a list');
    const element = planner.plan(argument(list.elements, 0));
    // The cost of reading the result, creating a list of one element (free for a constant) and adding it.
    const cost = 2 + (element.constant === undefined ? listCreateCost : 0);
    return () => {
      const elements: CelValue[] = [];
      const step: Step = (frame) => {
        if (filter !== undefined && !test(filter, frame)) return false;
        elements.push(element.evaluate(frame));
        frame.charge(cost);
        return false;
      };
      return { step, result: () => new ArrayList(elements) };
    };
  }
  const [, first, second] = args.map((arg) => planner.plan(arg).evaluate);
  if (first === undefined) throw new Error('cel.@mapInsert has two or three arguments');
  return () => {
    const entries = new Map<unknown, readonly [CelValue, CelValue]>();
    const step: Step = (frame) => {
      if (filter !== undefined && !test(filter, frame)) return false;
      if (second === undefined) {
        const update = first(frame);
        if (!(update instanceof CelMap)) throw noSuchOverload();
        for (const key of update.keys()) insert(entries, key, update.find(key) ?? null);
      } else {
        insert(entries, first(frame), second(frame));
      }
      frame.charge(2);
      return false;
    };
    return { step, result: () => new EntryMap(entries) };
  };
}

function insert(entries: Map<unknown, readonly [CelValue, CelValue]>, key: CelValue, value: CelValue): void {
  const canonical = canonicalKey(key);
  if (entries.has(canonical)) throw new EvaluationFault(`insert failed: key ${formatValue(key)} already exists`);
  entries.set(canonical, [key, value]);
}

function test(filter: Evaluator, frame: Frame): boolean {
  const value = filter(frame);
  if (typeof value !== 'boolean') throw noSuchOverload();
  return value;
}

function argument(args: readonly Expr[], index: number): Expr {
  const found = args[index];
  if (found === undefined) throw new Error(`every macro has an argument ${index}`);
  return found;
}

/** The name of the type in upstream's runtime, which a message contains. */
function goTypeName(value: CelValue): string {
  const { kind } = typeOfValue(value);
  return `types.${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
}
