import type { Pod, PodSpec } from '@evenkeel/kinds';
import { type FieldError, jsonEqual } from '../../apimachinery/index.ts';
import type { Strategy } from '../../kind/strategy.ts';
import { defineStrategy, keepMember } from '../define-strategy.ts';
import { writeNulls } from '../written-nulls.ts';
import { podNameWarning } from './pod-name-warning.ts';
import { selectByOwnLabels } from './pod-own-labels.ts';
import { validateEphemeralUpdate, validateResize } from './pod-part-validation.ts';
import { qualityOfService } from './pod-quality-of-service.ts';
import { defaultPodOnly, defaultPodSpec } from './pod-spec-defaults.ts';
import { podSpecWarnings } from './pod-spec-warnings.ts';
import { validatePod, validatePodStatus, validatePodUpdate } from './pod-validation.ts';

/** Sources: `pkg/apis/core/v1/defaults.go` and `conversion.go`, `pkg/registry/core/pod/strategy.go`. */
export const podStrategy = defineStrategy<Pod>({
  default(object) {
    if (object.spec !== undefined) {
      defaultPodOnly(object.spec);
      defaultPodSpec(object.spec);
    }
    const { status } = object;
    if (status === undefined) return;
    writeNulls(status.conditions, 'lastProbeTime', 'lastTransitionTime');
    for (const list of [status.initContainerStatuses, status.containerStatuses, status.ephemeralContainerStatuses]) {
      for (const { state, lastState } of list ?? []) {
        writeNulls(
          [state?.running, lastState?.running].filter((one) => one !== undefined),
          'startedAt',
        );
        const ended = [state?.terminated, lastState?.terminated].filter((one) => one !== undefined);
        writeNulls(ended, 'startedAt', 'finishedAt');
      }
    }
    if (status.podIP && (status.podIPs ?? [])[0]?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }];
    const first = status.podIPs?.[0]?.ip;
    if (first) status.podIP = first;
  },
  prepareForCreate(object, context) {
    selectByOwnLabels(object);
    object.status = { phase: 'Pending', qosClass: qualityOfService(object.spec ?? { containers: [] }) };
    if ((object.spec?.schedulingGates ?? []).length > 0) {
      object.status.conditions = [
        {
          type: 'PodScheduled',
          status: 'False',
          lastTransitionTime: new Date(context.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
          reason: 'SchedulingGated',
          message: 'Scheduling is blocked due to non-empty scheduling gates',
        },
      ];
      writeNulls(object.status.conditions, 'lastProbeTime');
    }
  },
  generation: (object, old) => !jsonEqual(object.spec, old.spec),
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  warnings: (object, old) =>
    old === undefined ? [...podNameWarning(object, old), ...podSpecWarnings(object.spec, 'spec')] : [],
  gracefulDeletion({ spec, status }, options) {
    // A Pod without a node, or a finished one, has no containers to stop.
    if (!spec?.nodeName || status?.phase === 'Failed' || status?.phase === 'Succeeded') return 0;
    const seconds = options.gracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 0;
    return seconds < 0 ? 1 : seconds;
  },
  selectableFields: ({ spec, status }) => ({
    'spec.nodeName': spec?.nodeName ?? '',
    'spec.restartPolicy': spec?.restartPolicy ?? '',
    'spec.schedulerName': spec?.schedulerName ?? '',
    'spec.serviceAccountName': spec?.serviceAccountName ?? '',
    'spec.hostNetwork': String(spec?.hostNetwork === true),
    'status.phase': status?.phase ?? '',
    'status.podIP': status?.podIPs?.[0]?.ip ?? '',
    'status.nominatedNodeName': status?.nominatedNodeName ?? '',
  }),
  selectableFieldNames: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        keepMember(object, old, 'spec');
        keepMember(object.metadata, old.metadata, 'ownerReferences');
        if (object.status !== undefined && old.status?.qosClass !== undefined) {
          object.status.qosClass ||= old.status.qosClass;
        }
        keepObservedGenerations(object, old);
      },
      validateUpdate: validatePodStatus,
    },
    ephemeralcontainers: partOfSpec(validateEphemeralUpdate, (object, old) => {
      const changed = object.spec;
      keepMember(object, old, 'spec');
      if (changed !== undefined && object.spec !== undefined) keepMember(object.spec, changed, 'ephemeralContainers');
    }),
    resize: partOfSpec(validateResize, (object, old) => {
      const resized = object.spec;
      // The validation rejects other containers.
      if (resized !== undefined && !hasSameCounts(resized, old.spec)) return;
      keepMember(object, old, 'spec');
      if (resized === undefined || object.spec === undefined) return;
      keepMember(object.spec, resized, 'resources');
      takeResources(object.spec, resized, 'containers');
      takeResources(object.spec, resized, 'initContainers');
    }),
  },
});

/** A part of a spec. A write of it keeps the metadata. */
function partOfSpec(
  validateUpdate: (object: Pod, old: Pod) => readonly FieldError[],
  take: (object: Pod, old: Pod) => void,
): Strategy<Pod> {
  return {
    validateUpdate,
    prepareForUpdate(object, old) {
      take(object, old);
      for (const member of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const) {
        keepMember(object.metadata, old.metadata, member);
      }
      keepMember(object, old, 'status');
      if (!jsonEqual(object.spec, old.spec)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
  };
}

const containerLists = ['containers', 'initContainers'] as const;

function hasSameCounts(spec: PodSpec, old: PodSpec | undefined): boolean {
  return containerLists.every((list) => (spec[list] ?? []).length === (old?.[list] ?? []).length);
}

/** Takes the resources of containers that have the same names. Otherwise it takes them all, and the validation rejects them. */
function takeResources(spec: PodSpec, resized: PodSpec, list: 'containers' | 'initContainers'): void {
  const [containers, from] = [spec[list] ?? [], resized[list] ?? []];
  if (containers.some(({ name }, index) => from[index]?.name !== name)) {
    spec[list] = from;
    return;
  }
  for (const [index, container] of containers.entries()) {
    const one = from[index] ?? container;
    keepMember(container, one, 'resources');
    keepMember(container, one, 'resizePolicy');
  }
}

/** Keeps observed generations that a writer of the status does not send. */
function keepObservedGenerations({ status }: Pod, old: Pod): void {
  if (status === undefined) return;
  if (old.status?.observedGeneration) status.observedGeneration ||= old.status.observedGeneration;
  const known = new Map<string, (number | undefined)[]>();
  for (const { type, observedGeneration } of old.status?.conditions ?? []) {
    known.set(type, [...(known.get(type) ?? []), observedGeneration]);
  }
  for (const condition of status.conditions ?? []) {
    const observed = known.get(condition.type)?.shift();
    if (observed) condition.observedGeneration ||= observed;
  }
}
