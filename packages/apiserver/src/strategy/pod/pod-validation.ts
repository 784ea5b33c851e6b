import type { Container, Pod, PodSpec } from '@evenkeel/kinds';
import {
  copyJson,
  dns1123SubdomainErrors,
  type FieldError,
  forbidden,
  invalid,
  invalidBy,
  jsonEqual,
  rangeMessage,
  required,
} from '../../apimachinery/index.ts';
import { validateImmutable } from '../number-validation.ts';
import { validatePodSpec } from './pod-spec-validation.ts';
import { validateTolerationUpdate } from './toleration-validation.ts';

const largestInt32 = 2 ** 31 - 1;
const noSpec: PodSpec = { containers: [] };

/** Source: `ValidatePodCreate`, `pkg/apis/core/validation/validation.go`. */
export function validatePod({ metadata, spec = noSpec }: Pod): readonly FieldError[] {
  const errors = validateSpecOfPod(spec, metadata.name);
  if ((spec.ephemeralContainers ?? []).length > 0) {
    errors.push(forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if (spec.nodeName && (spec.schedulingGates ?? []).length > 0) {
    errors.push(forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  return errors;
}

/**
 * Rejects changes of almost all fields of a Pod's spec. Source: `ValidatePodUpdate`, without the diff of Go structs at
 * the end of its message.
 */
export function validatePodUpdate(
  { metadata, spec = noSpec }: Pod,
  { spec: old = noSpec }: Pod,
): readonly FieldError[] {
  const errors = validateSpecOfPod(spec, metadata.name);
  for (const list of ['containers', 'initContainers'] as const) {
    const found = validateContainerUpdates(spec[list], old[list], `spec.${list}`);
    if (found === undefined) {
      errors.push(forbidden(`spec.${list}`, 'pod updates may not add or remove containers'));
      return errors;
    }
    errors.push(...found);
  }
  errors.push(...validateDeadlineUpdate(spec.activeDeadlineSeconds, old.activeDeadlineSeconds));
  if (errors.length > 0 && spec.activeDeadlineSeconds !== old.activeDeadlineSeconds) return errors;
  errors.push(...validateTolerationUpdate(spec.tolerations ?? [], old.tolerations ?? [], 'spec.tolerations'));
  for (const [index, gate] of (spec.schedulingGates ?? []).entries()) {
    if ((old.schedulingGates ?? []).some(({ name }) => name === gate.name)) continue;
    const path = `spec.schedulingGates[${index}].name`;
    errors.push(forbidden(path, `only deletion is allowed, but found new scheduling gate '${gate.name ?? ''}'`));
  }
  if (!jsonEqual(withChangeableFieldsOf(old, spec), old)) {
    errors.push(forbidden('spec', `pod updates may not change fields other than ${changeable.join(',')}\n`));
  }
  return errors;
}

/** Source: `ValidatePodStatusUpdate`, only the part about fields that users write. */
export function validatePodStatus({ status }: Pod, old: Pod): readonly FieldError[] {
  const errors = (status?.conditions ?? []).flatMap(({ type }, index) =>
    type === undefined ? [required(`status.conditions[${index}].type`)] : [],
  );
  const nominated = status?.nominatedNodeName;
  if (nominated && nominated !== old.status?.nominatedNodeName) {
    errors.push(...invalidBy(dns1123SubdomainErrors, 'status.nominatedNodeName', nominated));
  }
  const generation = status?.observedGeneration ?? 0;
  if (generation < 0) {
    errors.push(invalid('status.observedGeneration', generation, 'must be a non-negative integer'));
  }
  return [...errors, ...validateImmutable(status?.qosClass, old.status?.qosClass, 'status.qosClass')];
}

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

function validateSpecOfPod(spec: PodSpec, name: string): FieldError[] {
  const errors = validatePodSpec(spec, 'spec', name);
  for (const [index, { projected }] of (spec.volumes ?? []).entries()) {
    for (const [position, { serviceAccountToken }] of (projected?.sources ?? []).entries()) {
      if (serviceAccountToken === undefined || spec.serviceAccountName) continue;
      const path = `spec.volumes[${index}].projected.sources[${position}].serviceAccountToken`;
      errors.push(forbidden(path, 'must not be specified when serviceAccountName is not set'));
    }
  }
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [index, { image }] of (spec[list] ?? []).entries()) {
      errors.push(...validateImageSpaces(image, `spec.${list}[${index}].image`));
    }
  }
  return errors;
}

function validateImageSpaces(image: string | undefined, path: string): FieldError[] {
  const isTrimmed = image === undefined || image.trim() === image;
  return isTrimmed ? [] : [invalid(path, image, 'must not have leading or trailing whitespace')];
}

/** Returns undefined if the containers are not the same. */
function validateContainerUpdates(
  containers: readonly Container[] | undefined,
  old: readonly Container[] | undefined,
  path: string,
): FieldError[] | undefined {
  const now = containers ?? [];
  if (now.length !== (old ?? []).length) return undefined;
  return now.flatMap(({ image = '' }, index) => {
    const at = `${path}[${index}].image`;
    return image.trim() === '' ? [required(at)] : validateImageSpaces(image, at);
  });
}

function validateDeadlineUpdate(seconds: number | undefined, old: number | undefined): FieldError[] {
  const path = 'spec.activeDeadlineSeconds';
  if (seconds === undefined) {
    return old === undefined ? [] : [invalid(path, null, 'must not update from a positive integer to nil value')];
  }
  if (seconds < 0 || seconds > largestInt32) return [invalid(path, seconds, rangeMessage(0, largestInt32))];
  if (old === undefined || seconds <= old) return [];
  return [invalid(path, seconds, 'must be less than or equal to previous value')];
}

/** Returns the new spec with the old values in all fields that may change. */
function withChangeableFieldsOf(old: PodSpec, spec: PodSpec): PodSpec {
  const rest = copyJson(spec);
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [index, container] of (rest[list] ?? []).entries()) {
      const before = old[list]?.[index]?.image;
      if (before !== undefined) container.image = before;
    }
  }
  for (const name of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations'] as const) {
    delete rest[name];
    if (old[name] !== undefined) Object.assign(rest, { [name]: old[name] });
  }
  const grace = old.terminationGracePeriodSeconds ?? 0;
  if (grace < 0 && rest.terminationGracePeriodSeconds === 1) rest.terminationGracePeriodSeconds = grace;
  if ((old.schedulingGates ?? []).length > 0) {
    delete rest.nodeSelector;
    if (old.nodeSelector !== undefined) rest.nodeSelector = old.nodeSelector;
  }
  return rest;
}
