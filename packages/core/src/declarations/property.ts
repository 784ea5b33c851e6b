import { declare, type Recording, recordField } from './class-record.ts';
import type { AnyClass } from './class-reference.ts';
import type { RuleDeclaration } from './rule-declaration.ts';
import type { SchemaKeywords } from './schema-keywords.ts';

/** A function that returns the class of a nested value. It allows import cycles and classes that are declared later. */
export type ClassThunk = () => AnyClass;

/** A declaration of an Evenkeel decorator on a property of an API class. */
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
  /** The decorator is not on a property of objects, but on a static member or on one with a symbol as its name. */
  | { readonly says: 'misplaced'; readonly on: 'static' | 'symbol' };

/** A declaration about the schema of a class or of a property. */
export type SharedSchemaDeclaration =
  | RuleDeclaration
  | { readonly says: 'title'; readonly text: string }
  | { readonly says: 'externalDocs'; readonly url: string; readonly description?: string }
  | { readonly says: 'mapType'; readonly type: 'atomic' | 'granular' }
  | { readonly says: 'preserveUnknownFields' };

/** The options of `@EmbeddedResource`. */
export interface EmbeddedResourceOptions {
  /**
   * Writes name, namespace, labels, annotations and finalizers of the metadata into the schema, so that documentation has them
   * and CEL rules can use them. The API server keeps and checks the metadata of an embedded resource in any case.
   */
  metadata?: true;
}

export interface EmbeddedResourceDeclaration extends EmbeddedResourceOptions {
  readonly says: 'embeddedResource';
  readonly type?: AnyClass | ClassThunk;
}

export interface ListTypeDeclaration {
  readonly says: 'listType';
  readonly type: 'atomic' | 'set' | 'map';
  readonly keys: readonly string[];
}

/** The declarations about the elements of a list or of a map. */
export interface ElementsDeclaration {
  readonly says: 'items' | 'values';
  /** A dedicated class. The decorators are on its property `element`. */
  readonly element: AnyClass;
  /** The arguments that are not decorators. */
  readonly mistaken: readonly unknown[];
}

/** A number that limits a value. */
export interface BoundDeclaration {
  readonly says: 'minProperties' | 'maxProperties' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf';
  readonly value: number;
}

/** The target of a decorator of an instance member. A static member has the class as its target, which this type excludes. */
export type Prototype = object & { readonly constructor: unknown; readonly prototype?: never };

/** A decorator of properties of objects: a `PropertyDecorator` that the compiler rejects on classes and on static members. */
export type InstanceMemberDecorator = (target: Prototype, property: string | symbol) => void;

/** The declarations of one property, in source order. */
export interface PropertyDeclarations {
  readonly property: string;
  readonly declarations: readonly PropertyDeclaration[];
}

/** If the class declares a property again, the base's declarations of that property are dropped. */
const byProperty: Recording<PropertyDeclarations, Map<string, readonly PropertyDeclaration[]>> = {
  empty: () => new Map(),
  // Decorators run from the last to the first.
  add: (own, { property, declarations }) => own.set(property, [...declarations, ...(own.get(property) ?? [])]),
  inherit: (inherited, own) => new Map([...inherited, ...own]),
};

/** The record of all property decorators, by property name. */
export const properties = recordField('properties', byProperty);

/** Returns a decorator that records one declaration for its property. */
export function declareProperty(declaration: PropertyDeclaration): InstanceMemberDecorator {
  return (target: object, property) => {
    const declarations: PropertyDeclaration[] = [declaration];
    if (typeof property === 'symbol') declarations.push({ says: 'misplaced', on: 'symbol' });
    // Compilers without type checks accept it on a static member, where the target is the class.
    if (typeof target === 'function') declarations.push({ says: 'misplaced', on: 'static' });
    declare(properties, target, { property: String(property), declarations });
  };
}
