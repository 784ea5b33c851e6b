import { type CelType, dynType, isSameType, typeParameter } from '../value/type.ts';

/**
 * The current bindings of type variables. Assignability is upstream's (cel-go v0.26 `checker/types.go`): a failed attempt
 * does not change the bindings.
 */
export class TypeSubstitution {
  #bound: Map<string, CelType>;
  #fresh = 0;

  constructor() {
    this.#bound = new Map();
  }

  freshVariable(): CelType {
    return typeParameter(`_var${this.#fresh++}`);
  }

  isAssignable(to: CelType, from: CelType): boolean {
    return this.isAssignableList([to], [from]);
  }

  isAssignableList(a: readonly CelType[], b: readonly CelType[]): boolean {
    const saved = this.#bound;
    this.#bound = new Map(saved);
    if (this.#listAssignable(a, b)) return true;
    this.#bound = saved;
    return false;
  }

  /** Replaces bound variables; unbound ones stay, or become dyn when `toDyn`. */
  substitute(type: CelType, toDyn = false): CelType {
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      if (bound !== undefined) return this.substitute(bound, toDyn);
      return toDyn ? dynType : type;
    }
    if (type.parameters.length === 0) return type;
    return { ...type, parameters: type.parameters.map((parameter) => this.substitute(parameter, toDyn)) };
  }

  #listAssignable(a: readonly CelType[], b: readonly CelType[]): boolean {
    return a.length === b.length && a.every((type, i) => this.#assignable(type, b[i] ?? dynType));
  }

  #assignable(a: CelType, b: CelType): boolean {
    if (b.kind === 'param') {
      const attempt = this.#bind(a, b);
      if (attempt === 'valid') return true;
      if (attempt === 'conflict') return false;
    }
    if (a.kind === 'param') return this.#bind(b, a) === 'valid';
    if (isDynOrError(a) || isDynOrError(b)) return true;
    if (a.kind === 'null') return isNullable(b);
    if (b.kind === 'null') return isNullable(a);
    if (a.kind === 'type') return b.kind === 'type';
    if (a.kind !== b.kind || a.name !== b.name) return false;
    return this.#listAssignable(a.parameters, b.parameters);
  }

  /** Tries to bind the variable to the type. */
  #bind(type: CelType, variable: CelType): 'valid' | 'conflict' | 'impossible' {
    if (isSameType(type, variable)) return 'valid';
    const bound = this.#bound.get(variable.name);
    if (bound !== undefined) {
      if (isSameType(type, bound)) return 'valid';
      if (!this.#assignable(type, bound)) return 'conflict';
      const general = mostGeneral(type, bound);
      if (!this.#occurs(variable, general)) this.#bound.set(variable.name, general);
      return 'valid';
    }
    if (this.#occurs(variable, type)) return 'impossible';
    this.#bound.set(variable.name, type);
    return 'valid';
  }

  #occurs(variable: CelType, within: CelType): boolean {
    if (isSameType(variable, within)) return true;
    if (within.kind === 'param') {
      const bound = this.#bound.get(within.name);
      return bound !== undefined && this.#occurs(variable, bound);
    }
    return within.parameters.some((parameter) => this.#occurs(variable, parameter));
  }
}

/** The less specific of two compatible types. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isEqualOrLessSpecific(a, b) ? a : b;
}

export function isDynOrError(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}

function isEqualOrLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param') return false;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((parameter, i) => isEqualOrLessSpecific(parameter, b.parameters[i] ?? dynType));
}

function isNullable(type: CelType): boolean {
  switch (type.kind) {
    case 'null':
    case 'opaque':
    case 'struct':
    case 'duration':
    case 'timestamp':
      return true;
    default:
      return false;
  }
}
