import type { StatusError } from '@evenkeel/core';
import type { Pod, PodSpec, PriorityClass } from '@evenkeel/kinds';
import type { StrategyContext } from '../kind/strategy.ts';
import { forbidden } from '../request/refusal.ts';

/** Classes that every cluster has, with the values that upstream gives them. */
const systemClasses = new Map([
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
]);

/** What the admission plugins that are always on do to a new Pod: Priority and DefaultTolerationSeconds. */
export function admitPod(pod: Pod, spec: PodSpec, context: StrategyContext): void {
  admitPriority(pod, spec, context);
  admitTolerations(spec);
}

/** What the same plugins do to an update that leaves out what they filled in. */
export function readmitPod(spec: PodSpec, old: PodSpec): void {
  admitTolerations(spec);
  if (old.priority !== undefined) spec.priority ??= old.priority;
  if (old.preemptionPolicy !== undefined) spec.preemptionPolicy ??= old.preemptionPolicy;
}

/** Source: `plugin/pkg/admission/priority`. A class that is the default of all is not looked for. */
function admitPriority(pod: Pod, spec: PodSpec, context: StrategyContext): void {
  const name = spec.priorityClassName ?? '';
  let priority = 0;
  let preemptionPolicy: PriorityClass['preemptionPolicy'] = 'PreemptLowerPriority';
  if (name !== '') {
    const resource = { group: 'scheduling.k8s.io', plural: 'priorityclasses' };
    const found = context.lookup(resource, undefined, name) as unknown as PriorityClass | undefined;
    const value = found?.value ?? systemClasses.get(name);
    if (value === undefined) throw forbiddenPod(pod, `no PriorityClass with name ${name} was found`);
    priority = value;
    preemptionPolicy = found?.preemptionPolicy ?? preemptionPolicy;
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

/** Five minutes on a node that is not ready or not to be reached. Source: `plugin/pkg/admission/defaulttolerationseconds`. */
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
  return forbidden({ group: '', plural: 'pods' }, metadata.name, reason);
}
