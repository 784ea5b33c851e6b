import type { Expr } from './ast.ts';

/** An error for a macro with invalid arguments; `offset` is the invalid argument. */
export interface MacroError {
  readonly offset: number;
  readonly message: string;
}

/** The variable for the result of a comprehension; no expression can name it. */
const accumulator = '@result';
const sortByInput = '@__sortBy_input__';
/** The iteration variable of a comprehension that only binds a name. */
const unusedVariable = '#unused';

/**
 * Expands the macros of CEL and of the extensions that Kubernetes 1.36 enables: `has`, `all`, `exists`, `exists_one`, `map`,
 * `filter`, the two-variable comprehensions, `optMap`, `optFlatMap` and `sortBy`. Undefined if the call is not a macro,
 * which also depends on the number of arguments. The expansions are those of cel-go v0.26 (`parser/macro.go`,
 * `ext/comprehensions.go`, `ext/lists.go`), because the cost of a rule depends on them.
 */
export function expandMacro(
  offset: number,
  name: string,
  args: readonly Expr[],
  target: Expr | undefined,
): Expr | MacroError | undefined {
  const make = new ExprFactory(offset);
  const [first, second, third, fourth] = args;
  if (target === undefined) {
    return name === 'has' && args.length === 1 && first !== undefined ? has(offset, first) : undefined;
  }
  if (first === undefined || second === undefined || args.length > 4) return undefined;
  if (args.length === 2) {
    switch (name) {
      case 'all':
      case 'exists':
      case 'exists_one':
        return withVariable(first, 'argument must be a simple name', (variable) =>
          quantifier(make, name, { range: target, variable }, second),
        );
      case 'map':
        return withVariable(first, 'argument is not an identifier', (variable) =>
          listOf(make, { range: target, variable }, undefined, second),
        );
      case 'filter':
        return withVariable(first, 'argument is not an identifier', (variable) =>
          listOf(make, { range: target, variable }, second, first),
        );
      case 'optMap':
      case 'optFlatMap':
        return optionalMap(make, name, target, first, second);
      case 'sortBy':
        return sortBy(make, target, first, second);
      default:
        return undefined;
    }
  }
  if (third === undefined) return undefined;
  if (name === 'map' && fourth === undefined) {
    return withVariable(first, 'argument is not an identifier', (variable) =>
      listOf(make, { range: target, variable }, second, third),
    );
  }
  return twoVariables(make, name, target, [first, second, third, fourth]);
}

interface Loop {
  readonly range: Expr;
  readonly variable: string;
  readonly variable2?: string;
}

function has(offset: number, operand: Expr): Expr | MacroError {
  if (operand.kind !== 'select' || operand.optional) {
    return { offset: operand.offset, message: 'invalid argument to has() macro' };
  }
  return { ...operand, offset, testOnly: true };
}

function twoVariables(
  make: ExprFactory,
  name: string,
  range: Expr,
  [first, second, third, fourth]: readonly [Expr, Expr, Expr, Expr | undefined],
): Expr | MacroError | undefined {
  const isQuantifier = name === 'all' || name === 'exists' || name === 'existsOne' || name === 'exists_one';
  const isTransform = name === 'transformList' || name === 'transformMap' || name === 'transformMapEntry';
  if (!(isQuantifier && fourth === undefined) && !isTransform) return undefined;
  return withVariable(first, 'argument must be a simple name', (variable) =>
    withVariable(second, 'argument must be a simple name', (variable2) => {
      if (variable === variable2) {
        return { offset: second.offset, message: `duplicate variable name: ${variable}` };
      }
      const loop = { range, variable, variable2 };
      if (isQuantifier) return quantifier(make, name, loop, third);
      const [filter, transform] = fourth === undefined ? [undefined, third] : [third, fourth];
      if (name === 'transformList') return listOf(make, loop, filter, transform);
      const args = name === 'transformMap' ? [make.ident(variable), transform] : [transform];
      return fold(make, loop, make.map(), make.call('cel.@mapInsert', make.result(), ...args), filter);
    }),
  );
}

