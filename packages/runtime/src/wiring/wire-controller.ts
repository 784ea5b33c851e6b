import type { Client } from '@evenkeel/client';
import {
  type ApiResource,
  type Clock,
  type ControllerDecoratorName,
  declarationsOf,
  EvenkeelError,
  isForbidden,
  type KindClass,
  type KubernetesObject,
  type ListerDeclaration,
  type Logger,
  Metadata,
  ObjectKey,
  type ObjectValidator,
  type Predicate,
  type Random,
  type SeenObject,
  type StatusError,
  wordOf,
} from '@evenkeel/core';
import type { Cache, CachedObject, Informer } from '../cache/index.ts';
import { RunningController } from '../controller/running-controller.ts';
import type { EventRecorder } from '../event/event-recorder.ts';
import { enqueueMapped, type Mapper, type MappingOptions } from '../handler/enqueue-mapped.ts';
import { enqueueObject } from '../handler/enqueue-object.ts';
import { enqueueOwner } from '../handler/enqueue-owner.ts';
import type { EventHandler } from '../handler/event-handler.ts';
import type { ControllerObserver } from '../metrics/controller-metrics.ts';
import { resourceVersionChanged } from '../predicate/change-predicates.ts';
import { ChildApplier, controllerLabel, type OwnedKind } from '../reconcile/apply-child.ts';
import { ChildClaimer } from '../reconcile/claim-children.ts';
import type { NamespaceFence } from '../reconcile/namespace-fence.ts';
import { objectReconciler } from '../reconcile/object-reconciler.ts';
import { ChildPruner } from '../reconcile/prune-children.ts';
import { controllerKeys } from '../reconcile/reconcile-keys.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';
import { RunLister } from '../reconcile/run-lister.ts';
import { ValidityCheck } from '../reconcile/validity-check.ts';
import type { WriteRecorder } from '../reconcile/write-recorder.ts';
import { ChannelSource } from '../source/channel-source.ts';
import { KindSource, type WatchedKind } from '../source/kind-source.ts';
import type { Outage } from '../source/outage.ts';
import { PeriodicSource } from '../source/periodic-source.ts';
import type { Source } from '../source/source.ts';
import { Workqueue } from '../workqueue/index.ts';
import type { ConcreteClass, ControllerPlan, PlannedIndex, PlannedOwned, PlannedWatch } from './controller-plan.ts';
import { declaresConditions } from './declared-conditions.ts';
import { describeLoop } from './describe-loop.ts';
import { listedKind } from './listed-kind.ts';

/** The informers a plan needs. */
export interface PlanInformers {
  readonly primary: Informer;
  readonly owned: ReadonlyMap<PlannedOwned, Informer>;
  readonly watched: ReadonlyMap<PlannedWatch, Informer>;
}

/** Takes the informers of a plan from the manager's cache, where equal ones are one. */
export function informersOf(
  plan: ControllerPlan,
  cache: Cache,
  namespaces: readonly string[] | undefined,
): PlanInformers {
  for (const { kind } of [plan, ...plan.owns]) cache.requireWhole(kind, plan.controllerClass.name);
  for (const { kind } of plan.owns) cache.keepAppliedFields(kind, plan.name);
  return {
    primary: cache.informer(plan.kind, { namespaces }) as Informer,
    owned: new Map(
      plan.owns.map((owned) => [
        owned,
        cache.informer(owned.kind, { namespaces, labels: { [controllerLabel]: plan.name } }) as Informer,
      ]),
    ),
    watched: new Map(
      plan.watches.map((watch) => {
        const scope = { namespaces, labels: watch.labels, fields: watch.fields };
        const informer = watch.metadataOnly
          ? cache.informer(Metadata(watch.kind), scope)
          : cache.informer(watch.kind, scope);
        return [watch, informer as Informer];
      }),
    ),
  };
}

/** The lister for a `@ListerOf` parameter: of the informer that the plans' declarations make, with its scope. */
export function listerFor(
  target: ConcreteClass,
  declaration: ListerDeclaration,
  wired: readonly { readonly plan: ControllerPlan; readonly informers: PlanInformers }[],
  writeRecorder: WriteRecorder,
  fence: NamespaceFence,
): RunLister {
  const { plan, of } = listedKind(
    target,
    declaration,
    wired.map((one) => one.plan),
  );
  const { primary, owned, watched } = wired.find((one) => one.plan === plan)?.informers ?? {};
  const informer = of === plan ? primary : (owned?.get(of as PlannedOwned) ?? watched?.get(of as PlannedWatch));
  if (informer === undefined) throw new Error('bug: a plan has no informer of what it declares');
  return new RunLister(informer, writeRecorder, fence);
}

