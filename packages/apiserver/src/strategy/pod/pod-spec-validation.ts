import type { PodSpec, PodTemplateSpec } from '@evenkeel/kinds';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidBy,
  labelKeyErrors,
  notSupported,
  rangeMessage,
  required,
  validateLabelSelector,
  validateLabels,
} from '../../apimachinery/index.ts';
import { validateChoice } from '../number-validation.ts';
import { validateContainers, validateId, validateInitContainers } from './container-validation.ts';
import { validatePodResources } from './resource-validation.ts';
import { validateTolerations } from './toleration-validation.ts';
import { validateVolumes } from './volume-validation.ts';

const largestInt32 = 2 ** 31 - 1;

/**
 * Source: `ValidatePodSpec`, `pkg/apis/core/validation/validation.go`; the errors in its order. Not validated:
 * affinity, DNS configuration, sysctls, resource claims, Windows, AppArmor and seccomp.
 */
export function validatePodSpec(spec: PodSpec, path: string, podName?: string): FieldError[] {
  const isPod = podName !== undefined;
  const grace = spec.terminationGracePeriodSeconds;
  const { known, errors: volumeErrors } = validateVolumes(spec.volumes, `${path}.volumes`, podName);
  const around = { volumes: known, graceSeconds: grace };
  return [
    ...(grace === undefined ? [required(`${path}.terminationGracePeriodSeconds`)] : []),
    ...volumeErrors,
    ...validateContainers(spec.containers, `${path}.containers`, around),
    ...validateInitContainers(spec.initContainers, spec.containers, `${path}.initContainers`, around),
    ...validatePodResources(spec, `${path}.resources`),
    ...validateHostPorts(spec, `${path}.containers`, isPod),
    ...validateChoice(spec.restartPolicy, `${path}.restartPolicy`, ['Always', 'OnFailure', 'Never']),
    ...validateChoice(spec.dnsPolicy, `${path}.dnsPolicy`, [
      'ClusterFirstWithHostNet',
      'ClusterFirst',
      'Default',
      'None',
    ]),
    ...validateLabels(spec.nodeSelector, `${path}.nodeSelector`),
    ...validateSecurityContext(spec, `${path}.securityContext`),
    ...validateGates(spec, path),
    ...validateTopologySpread(spec, `${path}.topologySpreadConstraints`),
    ...optional(dns1123SubdomainErrors, spec.serviceAccountName, `${path}.serviceAccountName`),
    ...optional(dns1123SubdomainErrors, spec.nodeName, `${path}.nodeName`),
    ...validateDeadline(spec.activeDeadlineSeconds, `${path}.activeDeadlineSeconds`),
    ...optional(dns1123LabelErrors, spec.hostname, `${path}.hostname`),
    ...optional(dns1123LabelErrors, spec.subdomain, `${path}.subdomain`),
    ...validateTolerations(spec.tolerations, `${path}.tolerations`),
    ...optional(dns1123SubdomainErrors, spec.priorityClassName, `${path}.priorityClassName`),
    ...optional(dns1123SubdomainErrors, spec.runtimeClassName, `${path}.runtimeClassName`),
    ...(spec.preemptionPolicy === undefined
      ? []
      : validateChoice(spec.preemptionPolicy, `${path}.preemptionPolicy`, ['PreemptLowerPriority', 'Never'])),
  ];
}

/** Validates a template's labels, annotations and spec. Source: `ValidatePodTemplateSpec`. */
export function validatePodTemplate({ metadata, spec }: PodTemplateSpec, path: string): FieldError[] {
  const errors = [
    ...validateLabels(metadata?.labels, `${path}.labels`),
    ...validateAnnotations(metadata?.annotations, `${path}.annotations`),
    ...validatePodSpec(spec ?? { containers: [] }, `${path}.spec`),
  ];
  if ((spec?.ephemeralContainers ?? []).length > 0) {
    errors.push(forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'));
  }
  return errors;
}

/** Keys are checked in lower case. Source: `ValidateAnnotations`, apimachinery `pkg/api/validation`. */
function validateAnnotations(annotations: Readonly<Record<string, string>> | undefined, path: string): FieldError[] {
  return Object.keys(annotations ?? {}).flatMap((key) =>
    labelKeyErrors(key.toLowerCase()).map((detail) => invalid(path, key, detail)),
  );
}

function optional(rule: (value: string) => readonly string[], value: string | undefined, path: string): FieldError[] {
  return value ? invalidBy(rule, path, value) : [];
}

function validateHostPorts(spec: PodSpec, path: string, isPod: boolean): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  return (spec.containers ?? []).flatMap(({ ports }, container) =>
    (ports ?? []).flatMap(({ hostPort = 0, containerPort }, index) => {
      if (hostPort === containerPort || (!isPod && hostPort === 0)) return [];
      const detail = 'must match `containerPort` when `hostNetwork` is true';
      return [invalid(`${path}[${container}].ports[${index}].hostPort`, hostPort, detail)];
    }),
  );
}

function validateSecurityContext({ securityContext: context, hostPID }: PodSpec, path: string): FieldError[] {
  if (context === undefined) return [];
  const errors = [
    ...validateId(context.fsGroup, `${path}.fsGroup`),
    ...validateId(context.runAsUser, `${path}.runAsUser`),
    ...validateId(context.runAsGroup, `${path}.runAsGroup`),
  ];
  for (const [index, group] of (context.supplementalGroups ?? []).entries()) {
    errors.push(...validateId(group, `${path}.supplementalGroups[${index}]`));
  }
  if (hostPID === true && 'shareProcessNamespace' in context && context.shareProcessNamespace === true) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(invalid(`${path}.shareProcessNamespace`, true, detail));
  }
  return errors;
}

function validateGates({ readinessGates, schedulingGates }: PodSpec, path: string): FieldError[] {
  const errors = (readinessGates ?? []).flatMap(({ conditionType }, index) =>
    invalidBy(labelKeyErrors, `${path}.readinessGates[${index}].conditionType`, conditionType ?? ''),
  );
  const seen = new Set<string>();
  for (const [index, { name = '' }] of (schedulingGates ?? []).entries()) {
    errors.push(...invalidBy(labelKeyErrors, `${path}.schedulingGates[${index}]`, name));
    if (seen.has(name)) errors.push(duplicate(`${path}.schedulingGates[${index}]`, name));
    seen.add(name);
  }
  return errors;
}

function validateTopologySpread({ topologySpreadConstraints }: PodSpec, path: string): FieldError[] {
  return (topologySpreadConstraints ?? []).flatMap((constraint, index) => {
    const at = `${path}[${index}]`;
    const errors: FieldError[] = [];
    const skew = constraint.maxSkew ?? 0;
    if (skew <= 0) errors.push(invalid(`${at}.maxSkew`, skew, 'must be greater than zero'));
    if (!constraint.topologyKey) errors.push(required(`${at}.topologyKey`, 'can not be empty'));
    else errors.push(...invalidBy(labelKeyErrors, `${at}.topologyKey`, constraint.topologyKey));
    const unsatisfiable = constraint.whenUnsatisfiable ?? '';
    const choices = ['DoNotSchedule', 'ScheduleAnyway'];
    if (!choices.includes(unsatisfiable)) {
      errors.push(notSupported(`${at}.whenUnsatisfiable`, unsatisfiable, choices));
    }
    errors.push(...validateLabelSelector(constraint.labelSelector, `${at}.labelSelector`));
    return errors;
  });
}

function validateDeadline(seconds: number | undefined, path: string): FieldError[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= largestInt32)) return [];
  return [invalid(path, seconds, rangeMessage(1, largestInt32))];
}
