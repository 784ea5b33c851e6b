import type {
  ControllerRevision,
  CronJob,
  DaemonSet,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  PodDisruptionBudget,
  PodTemplate,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from '@evenkeel/kinds';
import { labelSelectorText } from '../kind/label-selector-text.ts';
import { ageOf, containerCells, formatLabels, formatSelector, since } from './cell.ts';
import { ageColumn, column, definePrinter, nameColumn, wideColumn } from './define-printer.ts';
import { humanDuration } from './human-duration.ts';
import { formatMetrics } from './metric-targets.ts';

/*
 * Kinds that run Pods or control kinds that do. Source: `pkg/printers/internalversion/printers.go`. A server always
 * returns the wide columns too; kubectl hides them.
 */

const containers = wideColumn('Containers');
const images = wideColumn('Images');
const selector = wideColumn('Selector');
const replicaColumns = [
  nameColumn,
  column('Desired', 'integer'),
  column('Current', 'integer'),
  column('Ready', 'integer'),
  ageColumn,
  containers,
  images,
  selector,
];

export const deploymentPrinter = definePrinter<Deployment>({
  columns: [
    nameColumn,
    column('Ready'),
    column('Up-to-date'),
    column('Available'),
    ageColumn,
    containers,
    images,
    selector,
  ],
  cells: (object, now) => [
    object.metadata.name,
    `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
    object.status?.updatedReplicas ?? 0,
    object.status?.availableReplicas ?? 0,
    ageOf(object, now),
    ...containerCells(object.spec?.template?.spec?.containers),
    labelSelectorText(object.spec?.selector),
  ],
});

export const replicaSetPrinter = definePrinter<ReplicaSet>({
  columns: replicaColumns,
  cells: (object, now) => [
    object.metadata.name,
    object.spec?.replicas ?? 0,
    object.status?.replicas ?? 0,
    object.status?.readyReplicas ?? 0,
    ageOf(object, now),
    ...containerCells(object.spec?.template?.spec?.containers),
    formatSelector(object.spec?.selector),
  ],
});

export const replicationControllerPrinter = definePrinter<ReplicationController>({
  columns: replicaColumns,
  cells: (object, now) => [
    object.metadata.name,
    object.spec?.replicas ?? 0,
    object.status?.replicas ?? 0,
    object.status?.readyReplicas ?? 0,
    ageOf(object, now),
    ...containerCells(object.spec?.template?.spec?.containers),
    formatLabels(object.spec?.selector),
  ],
});

export const statefulSetPrinter = definePrinter<StatefulSet>({
  columns: [nameColumn, column('Ready'), ageColumn, containers, images],
  cells: (object, now) => [
    object.metadata.name,
    `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
    ageOf(object, now),
    ...containerCells(object.spec?.template?.spec?.containers),
  ],
});

export const daemonSetPrinter = definePrinter<DaemonSet>({
  columns: [
    nameColumn,
    column('Desired', 'integer'),
    column('Current', 'integer'),
    column('Ready', 'integer'),
    column('Up-to-date', 'integer'),
    column('Available', 'integer'),
    column('Node Selector'),
    ageColumn,
    containers,
    images,
    selector,
  ],
  cells: (object, now) => [
    object.metadata.name,
    object.status?.desiredNumberScheduled ?? 0,
    object.status?.currentNumberScheduled ?? 0,
    object.status?.numberReady ?? 0,
    object.status?.updatedNumberScheduled ?? 0,
    object.status?.numberAvailable ?? 0,
    formatLabels(object.spec?.template?.spec?.nodeSelector),
    ageOf(object, now),
    ...containerCells(object.spec?.template?.spec?.containers),
    formatSelector(object.spec?.selector),
  ],
});

export const jobPrinter = definePrinter<Job>({
  columns: [
    nameColumn,
    column('Status'),
    column('Completions'),
    column('Duration'),
    ageColumn,
    containers,
    images,
    selector,
  ],
  cells: (object, now) => [
    object.metadata.name,
    jobStatus(object),
    jobCompletions(object),
    jobDuration(object, now),
    ageOf(object, now),
    ...containerCells(object.spec?.template?.spec?.containers),
    formatSelector(object.spec?.selector),
  ],
});

export const cronJobPrinter = definePrinter<CronJob>({
  columns: [
    nameColumn,
    column('Schedule'),
    column('Timezone'),
    column('Suspend', 'boolean'),
    column('Active', 'integer'),
    column('Last Schedule'),
    ageColumn,
    containers,
    images,
    selector,
  ],
  cells(object, now) {
    const { spec, status } = object;
    const template = spec?.jobTemplate?.spec;
    return [
      object.metadata.name,
      spec?.schedule ?? '',
      spec?.timeZone ?? '<none>',
      spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
      (status?.active ?? []).length,
      status?.lastScheduleTime === undefined ? '<none>' : since(status.lastScheduleTime, now),
      ageOf(object, now),
      ...containerCells(template?.template?.spec?.containers),
      formatSelector(template?.selector),
    ];
  },
});

export const podTemplatePrinter = definePrinter<PodTemplate>({
  columns: [nameColumn, column('Containers'), column('Images'), column('Pod Labels')],
  cells: ({ metadata, template }) => [
    metadata.name,
    ...containerCells(template?.spec?.containers),
    formatLabels(template?.metadata?.labels),
  ],
});

export const controllerRevisionPrinter = definePrinter<ControllerRevision>({
  columns: [nameColumn, column('Controller'), column('Revision'), ageColumn],
  cells(object, now) {
    const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
    const group = owner?.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0]}` : '';
    const name = owner === undefined ? '<none>' : `${owner.kind}${group}`.toLowerCase();
    return [
      object.metadata.name,
      owner === undefined ? name : `${name}/${owner.name}`,
      object.revision,
      ageOf(object, now),
    ];
  },
});

export const podDisruptionBudgetPrinter = definePrinter<PodDisruptionBudget>({
  columns: [
    nameColumn,
    column('Min Available'),
    column('Max Unavailable'),
    column('Allowed Disruptions', 'integer'),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name,
    String(object.spec?.minAvailable ?? 'N/A'),
    String(object.spec?.maxUnavailable ?? 'N/A'),
    object.status?.disruptionsAllowed ?? 0,
    ageOf(object, now),
  ],
});

export const horizontalPodAutoscalerPrinter = definePrinter<HorizontalPodAutoscaler>({
  columns: [
    nameColumn,
    column('Reference'),
    column('Targets'),
    column('MinPods'),
    column('MaxPods'),
    column('Replicas'),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name,
    `${object.spec?.scaleTargetRef?.kind ?? ''}/${object.spec?.scaleTargetRef?.name ?? ''}`,
    formatMetrics(object.spec?.metrics, object.status?.currentMetrics),
    String(object.spec?.minReplicas ?? '<unset>'),
    object.spec?.maxReplicas ?? 0,
    object.status?.currentReplicas ?? 0,
    ageOf(object, now),
  ],
});

function jobStatus({ metadata, status }: Job): string {
  const holds = (type: string): boolean =>
    (status?.conditions ?? []).find((condition) => condition.type === type)?.status === 'True';
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(holds) ?? 'Running';
}

function jobCompletions({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration({ status }: Job, now: number): string {
  if (status?.startTime === undefined) return '';
  const end = status.completionTime === undefined ? now : Date.parse(status.completionTime);
  return humanDuration(end - Date.parse(status.startTime));
}
