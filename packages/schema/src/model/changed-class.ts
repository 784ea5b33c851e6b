import type { ApiClass } from './api-class.ts';
import { demandsProperty, keepsProperty, type ObjectChange } from './object-change.ts';

/** A class after all changes. */
export function changedClass(read: ApiClass, changes: readonly ObjectChange[]): ApiClass {
  return {
    ...read,
    properties: read.properties
      .filter(({ name }) => keepsProperty(changes, name))
      .map((property) => {
        const isRequired = property.defaultValue === undefined && demandsProperty(changes, property.isRequired);
        return { ...property, isRequired, isOptional: !isRequired && property.isOptional };
      }),
  };
}