function quantifier(make: ExprFactory, name: string, loop: Loop, predicate: Expr): Expr {
  if (name === 'all') {
    return make.comprehension(
      loop,
      make.literal(true),
      make.call('@not_strictly_false', make.result()),
      make.call('_&&_', make.result(), predicate),
      make.result(),
    );
  }
  if (name === 'exists') {
    return make.comprehension(
      loop,
      make.literal(false),
      make.call('@not_strictly_false', make.call('!_', make.result())),
      make.call('_||_', make.result(), predicate),
      make.result(),
    );
  }
  const incremented = make.call('_+_', make.result(), make.literal(1));
  return make.comprehension(
    loop,
    make.literal(0),
    make.literal(true),
    make.call('_?_:_', predicate, incremented, make.result()),
    make.call('_==_', make.result(), make.literal(1)),
  );
}

/** `map` and `filter`: a list of the results of `transform` for each element that `filter` accepts. */
function listOf(make: ExprFactory, loop: Loop, filter: Expr | undefined, transform: Expr): Expr {
  return fold(make, loop, make.list(), make.call('_+_', make.result(), make.list(transform)), filter);
}

function fold(make: ExprFactory, loop: Loop, init: Expr, step: Expr, filter: Expr | undefined): Expr {
  const filtered = filter === undefined ? step : make.call('_?_:_', filter, step, make.result());
  return make.comprehension(loop, init, make.literal(true), filtered, make.result());
}

/** The target is in the tree twice; the checker and the compiler cache the nodes that they have seen. */
function optionalMap(make: ExprFactory, name: string, target: Expr, variable: Expr, body: Expr): Expr | MacroError {
  if (variable.kind !== 'ident') {
    return { offset: variable.offset, message: `${name}() variable name must be a simple identifier` };
  }
  const value = make.bind(variable.name, make.memberCall('value', target), body);
  return make.call(
    '_?_:_',
    make.memberCall('hasValue', target),
    name === 'optMap' ? make.call('optional.of', value) : value,
    make.call('optional.none'),
  );
}

function sortBy(make: ExprFactory, target: Expr, variable: Expr, key: Expr): Expr | MacroError {
  if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'struct') {
    const message = 'sortBy can only be applied to a list, identifier, comprehension, call or select expression';
    return { offset: target.offset, message };
  }
  return withVariable(variable, 'argument is not an identifier', (name) => {
    const keys = listOf(make, { range: make.ident(sortByInput), variable: name }, undefined, key);
    return make.bind(sortByInput, target, make.memberCall('@sortByAssociatedKeys', make.ident(sortByInput), keys));
  });
}

function withVariable(variable: Expr, message: string, expand: (name: string) => Expr | MacroError): Expr | MacroError {
  if (variable.kind !== 'ident') return { offset: variable.offset, message };
  if (variable.name === '__result__') {
    return { offset: variable.offset, message: 'iteration variable overwrites accumulator variable' };
  }
  return expand(variable.name);
}

/** Creates nodes with the offset of the macro. */
class ExprFactory {
  readonly #offset: number;

  constructor(offset: number) {
    this.#offset = offset;
  }

  literal(value: boolean | number): Expr {
    return { kind: 'literal', offset: this.#offset, value };
  }

  ident(name: string): Expr {
    return { kind: 'ident', offset: this.#offset, name };
  }

  result(): Expr {
    return this.ident(accumulator);
  }

  call(name: string, ...args: Expr[]): Expr {
    return { kind: 'call', offset: this.#offset, name, args };
  }

  memberCall(name: string, target: Expr, ...args: Expr[]): Expr {
    return { kind: 'call', offset: this.#offset, name, target, args };
  }

  list(...elements: Expr[]): Expr {
    return { kind: 'list', offset: this.#offset, elements, optionals: new Set() };
  }

  map(): Expr {
    return { kind: 'map', offset: this.#offset, entries: [] };
  }

  comprehension(loop: Loop, init: Expr, condition: Expr, step: Expr, result: Expr): Expr {
    return { kind: 'comprehension', offset: this.#offset, ...loop, accumulator, init, condition, step, result };
  }

  /** A comprehension over an empty list, which binds a value to a name. */
  bind(name: string, value: Expr, body: Expr): Expr {
    return {
      kind: 'comprehension',
      offset: this.#offset,
      range: this.list(),
      variable: unusedVariable,
      accumulator: name,
      init: value,
      condition: this.literal(false),
      step: this.ident(name),
      result: body,
    };
  }
}
