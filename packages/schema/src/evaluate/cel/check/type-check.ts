import type { CallExpr, ComprehensionExpr, Expr, IdentExpr, SelectExpr, StructExpr } from '../syntax/ast.ts';
import type { CelIssue, CelSource } from '../syntax/source.ts';
import type { ConstructibleType, FunctionDeclaration, Overload } from '../value/declaration.ts';
import {
  boolType,
  type CelType,
  dynType,
  errorType,
  formatType,
  intType,
  isOptional,
  isSameType,
  listType,
  mapType,
  optionalType,
} from '../value/type.ts';
import { typeOfValue } from '../value/value.ts';
import { isDynOrError, mostGeneral, TypeSubstitution } from './type-unify.ts';

/** The names that an expression may use. */
export interface Declarations {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** Returns the constructible type with a name. Default: there is none. */
  constructible?(name: string): ConstructibleType | undefined;
}

/**
 * Sets the type of every node and the matching overloads of every call, and returns the errors. The rules and the messages
 * are upstream's (cel-go v0.26 `checker/checker.go`).
 */
export function checkTypes(source: CelSource, expr: Expr, declarations: Declarations): readonly CelIssue[] {
  const checker = new TypeChecker(source, declarations);
  checker.check(expr);
  checker.settle();
  return checker.issues;
}

class TypeChecker {
  readonly issues: CelIssue[] = [];
  readonly #source: CelSource;
  readonly #declarations: Declarations;
  readonly #types = new TypeSubstitution();
  readonly #checked: Expr[] = [];
  #scope: ReadonlyMap<string, CelType>;

  constructor(source: CelSource, declarations: Declarations) {
    this.#source = source;
    this.#declarations = declarations;
    this.#scope = declarations.variables;
  }

  /** Ends the check: sets the final types of nodes, with dyn for unbound types. */
  settle(): void {
    for (const expr of this.#checked) expr.type = this.#types.substitute(expr.type ?? dynType, true);
  }

  check(expr: Expr): CelType {
    if (expr.type !== undefined) return expr.type;
    const type = this.#typeOf(expr);
    expr.type = type;
    this.#checked.push(expr);
    return type;
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.kind) {
      case 'literal':
        return typeOfValue(expr.value);
      case 'ident':
        return this.#ident(expr);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list': {
        let element: CelType | undefined;
        expr.elements.forEach((item, i) => {
          const type = this.#unwrapped(item, this.check(item), expr.optionals.has(i));
          element = this.#join(element, type);
        });
        return listType(element ?? this.#types.freshVariable());
      }
      case 'map': {
        let key: CelType | undefined;
        let value: CelType | undefined;
        for (const entry of expr.entries) {
          key = this.#join(key, this.check(entry.key));
          const type = this.#unwrapped(entry.value, this.check(entry.value), entry.optional);
          value = this.#join(value, type);
        }
        return mapType(key ?? this.#types.freshVariable(), value ?? this.#types.freshVariable());
      }
      case 'struct':
        return this.#struct(expr);
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  #struct(expr: StructExpr): CelType {
    const constructible = this.#declarations.constructible?.(expr.name);
    if (constructible === undefined) {
      const known = this.#scope.get(expr.name);
      if (known === undefined) this.#undeclared(expr.offset, expr.name);
      else if (known.kind === 'type') this.#report(expr.offset, `'${expr.name}' is not a message type`);
      else this.#report(expr.offset, `'${known.name}' is not a type`);
      return errorType;
    }
    expr.resolved = constructible;
    for (const { offset, name, value, optional } of expr.fields) {
      const type = this.#unwrapped(value, this.check(value), optional);
      const field = constructible.type.declared?.field(name);
      if (field === undefined) this.#report(offset, `undefined field '${name}'`);
      else if (!this.#types.isAssignable(field.celType, type)) {
        const [expected, actual] = [formatType(field.celType), formatType(type)];
        this.#report(offset, `expected type of field '${name}' is '${expected}' but provided type is '${actual}'`);
      }
    }
    return constructible.type;
  }

  #ident(expr: IdentExpr): CelType {
    const type = this.#scope.get(expr.name);
    if (type !== undefined) return type;
    this.#undeclared(expr.offset, expr.name);
    return errorType;
  }

  #select(expr: SelectExpr): CelType {
    const name = expr.testOnly || expr.optional ? undefined : qualifiedName(expr);
    const qualified = name === undefined ? undefined : this.#scope.get(name);
    if (name !== undefined && qualified !== undefined) {
      expr.qualified = name;
      return qualified;
    }
    const type = this.#field(expr);
    return expr.testOnly ? boolType : this.#types.substitute(type);
  }

