import {
  type AnyClass,
  functionControllerOf,
  type InjectDeclaration,
  inheritanceChain,
  type ListerDeclaration,
  ownDeclarationsOf,
} from '@evenkeel/core';
import { injectedServices } from './inversify-metadata.ts';

/** One parameter, according to the compiler's metadata, `@Inject`, inversify's `@inject`, and `@ListerOf`. */
export interface Parameter {
  /** The class; `Object` for interfaces and unions; undefined in an import cycle, or if the compiler records no types. */
  readonly type: unknown;
  /** What a decorator names, in an object, because it may be undefined in an import cycle. Undefined without a decorator. */
  readonly named: { readonly service: unknown } | undefined;
  readonly lister: ListerDeclaration | undefined;
}

/** The name of a parameter in messages: its position, or its name in `inject()` of a function controller. */
export function parameterName(target: AnyClass, index: number): string {
  const name = functionControllerOf(target)?.injected[index];
  return name === undefined ? `parameter ${index + 1} of its constructor` : `"${name}" of .inject`;
}

/**
 * The parameters of the constructor that `new` runs, which may be that of a base class. Undefined if the constructor has
 * parameters but the compiler recorded no types, for example because the class has no decorator, and not all have `@Inject`,
 * `@inject` or `@ListerOf`.
 */
export function constructorParameters(target: AnyClass): readonly Parameter[] | undefined {
  const declaring = constructorOwner(target);
  if (declaring === undefined) return target.length === 0 ? [] : undefined;
  const types: unknown = Reflect.getOwnMetadata('design:paramtypes', declaring);
  const recorded: readonly unknown[] | undefined = Array.isArray(types) ? types : undefined;
  const { listers = [], injects = [] } = ownDeclarationsOf(declaring) ?? {};
  const injected = injectedServices(declaring);
  // The length does not count parameters with defaults.
  const decorated = [...injects, ...listers].flatMap((one) => (isOfConstructor(one) ? one.parameter + 1 : []));
  const count = recorded?.length ?? Math.max(declaring.length, injected.length, ...decorated);
  const parameters = Array.from({ length: count }, (_, index) => ({
    type: recorded?.[index],
    // Inversify's @injectable records the type of a parameter without @inject.
    named:
      namedAt(injects, undefined, index) ??
      (recorded !== undefined && injected[index]?.service === recorded[index] ? undefined : injected[index]),
    lister: listers.find(({ parameter }) => parameter === index),
  }));
  const isKnown = parameters.every(({ named, lister }) => named !== undefined || lister !== undefined);
  return recorded !== undefined || isKnown ? parameters : undefined;
}

function isOfConstructor(declaration: InjectDeclaration | ListerDeclaration): boolean {
  return !('method' in declaration) || declaration.method === undefined;
}

/**
 * The parameters of a method from the given position on, without those that have a default. Undefined if it has such parameters
 * but the compiler recorded no types and not all have `@Inject`.
 */
export function methodParameters(target: AnyClass, method: string, from: number): readonly Parameter[] | undefined {
  const declaring = methodOwner(target, method);
  if (declaring === undefined) return [];
  const prototype = declaring.prototype as object;
  const { length } = Reflect.get(prototype, method) as { readonly length: number };
  if (length <= from) return [];
  const types: unknown = Reflect.getOwnMetadata('design:paramtypes', prototype, method);
  const { injects = [] } = ownDeclarationsOf(declaring) ?? {};
  const parameters = Array.from({ length: length - from }, (_, index) => ({
    type: Array.isArray(types) ? (types[from + index] as unknown) : undefined,
    named: namedAt(injects, method, from + index),
    lister: undefined,
  }));
  return Array.isArray(types) || parameters.every(({ named }) => named !== undefined) ? parameters : undefined;
}

/**
 * Whether a class has decorators, but none of the metadata that the compiler writes with `emitDecoratorMetadata`: neither for
 * the constructor, whose {@link constructorParameters} are then undefined, nor for a decorated method.
 */
export function isDecoratedWithoutMetadata(target: AnyClass): boolean {
  if (Reflect.getOwnMetadataKeys(target).length === 0 && ownDeclarationsOf(target) === undefined) return false;
  const prototype = target.prototype as object;
  return !Reflect.ownKeys(prototype).some((member) => Reflect.hasOwnMetadata('design:type', prototype, member));
}

function namedAt(
  injects: readonly InjectDeclaration[],
  method: string | undefined,
  parameter: number,
): Parameter['named'] {
  return injects.find((one) => one.method === method && one.parameter === parameter);
}

/** The nearest class of the inheritance chain whose constructor has metadata or decorated parameters. */
function constructorOwner(target: AnyClass): AnyClass | undefined {
  return inheritanceChain(target).find((current) => {
    const { listers = [], injects = [] } = ownDeclarationsOf(current) ?? {};
    return (
      Reflect.hasOwnMetadata('design:paramtypes', current) ||
      [...injects, ...listers].some(isOfConstructor) ||
      injectedServices(current).length > 0
    );
  });
}

/** The class of the inheritance chain whose method runs. */
function methodOwner(target: AnyClass, method: string): AnyClass | undefined {
  return inheritanceChain(target).find((current) => Object.hasOwn(current.prototype as object, method));
}
