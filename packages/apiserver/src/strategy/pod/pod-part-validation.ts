import type { Pod, PodSpec, ResourceRequirements } from '@evenkeel/kinds';
import { type FieldError, forbidden, goQuote, invalid, jsonEqual } from '../../apimachinery/index.ts';
import type { ResourceList } from '../resource-list-defaults.ts';
import { qualityOfService } from './pod-quality-of-service.ts';
import { validateSpecOfPod } from './pod-validation.ts';

/** Source: `ValidatePodEphemeralContainersUpdate`, `pkg/apis/core/validation/validation.go`, without the diff at the end of its message. */
export function validateEphemeralUpdate({ metadata, spec }: Pod, { spec: old }: Pod): readonly FieldError[] {
  const errors = validateSpecOfPod(spec ?? { containers: [] }, metadata.name);
  const containers = new Map((spec?.ephemeralContainers ?? []).map((container) => [container.name, container]));
  for (const before of old?.ephemeralContainers ?? []) {
    const now = containers.get(before.name);
    if (now !== undefined && jsonEqual(now, before)) continue;
    const change = now === undefined ? 'removed' : 'changed';
    const detail = `existing ephemeral containers ${goQuote(before.name)} may not be ${change}\n`;
    errors.push(forbidden('spec.ephemeralContainers', detail));
  }
  return errors;
}

/** Source: `ValidatePodResize`. Pod-level resources are not compared. */
export function validateResize({ metadata, spec, status }: Pod, { spec: old }: Pod): readonly FieldError[] {
  const now = spec ?? { containers: [] };
  const before = old ?? { containers: [] };
  const errors = validateSpecOfPod(now, metadata.name);
  if (qualityOfService(before) !== qualityOfService(now)) {
    errors.push(invalid('spec', status?.qosClass ?? '', 'Pod QOS Class may not change as a result of resizing'));
  }
  const moved = lists.flatMap((list) => orderErrors(now, before, list));
  if (moved.length > 0) return [...errors, ...moved];
  errors.push(...removals(now, before, 'initContainers'), ...removals(now, before, 'containers'));
  for (const [index, container] of now.containers.entries()) {
    if (isSameBesideResources(container, before.containers[index])) continue;
    errors.push(forbidden('spec', 'only cpu and memory resources are mutable'));
  }
  for (const [index, container] of (now.initContainers ?? []).entries()) {
    if (isSameBesideResources(container, before.initContainers?.[index])) continue;
    const detail = 'only cpu and memory resources for init or sidecar containers are mutable';
    errors.push(forbidden(`spec.initContainers[${index}]`, detail));
  }
  return errors;
}

const lists = ['containers', 'initContainers'] as const;

/** Source: `validatePodResizeContainerOrdering`. */
function orderErrors(spec: PodSpec, old: PodSpec, list: (typeof lists)[number]): FieldError[] {
  const [now, before] = [spec[list] ?? [], old[list] ?? []];
  if (now.length !== before.length) {
    return [forbidden(`spec.${list}`, `${list} may not be added or removed on resize`)];
  }
  return before.flatMap(({ name }, index) => {
    const detail = `${list} may not be renamed or reordered on resize`;
    return now[index]?.name === name ? [] : [forbidden(`spec.${list}[${index}].name`, detail)];
  });
}

/** Amounts can change, but they must stay. */
function removals(spec: PodSpec, old: PodSpec, list: (typeof lists)[number]): FieldError[] {
  return (old[list] ?? []).flatMap(({ resources: before }, index) =>
    (['requests', 'limits'] as const).flatMap((kind) => {
      const amounts = spec[list]?.[index]?.resources?.[kind] ?? {};
      const isKept = Object.keys(before?.[kind] ?? {}).every((name) => Object.hasOwn(amounts, name));
      const path = `spec.${list}[${index}].resources.${kind}`;
      return isKept ? [] : [forbidden(path, `resource ${kind} cannot be removed`)];
    }),
  );
}

type Resized = { readonly resources?: ResourceRequirements };

function isSameBesideResources(container: Resized, old: Resized | undefined): boolean {
  return jsonEqual({ ...container, resources: immutableOf(container) }, { ...old, resources: immutableOf(old) });
}

/** The resources that cannot be resized. As upstream, claims are not compared. */
function immutableOf(container: Resized | undefined): object {
  const { requests = {}, limits = {} } = container?.resources ?? {};
  const without = ({ cpu: _, memory: __, ...rest }: ResourceList): ResourceList => rest;
  return { requests: without(requests), limits: without(limits) };
}
