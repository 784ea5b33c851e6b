import type { ConcreteClass, ControllerPlan, EvenkeelError, ServiceEntry } from '@evenkeel/core';
import { listerCheck } from './listed-kind.ts';
import { type InjectionMistake, InjectionPlanner } from './plan-injections.ts';
import { readServices } from './services.ts';

/**
 * The mistakes that a manager would find in providers, and in what the controllers and the services that they use need, according
 * to the metadata of the compiler and the decorators. Constructs nothing. For programs that check a project without running it.
 *
 * Does not check a class that uses inversify's names, tags, lists, optional parameters or injected properties, because only
 * inversify's container can resolve them. Does not load modules of inversify: if there is one, services that nothing else provides
 * are not reported. Does not check unused services.
 *
 * @param services all services, used or not.
 * @param plans the plans of the controllers whose declarations have no mistake.
 */
export function injectionMistakes(
  controllers: readonly ConcreteClass[],
  services: readonly ServiceEntry[],
  plans: readonly ControllerPlan[],
): InjectionMistake[] {
  const errors: EvenkeelError[] = [];
  const read = readServices(services, [], errors);
  const planner = new InjectionPlanner({
    services: read,
    plans,
    checkLister: listerCheck(controllers, plans),
    isBound: () => read.modules.length > 0,
  });
  planner.addReachable(controllers);
  planner.finish();
  const ofProviders = errors.map(({ code, message }) => ({
    code,
    target: undefined,
    method: undefined,
    problem: message,
  }));
  return [...ofProviders, ...planner.mistakes];
}
