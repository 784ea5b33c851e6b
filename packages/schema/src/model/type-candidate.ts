import type { AnyClass } from '@evenkeel/core';
import { schemaDefinitionOf } from '@evenkeel/kinds';
import { commonType, type ImpliedType } from '../constraints/rule/constraint.ts';
import type { ClassSource } from '../source/source-file.ts';
import type { Discriminator } from './class-transformer.ts';
import type { ObjectChange } from './object-change.ts';

/** What one witness (source, initialiser, decorator metadata) says of a property's type. */
export type TypeCandidate =
  | { readonly is: 'string' | 'integer' | 'number' | 'boolean' | 'anyObject' | 'object' }
  | { readonly is: 'intOrString' | 'quantity' | 'duration' | 'conditions' }
  | { readonly is: 'values'; readonly values: readonly (string | number | boolean)[] }
  /** `hasNulls`: its elements may be null by their declared type. */
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
  /** One of Kubernetes' own, by the name of its definition. */
  | { readonly is: 'builtIn'; readonly definition: string; readonly changes: readonly ObjectChange[] }
  /** Subclasses of one class, told apart by a property. */
  | { readonly is: 'union'; readonly base: AnyClass; readonly discriminator: Discriminator }
  /**
   * It is known, and there is no schema for it; the message says what to do. Decorators may still say what the schema
   * is, unless the value is not JSON.
   */
  | { readonly is: 'problem'; readonly message: string; readonly isNotJson?: true };

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
      return isApiClass(type) ? candidateOfClass(type) : { is: 'object' };
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
  return isApiClass(type) ? candidateOfClass(type) : undefined;
}

/** A class of the user's, or one that stands for a type of Kubernetes' own. */
export function candidateOfClass(type: AnyClass): TypeCandidate {
  const definition = schemaDefinitionOf(type);
  return definition === undefined ? { is: 'class', type } : { is: 'builtIn', definition, changes: [] };
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
