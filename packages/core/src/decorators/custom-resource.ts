import { declare } from '../declarations/class-record.ts';
import type { AnyClass } from '../declarations/class-reference.ts';
import type { CustomResourceOptions } from '../declarations/custom-resource-declaration.ts';
import { customResource } from '../declarations/resource-of.ts';
import { EvenkeelError } from '../errors/evenkeel-error.ts';

/**
 * Declares a class as a version of a custom resource: `evenkeel generate` makes the kind's CRD of it, controllers and the
 * client know the version by it. Several classes of one group and kind with different versions make one CRD; what
 * belongs to the kind (names, scope, categories, labels, annotations) may be said in each of them or in one. Records
 * only; what was given is checked when the declaration is read.
 */
export function CustomResource(options: CustomResourceOptions): (target: AnyClass) => void {
  return (target: AnyClass | undefined) => {
    // Without parentheses this function stands in the place of the class, and is taken for a thunk of a kind.
    if (target === undefined) {
      const { name } = options as unknown as AnyClass;
      throw new EvenkeelError(
        'decorator-not-called',
        `${name}: @CustomResource is written without parentheses; write @CustomResource({ group, version })`,
      );
    }
    declare(customResource, target, { ...options, kind: options?.kind ?? target.name });
  };
}
