import { type Condition, withCondition } from '@evenkeel/core';
import { hasInvalidCaBundle } from '@evenkeel/schema/evaluate';
import { aggregateText, jsonEqual } from '../apimachinery/index.ts';
import {
  type DefinitionNames,
  type DefinitionStatus,
  isConditionTrue,
  type StoredDefinition,
} from './custom-definition.ts';

type NewCondition = Omit<Condition, 'lastTransitionTime'>;

/**
 * Returns the next status of a definition that is not being deleted, given all definitions of the server; undefined if
 * the status is complete. The status needs several steps, and upstream writes each separately: names are accepted
 * unless another definition of the group has them, then the definition is established, unless the certificates of its
 * conversion webhook are invalid. Accepted names stay accepted.
 *
 * Difference: upstream already responds to requests, but not to discovery, when only the names have been accepted.
 *
 * Sources: apiextensions-apiserver `pkg/controller/status/naming_controller.go`, `pkg/controller/establish`,
 * `pkg/controller/apiapproval`.
 */
export function nextDefinitionStatus(
  definition: StoredDefinition,
  definitions: () => readonly StoredDefinition[],
  now: Date,
): DefinitionStatus | undefined {
  return namingStep(definition, definitions, now) ?? establishingStep(definition, now) ?? approvalStep(definition, now);
}

function namingStep(
  definition: StoredDefinition,
  definitions: () => readonly StoredDefinition[],
  now: Date,
): DefinitionStatus | undefined {
  const { spec, status } = definition;
  const requested = spec.names ?? {};
  const accepted = status?.acceptedNames ?? {};
  if (jsonEqual(comparable(requested), comparable(accepted))) return undefined;
  const { names, condition } = acceptNames(requested, accepted, heldNames(definition, definitions()));
  const before = status?.conditions?.find(({ type }) => type === 'NamesAccepted');
  const isSettled =
    before?.status === condition.status && before.reason === condition.reason && before.message === condition.message;
  if (isSettled && jsonEqual(comparable(names), comparable(accepted))) return undefined;
  const conditions = withCondition(status?.conditions ?? undefined, condition, now);
  const established = establishedCondition(definition, condition.status === 'True');
  return {
    ...status,
    acceptedNames: names,
    conditions: established === undefined ? conditions : withCondition(conditions, established, now),
  };
}

/** Treats empty and missing lists and strings as equal. */
function comparable(names: DefinitionNames): object {
  return Object.fromEntries(Object.entries(names).filter(([, value]) => value.length > 0));
}

interface HeldNames {
  /** Plurals, singulars and short names. */
  readonly resources: ReadonlySet<string>;
  /** Kinds and kinds of lists. */
  readonly kinds: ReadonlySet<string>;
}

/** Returns the accepted names of all definitions in the group, including those of this definition. */
function heldNames({ spec }: StoredDefinition, definitions: readonly StoredDefinition[]): HeldNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const other of definitions) {
    if (other.spec.group !== spec.group) continue;
    const { plural = '', singular = '', shortNames = [], kind = '', listKind = '' } = other.status?.acceptedNames ?? {};
    for (const name of [plural, singular, ...shortNames]) resources.add(name);
    kinds.add(kind).add(listKind);
  }
  return { resources, kinds };
}

/** Accepts every name that is free or that the definition already has. The reason names the last rejected name. */
function acceptNames(
  requested: DefinitionNames,
  accepted: DefinitionNames,
  held: HeldNames,
): { readonly names: DefinitionNames; readonly condition: NewCondition } {
  const names: DefinitionNames = { ...accepted };
  let condition: NewCondition = {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  };
  const reject = (reason: string, message: string): void => {
    condition = { type: 'NamesAccepted', status: 'False', reason, message };
  };
  const accept = (
    field: 'plural' | 'singular' | 'kind' | 'listKind',
    used: ReadonlySet<string>,
    reason: string,
  ): void => {
    const name = requested[field] ?? '';
    if (name !== accepted[field] && used.has(name)) reject(reason, inUse(name));
    else names[field] = name;
  };
  accept('plural', held.resources, 'PluralConflict');
  accept('singular', held.resources, 'SingularConflict');
  const taken = (requested.shortNames ?? []).filter(
    (name) => !accepted.shortNames?.includes(name) && held.resources.has(name),
  );
  if (taken.length > 0) reject('ShortNamesConflict', aggregateText(taken.map(inUse)));
  else setList(names, 'shortNames', requested.shortNames);
  accept('kind', held.kinds, 'KindConflict');
  accept('listKind', held.kinds, 'ListKindConflict');
  setList(names, 'categories', requested.categories);
  return { names, condition };
}

function setList(
  names: DefinitionNames,
  field: 'shortNames' | 'categories',
  list: readonly string[] | undefined,
): void {
  if (list === undefined) delete names[field];
  else names[field] = list;
}

function inUse(name: string): string {
  return `${JSON.stringify(name)} is already in use`;
}

/** Returns the Established condition that follows from naming; undefined if the current one must stay. */
function establishedCondition(definition: StoredDefinition, namesAccepted: boolean): NewCondition | undefined {
  if (isConditionTrue(definition, 'Established')) return undefined;
  if (namesAccepted) {
    const message = 'the initial names have been accepted';
    return { type: 'Established', status: 'False', reason: 'Installing', message };
  }
  if (definition.status?.conditions?.some(({ type }) => type === 'Established') === true) return undefined;
  return { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
}

function establishingStep(definition: StoredDefinition, now: Date): DefinitionStatus | undefined {
  const { status } = definition;
  if (!isConditionTrue(definition, 'NamesAccepted') || isConditionTrue(definition, 'Established')) return undefined;
  const conditions = withCondition(
    status?.conditions ?? undefined,
    hasInvalidCaBundle(definition.spec.conversion) ? invalidCaBundle : established,
    now,
  );
  return conditions === status?.conditions ? undefined : { ...status, conditions };
}

const established: NewCondition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};

const invalidCaBundle: NewCondition = {
  type: 'Established',
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
};

const approvedAnnotation = 'api-approved.kubernetes.io';

/**
 * Returns the status with the condition that reports whether a group in Kubernetes' own domains is approved; undefined
 * if nothing changes. Validation rejects other values of the annotation.
 */
function approvalStep({ metadata, spec, status }: StoredDefinition, now: Date): DefinitionStatus | undefined {
  const { group = '' } = spec;
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) return undefined;
  const annotation = metadata.annotations?.[approvedAnnotation] ?? '';
  if (annotation === '') return undefined;
  const isApproved = !annotation.startsWith('unapproved');
  const conditions = withCondition(
    status?.conditions ?? undefined,
    {
      type: 'KubernetesAPIApprovalPolicyConformant',
      status: isApproved ? 'True' : 'False',
      reason: isApproved ? 'ApprovedAnnotation' : 'UnapprovedAnnotation',
      message: isApproved ? `approved in ${annotation}` : `not approved: ${JSON.stringify(annotation)}`,
    },
    now,
  );
  return conditions === status?.conditions ? undefined : { ...status, conditions };
}
