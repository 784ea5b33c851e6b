import { labelRequirementsOf, matchesLabels, rfc3339 } from '@evenkeel/core';
import type { Pod, PodDisruptionBudget } from '@evenkeel/kinds';
import { copyJson } from '../apimachinery/index.ts';
import { type ApiObject } from '../kind/api-object.ts';
import type { DeleteOptions } from '../kind/strategy.ts';
import { forbidden, notFound, refusal } from '../status/refusal.ts';
import { checkPreconditions, deleteObject } from './delete-object.ts';
import type { ObjectRegistry } from './object-registry.ts';
import type { WriteRequest } from './write-request.ts';

const budgetsKey = 'policy/poddisruptionbudgets';
const budgets = { group: 'policy', plural: 'poddisruptionbudget' };

/** The most evictions that the controller of the budget may not have seen yet (`MaxDisruptedPodSize`). */
const mostDisruptedPods = 2000;

/** An eviction of a pod that exists. */
export interface Eviction {
  readonly registry: ObjectRegistry;
  readonly pod: Pod;
  readonly request: WriteRequest;
  readonly options: DeleteOptions;
  /** Returns the request that writes the status of a budget. */
  readonly budgetRequest: (name: string) => Promise<WriteRequest>;
}

/**
 * Deletes a pod if its PodDisruptionBudget allows it; otherwise rejects with 429. Source: `EvictionREST.Create`,
 * `pkg/registry/core/pod/storage/eviction.go`.
 */
export async function evictPod(eviction: Eviction): Promise<void> {
  const { registry, pod, request } = eviction;
  if (!isGuarded(pod)) return markAndDelete(eviction);
  const [budget, ...others] = budgetsOf(registry, pod);
  if (others.length > 0) {
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    throw refusal(500, '', message);
  }
  if (budget !== undefined && (isReady(pod) || !mayLoseUnready(budget))) {
    const budgetRequest = await eviction.budgetRequest(budget.metadata.name);
    await registry.update(budgetRequest, (current) => {
      if (current === undefined) throw notFound(budgetRequest.kind.names, budget.metadata.name);
      return withDisruption(registry, current, request.name);
    });
  }
  return markAndDelete(eviction);
}

/** Whether budgets count the pod. Pending, ended and terminating pods have been disrupted already. */
function isGuarded({ metadata, status }: Pod): boolean {
  const isUncounted = ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '');
  return !isUncounted && metadata.deletionTimestamp === undefined;
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true;
}

/** An empty selector selects all pods. */
function budgetsOf(registry: ObjectRegistry, { metadata }: Pod): PodDisruptionBudget[] {
  return registry.store
    .resource(budgetsKey)
    .list(metadata.namespace ?? '')
    .map(({ object }) => object as unknown as PodDisruptionBudget)
    .filter(({ spec }) => spec?.selector && matchesLabels(labelRequirementsOf(spec.selector), metadata.labels));
}

/** Whether a pod that is not ready may be evicted without a disruption. */
function mayLoseUnready({ spec, status }: PodDisruptionBudget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

/** Returns the budget with one allowed disruption less (`checkAndDecrement`). */
function withDisruption(registry: ObjectRegistry, current: ApiObject, podName: string): ApiObject {
  const budget = copyJson(current) as unknown as PodDisruptionBudget;
  const { metadata, status } = budget;
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {} } = status ?? {};
  const { name } = metadata;
  if (observedGeneration < (metadata.generation ?? 0)) {
    throw tooManyRequests(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (disruptionsAllowed < 0) throw forbidden(budgets, name, 'pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > mostDisruptedPods) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(budgets, name, why);
  }
  if (disruptionsAllowed === 0) {
    const { desiredHealthy = 0, currentHealthy = 0 } = status ?? {};
    const has = `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
    throw tooManyRequests(`The disruption budget ${name} ${has}`);
  }
  const now = rfc3339(new Date(registry.clock.now()));
  const conditions = status?.conditions?.map((condition) =>
    condition.type === 'DisruptionAllowed' && disruptionsAllowed === 1 && condition.status !== 'False'
      ? { ...condition, status: 'False', reason: 'InsufficientPods', lastTransitionTime: now, observedGeneration }
      : condition,
  );
  const changed = {
    ...status,
    disruptionsAllowed: disruptionsAllowed - 1,
    disruptedPods: { ...disruptedPods, [podName]: now },
    ...(conditions !== undefined && { conditions }),
  };
  return { ...budget, status: changed } as unknown as ApiObject;
}

function tooManyRequests(message: string, retryAfterSeconds?: number): Error {
  return refusal(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    causes: [{ reason: 'DisruptionBudget', message }],
  });
}

/** Gives the pod the condition DisruptionTarget, which remains while it terminates, and deletes it. */
async function markAndDelete({ registry, request, options }: Eviction): Promise<void> {
  let { preconditions } = options;
  if (!request.dryRun) {
    const marked = await registry.update(
      request,
      (current) => {
        if (current === undefined) throw notFound(request.kind.names, request.name);
        checkPreconditions(request.kind, current, options);
        return withDisruptionTarget(current, rfc3339(new Date(registry.clock.now())));
      },
      { ownsManagedFields: true, trusted: true },
    );
    const { resourceVersion } = marked.object.metadata;
    if (preconditions?.resourceVersion !== undefined && resourceVersion !== undefined) {
      preconditions = { ...preconditions, resourceVersion };
    }
  }
  const deletion = { ...options, ...(preconditions !== undefined && { preconditions }) };
  // Webhooks see the Eviction, not the deletion.
  await deleteObject(registry, request, deletion, { asksWebhooks: false });
}

function withDisruptionTarget(current: ApiObject, now: string): ApiObject {
  const pod = copyJson(current) as unknown as Pod;
  const conditions = pod.status?.conditions ?? [];
  const old = conditions.find(({ type }) => type === 'DisruptionTarget');
  const reason = 'EvictionByEvictionAPI';
  if (old?.status === 'True' && old.reason === reason) return current;
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: now,
    reason,
    message: 'Eviction API: evicting',
  };
  const others = conditions.filter(({ type }) => type !== 'DisruptionTarget');
  return { ...pod, status: { ...pod.status, conditions: [...others, condition] } } as unknown as ApiObject;
}
