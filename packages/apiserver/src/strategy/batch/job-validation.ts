import { labelRequirementsOf, matchesLabels } from '@evenkeel/core';
import type { Job, JobSpec } from '@evenkeel/kinds';
import {
  copyJson,
  dns1123LabelErrors,
  type FieldError,
  GoStruct,
  invalid,
  jsonEqual,
  notSupported,
  required,
  shownSelector,
  validateLabelSelector,
} from '../../apimachinery/index.ts';
import { validateImmutable, validateNonNegative } from '../number-validation.ts';
import { validatePodTemplate } from '../pod/pod-spec-validation.ts';
import { isReadableSelector, validateTemplateLabels } from '../workload-validation.ts';
import { validateFailurePolicy, validateManagedBy, validateSuccessPolicy } from './job-policy-validation.ts';

const controllerUid = 'controller-uid';
const jobName = 'job-name';
const prefix = 'batch.kubernetes.io/';

/** The maximum of parallelism and of failed indexes of an Indexed Job. */
const mostParallel = 100_000;

/** The maximum for Jobs with more completions than {@link mostParallel} and a backoff limit per index. */
const mostOfMany = 10_000;

/** Source: `ValidateJob`, `pkg/apis/batch/validation/validation.go`; the errors in its order. */
export function validateJob(object: Job): readonly FieldError[] {
  const { metadata, spec } = object;
  if (spec === undefined) return [required('spec.selector')];
  const errors = [
    ...validateGeneratedSelector(object, spec),
    ...validateJobSpec(spec, 'spec'),
    ...validateJobSelector(spec),
  ];
  if (spec.completionMode === 'Indexed' && (spec.completions ?? 0) > 0) {
    const hostname = `${metadata.name}-${(spec.completions ?? 0) - 1}`;
    if (dns1123LabelErrors(hostname).length > 0) {
      const detail = `will not able to create pod with invalid DNS label: ${hostname}`;
      errors.push(invalid('metadata.name', metadata.name, detail));
    }
  }
  return errors;
}

/** Source: `ValidateJobUpdate`, which runs both sets of rules of the spec. Repeated errors are reported once. */
export function validateJobUpdate(object: Job, old: Job): readonly FieldError[] {
  const { spec } = object;
  const before = old.spec;
  const errors = [...validateJob(object)];
  if (spec === undefined || before === undefined) return errors;
  errors.push(
    ...validateJobSpec(spec, 'spec'),
    ...validateJobSelector(spec),
    ...validateCompletions(spec, before),
    ...validateImmutable(shownSelector(spec.selector), shownSelector(before.selector), 'spec.selector'),
    ...validateTemplateUpdate(spec, old),
  );
  const [shown, shownBefore] = [shownPolicies(spec), shownPolicies(before)];
  for (const field of [
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ] as const) {
    errors.push(...validateImmutable(shown[field], shownBefore[field], `spec.${field}`));
  }
  return errors;
}

/** The spec with its policies as messages show them: as Go's internal structs. */
function shownPolicies(spec: JobSpec) {
  const { podFailurePolicy: failure, successPolicy: success } = spec;
  const failureRules = failure?.rules?.map(
    ({ action = '', onExitCodes: codes, onPodConditions: conditions }) =>
      new GoStruct({
        Action: action,
        OnExitCodes: codes
          ? new GoStruct({
              ContainerName: codes.containerName ?? null,
              Operator: codes.operator ?? '',
              Values: codes.values ?? null,
            })
          : null,
        OnPodConditions:
          conditions?.map(({ type = '', status = '' }) => new GoStruct({ Type: type, Status: status })) ?? null,
      }),
  );
  const successRules = success?.rules?.map(
    ({ succeededIndexes = null, succeededCount = null }) =>
      new GoStruct({ SucceededIndexes: succeededIndexes, SucceededCount: succeededCount }),
  );
  return {
    ...spec,
    podFailurePolicy: failure && new GoStruct({ Rules: failureRules ?? null }),
    successPolicy: success && new GoStruct({ Rules: successRules ?? null }),
  };
}

