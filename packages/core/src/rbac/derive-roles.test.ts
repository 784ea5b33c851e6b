import { planRbac } from '../decorators/rbac.ts';
import {
  Controller,
  CustomResource,
  Finalizer,
  KubernetesObject,
  Owns,
  planControllers,
  Rbac,
  Reconcile,
  Status,
  Watches,
} from '../index.ts';
import { deriveRoles, type OperatorOptions } from './derive-roles.ts';
import { type RbacRole, roleAllows } from './rbac-role.ts';

class WidgetStatus {}

@CustomResource({ group: 'example.com', version: 'v1', kind: 'Widget' })
class Widget extends KubernetesObject {
  @Status() status!: WidgetStatus;
}

@CustomResource({ group: 'example.com', version: 'v1', kind: 'Part' })
class Part extends KubernetesObject {}

@CustomResource({ group: 'example.com', version: 'v1', kind: 'Zone', scope: 'Cluster' })
class Zone extends KubernetesObject {}

@Controller(Widget)
@Owns(Part)
@Rbac(Part, ['delete'], { reason: 'prunes parts' })
class WidgetController {
  @Reconcile()
  reconcile(): void {}
  @Watches(Zone)
  onZone(): [] {
    return [];
  }
  @Finalizer('example.com/parts')
  finalize(): void {}
}

@Controller(Zone)
class ZoneController {
  @Reconcile()
  reconcile(): void {}
}

const plansOf = (...classes: readonly (new () => object)[]): OperatorOptions['plans'] => {
  const { plans, mistakes } = planControllers(classes);
  expect(mistakes).toEqual([]);
  return plans;
};

/** `part namespace: verbs resource names` of each rule. */
function shown(roles: readonly RbacRole[]): string[] {
  return roles.flatMap(({ part, namespace = '*', rules }) =>
    rules.map((rule) =>
      'path' in rule
        ? `${part} ${namespace}: ${rule.verbs} ${rule.path}`
        : `${part} ${namespace}: ${rule.verbs} ${rule.resource}.${rule.group} ${rule.names}`.trim(),
    ),
  );
}

