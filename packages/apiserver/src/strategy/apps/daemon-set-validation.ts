import type { DaemonSet, DaemonSetSpec } from '@evenkeel/kinds';
import {
  type FieldError,
  invalid,
  isEmptySelector,
  notSupported,
  required,
  shownSelector,
  validateLabelSelector,
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
  validateTemplateLabels,
} from '../workload-validation.ts';

/** Source: `ValidateDaemonSetSpec`, `pkg/apis/apps/validation/validation.go`; the errors in its order. */
export function validateDaemonSet({ spec }: DaemonSet): readonly FieldError[] {
  const path = 'spec.selector';
  const selector = spec?.selector;
  const errors = validateLabelSelector(selector, path);
  if (isReadableSelector(selector)) errors.push(...validateTemplateLabels(spec?.template, selector));
  if (selector && isEmptySelector(selector)) {
    errors.push(invalid(path, shownSelector(selector), 'empty selector is invalid for daemonset'));
  }
  return [
    ...errors,
    ...validatePodTemplate(spec?.template ?? {}, 'spec.template'),
    ...validateAlwaysRestarting(spec?.template, 'DaemonSet'),
    ...validateNonNegative(spec?.minReadySeconds, 'spec.minReadySeconds'),
    ...validateUpdateStrategy(spec?.updateStrategy),
    ...validateNonNegative(spec?.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
  ];
}

export function validateDaemonSetUpdate(object: DaemonSet, old: DaemonSet): readonly FieldError[] {
  return [
    ...validateImmutable(shownSelector(object.spec?.selector), shownSelector(old.spec?.selector), 'spec.selector'),
    ...validateDaemonSet(object),
  ];
}

export function validateDaemonSetStatus({ status }: DaemonSet, old: DaemonSet): readonly FieldError[] {
  const fields = [
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
    'collisionCount',
  ] as const;
  return [...validateCounts(status, fields, [], ''), ...validateCollisionCount(status, old.status)];
}

function validateUpdateStrategy(strategy: DaemonSetSpec['updateStrategy']): FieldError[] {
  const path = 'spec.updateStrategy';
  const rolling = strategy?.rollingUpdate;
  if (strategy?.type === 'OnDelete') return [];
  if (strategy?.type !== 'RollingUpdate') {
    return [notSupported(path, shownStrategy(strategy?.type, rolling), ['RollingUpdate', 'OnDelete'])];
  }
  if (rolling === undefined) return [required(`${path}.rollingUpdate`)];
  const { maxUnavailable, maxSurge } = rolling;
  const at = `${path}.rollingUpdate`;
  const errors = [
    ...validateIntOrPercent(maxUnavailable, `${at}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${at}.maxSurge`),
    ...validateAtMost100Percent(maxUnavailable, `${at}.maxUnavailable`),
    ...validateAtMost100Percent(maxSurge, `${at}.maxSurge`),
  ];
  const unavailable = intOrPercentValue(maxUnavailable) !== 0;
  const surge = intOrPercentValue(maxSurge) !== 0;
  if (unavailable && surge) {
    errors.push(invalid(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'));
  } else if (!unavailable && !surge) {
    errors.push(required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  }
  return errors;
}
