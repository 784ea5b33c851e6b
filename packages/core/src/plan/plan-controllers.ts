import type { AnyClass } from '../declarations/class-declarations.ts';
import type { ControllerMistake } from '../declarations/controller-mistake.ts';
import { wordOf } from '../declarations/function-controller.ts';
import { groupResourceOf, type KindClass } from '../kind/api-resource.ts';
import type { ControllerPlan } from './controller-plan.ts';
import { planController } from './plan-controller.ts';

export interface ControllerPlans {
  /** Of the classes without a mistake of their own, in their order. */
  readonly plans: readonly ControllerPlan[];
  readonly mistakes: readonly ControllerMistake[];
}

/** Reads and checks the declarations of controllers that shall run in one manager. All mistakes are told at once. */
export function planControllers(classes: readonly AnyClass[]): ControllerPlans {
  const mistakes: ControllerMistake[] = [];
  const plans = classes.flatMap((controllerClass) => planController(controllerClass, mistakes) ?? []);
  reportSharedNames(plans, mistakes);
  reportSharedFinalizers(plans, mistakes);
  reportSeveralClassesOfOneKind(plans, mistakes);
  return { plans, mistakes };
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
    for (const { kind, resource } of [plan, ...plan.owns, ...plan.watches]) {
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
