import type { AnyClass, PropertyDeclaration, SchemaDeclaration } from '@evenkeel/core';
import type { BuiltInType } from '../builtin/built-in-types.ts';
import type { ConstraintUse } from '../constraints/constraint-metadata.ts';
import type { SourceLocation } from '../finding/finding.ts';
import type { ObjectChange } from './object-change.ts';

/**
 * A decorated class with all that is known of it: what decorators say, what its source says, and what its initialisers
 * give. Everything the schema is made of stands here; nothing further down reads metadata.
 */
export interface ApiClass {
  readonly type: AnyClass;
  readonly name: string;
  readonly description?: string;
  readonly location?: SourceLocation;
  /** The type of Kubernetes' own that it extends; its properties are not among these. */
  readonly base?: BuiltInType;
  /** In the order of their names. */
  readonly properties: readonly ApiProperty[];
  /** What decorators of the class say of its schema; those of base classes first. */
  readonly says: readonly SchemaDeclaration[];
  /** It stands for an interface or a type in braces, of which nothing is known when the program runs. */
  readonly isInterface?: true;
  /** The classes it stands for, where `@Type` names several by a discriminator; its properties are those of all of them. */
  readonly union?: ApiUnion;
}

/** Several classes, told apart by the value of one property. */
export interface ApiUnion {
  readonly discriminator: string;
  readonly variants: readonly { readonly value: string; readonly class: ApiClass }[];
}

/** What decorators say of one value: of a property, or of the elements of one. */
export interface ApiValue {
  readonly constraints: readonly ConstraintUse[];
  readonly says: readonly PropertyDeclaration[];
}

export interface ApiProperty extends ApiValue {
  readonly name: string;
  /** The class it belongs to, for messages. */
  readonly className: string;
  readonly description?: string;
  readonly location?: SourceLocation;
  readonly type: PropertyType;
  /** The user says that it may be missing: `?`, `| undefined` or `@IsOptional()`. */
  readonly isOptional: boolean;
  /** A missing value is refused. */
  readonly isRequired: boolean;
  /** The JSON that stands in for a missing value, from `@Default` or its initialiser; undefined where there is none. */
  readonly defaultValue?: unknown;
}

export type PropertyType =
  | { readonly is: 'string' | 'integer' | 'number' | 'boolean' }
  | { readonly is: 'values'; readonly values: readonly (string | number | boolean)[] }
  /** `element` is what `@Items` and `@Values` say of the elements. */
  | {
      readonly is: 'array';
      readonly items: PropertyType;
      readonly element?: ApiValue;
      /** How many there are, where a tuple says so. */
      readonly minItems?: number;
      readonly maxItems?: number;
    }
  | { readonly is: 'map'; readonly values: PropertyType; readonly element?: ApiValue }
  | { readonly is: 'object'; readonly class: ApiClass }
  /** A whole Kubernetes object; of any kind without a class. */
  | { readonly is: 'embedded'; readonly class?: ApiClass; readonly builtIn?: BuiltInType; readonly metadata: boolean }
  | { readonly is: 'builtIn'; readonly type: BuiltInType; readonly changes: readonly ObjectChange[] }
  | { readonly is: 'conditions' }
  | { readonly is: 'intOrString' | 'quantity' | 'duration' }
  /** Any JSON object; nothing below it is pruned. */
  | { readonly is: 'anyObject' }
  /** Any JSON value; nothing below it is pruned. */
  | { readonly is: 'anyValue' }
  /** Only what decorators of ours write. */
  | { readonly is: 'schemaless' }
  /** Not known; the reason has been reported. */
  | { readonly is: 'unknown' };
