import type { RuleDeclaration } from '../decorators/rule.ts';
import { type AnyClass, recordOf } from './class-declarations.ts';
import { declareProperty, type Prototype } from './property.ts';

/** What a decorator says of the schema of a class or of a property. */
export type SharedSchemaDeclaration =
  | RuleDeclaration
  | { readonly says: 'title'; readonly text: string }
  | { readonly says: 'externalDocs'; readonly url: string; readonly description?: string }
  | { readonly says: 'mapType'; readonly type: 'atomic' | 'granular' }
  | { readonly says: 'preserveUnknownFields' };

/** What a decorator says of the schema of a class: of every object that the class describes. */
export type SchemaDeclaration =
  | SharedSchemaDeclaration
  | {
      readonly says: 'members';
      readonly set: 'exactlyOne' | 'atMostOne' | 'atLeastOne';
      readonly of: readonly string[];
    }
  | {
      readonly says: 'union';
      readonly discriminator: string;
      readonly variants: Readonly<Record<string, string | undefined>>;
    };

/** A decorator of classes and of properties of objects. */
export interface SchemaDecorator {
  (target: AnyClass): void;
  (target: Prototype, property: string | symbol): void;
}

/** A decorator that records one declaration of the schema of a class. */
export function declareSchema(declaration: SchemaDeclaration): (target: AnyClass) => void {
  return (target) => {
    // Decorators of a class run from the last to the first.
    recordOf(target).schema.unshift(declaration);
  };
}

/** A decorator that records one declaration of the class or of the property it stands on. */
export function declareEither(declaration: SharedSchemaDeclaration): SchemaDecorator {
  return (target: object, property?: string | symbol) => {
    if (property === undefined) declareSchema(declaration)(target as AnyClass);
    else declareProperty(declaration)(target as Prototype, property);
  };
}
