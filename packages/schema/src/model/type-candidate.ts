import type { AnyClass } from '@evenkeel/core';
import { schemaDefinitionOf } from '@evenkeel/kinds';
import { commonType, type ImpliedType } from '../constraints/rule/constraint.ts';
import type { ClassSource } from '../source/source-file.ts';
import type { Discriminator } from './class-transformer.ts';
import type { ObjectChange } from './object-change.ts';

/** A property's type according to one witness (source, initialiser, decorator metadata). */
export type TypeCandidate =
  | { readonly is: 'string' | 'integer' | 'number' | 'boolean' | 'anyObject' | 'object' }
  | { readonly is: 'intOrString' | 'quantity' | 'duration' | 'conditions' }
  | { readonly is: 'values'; readonly values: readonly (string | number | boolean)[] }
  /** `hasNulls`: the declared type allows null elements. */
  | {
      readonly is: 'array';
      readonly items?: TypeCandidate;
      readonly hasNulls?: true;
      readonly minItems?: number;
      readonly maxItems?: number;
    }
  | { readonly is: 'map'; readonly values?: TypeCandidate; readonly hasNulls?: true }
  | {
      readonly is: 'class';
      readonly type: AnyClass;
      readonly source?: ClassSource;
      readonly changes?: readonly ObjectChange[];
    }
  /** A Kubernetes type, by the name of its definition. */
  | { readonly is: 'builtIn'; readonly definition: string; readonly changes: readonly ObjectChange[] }
  /** Subclasses of one class, with a discriminator. */
  | { readonly is: 'union'; readonly base: AnyClass; readonly discriminator: Discriminator }
  /**
   * A known type without a schema; the message has the fix. Decorators may still determine the schema, unless the value is
   * not JSON, or is of one of several types.
   */
  | {
      readonly is: 'problem';
      readonly message: string;
      readonly isNotJson?: true;
      /** The types in JSON that a union has, of which a schema can have only one. Undefined if they are not known. */
      readonly types?: readonly ImpliedType[];
    };

/** The type of an initialiser's value. */
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
      return isApiClass(type) ? candidateOfClass(type) : { is: 'object' };
    }
    default:
      return undefined;
  }
}

/**
 * The type in the compiler's `design:type`. It is only a hint: compilers differ, and it is `Object` for every type that is
 * not a class.
 */
export function candidateOfDesignType(type: unknown): TypeCandidate | undefined {
  if (type === String) return { is: 'string' };
  if (type === Number) return { is: 'number' };
  if (type === Boolean) return { is: 'boolean' };
  if (type === Array) return { is: 'array' };
  const special = notJson(type);
  if (special !== undefined) return special;
  return isApiClass(type) ? candidateOfClass(type) : undefined;
}

/** A user's class, or a class that represents a Kubernetes type. */
export function candidateOfClass(type: AnyClass): TypeCandidate {
  const definition = schemaDefinitionOf(type);
  return definition === undefined ? { is: 'class', type } : { is: 'builtIn', definition, changes: [] };
}

const notMap: TypeCandidate = {
  is: 'problem',
  message: 'objects are exactly their JSON, which has no Map; declare it as Record<string, X>',
  isNotJson: true,
};

const notSet: TypeCandidate = {
  is: 'problem',
  message: 'objects are exactly their JSON, which has no Set; declare it as an array with @ArrayUnique()',
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

/** The type of a candidate's values, as {@link ImpliedType}. */
export function kindOf(candidate: TypeCandidate): ImpliedType | undefined {
  switch (candidate.is) {
    case 'values':
      return commonType(candidate.values);
    case 'map':
    case 'class':
    case 'builtIn':
    case 'union':
    case 'anyObject':
      return 'object';
    case 'duration':
      return 'string';
    case 'conditions':
      return 'array';
    case 'intOrString':
    case 'quantity':
    case 'problem':
      return undefined;
    default:
      return candidate.is;
  }
}
