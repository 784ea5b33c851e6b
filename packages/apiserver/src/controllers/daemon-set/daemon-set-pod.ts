import type { DaemonSet, Node, Pod, PodSpec, Toleration } from '@evenkeel/kinds';
import { copyJson, jsonEqual } from '../../apimachinery/index.ts';
import { controllerReferenceTo } from '../controller-reference.ts';
import { nodeNameField, requiredTerms, selectsNode, untoleratedTaint } from '../node-fit.ts';

export const revisionLabel = 'controller-revision-hash';

const generationLabel = 'pod-template-generation';
const generationAnnotation = 'deprecated.daemonset.template.generation';

/** The taints that every pod of a DaemonSet tolerates. */
const tolerations: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];

const hostNetworkToleration: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/** Where pods of a DaemonSet may be. */
export interface NodeUse {
  /** Whether the node needs a pod. */
  readonly shouldRun: boolean;
  /** Whether an existing pod may stay. */
  readonly mayContinue: boolean;
}

/** Source: `NodeShouldRunDaemonPod`, `pkg/controller/daemon/daemon_controller.go`. */
export function useOfNode(set: DaemonSet, node: Node): NodeUse {
  const template = set.spec?.template?.spec;
  const nodeName = template?.nodeName ?? '';
  if ((nodeName !== '' && nodeName !== node.metadata.name) || !selectsNode(template, node)) {
    return { shouldRun: false, mayContinue: false };
  }
  const all = toleratedBy(template);
  const { taints } = node.spec ?? {};
  if (untoleratedTaint(taints, all, ['NoExecute', 'NoSchedule']) === undefined) {
    return { shouldRun: true, mayContinue: true };
  }
  return { shouldRun: false, mayContinue: untoleratedTaint(taints, all, ['NoExecute']) === undefined };
}

function toleratedBy(spec: PodSpec | undefined): Toleration[] {
  const own = spec?.tolerations ?? [];
  const added = spec?.hostNetwork === true ? [...tolerations, hostNetworkToleration] : tolerations;
  return [...own, ...added.filter((toleration) => !own.some((one) => jsonEqual(one, toleration)))];
}

/** The generation of the pod template before revisions existed; undefined if the annotation is invalid. */
function templateGenerationOf({ metadata }: DaemonSet): string | undefined {
  const text = metadata.annotations?.[generationAnnotation];
  return text !== undefined && /^\d{1,19}$/.test(text) ? text : undefined;
}

/** Whether a pod has the template of the revision with this hash. Source: `IsPodUpdated`, `util/daemonset_util.go`. */
export function isUpdated(set: DaemonSet, { metadata }: Pod, hash: string): boolean {
  const generation = templateGenerationOf(set);
  return (
    metadata.labels?.[revisionLabel] === hash ||
    (generation !== undefined && metadata.labels?.[generationLabel] === generation)
  );
}

/** The node of a pod, or for which the pod was created; undefined if it is for no certain node. */
export function nodeOf(pod: Pod): string | undefined {
  if ((pod.spec?.nodeName ?? '') !== '') return pod.spec?.nodeName;
  for (const { matchFields = [] } of requiredTerms(pod.spec) ?? []) {
    for (const { key, operator, values } of matchFields) {
      if (key === nodeNameField && operator === 'In' && values?.length === 1) return values[0];
    }
  }
  return undefined;
}

/** A new pod for a node. The scheduler binds it, because only this node matches its affinity. */
export function podOf(set: DaemonSet, nodeName: string, hash: string): Pod {
  const { metadata, spec } = copyJson(set.spec?.template ?? {});
  const generation = templateGenerationOf(set);
  const required = {
    nodeSelectorTerms: [{ matchFields: [{ key: nodeNameField, operator: 'In', values: [nodeName] }] }],
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: '',
      generateName: `${set.metadata.name}-`,
      namespace: set.metadata.namespace ?? '',
      labels: {
        ...metadata?.labels,
        ...(generation === undefined ? {} : { [generationLabel]: generation }),
        [revisionLabel]: hash,
      },
      ...(metadata?.annotations === undefined ? {} : { annotations: metadata.annotations }),
      ...(metadata?.finalizers === undefined ? {} : { finalizers: metadata.finalizers }),
      ownerReferences: [controllerReferenceTo(set)],
    },
    spec: {
      ...spec,
      tolerations: toleratedBy(spec),
      affinity: {
        ...spec?.affinity,
        nodeAffinity: {
          ...spec?.affinity?.nodeAffinity,
          requiredDuringSchedulingIgnoredDuringExecution: required,
        },
      },
    },
  } as Pod;
}

/** Scheduled pods first, then by age (`podByCreationTimestampAndPhase`). */
export function byAge(left: Pod, right: Pod): number {
  return (
    Number((right.spec?.nodeName ?? '') !== '') - Number((left.spec?.nodeName ?? '') !== '') ||
    (left.metadata.creationTimestamp ?? '').localeCompare(right.metadata.creationTimestamp ?? '') ||
    (left.metadata.name < right.metadata.name ? -1 : 1)
  );
}
