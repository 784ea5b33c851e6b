import type { HorizontalPodAutoscaler } from '@evenkeel/kinds';
import {
  canonicalQuantity,
  dns1123LabelErrors,
  type FieldError,
  forbidden,
  invalid,
  invalidBy,
  notSupported,
  pathSegmentErrors,
  quantityNanos,
  required,
} from '../../apimachinery/index.ts';
import { validateNonNegative } from '../number-validation.ts';
import { validateContainerResourceName } from '../resource-rules.ts';

type Spec = HorizontalPodAutoscaler['spec'];
type Metric = NonNullable<Spec['metrics']>[number];
type Target = NonNullable<Metric['resource']>['target'];
type Rules = NonNullable<NonNullable<Spec['behavior']>['scaleUp']>;
type Reference = Spec['scaleTargetRef'];

/** Which references an older release accepted, or the kind allows. */
interface ReferenceRules {
  readonly anyVersion: boolean;
  readonly coreGroup: boolean;
}

const periodSecondsMax = 1800;
const windowSecondsMax = 3600;
const selectPolicies = ['Disabled', 'Max', 'Min'];
const policyTypes = ['Percent', 'Pods'];
const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

/** The member of each type of metric, in the order in which upstream validates them. */
const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;
const memberOfType = new Map<string, (typeof sources)[number]>([
  ['Object', 'object'],
  ['External', 'external'],
  ['Pods', 'pods'],
  ['Resource', 'resource'],
  ['ContainerResource', 'containerResource'],
]);

/** Validates an autoscaler of v2. Source: `validateHorizontalPodAutoscalerSpec`, `pkg/apis/autoscaling/validation`. */
export function validateAutoscaler(
  { spec }: HorizontalPodAutoscaler,
  old?: HorizontalPodAutoscaler,
): readonly FieldError[] {
  const { minReplicas, maxReplicas = 0, scaleTargetRef = {} as Reference, metrics = [], behavior } = spec ?? {};
  const errors: FieldError[] = [];
  const least = old?.spec?.minReplicas === 0 ? 0 : 1;
  if (minReplicas !== undefined && minReplicas < least) {
    errors.push(invalid('spec.minReplicas', minReplicas, `must be greater than or equal to ${least}`));
  }
  if (maxReplicas === 0) errors.push(required('spec.maxReplicas', 'must be set and greater than 0'));
  else if (maxReplicas < 0) {
    errors.push(invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1'));
  }
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    errors.push(invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'));
  }
  const before = old?.spec?.scaleTargetRef;
  const targetRules = {
    anyVersion: before?.apiVersion === scaleTargetRef.apiVersion && before?.kind === scaleTargetRef.kind,
    coreGroup: scaleTargetRef.kind === 'ReplicationController',
  };
  const objectRules = { anyVersion: (old?.spec?.metrics ?? []).some(hasInvalidVersion), coreGroup: true };
  errors.push(
    ...validateReference(scaleTargetRef, 'spec.scaleTargetRef', targetRules),
    ...metrics.flatMap((metric, index) => validateMetric(metric, `spec.metrics[${index}]`, objectRules)),
  );
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(forbidden('spec.metrics', detail));
  }
  return [
    ...errors,
    ...validateRules(behavior?.scaleUp, 'spec.behavior.scaleUp'),
    ...validateRules(behavior?.scaleDown, 'spec.behavior.scaleDown'),
  ];
}

/** Source: `ValidateHorizontalPodAutoscalerStatusUpdate`. */
export function validateAutoscalerStatus({ status }: HorizontalPodAutoscaler): readonly FieldError[] {
  return [
    ...validateNonNegative(status?.currentReplicas, 'status.currentReplicas'),
    ...validateNonNegative(status?.desiredReplicas, 'status.desiredReplicas'),
  ];
}

function hasInvalidVersion({ type, object }: Metric): boolean {
  return type === 'Object' && versionError(object?.describedObject.apiVersion ?? '', true) !== undefined;
}

function validateReference(
  { kind = '', name = '', apiVersion = '' }: Reference,
  path: string,
  { anyVersion, coreGroup }: ReferenceRules,
): FieldError[] {
  const wrong = anyVersion ? undefined : versionError(apiVersion, coreGroup);
  return [
    ...(kind === '' ? [required(`${path}.kind`)] : invalidBy(pathSegmentErrors, `${path}.kind`, kind)),
    ...(name === '' ? [required(`${path}.name`)] : invalidBy(pathSegmentErrors, `${path}.name`, name)),
    ...(wrong === undefined ? [] : [invalid(`${path}.apiVersion`, apiVersion, wrong)]),
  ];
}

function versionError(apiVersion: string, coreGroup: boolean): string | undefined {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const group = parts.length === 2 ? parts[0] : '';
  return group === '' && !coreGroup ? 'apiVersion must specify API group' : undefined;
}

function validateMetric(metric: Metric, path: string, rules: ReferenceRules): FieldError[] {
  const errors: FieldError[] = [];
  const { type = '' } = metric;
  if (type === '') errors.push(required(`${path}.type`, 'must specify a metric source type'));
  if (!metricTypes.includes(type)) errors.push(notSupported(`${path}.type`, type, metricTypes));
  const present = sources.filter((source) => metric[source] !== undefined);
  if (present[0] !== undefined) errors.push(...validateSource(metric, present[0], `${path}.${present[0]}`, rules));
  const expected = memberOfType.get(type);
  if (expected !== undefined && metric[expected] === undefined) {
    errors.push(required(`${path}.${expected}`, 'must populate information for the given metric source'));
  }
  if (expected === undefined) errors.push(notSupported(`${path}.type`, type, metricTypes));
  if (present.length === 1) return errors;
  for (const source of present.filter((one) => one !== expected)) {
    errors.push(forbidden(`${path}.${source}`, 'must populate the given metric source only'));
  }
  return errors;
}

