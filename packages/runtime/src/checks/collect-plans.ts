import {
  type AnyClass,
  type ControllerMistake,
  type ControllerPlan,
  controllerMistakeText,
  EvenkeelError,
  planControllers,
  planRbac,
} from '@evenkeel/core';
import type { PolicyPlan, WebhookPlan } from '@evenkeel/core/webhook';
import type { ManagerOptions } from '../options/manager-options.ts';

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

/** The plans of a manager's valid webhooks, and of those that are policies. */
export interface CollectedWebhooks {
  readonly webhooks: readonly WebhookPlan[];
  readonly policies: readonly PolicyPlan[];
}

/** Collects them in the same way. The code that plans them is loaded only if there are webhooks. */
export async function collectWebhooks(
  { webhooks: classes = [], minServerVersion, namespaces, transport }: ManagerOptions,
  controllers: readonly ControllerPlan[],
  errors: EvenkeelError[],
): Promise<CollectedWebhooks> {
  if (classes.length === 0) return { webhooks: [], policies: [] };
  const { planWebhooks, policyKindsIn } = await import('@evenkeel/core/webhook');
  const promised = policyKindsIn(minServerVersion);
  let planned = planWebhooks(classes, controllers, { policyKinds: promised, namespaces });
  // A test may use an older server than the operator promises to support.
  const served = planned.policies.length === 0 ? undefined : await transport?.webhookHost?.policyKinds();
  const kinds = promised.filter((kind) => served?.includes(kind) !== false);
  if (kinds.length < promised.length) planned = planWebhooks(classes, controllers, { policyKinds: kinds, namespaces });
  const { plans, policies, mistakes } = planned;
  for (const mistake of mistakes) errors.push(new EvenkeelError(mistake.code, controllerMistakeText(mistake)));
  return { webhooks: plans, policies };
}
