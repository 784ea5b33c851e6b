import type { Client } from '@evenkeel/client';
import type { ApiResource, Condition, KubernetesObject } from '@evenkeel/core';
import type { ReconcileRun } from '@evenkeel/runtime';
import { messageOf } from './describe-run.ts';

/** The conditions that say that an object is what it was asked to be. Where one is there, the others are its details. */
const goals = ['Available', 'Ready'];

/** Where none of those is there: these are true of an object that is not what it was asked to be, or not yet. */
const shortcomings: ReadonlySet<string> = new Set([
  'Degraded',
  'Error',
  'Failed',
  'Progressing',
  'Reconciling',
  'Stalled',
]);

/** And these are what somebody asked for. */
const wishes: ReadonlySet<string> = new Set(['Paused', 'Suspended']);

/** How far the status of an object says that it has come. */
export interface Progress {
  readonly converged: boolean;
  /** The condition that says so, where it has one of those that say so for all of it. */
  readonly condition?: Condition;
}

/** What else is known of an object that is waited for. */
export interface Observed {
  /** The last run of each controller. */
  readonly runs: readonly ReconcileRun[];
  /** Whether a controller of the operator reconciles its kind; others are done when they are there. */
  readonly isReconciled: boolean;
}

interface Conditioned extends KubernetesObject {
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: unknown };
}

/**
 * `Available` and `Ready` decide where they are there: both true, and concluded from the latest generation. Where neither is,
 * every other condition is true (or false, where its name is that of something wrong). A status that says nothing says nothing
 * against it.
 */
export function progressOf(object: KubernetesObject): Progress {
  const { status, metadata } = object as Conditioned;
  const isCurrent = (observed: number | undefined): boolean =>
    observed === undefined || metadata.generation === undefined || observed >= metadata.generation;
  if (!isCurrent(status?.observedGeneration)) return { converged: false };
  const conditions = conditionsOf(object);
  const deciding = goals.flatMap((goal) => conditions.find(({ type }) => type === goal) ?? []);
  const [condition] = deciding;
  if (condition === undefined) return { converged: conditions.every(isAsItShallBe) };
  const converged = deciding.every((one) => one.status === 'True' && isCurrent(one.observedGeneration));
  return { converged, condition };
}

/**
 * Why an object has not converged, for a person; undefined where it has: its last runs ended without a failure and have seen its
 * latest generation, and its status says nothing else.
 */
export function shortfallOf(
  object: KubernetesObject | undefined,
  { runs, isReconciled }: Observed,
): string | undefined {
  if (object === undefined) return 'it is not there';
  const { metadata } = object;
  const obstacles: string[] = [];
  if (metadata.deletionTimestamp !== undefined) obstacles.push('it is being deleted');
  const failed = runs.map(failureOf).find((failure) => failure !== undefined);
  if (failed !== undefined) obstacles.push(failed);
  else if (isReconciled && runs.length === 0) obstacles.push('no reconcile of it has ended yet');
  else if (isReconciled && metadata.generation !== undefined) {
    const seen = Math.max(...runs.map(({ generation = 0 }) => generation));
    if (seen < metadata.generation) obstacles.push('its latest change has not been reconciled yet');
  }
  if (progressOf(object).converged && obstacles.length === 0) return undefined;
  const conditions = conditionsOf(object).map(describeCondition).join(', ');
  return (
    [conditions, ...obstacles].filter((part) => part !== '').join('; ') || 'its status is that of an older generation'
  );
}

/** What a run did not come to its end by, whatever the conditions say. */
function failureOf({ outcome, error }: ReconcileRun): string | undefined {
  switch (outcome) {
    case 'failed':
    case 'terminal':
      return `its last reconcile failed: ${messageOf(error)}`;
    case 'invalid':
      return 'it is invalid';
    case 'conflict':
      return 'somebody else wrote its status meanwhile';
    default:
      return undefined;
  }
}

function isAsItShallBe({ type, status }: Condition): boolean {
  if (wishes.has(type)) return true;
  return shortcomings.has(type) ? status === 'False' : status === 'True';
}

function describeCondition({ type, status, reason, message }: Condition): string {
  return `${type}=${status} (${reason}${message ? `: ${message}` : ''})`;
}

/** A status is the user's own, and `conditions` in it may be anything. */
function conditionsOf(object: KubernetesObject): readonly Condition[] {
  const conditions = (object as Conditioned).status?.conditions;
  return Array.isArray(conditions) ? conditions.filter((one) => typeof one?.type === 'string') : [];
}

/** Tells each change of an object until the signal is aborted, and then rejects with its reason. Survives a watch that ends. */
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
