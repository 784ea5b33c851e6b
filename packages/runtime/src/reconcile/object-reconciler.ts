import type { JsonObject } from '@evenkeel/apimachinery/json';
import type { Client } from '@evenkeel/client';
import {
  type ApiResource,
  type Clock,
  describeValue,
  EvenkeelError,
  isConflict,
  isDurationMs,
  isNotFound,
  type KindClass,
  type KubernetesObject,
  type ObjectKey,
} from '@evenkeel/core';
import type { EventRecorder } from '../event/event-recorder.ts';
import type { ChildApplier } from './apply-child.ts';
import type { ChildClaimer } from './claim-children.ts';
import { StatusConditions } from './condition-set.ts';
import {
  addFinalizers,
  DoneFinalizers,
  missingFinalizers,
  type ObjectFinalizer,
  removeFinalizer,
} from './finalizers.ts';
import type { NamespaceFence, RunReach } from './namespace-fence.ts';
import { NamespacedClient } from './namespaced-client.ts';
import type { ChildPruner } from './prune-children.ts';
import type { ReconcileContext } from './reconcile-context.ts';
import type { ReconcileReport, ReconcileRequest, Reconciler } from './reconciler.ts';
import { reportForeignChildren } from './report-foreign-children.ts';
import { RunContext } from './run-context.ts';
import { writeStatus } from './status-writer.ts';
import type { ValidityCheck } from './validity-check.ts';
import { explainFrozenWrite, type WorkingObject, workingObject } from './working-object.ts';

export interface ObjectReconcilerOptions<T extends KubernetesObject> {
  readonly controller: string;
  /** Names the method in messages: `NginxController.reconcile`. */
  readonly member: string;
  readonly kind: KindClass<T>;
  readonly resource: ApiResource;
  readonly hasStatus: boolean;
  /** Whether the framework may put conditions into the status. `unsaid`: where the object has some. */
  readonly hasConditions: boolean | 'unsaid';
  /** The cached object. */
  readonly get: (key: ObjectKey) => T | undefined;
  /** The user's method. */
  readonly reconcile: (object: T, context: ReconcileContext) => unknown;
  /** In the order in which they run. */
  readonly finalizers: readonly ObjectFinalizer<T>[];
  readonly applier: ChildApplier;
  readonly pruner: ChildPruner;
  readonly claimer: ChildClaimer;
  /** Decides which objects may be reconciled. Undefined: all. */
  readonly validity: ValidityCheck | undefined;
  readonly client: Client;
  /** Whether a run may leave the namespace of its object. */
  readonly acrossNamespaces: boolean;
  /** Holds back the clients and listers that a run was not given by its context. */
  readonly fence: NamespaceFence;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
}

/**
 * The comfortable reconciler over the basic one: the user's method is handed the object instead of a key, and what it
 * left in the status is written once, at the end, also when it threw. Before its first call the controller's finalizers are
 * put on the object.
 *
 * It is not called for an object that is gone or being deleted: what it owns goes by garbage collection, and making it
 * again meanwhile would work against that. Those finalizers are called then that are on the object, one after another, and
 * each is taken off when its method has resolved. Nor is it called for one that does not pass the validity check, whatever woke its key: then
 * its children are left as they are, also where somebody changes them.
 */
export function objectReconciler<T extends KubernetesObject>(options: ObjectReconcilerOptions<T>): Reconciler {
  const done = new DoneFinalizers();
  return async (request) => {
    const cached = options.get(request.key);
    if (cached === undefined) {
      forget(options, request.key);
      done.forget(request.key);
      return { outcome: 'gone' };
    }
    if (hasGoneMeanwhile(options, request)) done.forget(request.key);
    if (cached.metadata.deletionTimestamp !== undefined) return finalizeObject(options, request, cached, done);
    const missing = missingFinalizers(cached, options.finalizers);
    if (missing.length === 0 || options.validity?.isValid(request.key, cached) === false) {
      return reconcileObject(options, request, cached);
    }
    let finalizable: T;
    try {
      finalizable = await addFinalizers(options, cached, missing);
    } catch (error) {
      return reportOfOutdated(error);
    }
    return reconcileObject(options, request, finalizable);
  };
}

/** An object that is told as gone and is there has come back: anew, or as a backup had it, with what was taken off it since. */
function hasGoneMeanwhile<T extends KubernetesObject>(
  { resource }: ObjectReconcilerOptions<T>,
  { key, triggers }: ReconcileRequest,
): boolean {
  return triggers.some(
    (trigger) => trigger.verb === 'deleted' && trigger.kind === resource.kind && String(trigger.key) === String(key),
  );
}

function forget<T extends KubernetesObject>({ applier, validity }: ObjectReconcilerOptions<T>, key: ObjectKey): void {
  applier.forget(key);
  validity?.forget(key);
}

/** Where a write was refused because the object is not what it was when it was read, it is read again. */
function reportOfOutdated(error: unknown): ReconcileReport {
  if (isNotFound(error)) return { outcome: 'gone' };
  if (isConflict(error)) return { outcome: 'conflict' };
  throw error;
}

/** What a method of the user's is called with. */
interface Call<T extends KubernetesObject> {
  readonly working: WorkingObject<T>;
  /** Undefined where the framework may not put conditions into the status. */
  readonly ownConditions: StatusConditions | undefined;
  readonly context: RunContext;
}

