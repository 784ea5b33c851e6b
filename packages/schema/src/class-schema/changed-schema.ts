import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { demandsProperty, keepsProperty, type ObjectChange } from '../model/object-change.ts';

/** The schema of a built-in type that `Partial`, `Required`, `Pick` or `Omit` changed. */
export function changedSchema(schema: StructuralSchema, changes: readonly ObjectChange[]): StructuralSchema {
  if (changes.length === 0) return schema;
  const { properties = {}, required = [], ...rest } = schema;
  const kept = Object.entries(properties).filter(([name]) => keepsProperty(changes, name));
  const demanded = kept
    .filter(([name, { default: value }]) => value === undefined && demandsProperty(changes, required.includes(name)))
    .map(([name]) => name)
    .sort();
  return {
    ...rest,
    properties: Object.fromEntries(kept),
    ...(demanded.length === 0 ? {} : { required: demanded }),
  };
}
