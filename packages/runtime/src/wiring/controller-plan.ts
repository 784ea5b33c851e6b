import {
  type AnyClass,
  type ControllerMistake,
  type ControllerPlan,
  controllerMistakeText,
  EvenkeelError,
  planRbac,
  planControllers as plansAndMistakes,
} from '@evenkeel/core';

export type {
  ConcreteClass,
  ControllerPlan,
  PlannedIndex,
  PlannedKind,
  PlannedOwned,
  PlannedWatch,
} from '@evenkeel/core';

/**
 * The plans of a manager's controllers. Throws one EvenkeelError that names class, member and mend of every mistake,
 * with the code of the first; those of its services' `@Rbac` are among them.
 */
export function planControllers(
  classes: readonly AnyClass[],
  services: readonly AnyClass[] = [],
): readonly ControllerPlan[] {
  const { plans, mistakes } = plansAndMistakes(classes);
  const inServices: ControllerMistake[] = [];
  for (const service of services) {
    planRbac(service, (mistake) => inServices.push({ ...mistake, controllerClass: service }));
  }
  const all = [...mistakes, ...inServices];
  const [first] = all;
  if (first !== undefined) throw new EvenkeelError(first.code, all.map(controllerMistakeText).join('\n'));
  return plans;
}
