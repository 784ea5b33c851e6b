import {
  type AnyClass,
  type ControllerPlan,
  controllerMistakeText,
  EvenkeelError,
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
 * with the code of the first.
 */
export function planControllers(classes: readonly AnyClass[]): readonly ControllerPlan[] {
  const { plans, mistakes } = plansAndMistakes(classes);
  const [first] = mistakes;
  if (first !== undefined) throw new EvenkeelError(first.code, mistakes.map(controllerMistakeText).join('\n'));
  return plans;
}
