import type { RecordField } from './class-record.ts';
import type { AnyClass } from './class-reference.ts';
import type { DeclarationReader } from './declaration-reader.ts';
import type { Permission } from './permission.ts';
import type { PlannedController } from './planned-kind.ts';

/**
 * The descriptor of a decorator of controllers. The record of a class, the plan of a controller, the operator's roles and the
 * steps of `controllerFor()` are derived from it. The decorator itself only calls `declare(descriptor.record, target, ...)`.
 */
export interface ControllerDecorator<
  N extends string = string,
  F extends RecordField = RecordField,
  P extends object = object,
> {
  /** The name of the decorator: `Owns`. Its step has the same name with a lower-case first letter. */
  readonly name: N;
  /** How its declarations are recorded and inherited. */
  readonly record: F;
  /**
   * Checks the declarations of a class and returns the fields that they add to the plan. It returns undefined only if it has
   * reported a mistake. The planner calls it once for each class, in the order of the list, also if nothing is declared.
   */
  plan(declared: ReturnType<F['empty']>, reader: DeclarationReader): P | undefined;
  /**
   * Returns the permissions that a controller with such a plan needs. Default: none.
   *
   * @param namespaces the namespaces that the operator watches; undefined for all.
   */
  permissions?(plan: P & PlannedController, namespaces: readonly string[] | undefined): readonly Permission[];
  /** Turns the arguments of its step of `controllerFor()` into the decorator to apply. Default: it has no step. */
  step?(...args: readonly never[]): FunctionStep;
}

/** Returns the descriptor; it only infers the types. */
export function controllerDecorator<const N extends string, F extends RecordField, P extends object>(
  descriptor: ControllerDecorator<N, F, P>,
): ControllerDecorator<N, F, P> {
  return descriptor;
}

/** A function of the user that a step gets, with any parameters. */
export type PlainFunction = (...values: never[]) => unknown;

type MethodDecorator = (target: object, method: string, descriptor: TypedPropertyDescriptor<never>) => void;

/** A decorator, and its target in the class that `controllerFor()` makes. */
export type FunctionStep =
  | { readonly on: 'class'; readonly decorate: (target: AnyClass) => void }
  | { readonly on: 'reconcile'; readonly decorate: MethodDecorator }
  /** A method that calls `does`. It has the name of that function, or `unnamed` if the function has no name. */
  | {
      readonly on: 'method';
      readonly does: PlainFunction;
      readonly unnamed: string;
      readonly decorate: MethodDecorator;
    };
