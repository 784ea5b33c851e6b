import { declare, listed, recordField } from './class-record.ts';
import type { AnyClass } from './class-reference.ts';
import { declareProperty, type Prototype, type SharedSchemaDeclaration } from './property.ts';

/** A declaration about the schema of a class, which applies to every object that the class describes. */
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

/** The record of schema declarations of a class, in source order. */
export const schema = recordField('schema', listed<SchemaDeclaration>());

/** A decorator of classes and of properties of objects. */
export interface SchemaDecorator {
  (target: AnyClass): void;
  (target: Prototype, property: string | symbol): void;
}

/** Returns a decorator that records one declaration about the schema of a class. */
export function declareSchema(declaration: SchemaDeclaration): (target: AnyClass) => void {
  return (target) => declare(schema, target, declaration);
}

/** Returns a decorator that records one declaration about its class or property. */
export function declareEither(declaration: SharedSchemaDeclaration): SchemaDecorator {
  return (target: object, property?: string | symbol) => {
    if (property === undefined) declareSchema(declaration)(target as AnyClass);
    else declareProperty(declaration)(target as Prototype, property);
  };
}
