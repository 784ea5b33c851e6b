import type { AnyClass, PropertyDeclaration, SchemaDeclaration } from '@evenkeel/core';
import type { BuiltInType } from '../builtin/built-in-types.ts';
import type { ConstraintUse } from '../constraints/constraint-metadata.ts';
import type { SourceLocation } from '../finding/finding.ts';
import type { ObjectChange } from './object-change.ts';

/**
 * A decorated class with all information from its decorators, its source and its initialisers. The schema is generated only
 * from this; no later step reads metadata.
 */
export interface ApiClass {
  readonly type: AnyClass;
  readonly name: string;
  readonly description?: string;
  readonly location?: SourceLocation;
  /** The Kubernetes type that it extends; `properties` does not contain the properties of that type. */
  readonly base?: BuiltInType;
  /** Sorted by name. */
  readonly properties: readonly ApiProperty[];
  /** The class decorators about its schema; those of base classes first. */
  readonly says: readonly SchemaDeclaration[];
  /** Set for an interface or an object type literal, which does not exist at run time. */
  readonly isInterface?: true;
  /** The classes of a union with a discriminator. `properties` has the properties of all of them. */
  readonly union?: ApiUnion;
}

/** Several classes that the value of one property distinguishes. */
export interface ApiUnion {
  readonly discriminator: string;
  readonly variants: readonly { readonly value: string; readonly class: ApiClass }[];
}

/** The decorators of one value: of a property, or of its elements. */
export interface ApiValue {
  readonly constraints: readonly ConstraintUse[];
  readonly says: readonly PropertyDeclaration[];
}

export interface ApiProperty extends ApiValue {
  readonly name: string;
  /** The class that declares it, for messages. */
  readonly className: string;
  readonly description?: string;
  readonly location?: SourceLocation;
  readonly type: PropertyType;
  /** The user declares that it may be missing: `?`, `| undefined` or `@IsOptional()`. */
  readonly isOptional: boolean;
  /** A missing value is rejected. */
  readonly isRequired: boolean;
  /** The JSON that replaces a missing value, from `@Default` or the initialiser; undefined if there is none. */
  readonly defaultValue?: unknown;
}

export type PropertyType =
  | { readonly is: 'string' | 'integer' | 'number' | 'boolean' }
  | { readonly is: 'values'; readonly values: readonly (string | number | boolean)[] }
  /** `element` has the decorators of the elements from `@Items` and `@Values`. */
  | {
      readonly is: 'array';
      readonly items: PropertyType;
      readonly element?: ApiValue;
      /** The number of items of a tuple. */
      readonly minItems?: number;
      readonly maxItems?: number;
    }
  | { readonly is: 'map'; readonly values: PropertyType; readonly element?: ApiValue }
  | { readonly is: 'object'; readonly class: ApiClass }
  /** A whole Kubernetes object; without a class, of any kind. */
  | { readonly is: 'embedded'; readonly class?: ApiClass; readonly builtIn?: BuiltInType; readonly metadata: boolean }
  | { readonly is: 'builtIn'; readonly type: BuiltInType; readonly changes: readonly ObjectChange[] }
  | { readonly is: 'conditions' }
  | { readonly is: 'intOrString' | 'quantity' | 'duration' }
  /** Any JSON object; nothing below it is pruned. */
  | { readonly is: 'anyObject' }
  /** Any JSON value; nothing below it is pruned. */
  | { readonly is: 'anyValue' }
  /** Only keywords that Evenkeel's decorators write. */
  | { readonly is: 'schemaless' }
  /** Unknown; the reason has been reported. */
  | { readonly is: 'unknown' };
