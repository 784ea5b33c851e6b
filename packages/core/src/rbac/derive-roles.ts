import type { CertificateObjects } from '../certificates/certificate-objects.ts';
import type { ControllerDecorator } from '../declarations/controller-decorator.ts';
import { type Permission, permissionFor } from '../declarations/permission.ts';
import type { PlannedRbac } from '../decorators/rbac.ts';
import { controllerDecorators } from '../plan/controller-decorators.ts';
import type { ControllerPlan } from '../plan/controller-plan.ts';
import type { WebhookPlan } from '../webhook/webhook-plan.ts';
import { certificatePermissions } from './certificate-permissions.ts';
import { type RbacRole, type RbacRule, sortedVerbs } from './rbac-role.ts';

export interface OperatorOptions {
  readonly plans: readonly ControllerPlan[];
  /** Its webhooks. Default: none. */
  readonly webhooks?: readonly WebhookPlan[];
  /** The rules that the operator's services and runnables add with `@Rbac`. Default: none. */
  readonly services?: readonly PlannedRbac[];
  /** The namespaces that the operator watches. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
  /** The Lease of its leader election. Default: no leader election. */
  readonly leaderElection?: { readonly name: string; readonly namespace: string } | undefined;
  /** Whether it authenticates and authorizes requests for metrics with the API server. Default: false. */
  readonly metricsAuthentication?: boolean | undefined;
  /** The objects of the certificates that its webhook server creates itself. Default: it creates none. */
  readonly certificates?: CertificateObjects | undefined;
  /** The decorators with which the controllers were planned. Default: those of this package. */
  readonly decorators?: readonly ControllerDecorator[];
}

/** A permission, and the part of the operator that needs it. */
interface Need extends Permission {
  readonly part: RbacRole['part'];
}

/**
 * Returns the minimal roles that an operator needs for its declarations; docs/rbac.md has the table. The same declarations
 * result in the same roles, in the same order. Roles without rules are omitted.
 *
 * Other declarations do not show what reconciles and services do with a client, and `context.prune`. `@Rbac` declares that.
 */
export function deriveRoles(options: OperatorOptions): RbacRole[] {
  const { plans, webhooks = [], services = [], namespaces, leaderElection, metricsAuthentication = false } = options;
  const { decorators = controllerDecorators } = options;
  const permissions = [
    ...plans.flatMap((plan) => decorators.flatMap((decorator) => decorator.permissions?.(plan, namespaces) ?? [])),
    ...webhooks.flatMap(permissionsOfWebhook),
    ...[...[...plans, ...webhooks].flatMap(({ rbac }) => rbac), ...services].map(permissionOfDeclaration),
  ];
  const needs = [
    ...permissions.map((permission): Need => ({ ...permission, part: 'operator' })),
    ...(leaderElection === undefined ? [] : needsOfElection(leaderElection)),
    ...(metricsAuthentication ? needsOfMetrics : []),
    ...(options.certificates === undefined ? [] : certificatePermissions(options.certificates)).map(
      (permission): Need => ({ ...permission, part: 'certificates' }),
    ),
  ];
  const roles = new Map<string, Need[]>();
  for (const need of needs) {
    for (const namespace of namespacesOf(need, namespaces)) {
      const role = JSON.stringify([parts.indexOf(need.part), namespace ?? '']);
      roles.set(role, [...(roles.get(role) ?? []), need]);
    }
  }
  return [...roles]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([id, needed]) => {
      const [part = 0, namespace = ''] = JSON.parse(id) as [number, string];
      return {
        part: parts[part] ?? 'operator',
        namespace: namespace === '' ? undefined : namespace,
        rules: rulesOf(needed),
      };
    });
}

const parts: readonly RbacRole['part'][] = ['operator', 'leader-election', 'metrics', 'certificates'];

