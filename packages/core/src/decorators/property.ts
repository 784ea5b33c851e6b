import { type AnyClass, recordOf } from './class-declarations.ts';

/** A class that describes a nested value, as a thunk so that import cycles and later declarations work. */
export type ClassThunk = () => AnyClass;

/** What a decorator of ours says of one property of an API class. */
export type PropertyDeclaration =
  | { readonly says: 'spec' }
  | { readonly says: 'status' }
  | { readonly says: 'conditions' };

function declareProperty(declaration: PropertyDeclaration): (target: object, property: string) => void {
  return (target, property) => {
    const { properties } = recordOf(target.constructor as AnyClass);
    properties.set(property, [declaration, ...(properties.get(property) ?? [])]);
  };
}

/** Marks the property that holds the desired state. Its class is read from the property's type. */
export function Spec(): (target: object, property: string) => void {
  return declareProperty({ says: 'spec' });
}

/**
 * Marks the property that holds the observed state, and turns on the status subresource: writes to the object leave the
 * status alone, writes to its `/status` leave the rest alone. Always an object inside a reconcile.
 */
export function Status(): (target: object, property: string) => void {
  return declareProperty({ says: 'status' });
}

/** Marks a list of standard conditions: a `metav1.Condition` schema, merged by `type` in server-side apply. */
export function Conditions(): (target: object, property: string) => void {
  return declareProperty({ says: 'conditions' });
}
