import { declare } from '../declarations/class-record.ts';
import type { AnyClass } from '../declarations/class-reference.ts';
import type { ConvertedClass, FieldMoves } from '../declarations/conversion-declaration.ts';
import type { CustomResourceOptions } from '../declarations/custom-resource-declaration.ts';
import { customResource } from '../declarations/resource-of.ts';
import { EvenkeelError } from '../errors/evenkeel-error.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';

/**
 * Declares a class as a version of a custom resource. `evenkeel generate` writes the kind's CRD from it, and controllers and
 * the client use it for that version. Several classes with the same group and kind and different versions become one CRD.
 * Options of the kind (names, scope, categories, labels, annotations) can be set in one of these classes or in each. The
 * decorator only records the options; they are checked when the declaration is read.
 */
export function CustomResource<
  Hub extends KubernetesObject,
  // Without moves, the type has every string as key, and nothing is checked.
  const Moves extends FieldMoves,
  Spoke = unknown,
>(
  options: CustomResourceOptions<Hub, Moves, Spoke>,
): <T extends AnyClass>(target: T & ConvertedClass<T, Hub, Moves, Spoke>) => void {
  return (target: AnyClass | undefined) => {
    // Without parentheses, this function replaces the class and is called like a function that returns a kind.
    if (target === undefined) {
      const { name } = options as unknown as AnyClass;
      throw new EvenkeelError(
        'decorator-not-called',
        `${name}: @CustomResource has no effect without parentheses; write @CustomResource({ group, version })`,
      );
    }
    declare(customResource, target, { ...options, kind: options?.kind ?? target.name });
  };
}
