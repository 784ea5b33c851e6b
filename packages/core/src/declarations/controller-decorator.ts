import type { RecordField } from './class-record.ts';
import type { AnyClass } from './class-reference.ts';
import type { DeclarationReader } from './declaration-reader.ts';
import type { Permission } from './permission.ts';
import type { PlannedController } from './planned-kind.ts';

/**
 * Everything that is said of one decorator of controllers, beside the decorator itself: the record of a class, the plan of a
 * controller, the operator's roles and the steps of `controllerFor()` follow from it. A decorator calls
 * `declare(itsDescriptor.record, target, ...)` and does nothing else.
 */
export interface ControllerDecorator<
  N extends string = string,
  F extends RecordField = RecordField,
  P extends object = object,
> {
  /** The decorator as people write it: `Owns`. Its step is called the same, with a small letter. */
  readonly name: N;
  /** How its declarations are recorded and inherited. */
  readonly record: F;
  /**
   * Checks the declarations of a class and returns its fields of the plan; undefined only where it has reported a mistake.
   * Called once for a class, after those of the decorators before it in the list, also where nothing is declared.
   */
  plan(declared: ReturnType<F['empty']>, reader: DeclarationReader): P | undefined;
  /**
   * What a controller with such a plan must be allowed to do. Default: nothing.
   *
   * @param namespaces the namespaces that the operator watches; undefined for all.
   */
  permissions?(plan: P & PlannedController, namespaces: readonly string[] | undefined): readonly Permission[];
  /** What its step of `controllerFor()` says, given the step's arguments. Default: it has no step. */
  step?(...args: readonly never[]): FunctionStep;
}

/** Checks the types of a descriptor, and keeps them. */
export function controllerDecorator<const N extends string, F extends RecordField, P extends object>(
  descriptor: ControllerDecorator<N, F, P>,
): ControllerDecorator<N, F, P> {
  return descriptor;
}

/** A function that a step is given, whatever its parameters are. */
export type PlainFunction = (...values: never[]) => unknown;

type MethodDecorator = (target: object, method: string, descriptor: TypedPropertyDescriptor<never>) => void;

/** A decorator, and what it stands on in the class that `controllerFor()` makes. */
export type FunctionStep =
  | { readonly on: 'class'; readonly decorate: (target: AnyClass) => void }
  | { readonly on: 'reconcile'; readonly decorate: MethodDecorator }
  /** A method that calls `does`, under the name of that function, or as `unnamed` where it has none. */
  | {
      readonly on: 'method';
      readonly does: PlainFunction;
      readonly unnamed: string;
      readonly decorate: MethodDecorator;
    };
