import type { ConcreteClass, ControllerPlan, EvenkeelError, ServiceEntry } from '@evenkeel/core';
import type { WebhookPlan } from '@evenkeel/core/webhook';
import { listerCheck } from './listed-kind.ts';
import { type InjectionMistake, InjectionPlanner } from './plan-injections.ts';
import { readServices } from './services.ts';

/**
 * The mistakes that a manager would find in providers, and in what the controllers, the webhooks and the services that they use
 * need, according to the metadata of the compiler and the decorators. Constructs nothing. For programs that check a project without running it.
 *
 * Does not check a class that uses inversify's names, tags, lists, optional parameters or injected properties, because only
 * inversify's container can resolve them. Does not load modules of inversify: if there is one, services that nothing else provides
 * are not reported. Does not check unused services.
 *
 * @param services all services, used or not.
 * @param classes the controllers and webhooks.
 * @param plans the plans of the controllers whose declarations have no mistake.
 * @param webhooks the plans of such webhooks.
 */
export function injectionMistakes(
  classes: readonly ConcreteClass[],
  services: readonly ServiceEntry[],
  plans: readonly ControllerPlan[],
  webhooks: readonly WebhookPlan[],
): InjectionMistake[] {
  const errors: EvenkeelError[] = [];
  const read = readServices(services, [], errors);
  const planner = new InjectionPlanner({
    services: read,
    plans,
    checkLister: listerCheck(classes, plans, webhooks),
    isBound: () => read.modules.length > 0,
  });
  planner.addReachable(classes);
  planner.finish();
  const ofProviders = errors.map(({ code, message }) => ({
    code,
    target: undefined,
    method: undefined,
    problem: message,
  }));
  return [...ofProviders, ...planner.mistakes];
}
