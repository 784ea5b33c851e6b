import {
  type AnyClass,
  type ControllerMistake,
  type ControllerPlan,
  controllerMistakeText,
  EvenkeelError,
  planControllers,
  planRbac,
} from '@evenkeel/core';
import type { WebhookPlan } from '@evenkeel/core/webhook';

/**
 * The plans of a manager's valid controllers. Adds an error to `errors` for each mistake, also for those of `@Rbac` at services.
 * Each error names the class, the member and the fix.
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

/** The plans of a manager's valid webhooks, in the same way. Loaded only if there are webhooks. */
export async function collectWebhooks(
  classes: readonly AnyClass[],
  controllers: readonly ControllerPlan[],
  errors: EvenkeelError[],
): Promise<readonly WebhookPlan[]> {
  if (classes.length === 0) return [];
  const { planWebhooks } = await import('@evenkeel/core/webhook');
  const { plans, mistakes } = planWebhooks(classes, controllers);
  for (const mistake of mistakes) errors.push(new EvenkeelError(mistake.code, controllerMistakeText(mistake)));
  return plans;
}