function permissionOfDeclaration({ target, subresource, names, namespace, verbs, reason }: PlannedRbac): Permission {
  if ('path' in target) return { place: 'cluster', target, verbs, reason };
  const everywhere = permissionFor(target, verbs, reason, subresource);
  return {
    ...everywhere,
    place: namespace === undefined ? everywhere.place : { namespace },
    target: { ...everywhere.target, names },
  };
}

/** Reviews need no permission. The operator caches the kinds of listers and the objects that rules read. */
function permissionsOfWebhook({ webhookClass, resource: reviewed, cached, rules }: WebhookPlan): Permission[] {
  const reads = ({ kind }: Pick<WebhookPlan['resource'], 'kind'>): string => `${webhookClass.name} reads ${kind}`;
  const permissions = cached.map(({ resource }) => permissionFor(resource, ['list', 'watch'], reads(resource)));
  if (rules?.params !== undefined) {
    const { kind, name, namespace } = rules.params;
    const everywhere = permissionFor(kind.resource, ['list', 'watch'], reads(kind.resource));
    permissions.push({
      ...everywhere,
      place: namespace === undefined ? everywhere.place : { namespace },
      target: { ...everywhere.target, names: name === undefined ? [] : [name] },
    });
  }
  if (rules?.readsNamespace === true && reviewed.namespaced) {
    permissions.push(permissionFor(namespaceKind, ['get', 'list', 'watch'], reads(namespaceKind)));
  }
  return permissions;
}

const namespaceKind = { group: '', kind: 'Namespace', plural: 'namespaces', namespaced: false };

/** A create cannot be limited to a name, because the authorizer does not get one. */
function needsOfElection({ name, namespace }: { name: string; namespace: string }): Need[] {
  const place = { namespace };
  const lease = (names: string[], verbs: string[], reason: string): Need => ({
    part: 'leader-election',
    place,
    target: { group: 'coordination.k8s.io', resource: 'leases', names },
    verbs,
    reason,
  });
  return [
    lease([], ['create'], `creates the Lease ${name} if it does not exist`),
    lease([name], ['get', 'update'], `takes, renews and releases the Lease ${name}`),
    {
      part: 'leader-election',
      place,
      target: { group: 'events.k8s.io', resource: 'events', names: [] },
      verbs: ['create'],
      reason: `reports the leader in Events about the Lease ${name}`,
    },
  ];
}

const needsOfMetrics: readonly Need[] = [
  {
    part: 'metrics',
    place: 'cluster',
    target: { group: 'authentication.k8s.io', resource: 'tokenreviews', names: [] },
    verbs: ['create'],
    reason: 'authenticates requests for metrics',
  },
  {
    part: 'metrics',
    place: 'cluster',
    target: { group: 'authorization.k8s.io', resource: 'subjectaccessreviews', names: [] },
    verbs: ['create'],
    reason: 'checks whether the caller may read metrics',
  },
];

function namespacesOf({ place }: Need, watched: readonly string[] | undefined): readonly (string | undefined)[] {
  if (typeof place === 'object') return [place.namespace];
  return place === 'cluster' ? [undefined] : (watched ?? [undefined]);
}

/** Returns one rule for each resource and list of names, with the verbs of all needs. */
function rulesOf(needs: readonly Need[]): RbacRule[] {
  const byTarget = new Map<string, [Need, ...Need[]]>();
  for (const need of needs) {
    const { target } = need;
    const id =
      'path' in target
        ? `1 ${target.path}`
        : `0 ${target.group} ${target.resource} ${target.names.toSorted().join(' ')}`;
    const known = byTarget.get(id);
    if (known === undefined) byTarget.set(id, [need]);
    else known.push(need);
  }
  return [...byTarget]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, needed]) => {
      const { target } = needed[0];
      const verbs = sortedVerbs(needed.flatMap((need) => need.verbs));
      const reasons = [...new Set(needed.map((need) => `${sortedVerbs(need.verbs).join(', ')}: ${need.reason}`))];
      return 'path' in target
        ? { path: target.path, verbs, reasons }
        : { ...target, names: target.names.toSorted(), verbs, reasons };
    });
}
