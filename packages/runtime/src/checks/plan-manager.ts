import type { AnyClass, ControllerMistake, ControllerPlan, PlannedWatch } from '@evenkeel/core';
import {
  controllerMistakeText,
  durationMs,
  EvenkeelError,
  holdsWholeCluster,
  placeOf,
  reconcilesWholeCluster,
  serviceClassesOf,
  wordOf,
} from '@evenkeel/core';
import type { PolicyPlan, WebhookPlan } from '@evenkeel/core/webhook';
import { narrowsKind } from '../cache/cache.ts';
import type { InjectionPlan, ServiceKey } from '../injection/injection.ts';
import type { BoundModules } from '../injection/inversify-modules.ts';
import { listerCheck } from '../injection/listed-kind.ts';
import { InjectionPlanner, injectionMistakeText } from '../injection/plan-injections.ts';
import { checkProvided, readServices, type Services, withoutBoundClasses } from '../injection/services.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import { attempt } from './attempt.ts';
import { declarationMistakes } from './check-declaration.ts';
import type { OptionsCaller } from './check-options.ts';
import { collectPlans, collectWebhooks } from './collect-plans.ts';
import { missingValidator } from './missing-validator.ts';

/** The checked options of a manager. */
export interface ManagerPlan {
  readonly plans: readonly ControllerPlan[];
  readonly webhooks: readonly WebhookPlan[];
  /** The classes that the API server evaluates instead. */
  readonly policies: readonly PolicyPlan[];
  /** The classes of services, and runnables that are classes. Their `@Rbac` belongs to the operator. */
  readonly services: readonly AnyClass[];
  readonly injections: InjectionPlan;
  /** The loaded modules of inversify; undefined if there are none. */
  readonly modules: BoundModules | undefined;
  readonly gracePeriodMs: number;
}

/**
 * Reads and checks the options of a manager, the declarations of its controllers and the parameters of their constructors, before
 * anything is created, except that modules of inversify are loaded. Throws one EvenkeelError that lists all mistakes, with the code of the first.
 *
 * @param caller the function that got the controllers.
 */
export async function planManager(options: ManagerOptions, caller: OptionsCaller): Promise<ManagerPlan> {
  const { controllers, services: given = [], overrides = [] } = options;
  const { runnables = [], validator, gracePeriod = '30s' } = options;
  const { errors, hasClasses } = declarationMistakes(options, caller);
  if (!hasClasses) throw joined(errors);
  const entries = [...given, ...runnables.filter((runnable) => typeof runnable === 'function')];
  const services = serviceClassesOf(entries);
  const gracePeriodMs = attempt(errors, () => durationMs(gracePeriod), 'gracePeriod: ') ?? 0;
  const plans = collectPlans(controllers, services, errors);
  for (const plan of plans) {
    errors.push(...wholeClusterPrimary(plan, options));
    for (const watch of plan.watches) errors.push(...wholeClusterWatch(plan, watch, options));
  }
  const { webhooks, policies } = await collectWebhooks(options, plans, errors);
  // Nothing creates an instance of a policy.
  const isPolicy = new Set(policies.map(({ webhookClass }) => webhookClass));
  const webhookClasses = (options.webhooks ?? []).filter((type) => !isPolicy.has(type));
  for (const plan of webhooks)
    errors.push(...wholeClusterListers(plan, options), ...missingValidator(plan, options).map(mistakeError));
  const read = readServices(entries, overrides, errors);
  const modules = await modulesOf(read);
  const isBound = (key: ServiceKey): boolean => modules?.keys.has(key) === true;
  checkProvided(entries, read, isBound, errors);
  const unbound = withoutBoundClasses(read, isBound);
  const checkLister = listerCheck([...controllers, ...webhookClasses], plans, webhooks);
  const planner = new InjectionPlanner({ services: unbound, plans, checkLister, isBound });
  for (const key of [...unbound.provisions.keys(), ...controllers, ...webhookClasses]) planner.add(key);
  const injections = planner.finish();
  errors.push(...planner.mistakes.map((mistake) => new EvenkeelError(mistake.code, injectionMistakeText(mistake))));
  if (errors.length > 0) throw joined(errors);
  for (const { kind } of [...plans, ...webhooks.filter(({ schema }) => schema)]) validator?.prepare?.(kind);
  return { plans, webhooks, policies, services, injections, modules, gracePeriodMs };
}

function mistakeError(mistake: ControllerMistake): EvenkeelError {
  return new EvenkeelError(mistake.code, controllerMistakeText(mistake));
}

/** Loads the modules of inversify, if there are any. */
async function modulesOf({ modules }: Services): Promise<BoundModules | undefined> {
  if (modules.length === 0) return undefined;
  const { loadModules } = await import('../injection/inversify-modules.ts');
  return loadModules(modules);
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

/** The watches of a webhook's listers select nothing. */
function wholeClusterListers(
  { webhookClass, cached }: WebhookPlan,
  { namespaces, cache = [] }: ManagerOptions,
): EvenkeelError[] {
  return cached.flatMap((lister) => {
    const { kind } = lister;
    const watch = { ...lister, labels: {}, fields: {}, wholeCluster: false };
    if (!holdsWholeCluster(watch) || namespaces !== undefined || narrowsKind(cache, kind)) return [];
    const { name } = kind;
    const word = wordOf(webhookClass, 'ListerOf');
    return new EvenkeelError(
      'whole-cluster-watch',
      `${webhookClass.name}${placeOf(webhookClass)}: ${word}(${name}) would cache every ${name} of the cluster in memory; write ${word}(Metadata(${name})), pass \`namespaces\` or \`cache: [{ kind: ${name}, labels }]\` to the manager, or read the few objects that you need with the Client`,
    );
  });
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
