import { declared, declares } from '../declarations/class-record.ts';
import type { AnyClass, ConcreteClass } from '../declarations/class-reference.ts';
import type { ControllerDecorator } from '../declarations/controller-decorator.ts';
import type { ControllerMistake } from '../declarations/controller-mistake.ts';
import { DeclarationReader } from '../declarations/declaration-reader.ts';
import { controller } from '../decorators/controller.ts';
import { reconcile } from '../decorators/reconcile.ts';
import { groupResourceOf, type KindClass } from '../kind/api-resource.ts';
import { controllerDecorators, wordOf } from './controller-decorators.ts';
import type { ControllerPlan } from './controller-plan.ts';

export interface ControllerPlans {
  /** Of the classes without a mistake of their own, in their order. */
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
  reportSeveralClassesOfOneKind(plans, mistakes);
  return { plans, mistakes };
}

/** Reads and checks the declarations of one class. Undefined where that class has a mistake, which is added to the others. */
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
  // What else is wrong with a class without @Controller is told too.
  const parts = (isController ? decorators : found).map((decorator) =>
    decorator.plan(declared(decorator.record, controllerClass), reader),
  );
  if (!reader.isSound) return undefined;
  const { cached } = reader;
  // The class is sound, so that each decorator of the list has returned its fields.
  return Object.assign({ controllerClass: controllerClass as ConcreteClass, cached }, ...parts) as ControllerPlan;
}

function reportMissingController(reader: DeclarationReader, found: readonly ControllerDecorator[]): void {
  // Every controller has @Reconcile, so that any other decorator says more about the class.
  const decorator = found.find(({ name }) => name !== reconcile.name) ?? found[0];
  reader.report(
    'missing-controller',
    decorator === undefined
      ? 'it is listed as a controller, but the class has no @Controller; add @Controller(YourKind) above it'
      : `@${decorator.name} found, but the class has no @Controller; add @Controller(YourKind) above it`,
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
      message: `it is named "${name}", and so is ${other}; their logs, metrics and children could not be told apart: give one another name with ${wordOf(controllerClass, 'Controller')}(Kind, { name: "..." })`,
    });
  }
}

/** The one that runs first would take the other's finalizer off. */
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
        message: `${wordOf(controllerClass, 'Finalizer')}("${name}") is also ${other}'s, on the same kind; give each finalizer a name of its own`,
      });
    }
  }
}

/** Objects get one prototype per kind, so two classes would each see the other's objects. */
function reportSeveralClassesOfOneKind(plans: readonly ControllerPlan[], mistakes: ControllerMistake[]): void {
  const classOf = new Map<string, KindClass>();
  for (const plan of plans) {
    for (const { kind, resource } of plan.cached) {
      const name = groupResourceOf(resource);
      const other = classOf.get(name);
      if (other === undefined || other === kind) {
        classOf.set(name, kind);
        continue;
      }
      mistakes.push({
        code: 'duplicate-declaration',
        controllerClass: plan.controllerClass,
        message: `${other.name} and ${kind.name} both stand for ${name}; a manager has one class of a kind: use the same one everywhere`,
      });
    }
  }
}
