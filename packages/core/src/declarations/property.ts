import type { EmbeddedResourceDeclaration } from '../decorators/embedded-resource.ts';
import type { ElementsDeclaration } from '../decorators/items.ts';
import type { ListTypeDeclaration } from '../decorators/list-type.ts';
import type { SchemaKeywords } from '../decorators/schema.ts';
import { type AnyClass, recordOf } from './class-declarations.ts';
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
  /** The decorator stands where no property of objects is: on a static member, or on one that a symbol names. */
  | { readonly says: 'misplaced'; readonly on: 'static' | 'symbol' };

/** A number that limits a value. */
export interface BoundDeclaration {
  readonly says: 'minProperties' | 'maxProperties' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf';
  readonly value: number;
}

/** An object as decorators of its members meet it: not a class, as for static members. */
export type Prototype = object & { readonly constructor: unknown; readonly prototype?: never };

/** A decorator of properties of objects: a `PropertyDecorator` that the compiler refuses on a class and on static members. */
export type InstanceMemberDecorator = (target: Prototype, property: string | symbol) => void;

/** A decorator that records one declaration of the property it stands on. */
export function declareProperty(declaration: PropertyDeclaration): InstanceMemberDecorator {
  return (target: object, property) => {
    const declared: PropertyDeclaration[] = [declaration];
    if (typeof property === 'symbol') declared.push({ says: 'misplaced', on: 'symbol' });
    // Compilers that do not check types let it stand on a static member, where the target is the class.
    const isStatic = typeof target === 'function';
    if (isStatic) declared.push({ says: 'misplaced', on: 'static' });
    const { properties } = recordOf((isStatic ? target : target.constructor) as AnyClass);
    const name = String(property);
    // Decorators run from the last to the first.
    properties.set(name, [...declared, ...(properties.get(name) ?? [])]);
  };
}
