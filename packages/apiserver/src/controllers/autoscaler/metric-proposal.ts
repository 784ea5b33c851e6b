import { type LabelSelectorSpec, labelRequirementsOf, matchesLabels } from '@evenkeel/core';
import type { HorizontalPodAutoscaler, Pod } from '@evenkeel/kinds';
import { formatQuantity, parseQuantity, quantityNanos } from '../../apimachinery/index.ts';
import { isActive, isReady } from '../pod-readiness.ts';

export type Metric = NonNullable<HorizontalPodAutoscaler['spec']['metrics']>[number];
export type MetricStatus = NonNullable<NonNullable<HorizontalPodAutoscaler['status']>['currentMetrics']>[number];

/** The prefix of annotations of an autoscaler that contain the values of its metrics. */
const metricPrefix = 'metrics.evenkeel.dev/';

/** How many replicas a metric proposes, or why it proposes none. */
export type Proposal =
  | { readonly replicas: number; readonly name: string; readonly status: MetricStatus }
  | { readonly failure: string; readonly reason: string; readonly cause: string };

/** The target of an autoscaler, as it is now. */
export interface ScaledPods {
  readonly replicas: number;
  readonly pods: readonly Pod[];
  readonly tolerance: number;
}

const milli = 1_000_000n;
const noMetrics = 'the server could not find the requested resource (get pods.metrics.k8s.io)';
const noCustomMetrics = 'no custom metrics API (custom.metrics.k8s.io) registered';

/**
 * What a metric proposes, by the annotation of the autoscaler that contains its value: the average of the pods for the types
 * Resource, ContainerResource and Pods, the whole value for Object and External. Without the annotation, it fails as on a cluster
 * without a metrics server. Source: `pkg/controller/podautoscaler/replica_calculator.go`.
 */
