import type { AnyClass } from '@evenkeel/core';
import { commonType, type ImpliedType } from '../constraints/constraint.ts';
import type { ClassSources, SourceModule } from '../source/class-sources.ts';
import type { ClassSource, SourceType } from '../source/source-file.ts';
import type { Discriminator } from './class-transformer.ts';

/** What one witness (source, initialiser, decorator metadata) says of a property's type. */
export type TypeCandidate =
  | { readonly is: 'string' | 'integer' | 'number' | 'boolean' | 'anyObject' | 'object' }
  | { readonly is: 'intOrString' | 'quantity' | 'duration' }
  | { readonly is: 'values'; readonly values: readonly (string | number | boolean)[] }
  | { readonly is: 'array'; readonly items?: TypeCandidate }
  | { readonly is: 'map'; readonly values?: TypeCandidate }
  | { readonly is: 'class'; readonly type: AnyClass; readonly source?: ClassSource }
  /** Subclasses of one class, told apart by a property. */
  | { readonly is: 'union'; readonly base: AnyClass; readonly discriminator: Discriminator }
  /**
   * It is known, and there is no schema for it; the message says what to do. Decorators may still say what the schema
   * is, unless the value is not JSON.
   */
  | { readonly is: 'problem'; readonly message: string; readonly isNotJson?: true };

/** A type as it is written, with what was taken out of its union. */
export interface WrittenType {
  readonly candidate: TypeCandidate;
  readonly allowsUndefined: boolean;
  readonly allowsNull: boolean;
}

/** Reads written types, following names to what they mean. */
export class WrittenTypes {
  readonly #sources: ClassSources;
  /** Classes seen at run time at this property, for names that lead to no module. */
  readonly #seen: readonly AnyClass[];

  constructor(sources: ClassSources, seen: readonly AnyClass[]) {
    this.#sources = sources;
    this.#seen = seen;
  }

  read(type: SourceType, from: ClassSource): WrittenType {
    const members = this.#membersOf(type, from, 0);
    const allowsUndefined = members.some((member) => member.type.is === 'undefined');
    const allowsNull = members.some((member) => member.type.is === 'null');
    const rest = members.filter((member) => member.type.is !== 'undefined' && member.type.is !== 'null');
    return { candidate: this.#union(rest), allowsUndefined, allowsNull };
  }

  /** The members of a union, aliases resolved and nested unions opened. */
  #membersOf(type: SourceType, from: ClassSource | SourceModule, depth: number): Member[] {
    if (depth > maxAliases) return [{ type: { is: 'other', text: 'a type that contains itself' }, from }];
    if (type.is === 'union') return type.of.flatMap((member) => this.#membersOf(member, from, depth + 1));
    if (type.is !== 'reference') return [{ type, from }];
    const resolved = this.#sources.resolve(type.name, from);
    return resolved?.is === 'type' ? this.#membersOf(resolved.type, resolved.module, depth + 1) : [{ type, from }];
  }

  #union(members: readonly Member[]): TypeCandidate {
    const literals = members.map(({ type }) => (type.is === 'literal' ? type.value : undefined));
    if (literals.length > 0 && !literals.includes(undefined)) {
      const values = [...new Set(literals.filter((value) => value !== undefined))];
      if (values.length === 2 && values.includes(true) && values.includes(false)) return { is: 'boolean' };
      return commonType(values) === undefined ? noSingleType : { is: 'values', values };
    }
    // 'a' | string is string.
    const wide = members.filter(({ type }) => type.is !== 'literal');
    const [first] = wide;
    if (first === undefined) return { is: 'problem', message: 'its type has no value that could be sent' };
    const isOneType = members.every(
      ({ type }) => type.is === first.type.is || (type.is === 'literal' && typeof type.value === first.type.is),
    );
    if (wide.length > 1 && !(isOneType && isScalarName(first.type.is))) return noSingleType;
    return isOneType ? this.#single(first) : noSingleType;
  }