  #field(expr: SelectExpr): CelType {
    const operand = this.#types.substitute(this.check(expr.operand));
    const target = unwrapOptional(operand);
    let result: CelType = dynType;
    switch (target.kind) {
      case 'map':
        result = target.parameters[1] ?? dynType;
        break;
      case 'struct': {
        const field = target.declared?.field(expr.field);
        if (target.declared === undefined) {
          this.#report(expr.offset, `unexpected failed resolution of '${target.name}'`);
        } else if (field === undefined) this.#report(expr.offset, `undefined field '${expr.field}'`);
        result = field?.celType ?? errorType;
        break;
      }
      case 'param':
        this.#types.isAssignable(dynType, target);
        break;
      default:
        if (!isDynOrError(target)) {
          this.#report(expr.offset, `type '${formatType(target)}' does not support field selection`);
        }
    }
    return expr.optional || isOptional(operand) ? optionalType(result) : result;
  }

  #call(expr: CallExpr): CelType {
    const args = expr.args.map((arg) => this.check(arg));
    const prefix = expr.target === undefined ? undefined : qualifiedName(expr.target);
    const fullName = prefix === undefined ? expr.name : `${prefix}.${expr.name}`;
    const namespaced = expr.target === undefined || prefix === undefined ? undefined : fullName;
    const asGlobal = this.#declarations.functions.get(namespaced ?? (expr.target === undefined ? expr.name : ''));
    if (asGlobal !== undefined) return this.#resolve(expr, asGlobal, expr.args, args, false);
    if (expr.target === undefined) {
      this.#undeclared(expr.offset, expr.name);
      return errorType;
    }
    const target = this.check(expr.target);
    const declaration = this.#declarations.functions.get(expr.name);
    if (declaration === undefined) {
      this.#undeclared(expr.offset, expr.name);
      return errorType;
    }
    return this.#resolve(expr, declaration, [expr.target, ...expr.args], [target, ...args], true);
  }

  #resolve(
    expr: CallExpr,
    declaration: FunctionDeclaration,
    args: readonly Expr[],
    types: readonly CelType[],
    isMember: boolean,
  ): CelType {
    if (declaration.name === '_&&_' || declaration.name === '_||_') {
      expr.resolved = { declaration, args, overloads: declaration.overloads };
      return this.#logical(args, types);
    }
    const overloads: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of declaration.overloads) {
      if (overload.isMember !== isMember) continue;
      const fresh = this.#instantiate([overload.result, ...overload.args]);
      if (!this.#types.isAssignableList(types, fresh.slice(1))) continue;
      overloads.push(overload);
      const candidate = this.#types.substitute(fresh[0] ?? dynType);
      if (result === undefined) result = candidate;
      else if (result.kind !== 'dyn' && !isSameType(candidate, result)) result = dynType;
    }
    if (result === undefined) {
      const shown = types.map((type) => formatType(this.#types.substitute(type, true)));
      const receiver = isMember ? `${shown.shift()}.` : '';
      const signature = `${receiver}(${shown.join(', ')})`;
      this.#report(expr.offset, `found no matching overload for '${declaration.name}' applied to '${signature}'`);
      return errorType;
    }
    expr.resolved = { declaration, args, overloads };
    return result;
  }

  #logical(args: readonly Expr[], types: readonly CelType[]): CelType {
    let result = boolType;
    args.forEach((arg, i) => {
      const type = types[i] ?? errorType;
      if (this.#types.isAssignable(type, boolType)) return;
      this.#mismatch(arg, boolType, type);
      result = errorType;
    });
    return result;
  }

  /** The types of a declaration, with new type variables for this call. */
  #instantiate(types: readonly CelType[]): CelType[] {
    const fresh = new Map<string, CelType>();
    const replace = (type: CelType): CelType => {
      if (type.kind === 'param') {
        const known = fresh.get(type.name) ?? this.#types.freshVariable();
        fresh.set(type.name, known);
        return known;
      }
      return type.parameters.length === 0 ? type : { ...type, parameters: type.parameters.map(replace) };
    };
    return types.map(replace);
  }

  #comprehension(expr: ComprehensionExpr): CelType {
    const range = this.#types.substitute(this.check(expr.range));
    const accumulator = this.check(expr.init);
    const [first, second] = this.#variables(expr, range);
    const outer = this.#scope;
    const inResult = new Map(outer).set(expr.accumulator, accumulator);
    const inLoop = new Map(inResult).set(expr.variable, first);
    if (expr.variable2 !== undefined) inLoop.set(expr.variable2, second);
    this.#scope = inLoop;
    this.#assertType(expr.condition, boolType);
    this.#assertType(expr.step, accumulator);
    this.#scope = inResult;
    const result = this.check(expr.result);
    this.#scope = outer;
    return this.#types.substitute(result);
  }

  #variables(expr: ComprehensionExpr, range: CelType): readonly [CelType, CelType] {
    const [first = dynType, second = dynType] = range.parameters;
    switch (range.kind) {
      case 'list':
        return expr.variable2 === undefined ? [first, dynType] : [intType, first];
      case 'map':
        return [first, second];
      case 'dyn':
      case 'error':
      case 'param':
        this.#types.isAssignable(dynType, range);
        return [dynType, dynType];
      default: {
        const type = formatType(range);
        const message = `expression of type '${type}' cannot be range of a comprehension (must be list, map, or dynamic)`;
        this.#report(expr.range.offset, message);
        return [errorType, errorType];
      }
    }
  }

  #unwrapped(expr: Expr, type: CelType, optional: boolean): CelType {
    if (!optional) return type;
    if (!isOptional(type) && type.kind !== 'dyn') this.#mismatch(expr, optionalType(type), type);
    return unwrapOptional(type);
  }

  #join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    if (this.#types.isAssignable(previous, current)) return mostGeneral(previous, current);
    // Mixed literals are rejected later, when those inside of format() can be distinguished.
    return dynType;
  }

  #assertType(expr: Expr, expected: CelType): void {
    const type = this.check(expr);
    if (!this.#types.isAssignable(expected, type)) this.#mismatch(expr, expected, type);
  }

  #mismatch(expr: Expr, expected: CelType, actual: CelType): void {
    this.#report(expr.offset, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  }

  #undeclared(offset: number, name: string): void {
    this.#report(offset, `undeclared reference to '${name}' (in container '')`);
  }

  #report(offset: number, message: string): void {
    this.issues.push(this.#source.issueAt(offset, message));
  }
}

/** `a.b.c` as one name, if the expression consists only of names. */
function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.testOnly || expr.optional) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

function unwrapOptional(type: CelType): CelType {
  return isOptional(type) ? (type.parameters[0] ?? dynType) : type;
}
