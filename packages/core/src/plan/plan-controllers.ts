import { declared, declares } from '../declarations/class-record.ts';
import type { AnyClass, ConcreteClass } from '../declarations/class-reference.ts';
import type { ControllerDecorator } from '../declarations/controller-decorator.ts';
import type { ControllerMistake } from '../declarations/controller-mistake.ts';
import { DeclarationReader } from '../declarations/declaration-reader.ts';
import { controller } from '../decorators/controller.ts';
import { reconcile } from '../decorators/reconcile.ts';
import { groupResourceOf } from '../kind/api-resource.ts';
import { controllerDecorators, wordOf } from './controller-decorators.ts';
import type { ControllerPlan } from './controller-plan.ts';
import { severalClassesOfOneKind } from './several-classes.ts';

/** The plans of controllers, and the mistakes in their declarations. */
export interface ControllerPlans {
  /** The plans of the classes that have no mistake themselves, in the order of the classes. */
  readonly plans: readonly ControllerPlan[];
  readonly mistakes: readonly ControllerMistake[];
}

/**
 * Reads and checks the declarations of controllers that run in one manager, and reports all mistakes at once.
 *
 * @param decorators the decorators to read, in this order. A plan has the fields of each. Default: those of this package.
 */
export function planControllers(
  classes: readonly AnyClass[],
  decorators: readonly ControllerDecorator[] = controllerDecorators,
): ControllerPlans {
  const mistakes: ControllerMistake[] = [];
  const plans = classes.flatMap((controllerClass) => planController(controllerClass, decorators, mistakes) ?? []);
  reportSharedNames(plans, mistakes);
  reportSharedFinalizers(plans, mistakes);
  mistakes.push(...severalClassesOfOneKind(plans));
  return { plans, mistakes };
}

/** Reads and checks the declarations of one class. If the class has mistakes, it adds them to the list and returns undefined. */
function planController(
  controllerClass: AnyClass,
  decorators: readonly ControllerDecorator[],
  mistakes: ControllerMistake[],
): ControllerPlan | undefined {
  const reader = new DeclarationReader(controllerClass, mistakes);
  const isDeclared = ({ record }: ControllerDecorator): boolean => declares(record, controllerClass);
  const isController = isDeclared(controller);
  const found = decorators.filter(isDeclared);
  if (!isController) reportMissingController(reader, found);
  // Other mistakes of a class without @Controller are reported too.
  const parts = (isController ? decorators : found).map((decorator) =>
    decorator.plan(declared(decorator.record, controllerClass), reader),
  );
  if (!reader.isSound) return undefined;
  const { cached } = reader;
  // The class has no mistakes, so each decorator of the list has returned its fields.
  return Object.assign({ controllerClass: controllerClass as ConcreteClass, cached }, ...parts) as ControllerPlan;
}

function reportMissingController(reader: DeclarationReader, found: readonly ControllerDecorator[]): void {
  // Every controller has @Reconcile, so any other decorator identifies the class better.
  const decorator = found.find(({ name }) => name !== reconcile.name) ?? found[0];
  reader.report(
    'missing-controller',
    decorator === undefined
      ? 'the class is listed as a controller but has no @Controller; add @Controller(YourKind) above it'
      : `the class has @${decorator.name} but no @Controller; add @Controller(YourKind) above it`,
  );
}

function reportSharedNames(plans: readonly ControllerPlan[], mistakes: ControllerMistake[]): void {
  const classOf = new Map<string, string>();
  for (const { name, controllerClass } of plans) {
    const other = classOf.get(name);
    if (other === undefined) {
      classOf.set(name, controllerClass.name);
      continue;
    }
    mistakes.push({
      code: 'duplicate-declaration',
      controllerClass,
      message: `the controller name "${name}" is already used by ${other}, so their logs, metrics and children cannot be distinguished; rename one with ${wordOf(controllerClass, 'Controller')}(Kind, { name: "..." })`,
    });
  }
}

/** The controller that runs first would remove the other's finalizer. */
function reportSharedFinalizers(plans: readonly ControllerPlan[], mistakes: ControllerMistake[]): void {
  const classOf = new Map<string, string>();
  for (const { finalizers, resource, controllerClass } of plans) {
    for (const { name, method } of finalizers) {
      const id = `${groupResourceOf(resource)} ${name}`;
      const other = classOf.get(id);
      if (other === undefined) {
        classOf.set(id, controllerClass.name);
        continue;
      }
      mistakes.push({
        code: 'duplicate-declaration',
        controllerClass,
        method,
        message: `${wordOf(controllerClass, 'Finalizer')}("${name}") is already used by ${other} for the same kind; give each finalizer a different name`,
      });
    }
  }
}
