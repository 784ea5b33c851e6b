import { declarationsOf } from '../declarations/class-declarations.ts';
import type { ControllerPlan } from '../plan/controller-plan.ts';
import type { PlannedRbac } from './plan-rbac.ts';
import { type RbacRole, type RbacRule, sortedVerbs } from './rbac-role.ts';

export interface OperatorOptions {
  readonly plans: readonly ControllerPlan[];
  /** What the operator's services and runnables ask for by `@Rbac`. Default: nothing. */
  readonly services?: readonly PlannedRbac[];
  /** The namespaces that the operator watches. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
  /** The Lease of its election. Default: none. */
  readonly leaderElection?: { readonly name: string; readonly namespace: string } | undefined;
  /** Whether it asks the API server who may read its metrics. Default: false. */
  readonly metricsAuthentication?: boolean | undefined;
}

/** Where a need is, before the operator's scope is known. */
type Place = 'operator' | 'cluster' | { readonly namespace: string };

interface Need {
  readonly part: RbacRole['part'];
  readonly place: Place;
  readonly target:
    | { readonly group: string; readonly resource: string; readonly names: readonly string[] }
    | { readonly path: string };
  readonly verbs: readonly string[];
  readonly reason: string;
}

/**
 * The least that an operator must be allowed for what its declarations show: docs/rbac.md has the table. The same
 * declarations give the same roles, in the same order. A role without a rule is left out.
 *
 * What declarations do not show is what reconciles and services do with a client, and `context.prune`: `@Rbac` says that.
 */
export function deriveRoles(options: OperatorOptions): RbacRole[] {
  const { plans, services = [], namespaces, leaderElection, metricsAuthentication = false } = options;
  const needs = [
    ...plans.flatMap((plan) => needsOfController(plan, namespaces)),
    ...[...plans.flatMap(({ rbac }) => rbac), ...services].map(needOfDeclaration),
    ...(leaderElection === undefined ? [] : needsOfElection(leaderElection)),
    ...(metricsAuthentication ? needsOfMetrics : []),
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

const parts: readonly RbacRole['part'][] = ['operator', 'leader-election', 'metrics'];

function needsOfController(plan: ControllerPlan, watched: OperatorOptions['namespaces']): Need[] {
  const { resource, controllerClass, hasStatus, owns, watches, finalizers } = plan;
  const { name } = controllerClass;
  const need = (
    of: { group: string; plural: string; namespaced: boolean },
    suffix: string,
    verbs: string[],
    reason: string,
  ): Need => ({
    part: 'operator',
    place: of.namespaced ? 'operator' : 'cluster',
    target: { group: of.group, resource: `${of.plural}${suffix}`, names: [] },
    verbs,
    reason: `${name} ${reason}`,
  });
  const { kind } = resource;
  const needs = [need(resource, '', ['list', 'watch'], `reconciles ${kind}`)];
  // The status of a built-in kind is somebody else's to write; who does so all the same says it with @Rbac.
  if (hasStatus && declarationsOf(plan.kind).customResource !== undefined)
    needs.push(need(resource, '/status', ['patch'], `writes the status of ${kind}`));
  if (finalizers.length > 0) {
    const names = finalizers.map((finalizer) => finalizer.name).join(', ');
    needs.push(need(resource, '', ['patch'], `puts its finalizers on and takes them off (${names})`));
  }
  for (const owned of owns) {
    needs.push(
      need(owned.resource, '', ['list', 'watch', 'create', 'patch'], `owns ${owned.resource.kind} and applies it`),
    );
  }
  if (owns.length > 0) {
    // OwnerReferencesPermissionEnforcement asks for it, where a cluster has that admission plugin.
    const children = owns.map((owned) => owned.resource.kind).join(', ');
    needs.push(need(resource, '/finalizers', ['update'], `lets ${children} hold back the deletion of their ${kind}`));
  }
  for (const watched of watches) {
    needs.push(need(watched.resource, '', ['list', 'watch'], `watches ${watched.resource.kind}`));
  }
  // Of objects without a namespace, Events are in `default`.
  needs.push(
    eventNeed(
      ['create', 'patch'],
      resource.namespaced || watched === undefined ? 'operator' : { namespace: 'default' },
      `${name} tells Events, and counts those that come again`,
    ),
  );
  return needs;
}

function eventNeed(verbs: string[], place: Place, reason: string, part: RbacRole['part'] = 'operator'): Need {
  return { part, place, target: { group: 'events.k8s.io', resource: 'events', names: [] }, verbs, reason };
}

function needOfDeclaration({ target, subresource, names, namespace, verbs, reason }: PlannedRbac): Need {
  if ('path' in target) return { part: 'operator', place: 'cluster', target, verbs, reason };
  const { group, plural, namespaced } = target;
  const everywhere = namespaced ? 'operator' : 'cluster';
  return {
    part: 'operator',
    place: namespace === undefined ? everywhere : { namespace },
    target: { group, resource: subresource === undefined ? plural : `${plural}/${subresource}`, names },
    verbs,
    reason,
  };
}

/** A create cannot be limited to a name, for the authorizer is told none. */
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
    lease([], ['create'], `makes the Lease ${name} where there is none`),
    lease([name], ['get', 'update'], `takes, renews and gives back the Lease ${name}`),
    eventNeed(['create'], place, `tells who leads, as an Event of the Lease ${name}`, 'leader-election'),
  ];
}

const needsOfMetrics: readonly Need[] = [
  {
    part: 'metrics',
    place: 'cluster',
    target: { group: 'authentication.k8s.io', resource: 'tokenreviews', names: [] },
    verbs: ['create'],
    reason: 'asks who sent a request for metrics',
  },
  {
    part: 'metrics',
    place: 'cluster',
    target: { group: 'authorization.k8s.io', resource: 'subjectaccessreviews', names: [] },
    verbs: ['create'],
    reason: 'asks whether they may read metrics',
  },
];

function namespacesOf({ place }: Need, watched: readonly string[] | undefined): readonly (string | undefined)[] {
  if (typeof place === 'object') return [place.namespace];
  return place === 'cluster' ? [undefined] : (watched ?? [undefined]);
}

/** One rule for each resource and list of names, with the verbs of all that need it. */
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
