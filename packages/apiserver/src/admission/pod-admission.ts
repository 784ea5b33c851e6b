import type { StatusError } from '@evenkeel/core';
import type { Pod, PodSpec, PriorityClass } from '@evenkeel/kinds';
import type { StrategyContext } from '../kind/strategy.ts';
import type { MutatingAdmissionStep, ValidatingAdmissionStep } from '../registry/write-request.ts';
import { forbidden } from '../status/refusal.ts';
import type { ObjectStore } from '../store/object-store.ts';

const priorityClasses = 'scheduling.k8s.io/priorityclasses';

/** The admission plugins for Pods that are always enabled: Priority and DefaultTolerationSeconds. */
export function podAdmission(store: ObjectStore): MutatingAdmissionStep {
  return ({ request, object, current, context }) => {
    if (request.kind.storageKey !== '/pods' || request.subresource !== undefined) return;
    admitPod(object as unknown as Pod, current as unknown as Pod, context, () => defaultClassIn(store));
  };
}

/** The PriorityClass of pods without one. Of several, which only simultaneous requests can make, it is the lowest. */
function defaultClassIn(store: ObjectStore): PriorityClass | undefined {
  const classes = store.resource(priorityClasses).list('');
  return classes
    .map(({ object }) => object as unknown as PriorityClass)
    .filter(({ globalDefault }) => globalDefault === true)
    .sort((one, other) => (one.value ?? 0) - (other.value ?? 0))[0];
}

/** Rejects a second default. Source: `plugin/pkg/admission/priority`. */
export function priorityClassAdmission(store: ObjectStore): ValidatingAdmissionStep {
  return ({ request: { kind, subresource }, operation, object, name }) => {
    if (kind.storageKey !== priorityClasses || subresource !== undefined || operation === 'DELETE') return;
    if ((object as unknown as PriorityClass | undefined)?.globalDefault !== true) return;
    const other = defaultClassIn(store)?.metadata.name;
    if (other === undefined || other === name) return;
    throw forbidden(
      kind.names,
      name,
      `PriorityClass ${other} is already marked as default. Only one default can exist`,
    );
  };
}

/** Sets the defaults of the plugins. An update that omits these fields keeps their previous values. */
export function admitPod(
  pod: Pod,
  current: Pod | undefined,
  context: StrategyContext,
  defaultClass: () => PriorityClass | undefined = () => undefined,
): void {
  if (pod.spec === undefined) return;
  if (current === undefined) admitPriority(pod, pod.spec, context, defaultClass);
  else if (current.spec === undefined) return;
  else keepPriority(pod.spec, current.spec);
  admitTolerations(pod.spec);
}

function keepPriority(spec: PodSpec, old: PodSpec): void {
  if (old.priority !== undefined) spec.priority ??= old.priority;
  if (old.preemptionPolicy !== undefined) spec.preemptionPolicy ??= old.preemptionPolicy;
}

/** Source: `plugin/pkg/admission/priority`. */
function admitPriority(
  pod: Pod,
  spec: PodSpec,
  context: StrategyContext,
  defaultClass: () => PriorityClass | undefined,
): void {
  if (!spec.priorityClassName) {
    const found = defaultClass();
    if (found !== undefined) spec.priorityClassName = found.metadata.name;
  }
  const name = spec.priorityClassName ?? '';
  let priority = 0;
  let preemptionPolicy: PriorityClass['preemptionPolicy'] = 'PreemptLowerPriority';
  if (name !== '') {
    const resource = { group: 'scheduling.k8s.io', plural: 'priorityclasses' };
    const found = context.lookup(resource, undefined, name) as unknown as PriorityClass | undefined;
    if (found === undefined) throw forbiddenPod(pod, `no PriorityClass with name ${name} was found`);
    priority = found.value ?? 0;
    preemptionPolicy = found.preemptionPolicy ?? preemptionPolicy;
  }
  if (spec.priority !== undefined && spec.priority !== priority) {
    throw forbiddenPod(
      pod,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
    );
  }
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    throw forbiddenPod(
      pod,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`,
    );
  }
  spec.priority = priority;
  spec.preemptionPolicy = preemptionPolicy;
}

/** Tolerates not-ready and unreachable nodes for five minutes. Source: `plugin/pkg/admission/defaulttolerationseconds`. */
function admitTolerations(spec: PodSpec): void {
  const given = spec.tolerations ?? [];
  for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
    const tolerated = given.some(
      (toleration) =>
        (!toleration.key || toleration.key === key) && (!toleration.effect || toleration.effect === 'NoExecute'),
    );
    if (tolerated) continue;
    spec.tolerations = [
      ...(spec.tolerations ?? []),
      { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ];
  }
}

function forbiddenPod({ metadata }: Pod, reason: string): StatusError {
  // Upstream's `extractResourceName`: a generated name does not exist yet.
  const name = metadata.name || metadata.generateName || 'Unknown';
  return forbidden({ group: '', plural: 'pods' }, name, reason);
}
