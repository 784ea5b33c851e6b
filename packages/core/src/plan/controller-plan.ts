import type { ConcreteClass } from '../declarations/class-reference.ts';
import type { ControllerDecorator } from '../declarations/controller-decorator.ts';
import type { CachedKind } from '../declarations/planned-kind.ts';
import type { controllerDecorators } from './controller-decorators.ts';

/** What the declarations of a controller's class amount to, resolved and checked: the fields of each decorator's plan. */
export interface ControllerPlan extends FieldsOf<(typeof controllerDecorators)[number]> {
  readonly controllerClass: ConcreteClass;
  /** The kinds that it keeps in a cache, its own first. A kind may be there twice. */
  readonly cached: readonly CachedKind[];
}

/** What the plans of decorators say, all together. */
type FieldsOf<D extends ControllerDecorator> = Together<NonNullable<ReturnType<D['plan']>>>;

/** All of a union at once: parameters of functions are contravariant, so that the compiler infers an intersection. */
type Together<U> = (U extends object ? (all: U) => void : never) extends (all: infer I) => void ? I : never;