export interface ControllerParts {
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly writeRecorder: WriteRecorder;
  readonly fence: NamespaceFence;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly observer: ((run: ReconcileRun) => void) | undefined;
  readonly validator: ObjectValidator | undefined;
  readonly outage: Outage;
  /** What looks after the fields of a kind that the operator was built with; undefined where it was built with none. */
  readonly fieldsSource: ((of: WatchedKind) => Source | undefined) | undefined;
  /** What measures it; undefined where nothing does, which costs the queue nothing then. */
  readonly measured: ControllerObserver | undefined;
}

/** Makes the running controller of a plan around the user's instance. */
export function wireController(
  plan: ControllerPlan,
  instance: object,
  informers: PlanInformers,
  parts: ControllerParts,
): RunningController {
  const { client, recorder, writeRecorder, fence, clock, random, observer, validator, measured } = parts;
  const logger = parts.logger.child(controllerKeys(plan.name, plan.resource));
  const method = methodsOf(instance, plan.controllerClass);
  const memberOf = (name: string): string => `${plan.controllerClass.name}.${name}`;
  for (const index of plan.indexes) {
    const valuesOf = indexFunction(memberOf(index.method), method(index.method), logger);
    informerOf(plan, informers, index).addIndex(index.name, valuesOf);
  }
  const fieldsSources: Source[] = [];
  const source = (
    informer: Informer,
    { kind, predicates }: { kind: KindClass; predicates: readonly Predicate[] },
    decorator: ControllerDecoratorName,
    handler: EventHandler,
  ): KindSource => {
    const watched = informer.metadataOnly ? `Metadata(${kind.name})` : kind.name;
    const of: WatchedKind = {
      informer,
      declaration: `${wordOf(plan.controllerClass, decorator)}(${watched})`,
      definitionFile: definitionFileOf(kind, informer.resource),
      clock,
      logger,
    };
    const fieldsSource = informer.metadataOnly ? undefined : parts.fieldsSource?.(of);
    if (fieldsSource !== undefined) fieldsSources.push(fieldsSource);
    return new KindSource({
      ...of,
      predicates: [resourceVersionChanged, ...predicates],
      handler,
      outage: parts.outage,
    });
  };
  const mappingFailed = (member: string): MappingOptions['failed'] => {
    const tell = failuresOf(member, 'a mapper failed; what it did not name is not woken', logger);
    return (error, object) => {
      measured?.mappingFailed();
      tell(error, object);
    };
  };
  const { lister } = informers.primary;
  const children = [...informers.owned].map(([owned, informer]) => ownedKindOf(owned, informer, writeRecorder));
  return new RunningController({
    name: plan.name,
    resource: plan.resource,
    sources: [
      source(informers.primary, plan, 'Controller', enqueueObject),
      ...[...informers.owned].map(([owned, informer]) => source(informer, owned, 'Owns', enqueueOwner(plan.resource))),
      ...[...informers.watched].map(([watch, informer]) =>
        source(
          informer,
          watch,
          'Watches',
          enqueueMapped({
            member: memberOf(watch.method),
            mapper: method(watch.method) as Mapper,
            resource: plan.resource,
            failed: mappingFailed(memberOf(watch.method)),
          }),
        ),
      ),
      ...plan.channels.map(
        (name) =>
          new ChannelSource({ member: memberOf(name), open: method(name), resource: plan.resource, clock, logger }),
      ),
      ...(plan.periodMs === undefined
        ? []
        : [new PeriodicSource({ informer: informers.primary, periodMs: plan.periodMs, clock, random })]),
      ...fieldsSources,
    ],
    reconciler: objectReconciler({
      controller: plan.name,
      member: memberOf(plan.reconcileMethod),
      kind: plan.kind,
      resource: plan.resource,
      hasStatus: plan.hasStatus,
      hasConditions: declaresConditions(plan.kind),
      validity: validator === undefined ? undefined : new ValidityCheck({ validator, recorder }),
      get: (key) => lister.get(key) as InstanceType<typeof plan.kind> | undefined,
      reconcile: method(plan.reconcileMethod),
      finalizers: plan.finalizers.map((finalizer) => ({
        name: finalizer.name,
        member: memberOf(finalizer.method),
        finalize: method(finalizer.method),
      })),
      applier: new ChildApplier({
        controller: plan.name,
        ownerKind: plan.kind,
        owner: plan.resource,
        children,
        client,
        adopt: plan.adopt,
        unsent: measured?.applyUnsent,
      }),
      pruner: new ChildPruner({ controller: plan.name, children, client }),
      claimer: new ChildClaimer({
        controller: plan.name,
        ownerKind: plan.kind,
        owner: plan.resource,
        children,
        client,
      }),
      client,
      acrossNamespaces: plan.acrossNamespaces,
      fence,
      recorder,
      clock,
    }),
    queue: new Workqueue(measured === undefined ? { clock } : { clock, observer: measured.queue }),
    maxConcurrent: plan.maxConcurrent,
    timeoutMs: plan.timeoutMs,
    writeRecorder,
    clock,
    logger,
    observer: (run) => {
      tellRefusal(run, lister.get(run.key) as InstanceType<typeof plan.kind> | undefined, recorder);
      observer?.(run);
    },
    loopFound: (key, finding) => {
      const primary = lister.get(key) as InstanceType<typeof plan.kind> | undefined;
      if (primary !== undefined) recorder.warning(primary, 'ReconcileLoop', describeLoop(finding));
    },
  });
}

