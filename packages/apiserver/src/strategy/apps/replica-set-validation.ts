import type { ReplicaSet, ReplicationController } from '@evenkeel/kinds';
import { type FieldError, invalid, required, shownSelector } from '../../apimachinery/index.ts';
import { validateImmutable, validateNonNegative } from '../number-validation.ts';
import { validatePodTemplate } from '../pod/pod-spec-validation.ts';
import {
  isReadableSelector,
  validateAlwaysRestarting,
  validateCounts,
  validateSelector,
  validateTemplateLabels,
} from '../workload-validation.ts';

/** Source: `ValidateReplicaSetSpec`, `pkg/apis/apps/validation/validation.go`; the errors in its order. */
export function validateReplicaSet({ spec }: ReplicaSet): readonly FieldError[] {
  const errors = [
    ...validateNonNegative(spec?.replicas, 'spec.replicas'),
    ...validateNonNegative(spec?.minReadySeconds, 'spec.minReadySeconds'),
    ...validateSelector(spec?.selector, 'deployment'),
  ];
  if (!isReadableSelector(spec?.selector)) {
    return [...errors, invalid('spec.selector', shownSelector(spec?.selector), 'invalid label selector')];
  }
  return [
    ...errors,
    ...validateTemplateLabels(spec?.template, spec?.selector),
    ...validatePodTemplate(spec?.template ?? {}, 'spec.template'),
    ...validateAlwaysRestarting(spec?.template, 'ReplicaSet'),
  ];
}

export function validateReplicaSetUpdate(object: ReplicaSet, old: ReplicaSet): readonly FieldError[] {
  return [
    ...validateReplicaSet(object),
    ...validateImmutable(shownSelector(object.spec?.selector), shownSelector(old.spec?.selector), 'spec.selector'),
  ];
}

const counted = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
] as const;
const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;

export function validateReplicaSetStatus({ status }: ReplicaSet): readonly FieldError[] {
  return validateCounts(status, [...counted, 'terminatingReplicas'], parts, 'readyReplicas');
}

/** Source: `ValidateReplicationControllerSpec`, `pkg/apis/core/validation/validation.go`. */
export function validateReplicationController({ spec }: ReplicationController): readonly FieldError[] {
  const selector = spec?.selector ?? {};
  const errors = validateNonNegative(spec?.minReadySeconds, 'spec.minReadySeconds');
  const empty = Object.keys(selector).length === 0;
  if (empty) errors.push(required('spec.selector'));
  errors.push(...validateNonNegative(spec?.replicas, 'spec.replicas'));
  if (spec?.template === undefined) return [...errors, required('spec.template')];
  return [
    ...errors,
    ...(empty ? [] : validateTemplateLabels(spec.template, { matchLabels: selector })),
    ...validatePodTemplate(spec.template, 'spec.template'),
    ...validateAlwaysRestarting(spec.template, 'ReplicationController'),
  ];
}

export function validateReplicationControllerStatus({ status }: ReplicationController): readonly FieldError[] {
  return validateCounts(status, counted, parts, 'readyReplicas');
}
