import type { Job, JobSpec, JobStatus } from '@evenkeel/kinds';
import { defineStrategy } from '../define-strategy.ts';
import { defaultPodTemplate } from '../pod/pod-spec-defaults.ts';
import { templateWarnings } from '../pod/pod-spec-warnings.ts';
import { writeNulls } from '../written-nulls.ts';
import { validateJobStatusUpdate } from './job-status-validation.ts';
import { validateJob, validateJobUpdate } from './job-validation.ts';

const largestInt32 = 2 ** 31 - 1;

/** Sources: `pkg/apis/batch/v1/defaults.go`, `pkg/registry/batch/job/strategy.go`. */
export const jobStrategy = defineStrategy<Job>({
  default({ metadata, spec, status }) {
    writeNulls(status?.conditions, 'lastProbeTime', 'lastTransitionTime');
    if (status !== undefined) dropZeros(status);
    if (spec === undefined) return;
    if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
    spec.parallelism ??= 1;
    spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : largestInt32;
    const labels = spec.template?.metadata?.labels;
    // The same object, as upstream: the labels that a create generates for the template become those of the Job too.
    if (labels !== undefined && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
    spec.completionMode ??= 'NonIndexed';
    spec.suspend ??= false;
    spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
    spec.manualSelector ??= false;
    defaultJobTemplateSpec(spec);
  },
  prepareForCreate(object) {
    object.status = {};
    if (object.spec !== undefined && object.spec.manualSelector !== true) generateSelector(object, object.spec);
  },
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  warnings: templateWarnings(({ spec }) => spec?.template?.spec, 'spec.template.spec'),
  // Only Jobs, and since they were in batch/v1: what came later deletes its dependents.
  garbageCollection: 'OrphanDependents',
  deletionWarning:
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  selectableFields: ({ status }) => ({ 'status.successful': String(status?.succeeded ?? 0) }),
  selectableFieldNames: ['status.successful'],
  subresources: { status: { validateUpdate: validateJobStatusUpdate } },
});

/** Go leaves them out of the JSON. */
function dropZeros(status: JobStatus): void {
  for (const field of ['active', 'succeeded', 'failed', 'completedIndexes'] as const) {
    if (!status[field]) delete status[field];
  }
}

/** What a Job's spec and that of a CronJob's template have in common. */
export function defaultJobTemplateSpec(spec: JobSpec): void {
  spec.template ??= { spec: { containers: [] } };
  defaultPodTemplate(spec.template);
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True';
  }
}

/** A Job finds its Pods by its own uid, unless its author chose the selector. */
function generateSelector({ metadata }: Job, spec: JobSpec): void {
  const uid = metadata.uid ?? '';
  spec.template.metadata ??= {};
  spec.template.metadata.labels ??= {};
  const { labels } = spec.template.metadata;
  const shared = metadata.labels === labels || Object.keys(metadata.labels ?? {}).length === 0;
  labels['job-name'] ??= metadata.name;
  labels['batch.kubernetes.io/job-name'] ??= metadata.name;
  labels['controller-uid'] ??= uid;
  labels['batch.kubernetes.io/controller-uid'] ??= uid;
  if (shared) metadata.labels = { ...labels };
  spec.selector ??= {};
  spec.selector.matchLabels = { 'batch.kubernetes.io/controller-uid': uid, ...spec.selector.matchLabels };
}