function validateSource(
  metric: Metric,
  member: (typeof sources)[number],
  path: string,
  rules: ReferenceRules,
): FieldError[] {
  const { object, external, pods, resource, containerResource } = metric;
  const { target = {} as Target } = metric[member] ?? {};
  const { value, averageValue, averageUtilization } = target;
  const missing = (detail: string, field = 'averageValue'): FieldError[] => [
    required(`${path}.target.${field}`, detail),
  ];
  switch (member) {
    case 'object':
      return [
        ...validateReference(object?.describedObject ?? ({} as Reference), `${path}.describedObject`, rules),
        ...validateIdentifier(object?.metric?.name, path),
        ...validateTarget(target, `${path}.target`),
        ...(value === undefined && averageValue === undefined
          ? missing('must set either a target value or averageValue')
          : []),
      ];
    case 'external':
      return [
        ...validateIdentifier(external?.metric?.name, path),
        ...validateTarget(target, `${path}.target`),
        ...(value === undefined && averageValue === undefined
          ? missing('must set either a target value for metric or a per-pod target')
          : []),
        ...(value !== undefined && averageValue !== undefined
          ? [forbidden(`${path}.target.value`, 'may not set both a target value for metric and a per-pod target')]
          : []),
      ];
    case 'pods':
      return [
        ...validateIdentifier(pods?.metric?.name, path),
        ...validateTarget(target, `${path}.target`),
        ...(averageValue === undefined ? missing('must specify a positive target averageValue') : []),
      ];
    case 'resource':
    case 'containerResource': {
      const name = (resource ?? containerResource)?.name ?? '';
      const errors = name === '' ? [required(`${path}.name`, 'must specify a resource name')] : [];
      if (member === 'containerResource') {
        if (name !== '') errors.push(...validateContainerResourceName(name, `${path}.name`));
        const container = containerResource?.container ?? '';
        if (container === '') errors.push(required(`${path}.container`, 'must specify a container'));
        else errors.push(...invalidBy(dns1123LabelErrors, `${path}.container`, container));
      }
      errors.push(...validateTarget(target, `${path}.target`));
      if (averageUtilization === undefined && averageValue === undefined) {
        errors.push(...missing('must set either a target raw value or a target utilization', 'averageUtilization'));
      }
      if (averageUtilization !== undefined && averageValue !== undefined) {
        const detail = 'may not set both a target raw value and a target utilization';
        errors.push(forbidden(`${path}.target.averageValue`, detail));
      }
      return errors;
    }
  }
}

function validateIdentifier(name: string | undefined, path: string): FieldError[] {
  if (!name) return [required(`${path}.metric.name`, 'must specify a metric name')];
  return invalidBy(pathSegmentErrors, `${path}.metric.name`, name);
}

function validateTarget({ type = '', value, averageValue, averageUtilization }: Target, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${path}.type`, 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    errors.push(invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  }
  for (const [field, amount] of Object.entries({ value, averageValue })) {
    if (amount === undefined || quantityNanos(amount) > 0n) continue;
    errors.push(invalid(`${path}.${field}`, canonicalQuantity(amount), 'must be positive'));
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    errors.push(invalid(`${path}.averageUtilization`, averageUtilization, 'must be greater than 0'));
  }
  return errors;
}

function validateRules(rules: Rules | undefined, path: string): FieldError[] {
  if (rules === undefined) return [];
  const { stabilizationWindowSeconds: seconds, selectPolicy, policies = [], tolerance } = rules;
  const errors: FieldError[] = [];
  const windowPath = `${path}.stabilizationWindowSeconds`;
  if (seconds !== undefined && seconds < 0) {
    errors.push(invalid(windowPath, seconds, 'must be greater than or equal to zero'));
  }
  if (seconds !== undefined && seconds > windowSecondsMax) {
    errors.push(invalid(windowPath, seconds, `must be less than or equal to ${windowSecondsMax}`));
  }
  if (selectPolicy !== undefined && !selectPolicies.includes(selectPolicy)) {
    errors.push(notSupported(`${path}.selectPolicy`, selectPolicy, selectPolicies));
  }
  if (policies.length === 0) errors.push(required(`${path}.policies`, 'must specify at least one Policy'));
  for (const [index, { type = '', value = 0, periodSeconds = 0 }] of policies.entries()) {
    const at = `${path}.policies[${index}]`;
    if (!policyTypes.includes(type)) errors.push(notSupported(`${at}.type`, type, policyTypes));
    if (value <= 0) errors.push(invalid(`${at}.value`, value, 'must be greater than zero'));
    if (periodSeconds <= 0) errors.push(invalid(`${at}.periodSeconds`, periodSeconds, 'must be greater than zero'));
    if (periodSeconds > periodSecondsMax) {
      errors.push(invalid(`${at}.periodSeconds`, periodSeconds, `must be less than or equal to ${periodSecondsMax}`));
    }
  }
  if (tolerance !== undefined && quantityNanos(tolerance) < 0n) {
    errors.push(invalid(`${path}.tolerance`, canonicalQuantity(tolerance), 'must be greater than or equal to 0'));
  }
  return errors;
}
