import { declare, listed, recordField } from './class-record.ts';
import type { AnyClass } from './class-reference.ts';
import { declareProperty, type Prototype, type SharedSchemaDeclaration } from './property.ts';

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

/** What is said of the schema of the class's objects; in source order. */
export const schema = recordField('schema', listed<SchemaDeclaration>());

/** A decorator of classes and of properties of objects. */
export interface SchemaDecorator {
  (target: AnyClass): void;
  (target: Prototype, property: string | symbol): void;
}

/** A decorator that records one declaration of the schema of a class. */
export function declareSchema(declaration: SchemaDeclaration): (target: AnyClass) => void {
  return (target) => declare(schema, target, declaration);
}

/** A decorator that records one declaration of the class or of the property it stands on. */
export function declareEither(declaration: SharedSchemaDeclaration): SchemaDecorator {
  return (target: object, property?: string | symbol) => {
    if (property === undefined) declareSchema(declaration)(target as AnyClass);
    else declareProperty(declaration)(target as Prototype, property);
  };
}
