import type { Client } from '@evenkeel/client';
import type { ApiResource, Condition, KubernetesObject } from '@evenkeel/core';
import type { RunSummary } from './run-summary.ts';

/** Conditions that report whether the whole object is in its desired state. If one exists, the others are only details. */
const goals = ['Available', 'Ready'];

/** If none of `goals` exists: conditions that are true while an object is not, or not yet, in its desired state. */
const shortcomings: ReadonlySet<string> = new Set([
  'Degraded',
  'Error',
  'Failed',
  'Progressing',
  'Reconciling',
  'Stalled',
]);

/** Conditions that report what the user asked for. */
const wishes: ReadonlySet<string> = new Set(['Paused', 'Suspended']);

/** What an object's status reports about its progress. */
export interface Progress {
  readonly converged: boolean;
  /** The `Available` or `Ready` condition that decided, if there is one. */
  readonly condition?: Condition;
}

/** What else is known about a sample that `dev` waits for. */
export interface Observed {
  /** The last run of each controller. */
  readonly runs: readonly RunSummary[];
  /** Whether a controller of the operator reconciles its kind. Other objects need no run to converge. */
  readonly isReconciled: boolean;
}

interface Conditioned extends KubernetesObject {
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: unknown };
}

/**
 * `Available` and `Ready` decide if they exist: all that exist must be true and observed at the latest generation. If
 * neither exists, every other condition must be true (or false, if its name reports a problem). A status without
 * conditions has converged.
 */
export function progressOf(object: KubernetesObject): Progress {
  const { status } = object as Conditioned;
  if (!isCurrent(status?.observedGeneration, object)) return { converged: false };
  const conditions = conditionsOf(object);
  const deciding = goals.flatMap((goal) => conditions.find(({ type }) => type === goal) ?? []);
  const [condition] = deciding;
  if (condition === undefined) return { converged: conditions.every(isFulfilled) };
  return { converged: deciding.every((one) => isReached(one, object)), condition };
}

/** Whether a status or a condition is about the latest generation. Without a generation, it is. */
function isCurrent(observed: number | undefined, { metadata: { generation } }: KubernetesObject): boolean {
  return observed === undefined || generation === undefined || observed >= generation;
}

/** Whether one of `goals` is true for the latest generation. */
function isReached({ status, observedGeneration }: Condition, object: KubernetesObject): boolean {
  return status === 'True' && isCurrent(observedGeneration, object);
}

/**
 * Returns why an object has not converged, as text for a user; undefined if it has converged. It has converged if its
 * last runs ended without a failure, they saw its latest generation, and its status agrees. Conditions that are as they
 * should be are not reasons: `Degraded=False` is good.
 */
export function shortfallOf(
  object: KubernetesObject | undefined,
  { runs, isReconciled }: Observed,
): string | undefined {
  if (object === undefined) return 'it does not exist';
  const { metadata } = object;
  const obstacles: string[] = [];
  if (metadata.deletionTimestamp !== undefined) obstacles.push('it is being deleted');
  const failed = runs.map(failureOf).find((failure) => failure !== undefined);
  if (failed !== undefined) obstacles.push(failed);
  else if (isReconciled && runs.length === 0) obstacles.push('no reconcile of it has finished yet');
  else if (isReconciled && metadata.generation !== undefined) {
    const seen = Math.max(...runs.map(({ generation = 0 }) => generation));
    if (seen < metadata.generation) obstacles.push('its latest change has not been reconciled yet');
  }
  if (progressOf(object).converged && obstacles.length === 0) return undefined;
  const conditions = conditionsOf(object)
    .filter((condition) => !(goals.includes(condition.type) ? isReached(condition, object) : isFulfilled(condition)))
    .map((condition) => describeCondition(condition, object))
    .join(', ');
  return (
    [conditions, ...obstacles].filter((part) => part !== '').join('; ') || 'its status is that of an older generation'
  );
}

/** Returns why a run did not succeed, whatever the conditions say. */
function failureOf({ outcome, error }: RunSummary): string | undefined {
  switch (outcome) {
    case 'failed':
    case 'terminal':
      return `its last reconcile failed: ${error}`;
    case 'invalid':
      return 'it is invalid';
    case 'conflict':
      return 'another client wrote its status during the run';
    default:
      return undefined;
  }
}

function isFulfilled({ type, status }: Condition): boolean {
  if (wishes.has(type)) return true;
  return shortcomings.has(type) ? status === 'False' : status === 'True';
}

function describeCondition(condition: Condition, object: KubernetesObject): string {
  const { type, status, reason, message, observedGeneration } = condition;
  const stale = goals.includes(type) && !isCurrent(observedGeneration, object) ? ' of an older generation' : '';
  return `${type}=${status}${stale} (${reason}${message ? `: ${message}` : ''})`;
}

/** The user defines the status, so `conditions` in it may be anything. */
function conditionsOf(object: KubernetesObject): readonly Condition[] {
  const conditions = (object as Conditioned).status?.conditions;
  return Array.isArray(conditions) ? conditions.filter((one) => typeof one?.type === 'string') : [];
}

/**
 * Calls `changed` for each change of an object until the signal is aborted, then rejects with its reason. Restarts a
 * watch that ends.
 */
export async function watchObject(
  client: Client,
  resource: ApiResource,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
  { signal, changed }: { readonly signal: AbortSignal; readonly changed: () => void },
): Promise<never> {
  for (;;) {
    for await (const event of client.watch(resource, { namespace, fields: { 'metadata.name': name }, signal })) {
      if (event.type !== 'BOOKMARK') changed();
    }
    signal.throwIfAborted();
  }
}
