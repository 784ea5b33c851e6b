import type { KubernetesObject } from '@evenkeel/core';
import type {
  CertificateSigningRequest,
  ClusterRoleBinding,
  ConfigMap,
  CoreEvent,
  Lease,
  Namespace,
  Node,
  PriorityClass,
  ResourceQuota,
  RoleBinding,
  Secret,
  ServiceAccount,
} from '@evenkeel/kinds';
import type { TablePrinter } from '../kind/table-columns.ts';
import { ageOf, since } from './cell.ts';
import { ageColumn, column, definePrinter, nameColumn, wideColumn } from './define-printer.ts';
import { humanDuration } from './human-duration.ts';

/* Kinds of the cluster itself. Source: `pkg/printers/internalversion/printers.go`. */

export const configMapPrinter = definePrinter<ConfigMap>({
  columns: [nameColumn, column('Data'), ageColumn],
  cells: (object, now) => [
    object.metadata.name,
    Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
    ageOf(object, now),
  ],
});

export const secretPrinter = definePrinter<Secret>({
  columns: [nameColumn, column('Type'), column('Data'), ageColumn],
  cells: (object, now) => [
    object.metadata.name,
    object.type ?? '',
    Object.keys(object.data ?? {}).length,
    ageOf(object, now),
  ],
});

export const serviceAccountPrinter = definePrinter<ServiceAccount>({
  columns: [nameColumn, ageColumn],
  cells: (object, now) => [object.metadata.name, ageOf(object, now)],
});

export const namespacePrinter = definePrinter<Namespace>({
  columns: [nameColumn, column('Status'), ageColumn],
  cells: (object, now) => [object.metadata.name, object.status?.phase ?? '', ageOf(object, now)],
});

export const nodePrinter = definePrinter<Node>({
  columns: [
    nameColumn,
    column('Status'),
    column('Roles'),
    ageColumn,
    column('Version'),
    wideColumn('Internal-IP'),
    wideColumn('External-IP'),
    wideColumn('OS-Image'),
    wideColumn('Kernel-Version'),
    wideColumn('Container-Runtime'),
  ],
  cells(object, now) {
    const { spec, status } = object;
    const info = status?.nodeInfo;
    const kernel = info?.kernelVersion || '<unknown>';
    const address = (type: string): string =>
      status?.addresses?.find((candidate) => candidate.type === type)?.address ?? '<none>';
    return [
      object.metadata.name,
      `${nodeStatus(object)}${spec?.unschedulable === true ? ',SchedulingDisabled' : ''}`,
      nodeRoles(object),
      ageOf(object, now),
      info?.kubeletVersion ?? '',
      address('InternalIP'),
      address('ExternalIP'),
      info?.osImage || '<unknown>',
      info?.architecture ? `${kernel} (${info.architecture})` : kernel,
      info?.containerRuntimeVersion || '<unknown>',
    ];
  },
});

/** Prints Events of both groups; `events.k8s.io` uses other names for the same fields. */
export const eventPrinter = definePrinter<CoreEvent & EventOfEventsGroup>({
  columns: [
    column('Last Seen'),
    column('Type'),
    column('Reason'),
    column('Object'),
    wideColumn('Subobject'),
    wideColumn('Source'),
    column('Message'),
    wideColumn('First Seen'),
    wideColumn('Count'),
    { ...wideColumn('Name'), format: 'name' },
  ],
  cells(object, now) {
    const first = since(object.firstTimestamp ?? object.deprecatedFirstTimestamp ?? object.eventTime, now);
    const last = object.lastTimestamp ?? object.deprecatedLastTimestamp;
    const about = object.involvedObject ?? object.regarding;
    const kind = (about?.kind ?? '').toLowerCase();
    const source = object.source ?? object.deprecatedSource;
    const reporter = source?.component || object.reportingComponent || object.reportingController || '';
    const instance = source?.host || object.reportingInstance || '';
    return [
      object.series ? since(object.series.lastObservedTime, now) : last ? since(last, now) : first,
      object.type ?? '',
      object.reason ?? '',
      about?.name ? `${kind}/${about.name}` : kind,
      about?.fieldPath ?? '',
      instance === '' ? reporter : `${reporter}, ${instance}`,
      (object.message ?? object.note ?? '').trim(),
      first,
      object.series?.count ?? (object.count || object.deprecatedCount || 1),
      object.metadata.name,
    ];
  },
});

interface EventOfEventsGroup {
  readonly regarding?: CoreEvent['involvedObject'];
  readonly note?: string;
  readonly reportingController?: string;
  readonly deprecatedSource?: CoreEvent['source'];
  readonly deprecatedFirstTimestamp?: string;
  readonly deprecatedLastTimestamp?: string;
  readonly deprecatedCount?: number;
}