describe('deriveRoles()', () => {
  it('returns one sorted ClusterRole for the whole cluster, with the verbs of all controllers', () => {
    expect(shown(deriveRoles({ plans: plansOf(WidgetController, ZoneController) }))).toEqual([
      'operator *: create,patch events.events.k8s.io',
      'operator *: list,watch,create,patch,delete parts.example.com',
      'operator *: list,watch,patch widgets.example.com',
      'operator *: update widgets/finalizers.example.com',
      'operator *: patch widgets/status.example.com',
      'operator *: list,watch zones.example.com',
    ]);
  });

  it('returns the reasons of each rule', () => {
    const [role] = deriveRoles({ plans: plansOf(WidgetController) });
    const parts = role?.rules.find((rule) => 'resource' in rule && rule.resource === 'parts');
    expect(parts?.reasons).toEqual([
      'list, watch, create, patch: WidgetController owns Part and applies it',
      'delete: prunes parts',
    ]);
  });

  it('returns a Role for each namespace, and a ClusterRole for cluster-scoped kinds', () => {
    const plans = plansOf(WidgetController);
    const roles = deriveRoles({ plans, namespaces: ['blue', 'green'] });
    expect(roles.map(({ namespace }) => namespace)).toEqual([undefined, 'blue', 'green']);
    expect(shown(roles.slice(0, 1))).toEqual(['operator *: list,watch zones.example.com']);
    expect(roles[1]?.rules).toEqual(roles[2]?.rules);
    expect(shown(roles.slice(1, 2)).join('\n')).not.toContain('zones');
  });

  it('allows Events of cluster-scoped objects in the namespace default', () => {
    expect(shown(deriveRoles({ plans: plansOf(ZoneController), namespaces: ['blue'] }))).toEqual([
      'operator *: list,watch zones.example.com',
      'operator default: create,patch events.events.k8s.io',
    ]);
  });

  it('returns separate roles for leader election and metrics authentication, only if they are enabled', () => {
    const options = {
      plans: [],
      leaderElection: { name: 'widgets', namespace: 'system' },
      metricsAuthentication: true,
    };
    expect(shown(deriveRoles(options))).toEqual([
      'leader-election system: create leases.coordination.k8s.io',
      'leader-election system: get,update leases.coordination.k8s.io widgets',
      'leader-election system: create events.events.k8s.io',
      'metrics *: create tokenreviews.authentication.k8s.io',
      'metrics *: create subjectaccessreviews.authorization.k8s.io',
    ]);
    expect(deriveRoles({ plans: [] })).toEqual([]);
  });

  it('limits the role of built-in certificates to the named objects, except for what has no name yet', () => {
    const certificates = {
      secret: { name: 'widgets-webhook-authority', namespace: 'system' },
      targets: [
        { kind: 'ValidatingWebhookConfiguration', name: 'widgets' },
        { kind: 'MutatingWebhookConfiguration', name: 'widgets' },
        { kind: 'CustomResourceDefinition', name: 'widgets.example.com' },
        { kind: 'CustomResourceDefinition', name: 'parts.example.com' },
      ],
    } as const;
    // The namespaces that it watches are not those that it runs in.
    const roles = deriveRoles({ plans: [], certificates, namespaces: ['blue'] });
    expect(shown(roles)).toEqual([
      'certificates *: get,watch,patch mutatingwebhookconfigurations.admissionregistration.k8s.io widgets',
      'certificates *: get,watch,patch validatingwebhookconfigurations.admissionregistration.k8s.io widgets',
      'certificates *: get,watch,patch customresourcedefinitions.apiextensions.k8s.io parts.example.com',
      'certificates *: get,watch,patch customresourcedefinitions.apiextensions.k8s.io widgets.example.com',
      'certificates system: create secrets.',
      'certificates system: get,watch,update secrets. widgets-webhook-authority',
    ]);
  });

  it('puts the rules of services into the namespaces that they declare', () => {
    @Rbac(Part, ['get'], { namespace: 'vault', names: ['b', 'a'] })
    @Rbac(Part, ['get'])
    @Rbac('/healthz', ['get'])
    class Service {}
    const services = planRbac(Service, () => undefined);
    expect(shown(deriveRoles({ plans: [], services, namespaces: ['blue'] }))).toEqual([
      'operator *: get /healthz',
      'operator blue: get parts.example.com',
      'operator vault: get parts.example.com a,b',
    ]);
  });

  it('returns the same roles for any order of the controllers', () => {
    const one = deriveRoles({ plans: plansOf(WidgetController, ZoneController) });
    const other = deriveRoles({ plans: plansOf(ZoneController, WidgetController) });
    expect(shown(other)).toEqual(shown(one));
  });
});

describe('roleAllows()', () => {
  const [role] = deriveRoles({ plans: plansOf(WidgetController), namespaces: ['blue'] }).slice(1);
  const access = {
    verb: 'patch',
    group: 'example.com',
    resource: 'widgets',
    subresource: '',
    namespace: 'blue',
    name: 'a',
  };
  it.each([
    [true, 'the access of a rule', access],
    [true, 'a subresource with a rule', { ...access, subresource: 'status' }],
    [false, 'another namespace', { ...access, namespace: 'green' }],
    [false, 'all namespaces', { ...access, namespace: '' }],
    [false, 'another verb', { ...access, verb: 'delete' }],
    [false, 'another subresource', { ...access, subresource: 'scale' }],
    [false, 'another group', { ...access, group: 'example.org' }],
    [false, 'a path', { verb: 'get', path: '/metrics' }],
  ])('returns %s for %s', (allowed, _what, given) => {
    expect(role !== undefined && roleAllows(role, given)).toBe(allowed);
  });
});