export function proposalOf(autoscaler: HorizontalPodAutoscaler, metric: Metric, scaled: ScaledPods): Proposal {
  const { type, resource, containerResource, pods, object, external } = metric;
  const value = (name: string): bigint | undefined => {
    const text = autoscaler.metadata.annotations?.[`${metricPrefix}${name}`];
    return text === undefined || parseQuantity(text) === undefined ? undefined : quantityNanos(text) / milli;
  };
  switch (type) {
    case 'Resource':
    case 'ContainerResource': {
      const { name = '', target = { type: '' } } = resource ?? containerResource ?? {};
      const container = containerResource?.container;
      const usage = value(name);
      const kind = type === 'Resource' ? 'resource' : 'container';
      const about = type === 'Resource' ? name : (container ?? '');
      const reason = type === 'Resource' ? 'FailedGetResourceMetric' : 'FailedGetContainerResourceMetric';
      const what = target.averageValue === undefined ? 'utilization' : 'usage';
      const fail = (why: string): Proposal => {
        const cause = `failed to get ${name} ${what}: ${why}`;
        return { reason, cause, failure: `failed to get ${about} ${kind} metric value: ${cause}` };
      };
      if (usage === undefined) {
        return fail(
          `unable to get metrics for resource ${name}: unable to fetch metrics from resource metrics API: ${noMetrics}`,
        );
      }
      const ready = scaled.pods.filter(isReady);
      if (ready.length === 0) return fail('did not receive metrics for targeted pods (pods might be unready)');
      const averageValue =
        name === 'memory' ? formatQuantity({ nanos: usage * milli, format: 'BinarySI' }) : milliText(usage);
      const statusOf = (current: object): MetricStatus =>
        (type === 'Resource'
          ? { type, resource: { name, current } }
          : { type, containerResource: { name, container, current } }) as MetricStatus;
      if (target.averageValue !== undefined) {
        const ratio = Number(usage) / Number(quantityNanos(target.averageValue) / milli);
        return {
          replicas: replicasAt(ratio, scaled, ready.length),
          name: `${name} resource`,
          status: statusOf({ averageValue }),
        };
      }
      const request = requestOf(ready, name, container);
      if (typeof request === 'string') return fail(request);
      const averageUtilization = Math.floor((Number(usage) * 100) / request);
      const ratio = averageUtilization / (target.averageUtilization ?? 1);
      const of = type === 'Resource' ? 'resource' : 'container resource';
      return {
        replicas: replicasAt(ratio, scaled, ready.length),
        name: `${name} ${of} utilization (percentage of request)`,
        status: statusOf({ averageUtilization, averageValue }),
      };
    }
    case 'Pods': {
      const { metric: identifier, target } = pods ?? { metric: { name: '' }, target: { type: '' } };
      const usage = value(identifier.name);
      if (usage === undefined) {
        const cause = `unable to get metric ${identifier.name}: unable to fetch metrics from custom metrics API: ${noCustomMetrics}`;
        return { reason: 'FailedGetPodsMetric', cause, failure: `failed to get pods metric value: ${cause}` };
      }
      const ratio = Number(usage) / Number(quantityNanos(target.averageValue) / milli);
      return {
        replicas: replicasAt(ratio, scaled, scaled.pods.filter(isReady).length),
        name: `pods metric ${identifier.name}`,
        status: { type, pods: { metric: identifier, current: { averageValue: milliText(usage) } } } as MetricStatus,
      };
    }
    default: {
      const { metric: identifier = { name: '' }, target = { type: '' } } = object ?? external ?? {};
      const isObject = type === 'Object';
      const usage = value(identifier.name);
      if (usage === undefined) {
        const { name } = identifier;
        const where = `${autoscaler.metadata.namespace}/${name}/${shownSelector(identifier.selector)}`;
        const missing = `the server could not find the requested resource (get ${name}.external.metrics.k8s.io)`;
        const cause = isObject
          ? `unable to get metric ${name}: unable to fetch metrics from custom metrics API: ${noCustomMetrics}`
          : `unable to get external metric ${where}: unable to fetch metrics from external metrics API: ${missing}`;
        const what = isObject ? 'object' : `${name} external`;
        const reason = isObject ? 'FailedGetObjectMetric' : 'FailedGetExternalMetric';
        const nested = isObject ? `${name} object metric` : `${name} external metric`;
        const why = target.averageValue === undefined ? cause : `failed to get ${nested}: ${cause}`;
        return { reason, cause, failure: `failed to get ${what} metric value: ${why}` };
      }
      const perPod = target.value === undefined;
      const wanted = Number(quantityNanos(target.value ?? target.averageValue) / milli);
      const replicas = perPod
        ? perPodReplicas(Number(usage), wanted, scaled)
        : replicasAt(Number(usage) / wanted, scaled, scaled.pods.filter(isReady).length);
      const average = (usage + BigInt(Math.max(1, scaled.replicas)) - 1n) / BigInt(Math.max(1, scaled.replicas));
      const current = perPod ? { averageValue: milliText(average) } : { value: milliText(usage) };
      const status = isObject
        ? { type, object: { metric: identifier, current, describedObject: object?.describedObject } }
        : { type, external: { metric: identifier, current } };
      const name = isObject
        ? `${object?.describedObject.kind} metric ${identifier.name}`
        : `external metric ${identifier.name}(${shownSelector(identifier.selector)})`;
      return { replicas, name, status: status as MetricStatus };
    }
  }
}

/** As Go prints a pointer to a selector; without the order of its maps. */
function shownSelector(selector: LabelSelectorSpec | undefined): string {
  if (selector === undefined) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}: ${value},`);
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{},}`;
}

function milliText(amount: bigint): string {
  return formatQuantity({ nanos: amount * milli, format: 'DecimalSI' });
}

/** A small change is ignored. */
function replicasAt(ratio: number, { replicas, tolerance }: ScaledPods, ready: number): number {
  return Math.abs(ratio - 1) <= tolerance ? replicas : Math.ceil(ratio * ready);
}

function perPodReplicas(usage: number, target: number, { replicas, tolerance }: ScaledPods): number {
  const ratio = usage / (target * Math.max(1, replicas));
  return Math.abs(ratio - 1) <= tolerance ? replicas : Math.ceil(usage / target);
}

/** The average request of the pods in thousandths, or why there is none. */
function requestOf(pods: readonly Pod[], resource: string, only: string | undefined): number | string {
  let total = 0;
  for (const { metadata, spec } of pods) {
    for (const { name, resources } of spec?.containers ?? []) {
      if (only !== undefined && name !== only) continue;
      const request = resources?.requests?.[resource];
      if (request === undefined) return `missing request for ${resource} in container ${name} of Pod ${metadata.name}`;
      total += Number(quantityNanos(request) / milli);
    }
  }
  return Math.max(1, total / pods.length);
}

/** The active pods of a workload with this selector. */
export function podsOf(pods: readonly Pod[], selector: Parameters<typeof labelRequirementsOf>[0]): Pod[] {
  const requirements = labelRequirementsOf(selector);
  return pods.filter((pod) => isActive(pod) && matchesLabels(requirements, pod.metadata.labels));
}
