import type { ConcreteClass, ControllerPlan, PlannedWatch } from '@evenkeel/core';
import { durationMs, EvenkeelError, holdsWholeCluster, placeOf, reconcilesWholeCluster, wordOf } from '@evenkeel/core';
import { narrowsKind } from '../cache/cache.ts';
import { checkNamespaces } from '../cache/scope.ts';
import { electionTiming } from '../election/election-timing.ts';
import { injectionsOf } from '../injection/instances.ts';
import { listerCheck } from '../injection/listed-kind.ts';
import { providedClasses } from '../injection/provided-classes.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import { checkClasses } from './check-classes.ts';
import type { ManagerCaller } from './check-options.ts';
import { checkValidator } from './check-validator.ts';
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
 * @param caller the function that got the options. `Manager.run` requires a controller or a runnable, because otherwise the
 * process would do nothing.
 */
export function planManager(options: ManagerOptions, caller: ManagerCaller): ManagerPlan {
  const { controllers, services: given = [], runnables = [], validator, leaderElection, gracePeriod = '30s' } = options;
  // The other checks need classes.
  checkClasses('controllers', controllers, caller);
  checkClasses('services', options.services, caller);
  checkClasses('runnables', options.runnables, caller);
  if (caller === 'Manager.run' && controllers.length === 0 && runnables.length === 0) {
    throw new EvenkeelError(
      'invalid-option',
      'Manager.run(): the option "controllers" is empty and there are no "runnables", so nothing would run; pass controllers, such as controllers: [TheController]',
    );
  }
  const services = [...given, ...runnables.filter((runnable) => typeof runnable === 'function')];
  const errors: EvenkeelError[] = [];
  attempt(errors, () => checkNamespaces(options.namespaces, 'namespaces'));
  attempt(errors, () => checkValidator(validator, caller));
  const gracePeriodMs = attempt(errors, () => durationMs(gracePeriod), 'gracePeriod: ') ?? 0;
  if (leaderElection !== undefined) attempt(errors, () => electionTiming(leaderElection));
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
  const [first] = errors;
  if (first !== undefined && errors.length === 1) throw first;
  if (first !== undefined) throw new EvenkeelError(first.code, errors.map(({ message }) => message).join('\n'));
  for (const { kind } of plans) validator?.prepare?.(kind);
  return { plans, services, gracePeriodMs };
}

function attempt<T>(errors: EvenkeelError[], check: () => T, where = ''): T | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof EvenkeelError)) throw error;
    errors.push(where === '' ? error : new EvenkeelError(error.code, `${where}${error.message}`, { cause: error }));
    return undefined;
  }
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
