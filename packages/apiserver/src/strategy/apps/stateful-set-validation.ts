import type { StatefulSet, StatefulSetSpec } from '@evenkeel/kinds';
import {
  dns1123LabelErrors,
  type FieldError,
  forbidden,
  invalid,
  invalidBy,
  jsonEqual,
  notSupported,
  required,
  shownSelector,
} from '../../apimachinery/index.ts';
import {
  intOrPercentValue,
  validateAtMost100Percent,
  validateIntOrPercent,
  validateNonNegative,
} from '../number-validation.ts';
import { validateClaimSpec } from '../pod/claim-validation.ts';
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

/** Fields of the spec that an update may change. */
const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;

/** Source: `ValidateStatefulSetSpec`, `pkg/apis/apps/validation/validation.go`; the errors in its order. */
export function validateStatefulSet({ spec }: StatefulSet): readonly FieldError[] {
  return spec === undefined ? [required('spec.selector')] : validateSpec(spec, true);
}

export function validateStatefulSetUpdate(object: StatefulSet, old: StatefulSet): readonly FieldError[] {
  const errors = object.spec === undefined ? [required('spec.selector')] : validateSpec(object.spec, false);
  const fixed = (spec: StatefulSetSpec | undefined): object =>
    Object.fromEntries(Object.entries(spec ?? {}).filter(([name]) => !changeable.some((field) => field === name)));
  if (!jsonEqual(fixed(object.spec), fixed(old.spec))) {
    const names = changeable.map((name) => `'${name}'`);
    const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
    errors.push(forbidden('spec', `updates to statefulset spec for fields other than ${list} are forbidden`));
  }
  return errors;
}

export function validateStatefulSetStatus({ status }: StatefulSet, old: StatefulSet): readonly FieldError[] {
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;
  const fields = ['replicas', ...parts, 'observedGeneration', 'collisionCount'] as const;
  return [
    ...validateCounts(status, fields, parts, 'status.readyReplicas'),
    ...validateCollisionCount(status, old.status),
  ];
}

function validateSpec(spec: StatefulSetSpec, isNew: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const policy = spec.podManagementPolicy ?? '';
  if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    errors.push(invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'"));
  }
  errors.push(...validateUpdateStrategy(spec.updateStrategy));
  for (const when of ['whenDeleted', 'whenScaled'] as const) {
    const value = spec.persistentVolumeClaimRetentionPolicy?.[when];
    if (value === undefined || value === 'Retain' || value === 'Delete') continue;
    errors.push(notSupported(`spec.persistentVolumeClaimRetentionPolicy.${when}`, value, ['Retain', 'Delete']));
  }
  if (isNew) {
    for (const [index, claim] of (spec.volumeClaimTemplates ?? []).entries()) {
      errors.push(...validateClaimSpec(claim.spec ?? {}, `spec.volumeClaimTemplates[${index}].spec`));
    }
  }
  errors.push(...validateNonNegative(spec.replicas, 'spec.replicas'));
  errors.push(...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'));
  errors.push(...validateNonNegative(spec.ordinals?.start, 'spec.ordinals.start'));
  if (isNew && spec.serviceName) errors.push(...invalidBy(dns1123LabelErrors, 'spec.serviceName', spec.serviceName));
  errors.push(...validateSelector(spec.selector, 'statefulset'));
  if (isReadableSelector(spec.selector)) errors.push(...validateTemplate(spec));
  else errors.push(invalid('spec.selector', shownSelector(spec.selector), ''));
  return [...errors, ...validateAlwaysRestarting(spec.template, 'StatefulSet')];
}

/** Claims become volumes of the Pods, and host names are set for them. */
function validateTemplate({ template, selector, volumeClaimTemplates = [] }: StatefulSetSpec): FieldError[] {
  const claims = new Map(
    volumeClaimTemplates.map(({ metadata }) => {
      const name = metadata?.name ?? '';
      return [name, { name, persistentVolumeClaim: { claimName: name } }];
    }),
  );
  const { hostname: _, subdomain: __, ...spec } = template?.spec ?? { containers: [] };
  const volumes = [...claims.values(), ...(spec.volumes ?? []).filter(({ name }) => !claims.has(name))];
  return [
    ...validateTemplateLabels(template, selector),
    ...validatePodTemplate({ ...template, spec: { ...spec, volumes } }, 'spec.template'),
  ];
}

function validateUpdateStrategy(strategy: StatefulSetSpec['updateStrategy']): FieldError[] {
  const path = 'spec.updateStrategy';
  const rolling = strategy?.rollingUpdate;
  switch (strategy?.type) {
    case 'OnDelete':
      if (rolling === undefined) return [];
      return [invalid(`${path}.rollingUpdate`, rolling, "only allowed for updateStrategy 'RollingUpdate'")];
    case 'RollingUpdate': {
      if (rolling === undefined) return [];
      const at = `${path}.rollingUpdate`;
      const errors = validateNonNegative(rolling.partition, `${at}.partition`);
      const most = rolling.maxUnavailable;
      if (most === undefined) return errors;
      errors.push(...validateIntOrPercent(most, `${at}.maxUnavailable`));
      if (intOrPercentValue(most) === 0) errors.push(invalid(`${at}.maxUnavailable`, most, 'cannot be 0'));
      return [...errors, ...validateAtMost100Percent(most, `${at}.maxUnavailable`)];
    }
    default:
      return [invalid(path, shownStrategy(strategy?.type, rolling), "must be 'RollingUpdate' or 'OnDelete'")];
  }
}
