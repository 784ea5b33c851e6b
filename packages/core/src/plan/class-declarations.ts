import { declaredTogether, ownRecordOf, type RecordField } from '../declarations/class-record.ts';
import type { AnyClass } from '../declarations/class-reference.ts';
import { properties } from '../declarations/property.ts';
import { customResource } from '../declarations/resource-of.ts';
import { schema } from '../declarations/schema-declaration.ts';
import { admits } from '../decorators/admit.ts';
import { injects } from '../decorators/inject.ts';
import { listers } from '../decorators/lister-of.ts';
import { mutatingWebhook } from '../decorators/mutating-webhook.ts';
import { mutations } from '../decorators/mutation.ts';
import { printerColumns } from '../decorators/printer-column.ts';
import { scale } from '../decorators/scale.ts';
import { selectableFields } from '../decorators/selectable-field.ts';
import { validatingWebhook } from '../decorators/validating-webhook.ts';
import { controllerDecorators } from './controller-decorators.ts';

/** The fields of a class record in addition to those of controller decorators. */
const otherFields = [
  customResource,
  scale,
  printerColumns,
  selectableFields,
  properties,
  schema,
  listers,
  injects,
  validatingWebhook,
  mutatingWebhook,
  admits,
  mutations,
] as const;

const fields: readonly RecordField[] = [...otherFields, ...controllerDecorators.map(({ record }) => record)];

type Field = (typeof otherFields)[number] | (typeof controllerDecorators)[number]['record'];

/** The records of all decorators of a class, by field name: unchecked data. */
export type ClassDeclarations = { readonly [F in Field as F['name']]: ReturnType<F['empty']> };

/**
 * Returns the declarations of a class and its base classes. The recording of each decorator defines what is inherited.
 * Usually:
 * - A declaration on the class itself overrides an inherited one.
 * - If the class declares a property or method again, the base's declarations of that member are dropped.
 * - Lists have the base's entries, then the class's own.
 */
export function declarationsOf(target: AnyClass): ClassDeclarations {
  return declaredTogether(fields, target) as ClassDeclarations;
}

/** Returns the class's own declarations, without its base classes; undefined if it has no decorator of Evenkeel. */
export function ownDeclarationsOf(target: AnyClass): Partial<ClassDeclarations> | undefined {
  return ownRecordOf(target) as Partial<ClassDeclarations> | undefined;
}
