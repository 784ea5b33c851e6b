import type { ConcreteClass } from '@evenkeel/core';
import { type AnyClass, functionControllerOf, type ListerDeclaration, ownDeclarationsOf } from '@evenkeel/core';
import { injectedClasses } from './inversify-metadata.ts';

/** One parameter of a constructor, according to the compiler's metadata, `@inject` and `@ListerOf`. */
export interface ConstructorParameter {
  /** The class; `Object` for interfaces and unions; undefined in an import cycle. */
  readonly type: unknown;
  readonly lister: ListerDeclaration | undefined;
}

/** The name of a parameter in messages: its position, or its name in `inject()` of a function controller. */
export function parameterName(target: AnyClass, index: number): string {
  const name = functionControllerOf(target)?.injected[index];
  return name === undefined ? `parameter ${index + 1} of its constructor` : `"${name}" of .inject`;
}

/**
 * The parameters of the constructor that `new` runs, which may be that of a base class. Undefined if the constructor has
 * parameters but the compiler recorded none, for example because the class has no decorator.
 */
export function constructorParameters(target: ConcreteClass): readonly ConstructorParameter[] | undefined {
  const declaring = constructorOwner(target);
  const types = declaring === undefined ? undefined : Reflect.getOwnMetadata('design:paramtypes', declaring);
  if (declaring === undefined || !Array.isArray(types)) return target.length === 0 ? [] : undefined;
  const listers = ownDeclarationsOf(declaring)?.listers ?? [];
  const injected = injectedClasses(declaring);
  return types.map((type: unknown, index) => ({
    type: injected[index] ?? type,
    lister: listers.find(({ parameter }) => parameter === index),
  }));
}

/**
 * Whether a class has decorators, but none of the metadata that the compiler writes with `emitDecoratorMetadata`: neither for
 * the constructor, whose {@link constructorParameters} are then undefined, nor for a decorated method.
 */
export function isDecoratedWithoutMetadata(target: ConcreteClass): boolean {
  if (Reflect.getOwnMetadataKeys(target).length === 0) return false;
  const prototype = target.prototype as object;
  return !Reflect.ownKeys(prototype).some((member) => Reflect.hasOwnMetadata('design:type', prototype, member));
}

/** The nearest class of the inheritance chain whose constructor has metadata. */
function constructorOwner(target: AnyClass): AnyClass | undefined {
  for (
    let current: unknown = target;
    typeof current === 'function' && current !== Function.prototype;
    current = Object.getPrototypeOf(current)
  ) {
    if (Reflect.hasOwnMetadata('design:paramtypes', current)) return current as AnyClass;
  }
  return undefined;
}
