import type { Container, Pod, PodSpec } from '@evenkeel/kinds';
import {
  copyJson,
  dns1123SubdomainErrors,
  type FieldError,
  forbidden,
  GoStruct,
  invalid,
  invalidBy,
  jsonEqual,
  labelKeyErrors,
  rangeMessage,
  required,
} from '../../apimachinery/index.ts';
import { validateLegacyIp } from '../ip-validation.ts';
import type { NodeSelectorTerm } from '../node-selector-validation.ts';
import { validateImmutable } from '../number-validation.ts';
import { validateImageSpaces } from './container-validation.ts';
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
  errors.push(...validatePlacement(spec, old));
  if (!jsonEqual(withChangeableFieldsOf(old, spec), old)) {
    errors.push(forbidden('spec', `pod updates may not change fields other than ${changeable.join(',')}\n`));
  }
  return errors;
}

/** Source: `ValidatePodStatusUpdate`, only the part about fields that users write. */
export function validatePodStatus({ status }: Pod, old: Pod): readonly FieldError[] {
  const errors = (status?.conditions ?? []).flatMap(({ type }, index) =>
    type === undefined
      ? [required(`status.conditions[${index}].type`)]
      : systemConditions.has(type)
        ? []
        : invalidBy(labelKeyErrors, `status.conditions[${index}].Type`, type),
  );
  const nominated = status?.nominatedNodeName;
  if (nominated && nominated !== old.status?.nominatedNodeName) {
    errors.push(...invalidBy(dns1123SubdomainErrors, 'status.nominatedNodeName', nominated));
  }
  const generation = status?.observedGeneration ?? 0;
  if (generation < 0) {
    errors.push(invalid('status.observedGeneration', generation, 'must be a non-negative integer'));
  }
  errors.push(...validateImmutable(status?.qosClass, old.status?.qosClass, 'status.qosClass'));
  const hostIPs = status?.hostIPs ?? [];
  errors.push(...validateIps(status?.podIPs, old.status?.podIPs, 'status.podIPs'));
  if (hostIPs[0] !== undefined && (status?.hostIP ?? '') !== hostIPs[0].ip) {
    errors.push(invalid('status.hostIPs[0].ip', hostIPs[0].ip, 'must be equal to `hostIP`'));
  }
  return [...errors, ...validateIps(hostIPs, old.status?.hostIPs, 'status.hostIPs')];
}

const systemConditions: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);

type Addresses = readonly { readonly ip: string }[];

/** Validates one address of each family. Invalid ones that were there before may stay. */
function validateIps(addresses: Addresses | undefined, old: Addresses | undefined, path: string): FieldError[] {
  const known = new Set((old ?? []).map(({ ip }) => ip));
  const all = addresses ?? [];
  const errors = all.flatMap(({ ip }, index) => (known.has(ip) ? [] : validateLegacyIp(ip, `${path}[${index}]`)));
  const families = new Set(all.map(({ ip }) => (ip.includes(':') ? 'IPv6' : 'IPv4')));
  if (errors.length > 0 || families.size === all.length) return errors;
  const shown = all.map(({ ip }) => new GoStruct({ IP: ip }));
  return [invalid(path, shown, 'may specify no more than one IP for each IP family')];
}

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/** Validates the spec of a Pod, which has more rules than that of a template (`validatePodMetadataAndSpec`). */
export function validateSpecOfPod(spec: PodSpec, name: string): FieldError[] {
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
    const { nodeAffinity: _, ...affinity } = rest.affinity ?? {};
    const before = old.affinity?.nodeAffinity;
    delete rest.affinity;
    if (old.affinity !== undefined || Object.keys(affinity).length > 0) {
      rest.affinity = { ...affinity, ...(before !== undefined && { nodeAffinity: before }) };
    }
  }
  return rest;
}

/** Validates where a Pod with a scheduling gate may run: an update can only restrict it. */
function validatePlacement(spec: PodSpec, old: PodSpec): FieldError[] {
  if ((old.schedulingGates ?? []).length === 0) return [];
  const errors: FieldError[] = [];
  const { nodeSelector = {} } = spec;
  if (Object.entries(old.nodeSelector ?? {}).some(([key, value]) => nodeSelector[key] !== value)) {
    const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    errors.push(invalid('spec.nodeSelector', nodeSelector, detail));
  }
  const terms = termsOf(spec);
  const before = termsOf(old);
  const path = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  if (before.length > 0 && before.length !== terms.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [...errors, invalid(path, terms.length === 0 ? null : terms.map(shownTerm), detail)];
  }
  for (const [index, term] of before.entries()) {
    const now = terms[index] ?? {};
    if (hasOnlyAdditions(now, term)) continue;
    const detail = 'only additions are allowed (no mutations or deletions)';
    errors.push(invalid(`${path}[${index}]`, shownTerm(now), detail));
  }
  return errors;
}

function termsOf({ affinity }: PodSpec): readonly NodeSelectorTerm[] {
  return affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
}

function hasOnlyAdditions(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const;
  // An empty term selects nothing, so that an addition would extend it.
  if (lists.every((list) => (old[list] ?? []).length === 0))
    return lists.every((list) => (term[list] ?? []).length === 0);
  return lists.every((list) =>
    (old[list] ?? []).every((requirement, index) => jsonEqual(requirement, term[list]?.[index])),
  );
}

/** Shows a term as upstream's messages do: as the struct of the internal version. */
function shownTerm({ matchExpressions, matchFields }: NodeSelectorTerm): GoStruct {
  const shown = (requirements: NodeSelectorTerm['matchExpressions']): readonly GoStruct[] | null =>
    requirements?.map(
      ({ key, operator, values }) => new GoStruct({ Key: key, Operator: operator, Values: values ?? null }),
    ) ?? null;
  return new GoStruct({ MatchExpressions: shown(matchExpressions), MatchFields: shown(matchFields) });
}
