import { type AnyClass, recordOf } from './class-declarations.ts';
import type { EmbeddedResourceDeclaration } from './embedded-resource.ts';
import type { ElementsDeclaration } from './items.ts';
import type { ListTypeDeclaration } from './list-type.ts';
import type { SchemaKeywords } from './schema.ts';
import type { SharedSchemaDeclaration } from './schema-declaration.ts';

/** A class that describes a nested value, as a thunk so that import cycles and later declarations work. */
export type ClassThunk = () => AnyClass;

/** What a decorator of ours says of one property of an API class. */
export type PropertyDeclaration =
  | { readonly says: 'spec' }
  | { readonly says: 'status' }
  | { readonly says: 'conditions' }
  | { readonly says: 'nullable' }
  | { readonly says: 'default'; readonly value: unknown }
  | { readonly says: 'example'; readonly value: unknown }
  | { readonly says: 'format'; readonly format: string }
  | { readonly says: 'immutable' }
  | { readonly says: 'intOrString' }
  | { readonly says: 'quantity' }
  | { readonly says: 'duration' }
  | EmbeddedResourceDeclaration
  | { readonly says: 'schemaless' }
  | { readonly says: 'schema'; readonly keywords: SchemaKeywords }
  | ListTypeDeclaration
  | BoundDeclaration
  | { readonly says: 'recursive'; readonly levels: number }
  | ElementsDeclaration
  | SharedSchemaDeclaration
  /** The decorator stands on a static member, which is no part of the objects. */
  | { readonly says: 'static' };

/** A number that limits a value. */
export interface BoundDeclaration {
  readonly says: 'minProperties' | 'maxProperties' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf';
  readonly value: number;
}

/** A decorator of properties of objects; the compiler refuses it on a class and on static members. */
export type InstanceMemberDecorator = (target: object & { readonly prototype?: never }, property: string) => void;

/** A decorator that records one declaration of the property it stands on. */
export function declareProperty(declaration: PropertyDeclaration): InstanceMemberDecorator {
  return (target: object, property) => {
    // Compilers other than tsc let it stand on a static member, where the target is the class.
    const type = typeof target === 'function' ? (target as unknown as AnyClass) : (target.constructor as AnyClass);
    const declared = typeof target === 'function' ? ([declaration, { says: 'static' }] as const) : [declaration];
    const { properties } = recordOf(type);
    // Decorators run from the last to the first.
    properties.set(property, [...declared, ...(properties.get(property) ?? [])]);
  };
}
