import type { OwnerReference } from '@evenkeel/core';
import type { PersistentVolumeClaim, Pod, PodTemplateSpec, StatefulSet } from '@evenkeel/kinds';
import { copyJson } from '../apimachinery/index.ts';
import { controllerReferenceTo } from './controller-reference.ts';
import { isReady, untilAvailableMs } from './pod-readiness.ts';

const revisionLabel = 'controller-revision-hash';
const nameLabel = 'statefulset.kubernetes.io/pod-name';
const indexLabel = 'apps.kubernetes.io/pod-index';

/** One ordinal of a set, with its existing pod or the pod to create. */
export interface Replica {
  readonly pod: Pod;
  /** False if the pod must still be created. */
  readonly exists: boolean;
}

export function firstOrdinal({ spec }: StatefulSet): number {
  return spec?.ordinals?.start ?? 0;
}

export function isInRange(set: StatefulSet, ordinal: number): boolean {
  return ordinal >= firstOrdinal(set) && ordinal < firstOrdinal(set) + (set.spec?.replicas ?? 1);
}

/** The ordinal in a pod's name; undefined if the pod cannot be part of the set. */
export function ordinalOf(set: StatefulSet, { metadata }: Pod): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const text = metadata.name.startsWith(prefix) ? metadata.name.slice(prefix.length) : '';
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

export function revisionOf({ metadata }: Pod): string | undefined {
  return metadata.labels?.[revisionLabel];
}

export function isTerminating({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === 'Running' && isReady(pod);
}

export function isAvailable(set: StatefulSet, pod: Pod, nowMs: number): boolean {
  return isRunningAndReady(pod) && untilAvailableMs(pod, set.spec?.minReadySeconds ?? 0, nowMs) === 0;
}

export function isHealthy(pod: Pod): boolean {
  return isRunningAndReady(pod) && !isTerminating(pod);
}

/** A new pod of the set, from the template of a revision. */
export function podOf(set: StatefulSet, template: PodTemplateSpec, revision: string, ordinal: number): Pod {
  const { name, namespace = '' } = set.metadata;
  const podName = `${name}-${ordinal}`;
  const { metadata, spec } = copyJson(template);
  const claims = claimsOf(set, ordinal);
  const own = new Set(claims.map(({ volume }) => volume));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podName,
      generateName: `${name}-`,
      namespace,
      labels: { ...metadata?.labels, ...identityLabels(podName, ordinal), [revisionLabel]: revision },
      ...(metadata?.annotations === undefined ? {} : { annotations: metadata.annotations }),
      ...(metadata?.finalizers === undefined ? {} : { finalizers: metadata.finalizers }),
      ownerReferences: [controllerReferenceTo(set)],
    },
    spec: {
      ...spec,
      hostname: podName,
      subdomain: set.spec?.serviceName ?? '',
      volumes: [
        ...claims.map(({ volume, claim }) => ({
          name: volume,
          persistentVolumeClaim: { claimName: claim.metadata.name },
        })),
        ...(spec?.volumes ?? []).filter(({ name: volume }) => !own.has(volume)),
      ],
    },
  } as Pod;
}

/** The labels that identify a pod within its set. */
export function identityLabels(podName: string, ordinal: number): Record<string, string> {
  return { [nameLabel]: podName, [indexLabel]: String(ordinal) };
}

/** The claims of a pod, with the names of the volumes in the pod that use them. */
export function claimsOf(set: StatefulSet, ordinal: number): { volume: string; claim: PersistentVolumeClaim }[] {
  const { name, namespace = '' } = set.metadata;
  return (set.spec?.volumeClaimTemplates ?? []).map((template) => {
    const volume = template.metadata.name;
    const { status: _, ...wanted } = copyJson(template);
    const claim = {
      ...wanted,
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        ...copyJson(template.metadata),
        name: `${volume}-${name}-${ordinal}`,
        namespace,
        labels: { ...template.metadata.labels, ...set.spec?.selector.matchLabels },
      },
    } as PersistentVolumeClaim;
    return { volume, claim };
  });
}

/**
 * The owner references of a pod's claim according to the set's retention policy: the claim is deleted with these owners.
 * Source: `updateClaimOwnerRefForSetAndPod`, `pkg/controller/statefulset/stateful_set_utils.go`.
 */
export function claimOwners(
  set: StatefulSet,
  pod: Pod,
  ordinal: number,
  before: readonly OwnerReference[],
): OwnerReference[] {
  const others = before.filter(({ uid }) => uid !== set.metadata.uid && uid !== pod.metadata.uid);
  if (others.some(({ controller }) => controller === true)) return others;
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  if (whenScaled === 'Delete' && !isInRange(set, ordinal)) {
    return [...others, controllerReferenceTo({ ...pod, apiVersion: 'v1', kind: 'Pod' })];
  }
  return whenDeleted === 'Delete' ? [...others, controllerReferenceTo(set)] : others;
}
