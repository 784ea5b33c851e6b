import { listCreateCost, mapCreateCost, structCreateCost } from '../cost/cost.ts';
import type { CallExpr, ComprehensionExpr, Expr, ListExpr, MapExpr, SelectExpr, StructExpr } from '../syntax/ast.ts';
import { type Qualifier, qualify, qualifyField } from '../value/attribute.ts';
import { EvaluationFault, noSuchOverload } from '../value/fault.ts';
import { formatValue } from '../value/format-value.ts';
import { type Evaluator, Frame } from '../value/frame.ts';
import { ArrayList, CelOptional, CelTypeValue, type CelValue, canonicalKey, EntryMap } from '../value/value.ts';
import { isConversion, planCall } from './call.ts';
import { planComprehension } from './comprehension.ts';
import type { Plan, Planner } from './plan.ts';

/** An expression that is ready to run on frames with `slotCount` slots. */
export interface CompiledExpression {
  readonly evaluate: Evaluator;
  readonly slotCount: number;
}

/**
 * Compiles a checked tree to closures. Constant lists, maps and conversions are computed here, and cost nothing later.
 * Throws EvaluationFault if a constant cannot be computed.
 *
 * `variables` are in slots in the order of their names; `types` are the names of types.
 */
export function compile(
  expr: Expr,
  variables: readonly string[],
  types: ReadonlyMap<string, CelTypeValue>,
): CompiledExpression {
  const compiler = new Compiler(variables, types);
  const { evaluate } = compiler.plan(expr);
  return { evaluate, slotCount: compiler.slotCount };
}

class Compiler implements Planner {
  readonly #types: ReadonlyMap<string, CelTypeValue>;
  /** A node that is in the tree more than once is planned once. */
  readonly #plans = new Map<Expr, Plan>();
  readonly #lazy = new Map<number, Evaluator>();
  #scope: ReadonlyMap<string, number>;
  #slotCount: number;

  constructor(variables: readonly string[], types: ReadonlyMap<string, CelTypeValue>) {
    this.#scope = new Map(variables.map((name, slot) => [name, slot]));
    this.#slotCount = variables.length;
    this.#types = types;
  }

  get slotCount(): number {
    return this.#slotCount;
  }

  plan(expr: Expr): Plan {
    const known = this.#plans.get(expr);
    if (known !== undefined) return known;
    const plan = this.#plan(expr);
    this.#plans.set(expr, plan);
    return plan;
  }

  bindLazily(slot: number, compute: Evaluator): void {
    this.#lazy.set(slot, compute);
  }

  withVariables<T>(names: readonly string[], planInner: (slots: readonly number[]) => T): T {
    const outer = this.#scope;
    const slots = names.map(() => this.#slotCount++);
    this.#scope = new Map([...outer, ...names.map((name, i): [string, number] => [name, slots[i] ?? 0])]);
    const result = planInner(slots);
    this.#scope = outer;
    return result;
  }

  #plan(expr: Expr): Plan {
    switch (expr.kind) {
      case 'literal':
        return constantPlan(expr.value);
      case 'ident':
        return this.#name(expr.name);
      case 'select':
        return expr.qualified === undefined ? this.#chain(expr) : this.#name(expr.qualified);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'comprehension':
        return this.#comprehension(expr);
      case 'struct':
        return this.#struct(expr);
    }
  }

