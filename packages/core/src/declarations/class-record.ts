import 'reflect-metadata';
import type { AnyClass } from './class-reference.ts';
import { inheritanceChain } from './inheritance-chain.ts';

/**
 * How the declarations of one decorator are recorded and inherited. `D` is one declaration, `V` the value for a class. Values
 * are unchecked data. `plan` and `schema` read and check them later, all at once.
 */
export interface Recording<D, V> {
  /** The value for a class without such a declaration. */
  empty(): V;
  /** Adds a declaration to those of the class itself; it may change `own`. */
  add(own: V, declaration: D): V;
  /** The value for a class that declares `own` itself and whose base class has `inherited`. It changes neither. */
  inherit(inherited: V, own: V, target: AnyClass): V;
}

/** A field of the record of a class. */
export interface RecordField<N extends string = string, D = unknown, V = unknown> extends Recording<D, V> {
  readonly name: N;
}

export function recordField<const N extends string, D, V>(name: N, recording: Recording<D, V>): RecordField<N, D, V> {
  return { name, ...recording };
}

/** For a class decorator that is used once. The class's own declaration overrides an inherited one. */
export function single<D>(): Recording<D, D | undefined> {
  return {
    empty: () => undefined,
    add: (_own, declaration) => declaration,
    inherit: (inherited, own) => own ?? inherited,
  };
}

/** For a class decorator that can be repeated. The value has the base's declarations, then the class's own, in source order. */
export function listed<D>(): Recording<D, readonly D[]> {
  return {
    empty: () => [],
    // Decorators of a class run from the last to the first.
    add: (own, declaration) => [declaration, ...own],
    inherit: (inherited, own) => [...inherited, ...own],
  };
}

/** For a decorator of methods. If the class declares a method again, the base's declarations of that method are dropped. */
export function byMethod<D extends { readonly method: string }>(): Recording<D, readonly D[]> {
  return {
    empty: () => [],
    add: (own, declaration) => [...own, declaration],
    inherit: (inherited, own) => {
      const redeclared = new Set(own.map(({ method }) => method));
      return [...inherited.filter(({ method }) => !redeclared.has(method)), ...own];
    },
  };
}

/** Keyed by the names of fields, so that two copies of this package can read each other's records. */
type ClassRecord = Record<string, unknown>;

const recordKey = Symbol.for('evenkeel.declarations');

/**
 * Records a declaration on a class, never on its base class. `target` is the target of the decorator: the class, or its
 * prototype for a member that is not static.
 */
export function declare<D, V>(field: RecordField<string, D, V>, target: object, declaration: NoInfer<D>): void {
  const declaring = (typeof target === 'function' ? target : target.constructor) as AnyClass;
  const own = ownRecordOf(declaring) ?? {};
  const value = field.name in own ? (own[field.name] as V) : field.empty();
  own[field.name] = field.add(value, declaration);
  Reflect.defineMetadata(recordKey, own, declaring);
}

/** Returns the declarations of a class and its base classes. */
export function declared<V>(field: RecordField<string, never, V>, target: AnyClass): V {
  return inherited(field, chainOf(target));
}

/** The same for several fields, by their names. */
export function declaredTogether(fields: readonly RecordField[], target: AnyClass): Record<string, unknown> {
  const chain = chainOf(target);
  const all: Record<string, unknown> = {};
  for (const field of fields) all[field.name] = inherited(field, chain);
  return all;
}

/** Reports whether a class or one of its base classes has such a declaration. */
export function declares(field: Pick<RecordField, 'name'>, target: AnyClass): boolean {
  return chainOf(target).some(({ own }) => own !== undefined && field.name in own);
}

/** Returns the class's own declarations by field name; undefined if it has no decorator of Evenkeel. */
export function ownRecordOf(target: AnyClass): ClassRecord | undefined {
  return Reflect.getOwnMetadata(recordKey, target) as ClassRecord | undefined;
}

interface RecordedClass {
  readonly target: AnyClass;
  readonly own: ClassRecord | undefined;
}

/** Returns a class and its base classes, starting with the topmost base. */
function chainOf(target: AnyClass): readonly RecordedClass[] {
  return inheritanceChain(target)
    .map((current) => ({ target: current, own: ownRecordOf(current) }))
    .reverse();
}

function inherited<V>(field: RecordField<string, never, V>, chain: readonly RecordedClass[]): V {
  let value = field.empty();
  for (const { target, own } of chain) {
    value = field.inherit(value, (own?.[field.name] as V | undefined) ?? field.empty(), target);
  }
  return value;
}