/** Rules for a Job's spec and for that of a CronJob's template. Source: `validateJobSpec`. */
export function validateJobSpec(spec: JobSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ] as const) {
    errors.push(...validateNonNegative(spec[field], `${path}.${field}`));
  }
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    errors.push(required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  }
  if (spec.managedBy !== undefined) errors.push(...validateManagedBy(spec.managedBy, `${path}.managedBy`));
  errors.push(
    ...validateCompletionMode(spec, path),
    ...validateFailurePolicy(spec, `${path}.podFailurePolicy`),
    ...validateSuccessPolicy(spec, `${path}.successPolicy`),
  );
  errors.push(...validateReplacementPolicy(spec, `${path}.podReplacementPolicy`));
  errors.push(...validatePodTemplate(spec.template ?? {}, `${path}.template`));
  return [...errors, ...validateRestartPolicy(spec, `${path}.template.spec.restartPolicy`)];
}

function validateCompletionMode(spec: JobSpec, path: string): FieldError[] {
  const { completionMode: mode, completions, parallelism, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const errors: FieldError[] = [];
  if (mode !== undefined && mode !== 'NonIndexed' && mode !== 'Indexed') {
    errors.push(notSupported(`${path}.completionMode`, mode, ['NonIndexed', 'Indexed']));
  }
  if (mode === 'Indexed') {
    if (completions === undefined) {
      errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
    }
    if (parallelism !== undefined && parallelism > mostParallel) {
      const detail = `must be less than or equal to ${mostParallel} when completion mode is Indexed`;
      errors.push(invalid(`${path}.parallelism`, parallelism, detail));
    }
    if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions) {
      errors.push(invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, 'must be less than or equal to completions'));
    }
    errors.push(...validateManyIndexes(spec, path));
  }
  if (mode === undefined || mode === 'NonIndexed') {
    const detail = 'requires indexed completion mode';
    if (backoffLimitPerIndex !== undefined) {
      errors.push(invalid(`${path}.backoffLimitPerIndex`, backoffLimitPerIndex, detail));
    }
    if (maxFailedIndexes !== undefined) errors.push(invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, detail));
  }
  return errors;
}

/** Limits the length of `completedIndexes` and `failedIndexes`. */
function validateManyIndexes(spec: JobSpec, path: string): FieldError[] {
  const { completions = 0, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const errors: FieldError[] = [];
  if (maxFailedIndexes !== undefined && maxFailedIndexes > mostParallel) {
    errors.push(invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, `must be less than or equal to ${mostParallel}`));
  }
  if (completions <= mostParallel || backoffLimitPerIndex === undefined) return errors;
  const detail = `must be less than or equal to ${mostOfMany} when completions are above ${mostParallel} and used with backoff limit per index`;
  if (maxFailedIndexes === undefined) {
    const when = `must be specified when completions is above ${mostParallel}`;
    errors.push(required(`${path}.maxFailedIndexes`, when));
  }
  if (parallelism > mostOfMany) errors.push(invalid(`${path}.parallelism`, parallelism, detail));
  if (maxFailedIndexes !== undefined && maxFailedIndexes > mostOfMany) {
    errors.push(invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, detail));
  }
  return errors;
}

function validateReplacementPolicy(
  { podReplacementPolicy: policy, podFailurePolicy }: JobSpec,
  path: string,
): FieldError[] {
  if (policy === undefined) return [];
  const choices = podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  return choices.includes(policy) ? [] : [notSupported(path, policy, choices)];
}

