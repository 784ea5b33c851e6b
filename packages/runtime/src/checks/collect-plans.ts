import {
  type AnyClass,
  type ControllerMistake,
  type ControllerPlan,
  controllerMistakeText,
  EvenkeelError,
  planControllers,
  planRbac,
} from '@evenkeel/core';

/**
 * The plans of a manager's controllers, of those that are sound. An error for every mistake that names class, member and mend
 * is added to `errors`; those of its services' `@Rbac` are among them.
 */
export function collectPlans(
  classes: readonly AnyClass[],
  services: readonly AnyClass[],
  errors: EvenkeelError[],
): readonly ControllerPlan[] {
  const { plans, mistakes } = planControllers(classes);
  const inServices: ControllerMistake[] = [];
  for (const service of services) {
    planRbac(service, (mistake) => inServices.push({ ...mistake, controllerClass: service }));
  }
  for (const mistake of [...mistakes, ...inServices]) {
    errors.push(new EvenkeelError(mistake.code, controllerMistakeText(mistake)));
  }
  return plans;
}