function prepareCall<T extends KubernetesObject>(
  options: ObjectReconcilerOptions<T>,
  request: ReconcileRequest,
  cached: T,
): Call<T> {
  const working = workingObject(options.kind, cached, options.hasStatus);
  const { object } = working;
  const conditions = new StatusConditions(() => statusOf(object), cached.metadata.generation, options.clock);
  const { namespace } = request.key;
  const { client, acrossNamespaces, controller, fence } = options;
  const reach: RunReach | undefined =
    acrossNamespaces || namespace === undefined ? undefined : { controller, key: request.key, namespace };
  if (reach !== undefined) fence.hold(reach);
  const mayHave = mayHaveConditions(options, working.observedStatus);
  const context = new RunContext({
    ...options,
    client: reach === undefined ? client : new NamespacedClient({ client, reach }),
    key: request.key,
    triggers: request.triggers,
    signal: request.signal,
    object,
    logger: request.logger,
    conditions,
    mayHaveConditions: mayHave,
  });
  return { working, ownConditions: mayHave ? conditions : undefined, context };
}

async function reconcileObject<T extends KubernetesObject>(
  options: ObjectReconcilerOptions<T>,
  request: ReconcileRequest,
  cached: T,
): Promise<ReconcileReport> {
  const call = prepareCall(options, request, cached);
  const { working, context } = call;
  let report: ReconcileReport | undefined;
  let failure: unknown;
  try {
    const isValid = options.validity?.passes(request.key, cached, {
      conditions: call.ownConditions,
      logger: context.logger,
    });
    report =
      isValid === false
        ? { outcome: 'invalid' }
        : { ...reportOf(options.member, await options.reconcile(working.object, context)), ...generationOf(cached) };
  } catch (error) {
    failure = explainFrozenWrite(error, working.object);
  }
  reportForeign(options, call, report !== undefined && report.outcome !== 'invalid');
  if (options.hasStatus) {
    try {
      await writeStatus(options, request.key, cached, working, 'metadata');
    } catch (error) {
      // What the reconcile itself failed with is what the user must see; the status is concluded anew by the next run.
      if (report !== undefined) return reportOfOutdated(error);
    }
  }
  if (report === undefined) throw failure;
  return report;
}

function reportForeign<T extends KubernetesObject>(
  { recorder }: ObjectReconcilerOptions<T>,
  { working: { object }, ownConditions, context }: Call<T>,
  succeeded: boolean,
): void {
  reportForeignChildren({ object, errors: context.foreignChildren, conditions: ownConditions, succeeded, recorder });
}

/** Calls the finalizers that are on an object in deletion, until one wants to be called again. */
async function finalizeObject<T extends KubernetesObject>(
  options: ObjectReconcilerOptions<T>,
  request: ReconcileRequest,
  cached: T,
  done: DoneFinalizers,
): Promise<ReconcileReport> {
  let object = cached;
  for (const finalizer of options.finalizers) {
    if (object.metadata.finalizers?.includes(finalizer.name) !== true) continue;
    if (done.has(cached, finalizer.name)) continue;
    request.signal.throwIfAborted();
    const report = await callFinalizer(options, request, object, finalizer);
    if (report !== undefined) return report;
    const left = await removeFinalizer(options, object, finalizer.name);
    done.add(cached, finalizer.name);
    if (left === undefined) break;
    object = left;
  }
  forget(options, request.key);
  return { outcome: 'deleting' };
}

/** Undefined where the finalizer has done its work. */
async function callFinalizer<T extends KubernetesObject>(
  options: ObjectReconcilerOptions<T>,
  request: ReconcileRequest,
  cached: T,
  { member, finalize }: ObjectFinalizer<T>,
): Promise<ReconcileReport | undefined> {
  const call = prepareCall(options, request, cached);
  const { working, context } = call;
  let report: ReconcileReport | undefined;
  let failure: { readonly error: unknown } | undefined;
  try {
    const result = await finalize(working.object, context);
    if (result !== undefined) report = reportOf(member, result);
  } catch (error) {
    failure = { error: explainFrozenWrite(error, working.object) };
  }
  reportForeign(options, call, false);
  if (options.hasStatus) {
    try {
      await writeStatus(options, request.key, cached, working, 'whole');
    } catch (error) {
      // Of a finalizer that is done, that must be written down, whatever becomes of the status.
      if (report !== undefined) return reportOfOutdated(error);
    }
  }
  if (failure !== undefined) throw failure.error;
  return report;
}

/** Objects of some built-in kinds have none. */
function generationOf({ metadata: { generation } }: KubernetesObject): { generation?: number } {
  return generation === undefined ? {} : { generation };
}

/** The status that conditions are put in, made where the user took it away. */
function statusOf(object: KubernetesObject): object {
  const holder = object as { status?: unknown };
  if (typeof holder.status !== 'object' || holder.status === null) holder.status = {};
  return holder.status as object;
}

/** The conditions of a built-in kind are those of its own controller, and its status is not in the derived roles. */
function mayHaveConditions<T extends KubernetesObject>(
  { hasStatus, hasConditions }: ObjectReconcilerOptions<T>,
  observedStatus: JsonObject,
): boolean {
  if (!hasStatus || hasConditions !== 'unsaid') return hasStatus && hasConditions === true;
  return Array.isArray(observedStatus['conditions']);
}

function reportOf(member: string, result: unknown): ReconcileReport {
  if (result === undefined) return { outcome: 'await-change' };
  const { outcome, afterMs } = (typeof result === 'object' && result !== null ? result : {}) as {
    readonly outcome?: unknown;
    readonly afterMs?: unknown;
  };
  if (outcome === 'await-change') return { outcome };
  if (outcome === 'requeue-after' && isDurationMs(afterMs)) return { outcome, afterMs };
  const what =
    outcome === 'requeue-after'
      ? `"requeue-after" with an afterMs that is ${describeValue(afterMs)}, and no number of milliseconds from 0 on`
      : describeValue(result);
  throw new EvenkeelError(
    'invalid-reconcile-result',
    `${member} returned ${what}; return awaitChange(), requeueAfter('30s') or nothing`,
  );
}