  #single({ type, from }: Member): TypeCandidate {
    switch (type.is) {
      case 'string':
      case 'number':
      case 'boolean':
        return { is: type.is };
      case 'array':
        return { is: 'array', items: this.#union(this.#membersOf(type.items, from, 0)) };
      case 'record':
        if (type.values.is === 'unknown') return { is: 'anyObject' };
        return { is: 'map', values: this.#union(this.#membersOf(type.values, from, 0)) };
      case 'reference':
        return this.#reference(type.name, from);
      case 'other': {
        const collection = /^(?:Readonly)?(Map|Set)</.exec(type.text)?.[1];
        if (collection !== undefined) return collection === 'Map' ? notMap : notSet;
        return { is: 'problem', message: `${type.text} has no counterpart in a schema; ${whatServes}` };
      }
      default:
        return { is: 'problem', message: `its type says nothing; ${whatServes}` };
    }
  }

  #reference(name: string, from: ClassSource | SourceModule): TypeCandidate {
    const resolved = this.#sources.resolve(name, from);
    if (resolved?.is === 'interface') {
      return {
        is: 'problem',
        message: `${name} is an interface, which is gone when the program runs; make it a class`,
      };
    }
    const type =
      (resolved?.is === 'class' ? resolved.type : undefined) ?? this.#seen.find((seen) => seen.name === name);
    if (type !== undefined) {
      const source = resolved?.is === 'class' ? resolved.source : undefined;
      return { is: 'class', type, ...(source === undefined ? {} : { source }) };
    }
    if (name === 'Date') {
      return { is: 'problem', message: 'times are strings in RFC 3339; declare it as a string with @IsRFC3339()' };
    }
    if (name === 'Condition') return { is: 'problem', message: 'add @Conditions(), which gives the list its schema' };
    if (name === 'object' || name === 'Object') return { is: 'object' };
    const mend = resolved === undefined ? `add @Type(() => ${name})` : `export ${name}, or add @Type(() => ${name})`;
    return { is: 'problem', message: `the class ${name} cannot be reached from here; ${mend}` };
  }
}

interface Member {
  readonly type: SourceType;
  readonly from: ClassSource | SourceModule;
}

const maxAliases = 20;

const whatServes = 'use string, number, boolean, a union of literals, an array, Record<string, X> or a class';

const noSingleType: TypeCandidate = {
  is: 'problem',
  message: `a structural schema has one type for each property, and this union has more; ${whatServes}`,
};

function isScalarName(is: SourceType['is']): boolean {
  return is === 'string' || is === 'number' || is === 'boolean';
}

/** What an initialiser's value says. */
export function candidateOfValue(value: unknown): TypeCandidate | undefined {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return { is: typeof value as 'string' | 'number' | 'boolean' };
    case 'object': {
      if (value === null) return undefined;
      if (Array.isArray(value)) {
        const items = value.length === 0 ? undefined : candidateOfValue(value[0]);
        return items === undefined ? { is: 'array' } : { is: 'array', items };
      }
      const special = notJson(value.constructor);
      if (special !== undefined) return special;
      const type: unknown = value.constructor;
      return isApiClass(type) ? { is: 'class', type } : { is: 'object' };
    }
    default:
      return undefined;
  }
}

/**
 * What the compiler's `design:type` says. Only a hint: compilers differ in it, and it is `Object` for whatever is not a
 * class.
 */
export function candidateOfDesignType(type: unknown): TypeCandidate | undefined {
  if (type === String) return { is: 'string' };
  if (type === Number) return { is: 'number' };
  if (type === Boolean) return { is: 'boolean' };
  if (type === Array) return { is: 'array' };
  const special = notJson(type);
  if (special !== undefined) return special;
  return isApiClass(type) ? { is: 'class', type } : undefined;
}

const notMap: TypeCandidate = {
  is: 'problem',
  message: 'objects are the JSON on the wire, which has no Map; declare it as Record<string, X>',
  isNotJson: true,
};

const notSet: TypeCandidate = {
  is: 'problem',
  message: 'objects are the JSON on the wire, which has no Set; declare it as an array with @ArrayUnique()',
  isNotJson: true,
};

function notJson(type: unknown): TypeCandidate | undefined {
  if (type === Map) return notMap;
  return type === Set ? notSet : undefined;
}

const builtIn: ReadonlySet<unknown> = new Set([
  Object,
  Function,
  Promise,
  Date,
  Map,
  Set,
  RegExp,
  Symbol,
  BigInt,
  Error,
]);

export function isApiClass(type: unknown): type is AnyClass {
  return typeof type === 'function' && type.prototype !== undefined && !builtIn.has(type);
}

/** The type of value a candidate stands for, in the words of {@link ImpliedType}. */
export function kindOf(candidate: TypeCandidate): ImpliedType | undefined {
  switch (candidate.is) {
    case 'values':
      return commonType(candidate.values);
    case 'map':
    case 'class':
    case 'union':
    case 'anyObject':
      return 'object';
    case 'duration':
      return 'string';
    case 'intOrString':
    case 'quantity':
    case 'problem':
      return undefined;
    default:
      return candidate.is;
  }
}
