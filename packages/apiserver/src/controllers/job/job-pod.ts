import { labelRequirementsOf, matchesLabels } from '@evenkeel/core';
import type { Job, Pod } from '@evenkeel/kinds';
import { copyJson } from '../../apimachinery/index.ts';
import { controllerReferenceTo } from '../controller-reference.ts';
import { isFinished, isReady } from '../pod-readiness.ts';
import { matchFailurePolicy } from './job-failure-policy.ts';

/** The finalizer that keeps a finished pod until its Job has counted it. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

const indexAnnotation = 'batch.kubernetes.io/job-completion-index';
const failuresAnnotation = 'batch.kubernetes.io/job-index-failure-count';
const ignoredFailuresAnnotation = 'batch.kubernetes.io/job-index-ignored-failure-count';

/** The longest prefix of a generated name, before its five random characters. */
const prefixLengthMax = 58;

export function isTracked(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(trackingFinalizer) === true;
}

/** Whether the Job's selector matches. An empty selector matches every pod, as in `LabelSelectorAsSelector`. */
export function selectsPod({ spec }: Job, pod: Pod): boolean {
  return spec?.selector !== undefined && matchesLabels(labelRequirementsOf(spec.selector), pod.metadata.labels);
}

export function isIndexed(job: Job): boolean {
  return job.spec?.completionMode === 'Indexed';
}

/** The completion index that a pod of an Indexed Job works on; undefined without a valid index. */
export function completionIndexOf(pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[indexAnnotation];
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

/** Whether the pod's index is one of the Job's completions; always true for a Job without indexes. */
export function hasValidIndex(job: Job, pod: Pod): boolean {
  const index = completionIndexOf(pod);
  return !isIndexed(job) || (index !== undefined && index < (job.spec?.completions ?? 0));
}

/** Whether terminating pods are replaced only after they have finished. */
export function replacesOnlyFailed({ spec }: Job): boolean {
  return spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined;
}

/** Whether a pod has failed. A pod deleted before it finished never reports a failure, so it counts as failed. */
export function hasFailed(job: Job, { metadata, status }: Pod): boolean {
  if (status?.phase === 'Failed') return true;
  return !replacesOnlyFailed(job) && metadata.deletionTimestamp !== undefined && status?.phase !== 'Succeeded';
}

export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isFinished(pod);
}

/** The number of counted failures of the pod's index before this pod. */
export function indexFailuresOf(pod: Pod): number {
  return countOf(pod, failuresAnnotation);
}

/** The same number, including failures that the failure policy ignored. */
export function allIndexFailuresOf(pod: Pod): number {
  return indexFailuresOf(pod) + countOf(pod, ignoredFailuresAnnotation);
}

function countOf({ metadata }: Pod, annotation: string): number {
  const text = metadata.annotations?.[annotation];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** When a pod finished, from its containers or else from its other times. Source: `getFinishedTime`, `backoff_utils.go`. */
export function finishedMs({ metadata, spec, status }: Pod): number {
  const sidecars = new Set(
    (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const containers = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ];
  const ends = containers.map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ''));
  if (ends.length > 0 && ends.every((end) => !Number.isNaN(end))) return Math.max(...ends);
  const unready = status?.conditions?.find((condition) => condition.type === 'Ready' && condition.status === 'False');
  if (unready?.lastTransitionTime) return Date.parse(unready.lastTransitionTime);
  if (metadata.deletionTimestamp !== undefined) {
    return Date.parse(metadata.deletionTimestamp) - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  }
  return Date.parse(metadata.creationTimestamp ?? '');
}

/**
 * A new pod of the Job. A pod of an Indexed Job gets an index and, if failures are limited by index, the failure count of
 * the pod that it replaces.
 */
export function podOf(job: Job, index: number | undefined, replaced: Pod | undefined): Pod {
  const template = copyJson(job.spec?.template);
  const { name, namespace = '' } = job.metadata;
  const finalizers = template?.metadata?.finalizers ?? [];
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: '',
      generateName: index === undefined ? `${name}-` : prefixOf(name, `-${index}-`),
      namespace,
      ...(template?.metadata?.labels === undefined ? {} : { labels: template.metadata.labels }),
      ...(template?.metadata?.annotations === undefined ? {} : { annotations: template.metadata.annotations }),
      finalizers: finalizers.includes(trackingFinalizer) ? finalizers : [...finalizers, trackingFinalizer],
      ownerReferences: [controllerReferenceTo(job)],
    },
    ...(template?.spec === undefined ? {} : { spec: template.spec }),
  } as Pod;
  if (index === undefined) return pod;
  pod.metadata.labels = { ...pod.metadata.labels, [indexAnnotation]: String(index) };
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [indexAnnotation]: String(index),
    ...(job.spec?.backoffLimitPerIndex === undefined ? {} : failureAnnotations(job, replaced)),
  };
  if (pod.spec !== undefined) {
    pod.spec.hostname = `${name}-${index}`;
    for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
      if (container.env?.some((variable) => variable.name === 'JOB_COMPLETION_INDEX')) continue;
      const fieldRef = { fieldPath: `metadata.labels['${indexAnnotation}']` };
      container.env = [...(container.env ?? []), { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef } }];
    }
  }
  return pod;
}

function prefixOf(name: string, suffix: string): string {
  return `${name.slice(0, prefixLengthMax - suffix.length)}${suffix}`;
}

function failureAnnotations(job: Job, replaced: Pod | undefined): Record<string, string> {
  if (replaced === undefined) return { [failuresAnnotation]: '0' };
  const isCounted = matchFailurePolicy(job, replaced).counts;
  const ignored = countOf(replaced, ignoredFailuresAnnotation) + (isCounted ? 0 : 1);
  return {
    [failuresAnnotation]: String(indexFailuresOf(replaced) + (isCounted ? 1 : 0)),
    ...(ignored === 0 ? {} : { [ignoredFailuresAnnotation]: String(ignored) }),
  };
}

/** The order in which surplus pods are deleted: least progress first. Source: `ActivePods`, `controller_utils.go`. */
export function leastFarFirst(left: Pod, right: Pod): number {
  const phases = ['Pending', 'Unknown', 'Running'];
  const phaseOf = ({ status }: Pod): number => phases.indexOf(status?.phase ?? '');
  return (
    Number((left.spec?.nodeName ?? '') !== '') - Number((right.spec?.nodeName ?? '') !== '') ||
    phaseOf(left) - phaseOf(right) ||
    Number(isReady(left)) - Number(isReady(right)) ||
    restartsOf(right) - restartsOf(left) ||
    (right.metadata.creationTimestamp ?? '').localeCompare(left.metadata.creationTimestamp ?? '')
  );
}

/** The number of restarts of a pod's containers. */
export function restartsOf({ status }: Pod): number {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return containers.reduce((sum, { restartCount }) => sum + restartCount, 0);
}
