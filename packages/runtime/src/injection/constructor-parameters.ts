import type { ConcreteClass } from '@evenkeel/core';
import { type AnyClass, functionControllerOf, type ListerDeclaration, ownDeclarationsOf } from '@evenkeel/core';
import { injectedClasses } from './inversify-metadata.ts';

/** One parameter of a constructor, as the compiler's metadata, `@inject` and `@ListerOf` describe it. */
export interface ConstructorParameter {
  /** The class, or what the compiler left in its place: `Object` for interfaces and unions, undefined in a cycle. */
  readonly type: unknown;
  readonly lister: ListerDeclaration | undefined;
}

/** A parameter as its author knows it: by its position, or by the name that `inject()` of a function controller has for it. */
export function parameterName(target: AnyClass, index: number): string {
  const name = functionControllerOf(target)?.injected[index];
  return name === undefined ? `parameter ${index + 1} of its constructor` : `"${name}" of .inject`;
}

/**
 * The parameters of the constructor that `new` runs, which may be a base class's; undefined where the compiler recorded
 * none although the constructor asks for some, as it does for a class without any decorator.
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
 * Whether a class is decorated, and the compiler wrote nothing down that it writes with `emitDecoratorMetadata`: neither of
 * the constructor, of which {@link constructorParameters} knows nothing then, nor of a decorated method.
 */
export function isDecoratedWithoutMetadata(target: ConcreteClass): boolean {
  if (Reflect.getOwnMetadataKeys(target).length === 0) return false;
  const prototype = target.prototype as object;
  return !Reflect.ownKeys(prototype).some((member) => Reflect.hasOwnMetadata('design:type', prototype, member));
}

/** The nearest class of the chain whose constructor the compiler described. */
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
