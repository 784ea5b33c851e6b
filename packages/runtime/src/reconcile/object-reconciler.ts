import type { Client } from '@evenkeel/client';
import {
  type ApiResource,
  type Clock,
  EvenkeelError,
  isConflict,
  isNotFound,
  type KindClass,
  type KubernetesObject,
  type Logger,
  type ObjectKey,
} from '@evenkeel/core';
import type { EventRecorder } from '../event/event-recorder.ts';
import type { ChildApplier } from './apply-child.ts';
import { StatusConditions } from './condition-set.ts';
import type { JsonObject } from './json-difference.ts';
import type { ReconcileContext } from './reconcile-context.ts';
import type { ReconcileResult } from './reconcile-result.ts';
import type { ReconcileReport, ReconcileRequest, Reconciler } from './reconciler.ts';
import { RunContext } from './run-context.ts';
import { writeStatus } from './status-writer.ts';
import type { ValidityCheck } from './validity-check.ts';
import { explainFrozenWrite, workingObject } from './working-object.ts';

export interface ObjectReconcilerOptions<T extends KubernetesObject> {
  readonly controller: string;
  /** Names the method in messages: `NginxController.reconcile`. */
  readonly member: string;
  readonly kind: KindClass<T>;
  readonly resource: ApiResource;
  readonly hasStatus: boolean;
  /** Whether conditions may be put into the status, as far as the kind's class says. */
  readonly hasConditions: boolean;
  /** The cached object. */
  readonly get: (key: ObjectKey) => T | undefined;
  /** The user's method. */
  readonly reconcile: (object: T, context: ReconcileContext) => unknown;
  readonly applier: ChildApplier;
  /** Decides which objects may be reconciled. Undefined: all. */
  readonly validity: ValidityCheck | undefined;
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The comfortable reconciler over the basic one: the user's method is handed the object instead of a key, and what it
 * left in the status is written once, at the end, also when it threw.
 *
 * It is not called for an object that is gone or being deleted: what it owns goes by garbage collection, and making it
 * again meanwhile would work against that. Nor for one that does not pass the validity check, whatever woke its key: then
 * its children are left as they are, also where somebody changes them.
 */
export function objectReconciler<T extends KubernetesObject>(options: ObjectReconcilerOptions<T>): Reconciler {
  return async (request) => {
    const cached = options.get(request.key);
    if (cached === undefined) {
      options.applier.forget(request.key);
      options.validity?.forget(request.key);
      return { outcome: 'gone' };
    }
    if (cached.metadata.deletionTimestamp !== undefined) return { outcome: 'deleting' };
    return reconcileObject(options, request, cached);
  };
}

async function reconcileObject<T extends KubernetesObject>(
  options: ObjectReconcilerOptions<T>,
  request: ReconcileRequest,
  cached: T,
): Promise<ReconcileReport> {
  const working = workingObject(options.kind, cached, options.hasStatus);
  const { object } = working;
  const conditions = new StatusConditions(() => statusOf(object), cached.metadata.generation, options.clock);
  const context = new RunContext({
    ...options,
    key: request.key,
    triggers: request.triggers,
    signal: request.signal,
    object,
    logger: options.logger.child({ object: String(request.key) }),
    conditions,
  });
  let report: ReconcileReport | undefined;
  let failure: unknown;
  try {
    const isValid = options.validity?.passes(request.key, cached, {
      conditions: mayHaveConditions(options, working.observedStatus) ? conditions : undefined,
      logger: context.logger,
    });
    report =
      isValid === false ? { outcome: 'invalid' } : reportOf(options.member, await options.reconcile(object, context));
  } catch (error) {
    failure = explainFrozenWrite(error, object);
  }
  if (options.hasStatus) {
    try {
      await writeStatus(options, request.key, cached, working);
    } catch (error) {
      // What the reconcile itself failed with is what the user must see; the status is concluded anew by the next run.
      if (report !== undefined) {
        if (isNotFound(error)) return { outcome: 'gone' };
        if (isConflict(error)) return { outcome: 'conflict' };
        throw error;
      }
    }
  }
  if (report === undefined) throw failure;
  return report;
}

/** The status that conditions are put in, made where the user took it away. */
function statusOf(object: KubernetesObject): object {
  const holder = object as { status?: unknown };
  if (typeof holder.status !== 'object' || holder.status === null) holder.status = {};
  return holder.status as object;
}

/** A class whose decorators say nothing of types leaves it to the status as it is. */
function mayHaveConditions<T extends KubernetesObject>(
  { hasStatus, hasConditions }: ObjectReconcilerOptions<T>,
  observedStatus: JsonObject,
): boolean {
  return hasStatus && (hasConditions || Array.isArray(observedStatus['conditions']));
}

function reportOf(member: string, result: unknown): ReconcileReport {
  if (result === undefined) return { outcome: 'await-change' };
  const { outcome, afterMs } = (typeof result === 'object' && result !== null ? result : {}) as Partial<
    Extract<ReconcileResult, { afterMs: number }>
  >;
  if ((outcome as string) === 'await-change') return { outcome: 'await-change' };
  if (outcome === 'requeue-after' && typeof afterMs === 'number') return { outcome, afterMs };
  throw new EvenkeelError(
    'invalid-reconcile-result',
    `${member} returned ${JSON.stringify(result) ?? typeof result}; return awaitChange(), requeueAfter('30s') or nothing`,
  );
}
