import type { JsonObject } from '@evenkeel/apimachinery/json';
import type { Client } from '@evenkeel/client';
import {
  type ApiResource,
  type Clock,
  describeValue,
  EvenkeelError,
  isConflict,
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
import type { NamespaceFence } from './namespace-fence.ts';
import { NamespacedClient } from './namespaced-client.ts';
import type { ChildPruner } from './prune-children.ts';
import type { ReconcileContext } from './reconcile-context.ts';
import type { ReconcileReport, ReconcileRequest, Reconciler } from './reconciler.ts';
import { reportRefusedChildren } from './report-refused-children.ts';
import { RunContext } from './run-context.ts';
import type { RunReach } from './run-reach.ts';
import { writeStatus } from './status-writer.ts';
import type { ValidityCheck } from './validity-check.ts';
import { explainFrozenWrite, type WorkingObject, workingObject } from './working-object.ts';

export interface ObjectReconcilerOptions<T extends KubernetesObject> {
  readonly controller: string;
  /** The name of the method in messages: `NginxController.reconcile`. */
  readonly member: string;
  readonly kind: KindClass<T>;
  readonly resource: ApiResource;
  readonly hasStatus: boolean;
  /** Whether the framework may write conditions to the status. `unsaid`: only if the object already has some. */
  readonly hasConditions: boolean | 'unsaid';
  /** Returns the cached object. */
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
  /** Restricts injected clients and listers. */
  readonly fence: NamespaceFence;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
}

/**
 * Returns a reconciler that calls the user's method with the object instead of its key. It writes the status once, after the
 * method has returned or thrown. Before the first call, it adds the controller's finalizers to the object.
 *
 * The method is not called for an object that is gone or being deleted: garbage collection deletes its children, and the
 * method would create them again. Instead, the finalizers that the object still has are called one after another, and each is
 * removed when its method has resolved.
 *
 * The method is also not called for an invalid object, whatever triggered the run. Its children then stay unchanged, even if
 * another client changes them.
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

/** Whether the object was deleted and exists again: recreated, or restored from a backup with finalizers that were removed. */
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

/** The report of a run whose write failed because the object has changed since it was read. */
function reportOfOutdated(error: unknown): ReconcileReport {
  if (isNotFound(error)) return { outcome: 'gone' };
  if (isConflict(error)) return { outcome: 'conflict' };
  throw error;
}

/** The parameters of a call of the user's method. */
interface Call<T extends KubernetesObject> {
  readonly working: WorkingObject<T>;
  /** Undefined if the framework may not write conditions to the status. */
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
  reportRefused(options, call, report !== undefined && report.outcome !== 'invalid');
  if (options.hasStatus) {
    try {
      await writeStatus(options, request.key, cached, working, 'metadata');
    } catch (error) {
      // The user must see the error of the method. The next run sets the status again.
      if (report !== undefined) return reportOfOutdated(error);
    }
  }
  if (report === undefined) throw failure;
  return report;
}

function reportRefused<T extends KubernetesObject>(
  { recorder }: ObjectReconcilerOptions<T>,
  { working: { object }, ownConditions, context }: Call<T>,
  succeeded: boolean,
): void {
  reportRefusedChildren({ object, errors: context.refusedChildren, conditions: ownConditions, succeeded, recorder });
}

/** Calls the finalizers of an object that is being deleted, until one returns that it must be called again. */
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

/** Returns undefined if the finalizer has finished. */
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
  reportRefused(options, call, false);
  if (options.hasStatus) {
    try {
      await writeStatus(options, request.key, cached, working, 'whole');
    } catch (error) {
      // If the finalizer has finished, it must be removed even if the status write failed.
      if (report !== undefined) return reportOfOutdated(error);
    }
  }
  if (failure !== undefined) throw failure.error;
  return report;
}

/** Objects of some built-in kinds have no generation. */
function generationOf({ metadata: { generation } }: KubernetesObject): { generation?: number } {
  return generation === undefined ? {} : { generation };
}

/** Returns the status for conditions. Creates it if the user's method removed it. */
function statusOf(object: KubernetesObject): object {
  const holder = object as { status?: unknown };
  if (typeof holder.status !== 'object' || holder.status === null) holder.status = {};
  return holder.status as object;
}

/** The conditions of a built-in kind belong to its own controller, and the derived roles do not include its status. */
function mayHaveConditions<T extends KubernetesObject>(
  { hasStatus, hasConditions }: ObjectReconcilerOptions<T>,
  observedStatus: JsonObject,
): boolean {
  if (!hasStatus || hasConditions !== 'unsaid') return hasStatus && hasConditions === true;
  return Array.isArray(observedStatus['conditions']);
}

/** Whether a value is a delay in milliseconds. The result may come from code that does not use `requeueAfter()`. */
function isDelay(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function reportOf(member: string, result: unknown): ReconcileReport {
  if (result === undefined) return { outcome: 'await-change' };
  const { outcome, afterMs } = (typeof result === 'object' && result !== null ? result : {}) as {
    readonly outcome?: unknown;
    readonly afterMs?: unknown;
  };
  if (outcome === 'await-change') return { outcome };
  if (outcome === 'requeue-after' && isDelay(afterMs)) return { outcome, afterMs };
  const what =
    outcome === 'requeue-after'
      ? `"requeue-after" with the invalid afterMs ${describeValue(afterMs)}`
      : describeValue(result);
  throw new EvenkeelError(
    'invalid-reconcile-result',
    `${member} returned ${what}; return awaitChange(), requeueAfter('30s') or nothing`,
  );
}
