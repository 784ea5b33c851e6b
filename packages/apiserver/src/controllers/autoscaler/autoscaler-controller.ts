import {
  groupResourceOf,
  type KubernetesObject,
  type LabelSelectorSpec,
  parseApiVersion,
  rfc3339,
} from '@evenkeel/core';
import type { HorizontalPodAutoscaler, Pod } from '@evenkeel/kinds';
import { jsonEqual, quantityNanos } from '../../apimachinery/index.ts';
import type { ControllerContext, EmbeddedController } from '../controller.ts';
import { keyOf, splitKey } from '../controller-reference.ts';
import { EventWriter } from '../event-writer.ts';
import { KeyedSync } from '../keyed-sync.ts';
import type { ServerResource } from '../server-client.ts';
import { type MetricStatus, podsOf, proposalOf } from './metric-proposal.ts';
import { ScalingLimits } from './scaling-limits.ts';

const autoscalers = { group: 'autoscaling', plural: 'horizontalpodautoscalers' };
const pods = { group: '', plural: 'pods' };

/** The period in which each autoscaler looks at its metrics (`--horizontal-pod-autoscaler-sync-period`). */
const periodMs = 15_000;
const defaultTolerance = 0.1;

type Status = NonNullable<HorizontalPodAutoscaler['status']>;
type Condition = NonNullable<Status['conditions']>[number];

interface Scalable extends KubernetesObject {
  readonly spec?: { readonly replicas?: number; readonly selector?: LabelSelectorSpec };
}

/**
 * Scales workloads by the metrics in annotations of their autoscaler, every 15 seconds of the clock and when the autoscaler changes.
 * Source: `reconcileAutoscaler`, `pkg/controller/podautoscaler/horizontal.go`.
 */
export const autoscalerController: EmbeddedController = {
  name: 'horizontal-pod-autoscaler-controller',
  start(context) {
    const { client, clock } = context;
    const events = new EventWriter(client, clock, 'horizontal-pod-autoscaler');
    const limits = new Map<string, ScalingLimits>();
    const sync: KeyedSync = new KeyedSync(context, async (key) => {
      const { namespace, name } = splitKey(key);
      const autoscaler = client.get<HorizontalPodAutoscaler>(autoscalers, namespace, name);
      if (autoscaler === undefined) {
        limits.delete(key);
        return;
      }
      const known = limits.get(key) ?? new ScalingLimits();
      limits.set(key, known);
      const status = await new AutoscalerRun(context, events, known, autoscaler).run();
      if (!jsonEqual(status, autoscaler.status)) await client.updateStatus(autoscalers, { ...autoscaler, status });
      sync.addAfter(key, periodMs);
    });
    const stop = client.watch<HorizontalPodAutoscaler>(autoscalers, ({ object, old }) => {
      const isOwn = old !== undefined && jsonEqual(object.spec, old.spec) && hasSameAnnotations(object, old);
      if (!isOwn) sync.add(keyOf(object));
    });
    return () => {
      stop();
      sync.stop();
    };
  },
};

function hasSameAnnotations({ metadata }: KubernetesObject, old: KubernetesObject): boolean {
  return jsonEqual(metadata.annotations ?? {}, old.metadata.annotations ?? {});
}

/** One look at an autoscaler: it scales the target, and returns the new status. */
class AutoscalerRun {
  readonly #context: ControllerContext;
  readonly #events: EventWriter;
  readonly #limits: ScalingLimits;
  readonly #autoscaler: HorizontalPodAutoscaler;
  readonly #conditions: Condition[];

  constructor(
    context: ControllerContext,
    events: EventWriter,
    limits: ScalingLimits,
    autoscaler: HorizontalPodAutoscaler,
  ) {
    this.#context = context;
    this.#events = events;
    this.#limits = limits;
    this.#autoscaler = autoscaler;
    this.#conditions = (autoscaler.status?.conditions ?? []).map((condition) => ({ ...condition }));
  }

  async run(): Promise<Status> {
    const found = this.#target();
    if (typeof found === 'string') {
      this.#events.warning(this.#autoscaler, 'FailedGetScale', found);
      const message = `the HPA controller was unable to get the target's current scale: ${found}`;
      this.#set('AbleToScale', false, 'FailedGetScale', message);
      return this.#status({});
    }
    const message = "the HPA controller was able to get the target's current scale";
    this.#set('AbleToScale', true, 'SucceededGetScale', message);
    return this.#scale(found.resource, found.object);
  }