  #name(name: string): Plan {
    const slot = this.#scope.get(name);
    const lazy = slot === undefined ? undefined : this.#lazy.get(slot);
    if (slot !== undefined && lazy !== undefined) {
      return attributePlan((frame) => {
        const known = frame.slots[slot] ?? lazy(frame);
        frame.slots[slot] = known;
        return known;
      });
    }
    if (slot !== undefined) return attributePlan((frame) => frame.slots[slot] ?? null);
    const type = this.#types.get(name);
    if (type !== undefined) return constantPlan(type);
    throw new Error(`the type checker lets no name ${name} pass`);
  }

  #call(expr: CallExpr): Plan {
    const { resolved } = expr;
    if (resolved === undefined) throw new Error(`the type checker lets no call of ${expr.name} pass`);
    switch (resolved.declaration.name) {
      case '_&&_':
        return {
          evaluate: logical(
            resolved.args.map((arg) => this.plan(arg).evaluate),
            false,
          ),
        };
      case '_||_':
        return {
          evaluate: logical(
            resolved.args.map((arg) => this.plan(arg).evaluate),
            true,
          ),
        };
      case '_?_:_':
        return this.#conditional(resolved.args.map((arg) => this.plan(arg)));
      case '_[_]':
      case '_[?_]':
        return this.#chain(expr);
      default: {
        const plan = planCall(
          resolved,
          resolved.args.map((arg) => this.plan(arg)),
          resolved.args.map((arg) => arg.type),
        );
        const isConstant =
          isConversion(resolved.declaration.name) && this.plan(resolved.args[0] ?? expr).constant !== undefined;
        return isConstant ? computeConstant(plan.evaluate) : plan;
      }
    }
  }

  /** A conditional is a chain too: the steps after it apply to the evaluated branch. */
  #conditional([condition, truthy, falsy]: readonly Plan[]): Plan {
    if (condition === undefined || truthy === undefined || falsy === undefined)
      throw new Error('a conditional has three parts');
    const test = condition.evaluate;
    const yes = truthy.resolve ?? truthy.evaluate;
    const no = falsy.resolve ?? falsy.evaluate;
    const evaluate: Evaluator = (frame) => {
      const value = test(frame);
      if (value === true) return yes(frame);
      if (value === false) return no(frame);
      throw noSuchOverload();
    };
    return { evaluate, resolve: evaluate };
  }

  #chain(expr: SelectExpr | CallExpr): Plan {
    const qualifiers: Qualifier[] = [];
    let base: Expr = expr;
    for (;;) {
      if (base.kind === 'select' && base.qualified === undefined && (base === expr || !base.testOnly)) {
        const { field } = base;
        qualifiers.unshift({ key: () => field, optional: base.optional, testOnly: base.testOnly });
        base = base.operand;
      } else if (
        base.kind === 'call' &&
        (base.resolved?.declaration.name === '_[_]' || base.resolved?.declaration.name === '_[?_]')
      ) {
        const [operand, index]: readonly Expr[] = base.resolved.args;
        if (operand === undefined || index === undefined) throw new Error('an index has two parts');
        const key = this.plan(index);
        qualifiers.unshift({
          key: key.resolve ?? key.evaluate,
          optional: base.resolved.declaration.name === '_[?_]',
          testOnly: false,
        });
        base = operand;
      } else {
        break;
      }
    }
    const start = this.plan(base);
    const isConditional = base.kind === 'call' && base.resolved?.declaration.name === '_?_:_';
    const origin = start.resolve ?? start.evaluate;
    const [only] = qualifiers;
    const field =
      expr.kind === 'select' && expr.operand === base && !expr.optional && !expr.testOnly ? expr.field : undefined;
    const resolve: Evaluator =
      field === undefined
        ? (frame) => qualify(frame, origin(frame), qualifiers)
        : (frame) => qualifyField(frame, origin(frame), field);
    if (only?.testOnly === true || qualifiers.at(-1)?.testOnly === true || isConditional) {
      return { evaluate: resolve, resolve };
    }
    return attributePlan(resolve);
  }

  #list({ elements, optionals }: ListExpr): Plan {
    const plans = elements.map((element) => this.plan(element));
    const evaluators = plans.map((plan) => plan.evaluate);
    const evaluate: Evaluator = (frame) => {
      const values: CelValue[] = [];
      for (let i = 0; i < evaluators.length; i++) {
        const value = evaluators[i]?.(frame) ?? null;
        if (!optionals.has(i)) values.push(value);
        else if (!(value instanceof CelOptional)) throw badOptional('list element', value);
        else if (value.hasValue) values.push(value.value);
      }
      frame.charge(listCreateCost);
      return new ArrayList(values);
    };
    return plans.every((plan) => plan.constant !== undefined) ? computeConstant(evaluate) : { evaluate };
  }

  #map({ entries }: MapExpr): Plan {
    const plans = entries.map(({ key, value, optional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      optional,
    }));
    const evaluate: Evaluator = (frame) => {
      const made = new Map<unknown, readonly [CelValue, CelValue]>();
      for (const plan of plans) {
        const key = plan.key.evaluate(frame);
        const canonical = canonicalKey(key);
        const value = plan.value.evaluate(frame);
        if (!plan.optional) made.set(canonical, [key, value]);
        else if (!(value instanceof CelOptional)) throw badOptional(`entry '${formatValue(key)}'`, value);
        else if (value.hasValue) made.set(canonical, [key, value.value]);
        else made.delete(canonical);
      }
      frame.charge(mapCreateCost);
      return new EntryMap(made);
    };
    const isConstant = plans.every(({ key, value }) => key.constant !== undefined && value.constant !== undefined);
    return isConstant ? computeConstant(evaluate) : { evaluate };
  }

  #struct({ name: typeName, fields, resolved }: StructExpr): Plan {
    if (resolved === undefined) throw new Error(`the type checker lets no message ${typeName} pass`);
    const plans = fields.map(({ name, value, optional }) => ({ name, value: this.plan(value), optional }));
    return {
      evaluate: (frame) => {
        const made = new Map<string, CelValue>();
        for (const { name, value: plan, optional } of plans) {
          const value = plan.evaluate(frame);
          if (!optional) made.set(name, value);
          else if (!(value instanceof CelOptional)) throw badOptional(`entry '${name}'`, value);
          else if (value.hasValue) made.set(name, value.value);
          else made.delete(name);
        }
        frame.charge(structCreateCost);
        return resolved.construct(made);
      },
    };
  }

  #comprehension(expr: ComprehensionExpr): Plan {
    return { evaluate: planComprehension(this, expr) };
  }
}

/** Computes a constant while compiling, without cost. */
function computeConstant(evaluate: Evaluator): Plan {
  return constantPlan(evaluate(new Frame([], Number.POSITIVE_INFINITY)));
}

function constantPlan(value: CelValue): Plan {
  return { evaluate: () => value, constant: value };
}

function attributePlan(resolve: Evaluator): Plan {
  return {
    resolve,
    // A read is charged even if it fails, because `||` may continue.
    evaluate: (frame) => {
      try {
        return resolve(frame);
      } finally {
        frame.charge(1);
      }
    },
  };
}

/** `&&` (decided by false) and `||` (decided by true): a deciding operand overrides faults of the others. */
function logical(operands: readonly Evaluator[], decisive: boolean): Evaluator {
  return (frame) => {
    let fault: EvaluationFault | undefined;
    for (const operand of operands) {
      try {
        const value = operand(frame);
        if (value === decisive) return decisive;
        if (typeof value !== 'boolean') fault ??= noSuchOverload();
      } catch (error) {
        if (!(error instanceof EvaluationFault)) throw error;
        fault ??= error;
      }
    }
    if (fault !== undefined) throw fault;
    return !decisive;
  };
}

function badOptional(what: string, value: CelValue): EvaluationFault {
  return new EvaluationFault(`cannot initialize optional ${what} from non-optional value ${formatValue(value)}`);
}
