import { declare, type Recording, recordField } from './class-record.ts';
import type { AnyClass } from './class-reference.ts';
import type { RuleDeclaration } from './rule-declaration.ts';
import type { SchemaKeywords } from './schema-keywords.ts';

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

/** What a decorator says of the schema of a class or of a property. */
export type SharedSchemaDeclaration =
  | RuleDeclaration
  | { readonly says: 'title'; readonly text: string }
  | { readonly says: 'externalDocs'; readonly url: string; readonly description?: string }
  | { readonly says: 'mapType'; readonly type: 'atomic' | 'granular' }
  | { readonly says: 'preserveUnknownFields' };

export interface EmbeddedResourceOptions {
  /**
   * Writes name, namespace, labels, annotations and finalizers of the metadata into the schema, so that documentation
   * and CEL rules know them. The API server keeps and checks the metadata of an embedded resource either way.
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

/** What decorators say of the elements of a list or of a map. */
export interface ElementsDeclaration {
  readonly says: 'items' | 'values';
  /** A class of its own, on whose property `element` the decorators stand. */
  readonly element: AnyClass;
  /** What was given in place of decorators; empty where all is well. */
  readonly mistaken: readonly unknown[];
}

/** A number that limits a value. */
export interface BoundDeclaration {
  readonly says: 'minProperties' | 'maxProperties' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf';
  readonly value: number;
}

/** An object as decorators of its members meet it: not a class, as for static members. */
export type Prototype = object & { readonly constructor: unknown; readonly prototype?: never };

/** A decorator of properties of objects: a `PropertyDecorator` that the compiler refuses on a class and on static members. */
export type InstanceMemberDecorator = (target: Prototype, property: string | symbol) => void;

/** What the decorators of one property, as often as they stand there, record of it; in source order. */
export interface PropertyDeclarations {
  readonly property: string;
  readonly declarations: readonly PropertyDeclaration[];
}

/** A property that the class declares again replaces what its base said of it. */
const byProperty: Recording<PropertyDeclarations, Map<string, readonly PropertyDeclaration[]>> = {
  empty: () => new Map(),
  // Decorators run from the last to the first.
  add: (own, { property, declarations }) => own.set(property, [...declarations, ...(own.get(property) ?? [])]),
  inherit: (inherited, own) => new Map([...inherited, ...own]),
};

/** What the decorators of properties record, by the names of properties. */
export const properties = recordField('properties', byProperty);

/** A decorator that records one declaration of the property it stands on. */
export function declareProperty(declaration: PropertyDeclaration): InstanceMemberDecorator {
  return (target: object, property) => {
    const declarations: PropertyDeclaration[] = [declaration];
    if (typeof property === 'symbol') declarations.push({ says: 'misplaced', on: 'symbol' });
    // Compilers that do not check types let it stand on a static member, where the target is the class.
    if (typeof target === 'function') declarations.push({ says: 'misplaced', on: 'static' });
    declare(properties, target, { property: String(property), declarations });
  };
}