  async #scale(resource: ServerResource, target: Scalable): Promise<Status> {
    const { client, clock } = this.#context;
    const nowMs = clock.now();
    const { minReplicas = 1, maxReplicas } = this.#autoscaler.spec;
    const current = target.spec?.replicas ?? 1;
    this.#limits.begin(current, nowMs);
    let desired = current;
    let why = '';
    let currentMetrics: (MetricStatus | null)[] | undefined;
    if (current === 0) {
      const disabled = 'scaling is disabled since the replica count of the target is zero';
      this.#set('ScalingActive', false, 'ScalingDisabled', disabled);
    } else if (current > maxReplicas) {
      [desired, why] = [maxReplicas, 'Current number of replicas above Spec.MaxReplicas'];
    } else if (current < minReplicas) {
      [desired, why] = [minReplicas, 'Current number of replicas below Spec.MinReplicas'];
    } else {
      const proposed = this.#propose(current, target);
      currentMetrics = proposed.statuses;
      if (proposed.failure !== undefined) {
        this.#events.warning(this.#autoscaler, 'FailedComputeMetricsReplicas', proposed.failure);
        return this.#status({ currentReplicas: current, currentMetrics });
      }
      if (proposed.replicas > current) why = `${proposed.name} above target`;
      if (proposed.replicas < current) why = 'All metrics below target';
      const limited = this.#limits.limit(this.#autoscaler, current, proposed.replicas, nowMs);
      this.#set('AbleToScale', true, ...limited.able);
      this.#set('ScalingLimited', ...limited.limited);
      desired = limited.replicas;
    }
    if (desired === current)
      return this.#status({ currentReplicas: current, desiredReplicas: current, currentMetrics });
    const { namespace, name } = target.metadata;
    await client.patch(resource, namespace, name, { spec: { replicas: desired } });
    const message = `the HPA controller was able to update the target scale to ${desired}`;
    this.#set('AbleToScale', true, 'SucceededRescale', message);
    this.#events.normal(this.#autoscaler, 'SuccessfulRescale', `New size: ${desired}; reason: ${why}`);
    this.#limits.record(current, desired, nowMs);
    const lastScaleTime = rfc3339(new Date(nowMs));
    return this.#status({ currentReplicas: current, desiredReplicas: desired, currentMetrics, lastScaleTime });
  }

  /** The replicas that the metrics propose: the most of all. */
  #propose(current: number, target: Scalable) {
    const { client } = this.#context;
    const { behavior, metrics = [] } = this.#autoscaler.spec;
    const tolerance = behavior?.scaleUp?.tolerance;
    const scaled = {
      replicas: current,
      pods: podsOf(client.list<Pod>(pods, target.metadata.namespace), target.spec?.selector ?? {}),
      tolerance: tolerance === undefined ? defaultTolerance : Number(quantityNanos(tolerance)) / 1e9,
    };
    const proposals = metrics.map((metric) => proposalOf(this.#autoscaler, metric, scaled));
    const statuses = proposals.map((one) => ('status' in one ? one.status : ({ type: '' } as MetricStatus)));
    let [replicas, name] = [0, ''];
    for (const one of proposals) {
      if ('replicas' in one && (replicas === 0 || one.replicas > replicas)) [replicas, name] = [one.replicas, one.name];
    }
    const failed = proposals.flatMap((one) => ('failure' in one ? [one] : []));
    for (const { reason, cause } of failed) this.#events.warning(this.#autoscaler, reason, cause);
    const [first] = failed;
    if (first !== undefined && (failed.length === metrics.length || replicas < current)) {
      const message = `the HPA was unable to compute the replica count: ${first.cause}`;
      this.#set('ScalingActive', false, first.reason, message);
      const counts = `${failed.length} invalid out of ${metrics.length}`;
      return { replicas, name, statuses, failure: `invalid metrics (${counts}), first error is: ${first.failure}` };
    }
    const message = `the HPA was able to successfully calculate a replica count from ${name}`;
    this.#set('ScalingActive', true, 'ValidMetricFound', message);
    return { replicas, name, statuses };
  }

  /** The workload, or why there is none. */
  #target(): { readonly resource: ServerResource; readonly object: Scalable } | string {
    const { client } = this.#context;
    const { apiVersion = '', kind, name } = this.#autoscaler.spec.scaleTargetRef;
    const resource = client.resourceOf(apiVersion, kind);
    if (resource === undefined) {
      const { group } = parseApiVersion(apiVersion);
      return `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`;
    }
    const object = client.get<Scalable>(resource, this.#autoscaler.metadata.namespace, name);
    return object === undefined
      ? `${groupResourceOf(resource)} ${JSON.stringify(name)} not found`
      : { resource, object };
  }

  #status(changes: {
    readonly currentReplicas?: number;
    readonly desiredReplicas?: number;
    readonly currentMetrics?: (MetricStatus | null)[] | undefined;
    readonly lastScaleTime?: string;
  }): Status {
    const { currentMetrics, ...others } = changes;
    return {
      ...this.#autoscaler.status,
      desiredReplicas: this.#autoscaler.status?.desiredReplicas ?? 0,
      ...others,
      currentMetrics: (currentMetrics ?? null) as never,
      conditions: this.#conditions,
    };
  }

  #set(type: string, isTrue: boolean, reason: string, message: string): void {
    const status = isTrue ? 'True' : 'False';
    const now = rfc3339(new Date(this.#context.clock.now()));
    const index = this.#conditions.findIndex((condition) => condition.type === type);
    const old = this.#conditions[index];
    const lastTransitionTime = old?.status === status ? (old.lastTransitionTime ?? now) : now;
    const condition = { type, status, lastTransitionTime, reason, message };
    if (index < 0) this.#conditions.push(condition);
    else this.#conditions[index] = condition;
  }
}
