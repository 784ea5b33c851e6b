import type { AnyClass, PropertyDeclaration } from '@evenkeel/core';
import type { SourceLocation } from '../finding.ts';
import type { ConstraintUse } from './constraint-metadata.ts';

/**
 * A decorated class with all that is known of it: what decorators say, what its source says, and what its initialisers
 * give. Everything the schema is made of stands here; nothing further down reads metadata.
 */
export interface ApiClass {
  readonly type: AnyClass;
  readonly name: string;
  readonly description?: string;
  readonly location?: SourceLocation;
  /** In the order of their names. */
  readonly properties: readonly ApiProperty[];
}

export interface ApiProperty {
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
  /** The JSON its initialiser gives; undefined where there is none. */
  readonly initialValue?: unknown;
  readonly constraints: readonly ConstraintUse[];
  readonly says: readonly PropertyDeclaration[];
}

export type PropertyType =
  | { readonly is: 'string' | 'integer' | 'number' | 'boolean' }
  | { readonly is: 'values'; readonly values: readonly (string | number | boolean)[] }
  | { readonly is: 'array'; readonly items: PropertyType }
  | { readonly is: 'map'; readonly values: PropertyType }
  | { readonly is: 'object'; readonly class: ApiClass }
  | { readonly is: 'conditions' }
  /** Any JSON object; nothing below it is pruned. */
  | { readonly is: 'anyObject' }
  /** Not known; the reason has been reported. */
  | { readonly is: 'unknown' };
