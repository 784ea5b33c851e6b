import { labelRequirementsOf, matchesLabels, StatusError } from '@evenkeel/core';
import type { Pod, PodDisruptionBudget } from '@evenkeel/kinds';
import { jsonEqual } from '../../apimachinery/index.ts';
import type { ControllerContext, EmbeddedController } from '../controller.ts';
import { keyOf, splitKey } from '../controller-reference.ts';
import { EventWriter } from '../event-writer.ts';
import { KeyedSync } from '../keyed-sync.ts';
import { budgetStatus, disruptedPodsOf, type Expectation, expectationOf, failedStatus } from './budget-status.ts';
import { clearStaleDisruption, hasDisruption } from './stale-disruption.ts';

const budgets = { group: 'policy', plural: 'poddisruptionbudgets' };
const pods = { group: '', plural: 'pods' };

/** Calculates how many pods of a PodDisruptionBudget may be evicted, as kube-controller-manager does. */
export const disruptionController: EmbeddedController = {
  name: 'disruption-controller',
  start(context) {
    const { client, clock } = context;
    const reports = new BudgetReports(new EventWriter(client, clock, 'controllermanager'));
    const sync: KeyedSync = new KeyedSync(context, async (key) => {
      const { namespace, name } = splitKey(key);
      const budget = client.get<PodDisruptionBudget>(budgets, namespace, name);
      if (budget === undefined) return;
      const againMs = await syncBudget(context, budget, reports);
      if (againMs !== undefined) sync.addAfter(key, againMs);
    });
    const stale: KeyedSync = new KeyedSync(context, async (key) => {
      const againMs = await clearStaleDisruption(context, key);
      if (againMs !== undefined) stale.addAfter(key, againMs);
    });
    const stops = [
      client.watch<PodDisruptionBudget>(budgets, ({ type, object }) => {
        if (type === 'DELETED') reports.forget(object);
        else sync.add(keyOf(object));
      }),
      client.watch<Pod>(pods, ({ type, object, old }) => {
        for (const budget of client.list<PodDisruptionBudget>(budgets, object.metadata.namespace)) {
          if (selects(budget, object) || (old !== undefined && selects(budget, old))) sync.add(keyOf(budget));
        }
        if (type !== 'DELETED' && hasDisruption(object)) stale.add(keyOf(object));
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      sync.stop();
      stale.stop();
    };
  },
};

/** An empty selector selects all pods of the namespace. */
function selects({ spec }: PodDisruptionBudget, { metadata }: Pod): boolean {
  return Boolean(spec?.selector) && matchesLabels(labelRequirementsOf(spec?.selector ?? {}), metadata.labels);
}

/** Returns the delay of the next sync if nothing changes before. Source: `trySync`, `pkg/controller/disruption/disruption.go`. */
async function syncBudget(
  { client, clock }: ControllerContext,
  budget: PodDisruptionBudget,
  reports: BudgetReports,
): Promise<number | undefined> {
  const selected = client.list<Pod>(pods, budget.metadata.namespace).filter((pod) => selects(budget, pod));
  reports.noPods(budget, selected.length === 0);
  let expectation: Expectation;
  try {
    expectation = expectationOf(client, budget, selected);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    const { message } = error as Error;
    reports.failure(budget, message);
    await writeStatus(client, budget, failedStatus(budget, message, clock.now()));
    return undefined;
  }
  reports.failure(budget, undefined);
  reports.unmanaged(budget, expectation.hasUnmanaged);
  const disrupted = disruptedPodsOf(budget, selected, clock.now());
  for (const pod of disrupted.overdue) reports.overdue(budget, pod);
  await writeStatus(client, budget, budgetStatus(budget, selected, expectation, disrupted, clock.now()));
  return disrupted.againMs;
}

async function writeStatus(
  client: ControllerContext['client'],
  budget: PodDisruptionBudget,
  status: NonNullable<PodDisruptionBudget['status']>,
): Promise<void> {
  if (!jsonEqual(status, budget.status)) await client.updateStatus(budgets, { ...budget, status });
}

/** The Events about budgets. Each is written once until its cause is gone: upstream combines repeated ones. */
class BudgetReports {
  readonly #events: EventWriter;
  readonly #reported = new Map<string, string>();

  constructor(events: EventWriter) {
    this.#events = events;
  }

  noPods(budget: PodDisruptionBudget, isSo: boolean): void {
    if (this.#isNew(budget, 'NoPods', isSo ? '' : undefined)) {
      this.#events.normal(budget, 'NoPods', 'No matching pods found');
    }
  }

  unmanaged(budget: PodDisruptionBudget, isSo: boolean): void {
    if (!this.#isNew(budget, 'UnmanagedPods', isSo ? '' : undefined)) return;
    const what = `Pods selected by this PodDisruptionBudget (selector: ${goSelector(budget)}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`;
    this.#events.warning(budget, 'UnmanagedPods', what);
  }

  failure(budget: PodDisruptionBudget, message: string | undefined): void {
    const reason = 'CalculateExpectedPodCountFailed';
    if (!this.#isNew(budget, reason, message)) return;
    this.#events.warning(budget, reason, `Failed to calculate the number of expected pods: ${message}`);
  }

  overdue({ metadata: { namespace } }: PodDisruptionBudget, pod: Pod): void {
    // Upstream prints the namespace twice.
    const what = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
    this.#events.warning(pod, 'NotDeleted', what);
  }

  forget(budget: PodDisruptionBudget): void {
    for (const key of this.#reported.keys()) if (key.startsWith(`${keyOf(budget)} `)) this.#reported.delete(key);
  }

  #isNew(budget: PodDisruptionBudget, reason: string, message: string | undefined): boolean {
    const key = `${keyOf(budget)} ${reason}`;
    const isNew = message !== undefined && this.#reported.get(key) !== message;
    if (message === undefined) this.#reported.delete(key);
    else this.#reported.set(key, message);
    return isNew;
  }
}

/** A selector as Go prints it. */
function goSelector({ spec }: PodDisruptionBudget): string {
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