/** Where `evenkeel generate` writes the CRD of a kind, unless told otherwise; undefined for kinds that are Kubernetes' own. */
function definitionFileOf(kind: KindClass, { group, plural }: ApiResource): string | undefined {
  return declarationsOf(kind).customResource === undefined ? undefined : `config/crd/${group}_${plural}.yaml`;
}

/** No name of a user's index has a control character. */
const ownerIndex = '\u0000owner';

/** The informer whose objects an index is of; the plan has been checked to have one. */
function informerOf(plan: ControllerPlan, informers: PlanInformers, index: PlannedIndex): Informer {
  const found =
    [...informers.owned].find(([{ kind }]) => kind === index.kind && !index.metadataOnly) ??
    [...informers.watched].find(
      ([{ kind, metadataOnly }]) => kind === index.kind && metadataOnly === index.metadataOnly,
    );
  return plan.kind === index.kind || found === undefined ? informers.primary : found[1];
}

function ownedKindOf({ kind, resource }: PlannedOwned, informer: Informer, writeRecorder: WriteRecorder): OwnedKind {
  type Child = InstanceType<typeof kind>;
  const children = new RunLister(informer, writeRecorder);
  const get = (key: ObjectKey): Child | undefined => children.get(key) as Child | undefined;
  let keysByOwner: ((uid: string) => readonly CachedObject[]) | undefined;
  return {
    kind,
    resource,
    get,
    ownedBy: ({ metadata: { uid = '', namespace } }) => {
      // Made for those who ask: an index of every child costs memory.
      keysByOwner ??= informer.addIndex(ownerIndex, ({ metadata }) =>
        (metadata.ownerReferences ?? []).map((owner) => owner.uid),
      );
      return keysByOwner(uid).flatMap((child) => {
        // Whoever writes an object in another namespace may name any owner; the garbage collector does not honour it.
        if (namespace !== undefined && child.metadata.namespace !== namespace) return [];
        return get(ObjectKey.of(child)) ?? [];
      });
    },
    isSynced: () => informer.health.synced,
  };
}

/** Who may change roles reads Events, and no log of the operator. */
function tellRefusal({ error }: ReconcileRun, object: KubernetesObject | undefined, recorder: EventRecorder): void {
  if (object !== undefined && isForbidden(error)) recorder.warning(object, 'Forbidden', (error as StatusError).message);
}

/** The methods of an instance, bound to it. */
function methodsOf(
  instance: object,
  controllerClass: ConcreteClass,
): (name: string) => (...values: unknown[]) => unknown {
  return (name) => {
    const method: unknown = Reflect.get(instance, name);
    if (typeof method !== 'function') {
      throw new EvenkeelError(
        'class-not-constructible',
        `${controllerClass.name}.${name}: it is declared, but an instance has no such method; list a class that implements it, and take the decorator off a property or a static method`,
      );
    }
    return (...values) => method.apply(instance, values);
  };
}

/**
 * Counts the failures of a user's function, and tells of them each time that the count has doubled: one that throws does so
 * for every object of its kind.
 */
function failuresOf(member: string, message: string, logger: Logger): (error: unknown, object: SeenObject) => void {
  let count = 0;
  return (error, object) => {
    count++;
    if ((count & (count - 1)) !== 0) return;
    logger.error(message, { member, event: `${object.kind} ${ObjectKey.of(object)}`, error, count });
  };
}

/** A method with `@Index` as the cache calls it. An object that it cannot stand is under no value. */
function indexFunction(
  member: string,
  valuesOf: (object: SeenObject) => unknown,
  logger: Logger,
): (object: SeenObject) => readonly string[] {
  const failed = failuresOf(member, 'an index function failed; the object stands under no value', logger);
  return (object) => {
    try {
      return indexValues(member, valuesOf(object));
    } catch (error) {
      failed(error, object);
      return [];
    }
  };
}

function indexValues(member: string, values: unknown): readonly string[] {
  if (values === undefined || values === null || values === '') return [];
  const list: readonly unknown[] = Array.isArray(values) ? values : [values];
  for (const value of list) {
    if (typeof value === 'string' || typeof value === 'number') continue;
    throw new EvenkeelError(
      'invalid-index-result',
      `${member} gave ${value instanceof Promise ? 'a promise' : `a value of type ${typeof value}`}; give a text, a list of texts, or nothing, and do not wait`,
    );
  }
  return list.map(String);
}
