import {
  type Clock,
  type Condition,
  durationMs,
  type KindClass,
  type KubernetesObject,
  rfc3339,
  type ServedObject,
} from '@evenkeel/core';
import type { ReconcileContext } from '../reconcile/reconcile-context.ts';
import { awaitChange, type ReconcileResult, requeueAfter } from '../reconcile/reconcile-result.ts';
import { deleteExactly, type OperationLock, releaseLock, takeLock } from './operation-lock.ts';

/** The fields of a spec that {@link runOperation} reads. Users of the operator set them. */
export interface OperationSpec {
  /** Whether to cancel the operation. It must not become false again, which a rule of the CRD can ensure. Default: false. */
  readonly cancel?: boolean | undefined;
  /** The duration after which a running operation is given up. The time for which it waited does not count. Default: never. */
  readonly timeout?: string | undefined;
  /** The duration after which an operation that has ended is deleted. Default: never. */
  readonly ttlAfterFinished?: string | undefined;
  /** How many ended operations to keep, at least 1: this one, and the latest ones before it. Older ones are deleted. Default: all. */
  readonly historyLimit?: number | undefined;
}

/** The fields of a status that {@link runOperation} writes. */
export interface OperationStatus {
  /** When the operation got its lock and was accepted. */
  startTime?: string;
  /** When the operation ended. */
  completionTime?: string;
  /** Succeeded: `Unknown` until the operation ends. Its reason is the state, and its message the progress. */
  conditions?: Condition[];
}

/** An object that stands for an operation, such as a restart or a backup. */
export type Operation = KubernetesObject & { readonly spec: OperationSpec; status: OperationStatus };

/** What {@link runOperation} needs besides the operation. */
export interface OperationPlan {
  readonly kind: KindClass;
  readonly lock: OperationLock;
  /** The operations that share the history, for example all of the kind with the same lock. May contain the operation. */
  readonly others: readonly ServedObject<Operation>[];
  readonly clock: Clock;
}

/** The result of a step. A failed operation is not tried again; throw an error to try the step again. */
export interface OperationProgress {
  readonly state: 'running' | 'succeeded' | 'failed';
  /** A sentence for the condition. */
  readonly message: string;
}

/** What an operation does. */
export interface OperationSteps {
  /**
   * Called before the operation starts. Stores what {@link undo} needs in the status, which is written before `advance` is called.
   * Must not change anything else. Returns why the operation must not run; undefined if it may.
   */
  prepare?(): string | undefined;
  /** Does the next part and reports the progress. Called until it does not return `running`, so it must be idempotent. */
  advance(): Promise<OperationProgress>;
  /** Takes back what `advance` changed, if the operation fails, is cancelled or takes too long. Must be idempotent. Default: nothing. */
  undo?(): Promise<unknown>;
}

/** How soon a lock is tried again whose Lease is not cached. Usually its event comes first. */
const foreignLeaseRetry = '10s';

/** The condition that tells whether an operation has ended, and how. */
const condition = 'Succeeded';

/** The states before the end, in which `undo` is called, and the ends that follow. */
const endOf: Readonly<Record<string, string>> = { Cancelling: 'Cancelled', TimingOut: 'TimedOut', Failing: 'Failed' };

/**
 * Runs an operation once, and not at the same time as another one with the same lock. Call it in each reconcile of the operation,
 * and return its result. The condition `Succeeded` has these reasons, in this order:
 *
 * | status | reason |
 * |---|---|
 * | `Unknown` | `Waiting` (another operation holds the lock), `Running`, then `Cancelling`, `TimingOut` or `Failing` while it is undone |
 * | `True` | `Succeeded` |
 * | `False` | `Refused` (by `prepare`), `Cancelled`, `TimedOut`, `Failed` |
 *
 * Promised:
 * - The start is stored before the first `advance`, and the decision to undo before `undo`. After `undo`, `advance` is not called
 *   again, so an operator that crashes does not repeat an operation that it took back.
 * - The lock is released after the end is stored. So nobody else starts while the operation may still be continued.
 * - A waiting operation that is cancelled does nothing.
 * - An operation that has ended does nothing but delete itself and older ones.
 *
 * Not promised:
 * - The order in which waiting operations get the lock.
 * - That `undo` is called if the operation is deleted while it runs. Add a finalizer for that.
 * - Exclusion of clients that do not use the Lease.
 *
 * The controller must watch the Leases with `lock.labels`, and enqueue its operations with `lock.name`. It needs permission to
 * create and delete Leases, and to delete operations. Rejects with what the steps and the requests reject with, to be tried again.
 */