function validateRestartPolicy({ template, podFailurePolicy }: JobSpec, path: string): FieldError[] {
  const policy = template?.spec?.restartPolicy ?? '';
  if (policy === '' || policy === 'Always') return [required(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(path, policy, ['OnFailure', 'Never'])];
  if (podFailurePolicy === undefined || policy === 'Never') return [];
  return [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

function validateJobSelector(spec: JobSpec): FieldError[] {
  if (!spec.selector) return [required('spec.selector'), ...validateTemplateLabels(spec.template, undefined)];
  const errors = validateLabelSelector(spec.selector, 'spec.selector');
  return isReadableSelector(spec.selector)
    ? [...errors, ...validateTemplateLabels(spec.template, spec.selector)]
    : errors;
}

function validateGeneratedSelector({ metadata }: Job, spec: JobSpec): FieldError[] {
  if (spec.manualSelector === true || spec.selector === undefined) return [];
  const uid = metadata.uid ?? '';
  const expected: Record<string, string> = {
    [controllerUid]: uid,
    [jobName]: metadata.name,
    [`${prefix}${controllerUid}`]: uid,
    [`${prefix}${jobName}`]: metadata.name,
  };
  const errors = Object.entries(expected).flatMap(([key, value]) => {
    const path = `spec.template.metadata.labels`;
    const labels = spec.template?.metadata?.labels ?? {};
    if (!Object.hasOwn(labels, key)) return [required(`${path}[${key}]`, `must be '${value}'`)];
    return labels[key] === value ? [] : [invalid(`${path}[${key}]`, labels, `must be '${value}'`)];
  });
  if (isReadableSelector(spec.selector) && !matchesLabels(labelRequirementsOf(spec.selector), expected)) {
    errors.push(invalid('spec.selector', shownSelector(spec.selector), '`selector` not auto-generated'));
  }
  return errors;
}

function validateCompletions(spec: JobSpec, old: JobSpec): FieldError[] {
  const path = 'spec.completions';
  if (spec.completionMode !== 'Indexed') return validateImmutable(spec.completions, old.completions, path);
  if (spec.completions === undefined || spec.completions === old.completions) return [];
  if (spec.completions === spec.parallelism) return [];
  return [invalid(path, spec.completions, 'can only be modified in tandem with spec.parallelism')];
}

/** While a suspended Job has no pods, its scheduling constraints, resources, labels and annotations may change. */
function validateTemplateUpdate(spec: JobSpec, { spec: before, status }: Job): FieldError[] {
  const old = before?.template;
  const isSuspended = status?.conditions?.some((one) => one.type === 'Suspended' && one.status === 'True') === true;
  const hasRun = status?.startTime !== undefined && !isSuspended;
  if (old?.spec === undefined || before?.suspend !== true || hasRun || (status?.active ?? 0) > 0) {
    return validateImmutable(spec.template, old, 'spec.template');
  }
  const now = spec.template?.spec;
  return validateImmutable(now, schedulableLike(copyJson(old.spec), now), 'spec.template.spec');
}

type PodSpec = NonNullable<JobSpec['template']['spec']>;

/** Returns the old pod spec with the values of the new one in all fields that may change. Changes `old`. */
function schedulableLike(old: PodSpec, now: PodSpec | undefined): PodSpec {
  for (const field of ['nodeSelector', 'tolerations', 'schedulingGates'] as const) {
    delete old[field];
    if (now?.[field] !== undefined) Object.assign(old, { [field]: now[field] });
  }
  const { nodeAffinity: _, ...affinity } = old.affinity ?? {};
  const nodeAffinity = now?.affinity?.nodeAffinity;
  delete old.affinity;
  if (nodeAffinity !== undefined) old.affinity = { ...affinity, nodeAffinity };
  else if (Object.keys(affinity).length > 0 || jsonEqual(now?.affinity, {})) old.affinity = affinity;
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [index, container] of (old[list] ?? []).entries()) {
      const resources = now?.[list]?.[index]?.resources;
      if (resources !== undefined) container.resources = resources;
    }
  }
  return old;
}
