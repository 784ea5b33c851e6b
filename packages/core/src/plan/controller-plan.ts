import type { ConcreteClass } from '../declarations/class-reference.ts';
import type { ControllerDecorator } from '../declarations/controller-decorator.ts';
import type { CachedKind } from '../declarations/planned-kind.ts';
import type { controllerDecorators } from './controller-decorators.ts';

/** The resolved and checked declarations of a controller class: the fields of each decorator's plan. */
export interface ControllerPlan extends FieldsOf<(typeof controllerDecorators)[number]> {
  readonly controllerClass: ConcreteClass;
  /** The kinds that the controller caches, the reconciled kind first. A kind may appear twice. */
  readonly cached: readonly CachedKind[];
}

/** All fields of the plans of decorators. */
type FieldsOf<D extends ControllerDecorator> = Together<NonNullable<ReturnType<D['plan']>>>;

/** The intersection of a union's members. Parameters of functions are contravariant, so the compiler infers an intersection. */
type Together<U> = (U extends object ? (all: U) => void : never) extends (all: infer I) => void ? I : never;
