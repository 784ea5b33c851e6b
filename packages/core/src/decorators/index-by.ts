import { type AnyClass, recordOf } from './class-declarations.ts';

export interface IndexDeclaration {
  readonly name: string;
  readonly method: string;
}

/**
 * Marks a method that gives the values by which the controller's own kind is indexed in the cache; look objects up with
 * `lister.byIndex(name, value)`. It is called once for each version of an object, must be pure and quick, and returns a
 * text, several, or nothing.
 */
export function Index(name: string): (target: object, method: string) => void {
  return (target, method) => {
    recordOf(target.constructor as AnyClass).indexes.push({ name, method });
  };
}
