import { declaredTogether, ownRecordOf, type RecordField } from '../declarations/class-record.ts';
import type { AnyClass } from '../declarations/class-reference.ts';
import { properties } from '../declarations/property.ts';
import { customResource } from '../declarations/resource-of.ts';
import { schema } from '../declarations/schema-declaration.ts';
import { listers } from '../decorators/lister-of.ts';
import { printerColumns } from '../decorators/printer-column.ts';
import { scale } from '../decorators/scale.ts';
import { selectableFields } from '../decorators/selectable-field.ts';
import { controllerDecorators } from './controller-decorators.ts';

/** What the record of a class has beside that of its controller's decorators. */
const otherFields = [customResource, scale, printerColumns, selectableFields, properties, schema, listers] as const;

const fields: readonly RecordField[] = [...otherFields, ...controllerDecorators.map(({ record }) => record)];

type Field = (typeof otherFields)[number] | (typeof controllerDecorators)[number]['record'];

/** What the decorators of a class recorded, by the names of fields: pure data, unchecked. */
export type ClassDeclarations = { readonly [F in Field as F['name']]: ReturnType<F['empty']> };

/**
 * What a class declares together with its base classes. Each decorator's recording says what is inherited: mostly, a
 * declaration above the class itself wins over an inherited one; a property or method that the class declares again
 * replaces what its base said of it; lists are the base's, then the class's own.
 */
export function declarationsOf(target: AnyClass): ClassDeclarations {
  return declaredTogether(fields, target) as ClassDeclarations;
}

/** What the class itself declares, without its base classes; undefined where no decorator of ours stands in it. */
export function ownDeclarationsOf(target: AnyClass): Partial<ClassDeclarations> | undefined {
  return ownRecordOf(target) as Partial<ClassDeclarations> | undefined;
}
