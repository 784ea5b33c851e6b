import type { Deployment } from '@evenkeel/kinds';
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  shownSelector,
} from '../../apimachinery/index.ts';
import {
  intOrPercentValue,
  validateAtMost100Percent,
  validateImmutable,
  validateIntOrPercent,
  validateNonNegative,
} from '../number-validation.ts';
import { validatePodTemplate } from '../pod/pod-spec-validation.ts';
import {
  isReadableSelector,
  shownStrategy,
  validateAlwaysRestarting,
  validateCollisionCount,
  validateCounts,
  validateSelector,
  validateTemplateLabels,
} from '../workload-validation.ts';

/** Source: `ValidateDeploymentSpec`, `pkg/apis/apps/validation/validation.go`; the errors in its order. */
export function validateDeployment({ spec }: Deployment): readonly FieldError[] {
  const errors = validateNonNegative(spec?.replicas, 'spec.replicas');
  errors.push(...validateSelector(spec?.selector, 'deployment'));
  if (isReadableSelector(spec?.selector)) {
    errors.push(
      ...validateTemplateLabels(spec?.template, spec?.selector),
      ...validatePodTemplate(spec?.template ?? {}, 'spec.template'),
      ...validateAlwaysRestarting(spec?.template, 'ReplicaSet'),
    );
  } else errors.push(invalid('spec.selector', shownSelector(spec?.selector), 'invalid label selector'));
  errors.push(...validateStrategy(spec?.strategy));
  errors.push(...validateNonNegative(spec?.minReadySeconds, 'spec.minReadySeconds'));
  errors.push(...validateNonNegative(spec?.revisionHistoryLimit, 'spec.revisionHistoryLimit'));
  const deadline = spec?.progressDeadlineSeconds;
  errors.push(...validateNonNegative(deadline, 'spec.progressDeadlineSeconds'));
  if (deadline !== undefined && deadline <= (spec?.minReadySeconds ?? 0)) {
    errors.push(invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'));
  }
  return errors;
}

export function validateDeploymentUpdate(object: Deployment, old: Deployment): readonly FieldError[] {
  return [
    ...validateDeployment(object),
    ...validateImmutable(shownSelector(object.spec?.selector), shownSelector(old.spec?.selector), 'spec.selector'),
  ];
}

export function validateDeploymentStatus({ status }: Deployment, old: Deployment): readonly FieldError[] {
  return [
    ...validateCounts(
      status,
      [
        'observedGeneration',
        'replicas',
        'updatedReplicas',
        'readyReplicas',
        'availableReplicas',
        'unavailableReplicas',
        'terminatingReplicas',
        'collisionCount',
      ],
      ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
      'readyReplicas',
    ),
    ...validateCollisionCount(status, old.status),
  ];
}

type DeploymentStrategy = NonNullable<NonNullable<Deployment['spec']>['strategy']>;

function validateStrategy(strategy: DeploymentStrategy | undefined): FieldError[] {
  const path = 'spec.strategy';
  const rolling = strategy?.rollingUpdate;
  switch (strategy?.type) {
    case 'Recreate':
      if (rolling === undefined) return [];
      return [forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")];
    case 'RollingUpdate':
      if (rolling === undefined)
        return [required(`${path}.rollingUpdate`, 'this should be defaulted and never be nil')];
      return validateRollingUpdate(rolling, `${path}.rollingUpdate`);
    default:
      return [notSupported(path, shownStrategy(strategy?.type, rolling), ['Recreate', 'RollingUpdate'])];
  }
}

function validateRollingUpdate(
  { maxUnavailable, maxSurge }: NonNullable<DeploymentStrategy['rollingUpdate']>,
  path: string,
): FieldError[] {
  const errors = [
    ...validateIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${path}.maxSurge`),
  ];
  if (intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0) {
    errors.push(invalid(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  }
  return [...errors, ...validateAtMost100Percent(maxUnavailable, `${path}.maxUnavailable`)];
}