export const roleBindingPrinter = definePrinter<RoleBinding | ClusterRoleBinding>({
  columns: [
    nameColumn,
    column('Role'),
    ageColumn,
    wideColumn('Users'),
    wideColumn('Groups'),
    wideColumn('ServiceAccounts'),
  ],
  cells(object, now) {
    const named = (kind: string): string =>
      (object.subjects ?? [])
        .filter((subject) => subject.kind === kind)
        .map(({ name, namespace }) => (kind === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : name))
        .join(', ');
    return [
      object.metadata.name,
      `${object.roleRef?.kind ?? ''}/${object.roleRef?.name ?? ''}`,
      ageOf(object, now),
      named('User'),
      named('Group'),
      named('ServiceAccount'),
    ];
  },
});

export const leasePrinter = definePrinter<Lease>({
  columns: [nameColumn, column('Holder'), ageColumn],
  cells: (object, now) => [object.metadata.name, object.spec?.holderIdentity ?? '', ageOf(object, now)],
});

export const priorityClassPrinter = definePrinter<PriorityClass>({
  columns: [
    nameColumn,
    column('Value', 'integer'),
    column('Global-Default', 'boolean'),
    ageColumn,
    column('PreemptionPolicy'),
  ],
  cells: (object, now) => [
    object.metadata.name,
    object.value ?? 0,
    object.globalDefault ?? false,
    ageOf(object, now),
    object.preemptionPolicy ?? '',
  ],
});

export const resourceQuotaPrinter = definePrinter<ResourceQuota>({
  columns: [nameColumn, column('Request'), column('Limit'), ageColumn],
  cells(object, now) {
    const { hard = {}, used = {} } = object.status ?? {};
    const format = (limits: boolean): string =>
      Object.keys(hard)
        .filter((name) => name.startsWith('limits.') === limits)
        .sort()
        .map((name) => `${name}: ${Object.hasOwn(used, name) ? used[name] : '0'}/${hard[name]}`)
        .join(', ');
    return [object.metadata.name, format(false), format(true), ageOf(object, now)];
  },
});

export const certificateSigningRequestPrinter = definePrinter<CertificateSigningRequest>({
  columns: [
    nameColumn,
    ageColumn,
    column('SignerName'),
    column('Requestor'),
    column('RequestedDuration'),
    column('Condition'),
  ],
  cells(object, now) {
    const { spec, status } = object;
    const has = (type: string): boolean => (status?.conditions ?? []).some((condition) => condition.type === type);
    const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
    return [
      object.metadata.name,
      ageOf(object, now),
      spec?.signerName || '<none>',
      spec?.username ?? '',
      spec?.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000),
      `${decision}${has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`,
    ];
  },
});

interface WithWebhooks extends KubernetesObject {
  readonly webhooks?: readonly unknown[];
}

export const webhookConfigurationPrinter = definePrinter<WithWebhooks>({
  columns: [nameColumn, column('Webhooks', 'integer'), ageColumn],
  cells: (object, now) => [object.metadata.name, (object.webhooks ?? []).length, ageOf(object, now)],
});

interface RuntimeClass extends KubernetesObject {
  readonly handler?: string;
}

export const runtimeClassPrinter = definePrinter<RuntimeClass>({
  columns: [nameColumn, column('Handler'), ageColumn],
  cells: (object, now) => [object.metadata.name, object.handler ?? '', ageOf(object, now)],
});

interface Scale extends KubernetesObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number };
}

export const scalePrinter = definePrinter<Scale>({
  columns: [column('Name'), column('Desired', 'integer'), column('Available', 'integer'), ageColumn],
  cells: (object, now) => [
    object.metadata.name,
    object.spec?.replicas ?? 0,
    object.status?.replicas ?? 0,
    ageOf(object, now),
  ],
});

/** The Scale of custom kinds has other columns. Source: `scaleTableConvertor`, apiextensions-apiserver `customresource_handler.go`. */
export const customScalePrinter: TablePrinter = {
  ...scalePrinter,
  columns: [nameColumn, column('Desired', 'integer'), column('Available', 'integer'), column('Age', 'date')],
};

function nodeStatus({ status }: Node): string {
  const ready = (status?.conditions ?? []).findLast(({ type }) => type === 'Ready');
  if (ready === undefined) return 'Unknown';
  return ready.status === 'True' ? 'Ready' : 'NotReady';
}

const rolePrefix = 'node-role.kubernetes.io/';

function nodeRoles({ metadata }: Node): string {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    if (key.startsWith(rolePrefix)) roles.add(key.slice(rolePrefix.length));
    else if (key === 'kubernetes.io/role') roles.add(value);
  }
  roles.delete('');
  return [...roles].sort().join(',') || '<none>';
}
