import type { PodSpec, PodTemplateSpec, TopologySpreadConstraint } from '@evenkeel/kinds';
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
  tooLong,
  validateLabelSelector,
  validateLabels,
} from '../../apimachinery/index.ts';
import { validateChoice } from '../number-validation.ts';
import { validateAffinity, validateLabelKeys } from './affinity-validation.ts';
import { validateContainers, validateEphemeralContainers, validateInitContainers } from './container-validation.ts';
import { validateDnsConfig, validateHostAliases } from './dns-validation.ts';
import { validateResourceClaims } from './resource-claim-validation.ts';
import { validatePodResources, validateResourceRequirements } from './resource-validation.ts';
import { validatePodSecurityContext } from './security-context-validation.ts';
import { validateTolerations } from './toleration-validation.ts';
import { validateVolumes } from './volume-validation.ts';
import { validateHostProcess, validateOperatingSystem } from './windows-validation.ts';

const largestInt32 = 2 ** 31 - 1;
/** The longest hostname of Linux. */
const hostnameBytesMax = 64;

/**
 * Source: `ValidatePodSpec`, `pkg/apis/core/validation/validation.go`; the errors in its order.
 */
export function validatePodSpec(spec: PodSpec, path: string, podName?: string): FieldError[] {
  const isPod = podName !== undefined;
  const grace = spec.terminationGracePeriodSeconds;
  const { known, errors: volumeErrors } = validateVolumes(spec.volumes, `${path}.volumes`, podName);
  const around = {
    volumes: known,
    graceSeconds: grace,
    hostUsers: spec.hostUsers !== false,
    restartPolicy: spec.restartPolicy,
    claims: new Set((spec.resourceClaims ?? []).map(({ name }) => name).filter(Boolean)),
  };
  return [
    ...(grace === undefined ? [required(`${path}.terminationGracePeriodSeconds`)] : []),
    ...volumeErrors,
    ...validateResourceClaims(spec.resourceClaims, `${path}.resourceClaims`),
    ...validateContainers(spec.containers, `${path}.containers`, around),
    ...validateInitContainers(spec.initContainers, spec.containers, `${path}.initContainers`, around),
    ...validateEphemeralContainers(spec, `${path}.ephemeralContainers`, around),
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
    ...validatePodSecurityContext(spec, `${path}.securityContext`),
    ...validateAffinity(spec.affinity, `${path}.affinity`),
    ...validateDnsConfig(spec, `${path}.dnsConfig`),
    ...validateGates(spec, path),
    ...validateTopologySpread(spec, `${path}.topologySpreadConstraints`),
    ...validateHostProcess(spec, path),
    ...validateHostUsers(spec, path),
    ...validateHostnameOverride(spec, `${path}.hostnameOverride`),
    ...optional(dns1123SubdomainErrors, spec.serviceAccountName, `${path}.serviceAccountName`),
    ...optional(dns1123SubdomainErrors, spec.nodeName, `${path}.nodeName`),
    ...validateDeadline(spec.activeDeadlineSeconds, `${path}.activeDeadlineSeconds`),
    ...optional(dns1123LabelErrors, spec.hostname, `${path}.hostname`),
    ...optional(dns1123LabelErrors, spec.subdomain, `${path}.subdomain`),
    ...validateTolerations(spec.tolerations, `${path}.tolerations`),
    ...validateHostAliases(spec, `${path}.hostAliases`),
    ...optional(dns1123SubdomainErrors, spec.priorityClassName, `${path}.priorityClassName`),
    ...optional(dns1123SubdomainErrors, spec.runtimeClassName, `${path}.runtimeClassName`),
    ...(spec.preemptionPolicy === undefined
      ? []
      : validateChoice(spec.preemptionPolicy, `${path}.preemptionPolicy`, ['PreemptLowerPriority', 'Never'])),
    ...(spec.overhead === undefined ? [] : validateResourceRequirements({ limits: spec.overhead }, `${path}.overhead`)),
    ...validateOperatingSystem(spec, path),
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

function validateHostUsers({ hostUsers, hostNetwork, hostPID, hostIPC }: PodSpec, path: string): FieldError[] {
  if (hostUsers !== false) return [];
  // As upstream, two of the names are those of the internal version.
  const shared = { hostNetwork, HostPID: hostPID, HostIPC: hostIPC };
  return Object.entries(shared)
    .filter(([, isShared]) => isShared === true)
    .map(([name]) => forbidden(`${path}.${name}`, 'when `hostUsers` is false'));
}

function validateHostnameOverride(
  { hostnameOverride: name, setHostnameAsFQDN, hostNetwork }: PodSpec,
  path: string,
): FieldError[] {
  if (name === undefined) return [];
  const errors: FieldError[] = [];
  const refuse = (field: string): void => {
    errors.push(forbidden(path, `may not be specified when ${field} is true`));
  };
  if (setHostnameAsFQDN === true) refuse('setHostnameAsFQDN');
  if (hostNetwork === true) refuse('hostNetwork');
  if (Buffer.byteLength(name) > hostnameBytesMax) errors.push(tooLong(path, hostnameBytesMax));
  return [...errors, ...invalidBy(dns1123SubdomainErrors, path, name)];
}

const spreadActions = ['DoNotSchedule', 'ScheduleAnyway'];
const inclusionPolicies = ['Honor', 'Ignore'];

/** Source: `validateTopologySpreadConstraints`. */
function validateTopologySpread({ topologySpreadConstraints: constraints = [] }: PodSpec, path: string): FieldError[] {
  const kindOf = (one: TopologySpreadConstraint): string => `${one.topologyKey ?? ''}\n${one.whenUnsatisfiable ?? ''}`;
  const last = new Map(constraints.map((constraint, index) => [kindOf(constraint), index]));
  return constraints.flatMap((constraint, index) => {
    const at = `${path}[${index}]`;
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '', minDomains } = constraint;
    const errors = validatePositive(maxSkew, `${at}.maxSkew`);
    if (topologyKey === '') errors.push(required(`${at}.topologyKey`, 'can not be empty'));
    if (!spreadActions.includes(whenUnsatisfiable)) {
      errors.push(notSupported(`${at}.whenUnsatisfiable`, whenUnsatisfiable, spreadActions));
    }
    if ((last.get(kindOf(constraint)) ?? 0) > index) {
      errors.push(duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`));
    }
    if (minDomains !== undefined) {
      errors.push(...validatePositive(minDomains, `${at}.minDomains`));
      if (whenUnsatisfiable !== 'DoNotSchedule') {
        const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
        errors.push(invalid(`${at}.minDomains`, minDomains, detail));
      }
    }
    for (const policy of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const value = constraint[policy];
      if (value === undefined || inclusionPolicies.includes(value)) continue;
      errors.push(notSupported(`${at}.${policy}`, value, inclusionPolicies));
    }
    return [
      ...errors,
      ...validateLabelKeys(constraint, at),
      ...validateLabelSelector(constraint.labelSelector, `${at}.labelSelector`),
    ];
  });
}

function validatePositive(value: number, path: string): FieldError[] {
  return value > 0 ? [] : [invalid(path, value, 'must be greater than zero')];
}

function validateDeadline(seconds: number | undefined, path: string): FieldError[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= largestInt32)) return [];
  return [invalid(path, seconds, rangeMessage(1, largestInt32))];
}
