import type { ConcreteClass, ControllerPlan, PlannedWatch } from '@evenkeel/core';
import { durationMs, EvenkeelError, holdsWholeCluster, placeOf, reconcilesWholeCluster, wordOf } from '@evenkeel/core';
import { narrowsKind } from '../cache/cache.ts';
import { injectionsOf } from '../injection/instances.ts';
import { listerCheck } from '../injection/listed-kind.ts';
import { providedClasses } from '../injection/provided-classes.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import { attempt } from './attempt.ts';
import { declarationMistakes } from './check-declaration.ts';
import type { OptionsCaller } from './check-options.ts';
import { collectPlans } from './collect-plans.ts';

/** The checked options of a manager. */
export interface ManagerPlan {
  readonly plans: readonly ControllerPlan[];
  /** The classes that constructors may have as parameters: services, and runnables that are classes. */
  readonly services: readonly ConcreteClass[];
  readonly gracePeriodMs: number;
}

/**
 * Reads and checks the options of a manager, the declarations of its controllers and the parameters of their constructors, before
 * anything is created. Throws one EvenkeelError that lists all mistakes, with the code of the first.
 *
 * @param caller the function that got the controllers.
 */
export function planManager(options: ManagerOptions, caller: OptionsCaller): ManagerPlan {
  const { controllers, services: given = [], runnables = [], validator, gracePeriod = '30s' } = options;
  const { errors, hasClasses } = declarationMistakes(options, caller);
  if (!hasClasses) throw joined(errors);
  const services = [...given, ...runnables.filter((runnable) => typeof runnable === 'function')];
  const gracePeriodMs = attempt(errors, () => durationMs(gracePeriod), 'gracePeriod: ') ?? 0;
  const plans = collectPlans(controllers, services, errors);
  for (const plan of plans) {
    errors.push(...wholeClusterPrimary(plan, options));
    for (const watch of plan.watches) errors.push(...wholeClusterWatch(plan, watch, options));
  }
  injectionsOf(
    {
      values: providedClasses,
      services,
      controllers,
      listerFor: listerCheck(controllers, plans),
    },
    errors,
  );
  if (errors.length > 0) throw joined(errors);
  for (const { kind } of plans) validator?.prepare?.(kind);
  return { plans, services, gracePeriodMs };
}

/** One error with all messages and the code of the first. */
function joined(errors: readonly EvenkeelError[]): EvenkeelError {
  const [first = new EvenkeelError('invalid-option', ''), ...others] = errors;
  return others.length === 0 ? first : new EvenkeelError(first.code, errors.map(({ message }) => message).join('\n'));
}

function wholeClusterPrimary(plan: ControllerPlan, { namespaces, cache = [] }: ManagerOptions): EvenkeelError[] {
  const { kind, controllerClass } = plan;
  if (!reconcilesWholeCluster(plan) || namespaces !== undefined || narrowsKind(cache, kind)) return [];
  const { name } = kind;
  const word = wordOf(controllerClass, 'Controller');
  return [
    new EvenkeelError(
      'whole-cluster-watch',
      `${controllerClass.name}${placeOf(controllerClass)}: ${word}(${name}) would cache every ${name} of the cluster in memory; pass \`namespaces\` or \`cache: [{ kind: ${name}, labels }]\` to the manager, or write ${word}(${name}, { wholeCluster: true }) to allow it`,
    ),
  ];
}

function wholeClusterWatch(
  plan: ControllerPlan,
  watch: PlannedWatch,
  { namespaces, cache = [] }: ManagerOptions,
): EvenkeelError[] {
  if (!holdsWholeCluster(watch) || namespaces !== undefined || narrowsKind(cache, watch.kind)) return [];
  const { name } = watch.kind;
  const word = wordOf(plan.controllerClass, 'Watches');
  return [
    new EvenkeelError(
      'whole-cluster-watch',
      `${plan.controllerClass.name}${placeOf(plan.controllerClass)}: ${word}(${name}) on ${watch.method} would cache every ${name} of the cluster in memory; write ${word}(Metadata(${name})) and read the few objects that you need with the Client, select with { labels }, or set { wholeCluster: true } to allow it`,
    ),
  ];
}