export async function runOperation(
  operation: Operation,
  { client, conditions, events }: ReconcileContext,
  plan: OperationPlan,
  steps: OperationSteps,
): Promise<ReconcileResult> {
  const { spec, status } = operation;
  const { lock, clock } = plan;
  const report = (reason: string, message: string): void => conditions.set(condition, 'Unknown', reason, message);
  const finish = (isSuccess: boolean, reason: string, message: string): ReconcileResult => {
    status.completionTime = rfc3339(new Date(clock.now()));
    conditions.set(condition, isSuccess, reason, message);
    events[isSuccess ? 'normal' : 'warning'](reason, message);
    return storeFirst();
  };
  const { reason = '', message = '' } = conditions.get(condition) ?? {};

  if (status.completionTime !== undefined) {
    await releaseLock(operation, client, lock);
    return retire(operation, client, plan);
  }

  if (status.startTime === undefined) {
    if (spec.cancel) return finish(false, 'Cancelled', 'It was cancelled before it started');
    const holder = await takeLock(operation, client, lock);
    if (!holder.isSelf) {
      report('Waiting', `It waits until ${holder.name} has ended`);
      // No event may come of a Lease that the cache does not contain.
      return holder.isCached ? awaitChange() : requeueAfter(foreignLeaseRetry);
    }
    const refusal = steps.prepare?.();
    if (refusal !== undefined) return finish(false, 'Refused', refusal);
    status.startTime = rfc3339(new Date(clock.now()));
    report('Running', 'It has started');
    events.normal('Started', 'It has started');
    return storeFirst();
  }

  const end = endOf[reason];
  if (end !== undefined) {
    await steps.undo?.();
    return finish(false, end, message);
  }
  const undoAs = (cause: string, why: string): ReconcileResult => {
    report(cause, why);
    return storeFirst();
  };
  if (spec.cancel) return undoAs('Cancelling', `It was cancelled. Before: ${message}`);
  const leftMs = leftOf(spec.timeout, status.startTime, clock);
  if (leftMs <= 0) return undoAs('TimingOut', `It took longer than ${spec.timeout}. Before: ${message}`);
  const progress = await steps.advance();
  if (progress.state === 'succeeded') return finish(true, 'Succeeded', progress.message);
  if (progress.state === 'failed') return undoAs('Failing', progress.message);
  report('Running', progress.message);
  return again(leftMs);
}

/** Returns the rest of a duration; infinite if there is none. */
function leftOf(duration: string | undefined, since: string, clock: Clock): number {
  return duration === undefined ? Infinity : Date.parse(since) + durationMs(duration) - clock.now();
}

function again(afterMs: number): ReconcileResult {
  return afterMs === Infinity ? awaitChange() : requeueAfter(`${afterMs}ms`);
}

/** The status is stored at the end of a run, and the next run acts on it. */
function storeFirst(): ReconcileResult {
  return requeueAfter('1ms');
}

/** Deletes the operations beyond the history limit, and the operation itself when its time has come. */
async function retire(
  operation: Operation,
  client: ReconcileContext['client'],
  { kind, others, clock }: OperationPlan,
): Promise<ReconcileResult> {
  const { ttlAfterFinished, historyLimit = Infinity } = operation.spec;
  const older = others.filter((other) => endedAt(other) !== undefined && compareEnds(other, operation) < 0);
  const excess = Math.max(0, older.length - (historyLimit - 1));
  for (const outdated of older.toSorted(compareEnds).slice(0, excess)) await deleteExactly(client, kind, outdated);
  const leftMs = leftOf(ttlAfterFinished, endedAt(operation) ?? '', clock);
  if (leftMs > 0) return again(leftMs);
  await deleteExactly(client, kind, operation);
  return awaitChange();
}

function endedAt({ status }: ServedObject<Operation>): string | undefined {
  return status?.completionTime;
}

/** Orders by the time of the end. Several may end in the same second. */
function compareEnds(one: ServedObject<Operation>, other: ServedObject<Operation>): number {
  const [first, second] = [one, other].map((each) => `${endedAt(each)} ${each.metadata.name}`) as [string, string];
  return first === second ? 0 : first < second ? -1 : 1;
}
