import { get } from 'node:https';
import { ApiServer } from '@evenkeel/apiserver';
import { type Client, createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import {
  Controller,
  CustomResource,
  Finalizer,
  ignoreNotFound,
  isForbidden,
  KubernetesObject,
  Metadata,
  Owns,
  Rbac,
  Reconcile,
  Spec,
  Status,
  type Transport,
  Watches,
} from '@evenkeel/core';
import {
  ConfigMap,
  CustomResourceDefinition,
  Event,
  PodDisruptionBudget,
  Secret,
  ServiceAccount,
} from '@evenkeel/kinds';
import { RbacAudit } from '@evenkeel/testing';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { describeOnEmbeddedServer, describeWithRealServer, startRealServer } from '../real-server.fixture.ts';
import { definitionOf } from './definition.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

class WidgetSpec {
  parts: string[] = [];
}

class WidgetStatus {
  claimed?: number;
}

@CustomResource({ group: 'rbac.example.com', version: 'v1' })
class Widget extends KubernetesObject {
  @Spec() spec!: WidgetSpec;
  @Status() status!: WidgetStatus;
}

@CustomResource({ group: 'rbac.example.com', version: 'v1', scope: 'Cluster' })
class Zone extends KubernetesObject {}

/** The client of the administrator, for the changes of others. */
let admin: Client;
const foreign = 'example.com/foreign';
const passing = 'example.com/passing';

/** Budgets that were reconciled with conditions in their status. */
const seenConditions = new Set<string>();

/** Uses every helper that sends requests. */
@Controller(Widget)
@Owns(ConfigMap)
@Owns(Secret)
@Rbac(ConfigMap, ['delete'], { reason: 'prunes parts' })
@Rbac(Secret, ['delete'], { reason: 'adopts, where OwnerReferencesPermissionEnforcement is on' })
class WidgetController {
  @Reconcile()
  async reconcile(widget: Widget, context: ReconcileContext): Promise<void> {
    const { name } = widget.metadata;
    for (const part of widget.spec.parts) {
      await context.apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-${part}` } });
    }
    await context.apply<Secret>({ apiVersion: 'v1', kind: 'Secret', metadata: { name } });
    await graphOf(`graph-${name}`, context).apply();
    const claimed = await context.claim(Secret, { matchLabels: { widget: name } });
    await context.prune(ConfigMap);
    context.events.normal('Reconciled', 'Reconciled it');
    context.events.normal('Reconciled', 'Reconciled it');
    widget.status.claimed = claimed.length;
  }

  @Watches(Metadata(ServiceAccount))
  onAccount(): [] {
    return [];
  }

  @Finalizer('example.com/widget')
  async finalize({ metadata }: Widget): Promise<void> {
    // Our finalizer moves in the list, so its removal must read the object again.
    const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== passing);
    await admin.patch(Widget, `default/${metadata.name}`, { merge: { metadata: { finalizers } } });
  }
}

/** Does not write into the status of a foreign kind. */
@Controller(PodDisruptionBudget, { name: 'budgets' })
@Owns(ConfigMap)
class BudgetController {
  @Reconcile()
  async reconcile({ metadata: { name }, status }: PodDisruptionBudget, context: ReconcileContext): Promise<void> {
    await graphOf(`budget-${name}`, context).apply();
    if (status?.conditions !== undefined) seenConditions.add(name);
  }
}

const graphOf = (name: string, context: ReconcileContext) =>
  context.dependents().add('settings', ConfigMap, () => ({ metadata: { name } }));

@Controller(Zone)
class ZoneController {
  @Reconcile()
  reconcile(_zone: Zone, { events }: ReconcileContext): void {
    events.normal('Reconciled', 'Reconciled it');
    events.normal('Reconciled', 'Reconciled it');
  }
}

/** Reads a kind that its declarations do not include. */
@Controller(Widget, { name: 'curious' })
class CuriousController {
  @Reconcile()
  async reconcile({ metadata }: Widget, { client }: ReconcileContext): Promise<void> {
    await client.get(ServiceAccount, `${metadata.namespace}/default`);
  }
}

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const schemas = { spec: anything, status: anything };

function statusOf(address: string, token: string): Promise<number | undefined> {
  const url = `https://${address.replace(/^https:\/\//, '').replace(/\/metrics$/, '')}/metrics`;
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const request = get(url, { rejectUnauthorized: false, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
  });
}

const enforcing = 'OwnerReferencesPermissionEnforcement';

interface Server {
  readonly transport: Transport;
  stop(): Promise<void>;
}

async function embedded(): Promise<Server> {
  const server = await ApiServer.create({ controllers: false, enableAdmissionPlugins: [enforcing] });
  return { transport: server.transport(), stop: () => server.close() };
}

async function real(): Promise<Server> {
  const server = await startRealServer(undefined, [], [`--enable-admission-plugins=${enforcing}`]);
  const transport = httpsTransport(await loadConnection({ kubeconfig: server.kubeconfig }));
  return {
    transport,
    stop: async () => {
      await transport.close();
      await server.stop();
    },
  };
}

function tests(start: () => Promise<Server>): void {
  let server: Server;
  beforeAll(async () => {
    server = await start();
    admin = createClient(server.transport, { fieldManager: 'test' });
    for (const definition of [definitionOf(Widget, schemas), definitionOf(Zone, schemas)]) {
      await admin.create(CustomResourceDefinition, definition as never);
    }
    for (const kind of [Widget, Zone]) await served(kind);
  });
  afterAll(() => server?.stop());

  async function served(kind: new () => KubernetesObject): Promise<void> {
    while ((await ignoreNotFound(admin.list(kind))) === undefined)
      await new Promise((resolve) => setTimeout(resolve, 20));
  }

  it.each<[string, readonly string[] | undefined]>([
    ['a ClusterRole', undefined],
    ['Roles', ['default']],
  ])('are exactly the permissions that every helper needs, as %s', async (_, namespaces) => {
    const controllers = [WidgetController, BudgetController, ZoneController];
    const name = namespaces === undefined ? 'everywhere' : 'there';
    const leaderElection = { name, namespace: 'kube-system' };
    const options = { controllers, namespaces, leaderElection, metricsAuthentication: true };
    const identity = { name, namespace: 'default', serviceAccount: name };
    const audit = await RbacAudit.create({ transport: server.transport, identity, ...options });
    const backendOf = (transport: Transport) => ({ transport: () => transport }) as never;
    const managed = {
      leaderElection,
      metrics: { address: '127.0.0.1:0', secure: true },
      // Removes the option, because the fixture sets one.
      namespaces: namespaces as never,
    };
    const operator = await TestOperator.start(backendOf(audit.transport), controllers, managed);
    try {
      await admin.create(Secret, {
        metadata: { name: `${name}-orphan`, namespace: 'default', labels: { widget: name } },
      });
      await admin.create(Zone, { metadata: { name } });
      await admin.create(PodDisruptionBudget, {
        metadata: { name, namespace: 'default' },
        spec: { maxUnavailable: 1, selector: {} },
      } as never);
      const at = { lastTransitionTime: '2026-01-01T00:00:00Z' };
      const conditions = [
        { type: 'DisruptionAllowed', status: 'False' as const, reason: 'InsufficientPods', message: '', ...at },
      ];
      await admin
        .subresource(PodDisruptionBudget, `default/${name}`, 'status')
        .patch({ merge: { status: { conditions } } });
      await operator.until('the child of the budget', async () => {
        const found = await ignoreNotFound(admin.get(ConfigMap, `default/budget-${name}`));
        return found !== undefined;
      });
      await operator.until('a run that saw the conditions', () => seenConditions.has(name));
      const metadata = { name, namespace: 'default', finalizers: [passing, foreign] };
      await admin.create(Widget, { metadata, spec: { parts: ['a', 'b'] } });
      await operator.until('the parts', async () => (await parts(name)).length === 2);
      await operator.until('the claim', async () => (await admin.get(Widget, `default/${name}`)).status?.claimed === 1);
      await admin.patch(Widget, `default/${name}`, { merge: { spec: { parts: ['b'] } } });
      await operator.until('a to go', async () => (await parts(name)).length === 1);
      await operator.until('the runs to end', () => operator.outcomes(name).length >= 3);
      // The API server reviews the token and the permission; this user has no permission.
      expect(await statusOf(String(operator.manager.addresses.metrics), await tokenOf(name))).toBe(403);
    } finally {
      await operator.manager.stop();
    }
    const again = await TestOperator.start(backendOf(audit.withoutWatchList), controllers, managed);
    try {
      await admin.delete(Widget, `default/${name}`);
      await again.until('our finalizer to go', async () => {
        const { metadata } = await admin.get(Widget, `default/${name}`);
        return metadata.finalizers?.join() === foreign;
      });
    } finally {
      await again.manager.stop();
    }
    expect([...operator.warnings, ...again.warnings]).toEqual([]);
    expect(audit.refused).toEqual([]);
    expect(audit.unused).toEqual([]);
  });

  async function tokenOf(account: string): Promise<string> {
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const answer = await admin.subresource(ServiceAccount, `default/${account}`, 'token').create(request);
    return (answer['status'] as { token: string }).token;
  }

  async function parts(name: string): Promise<string[]> {
    const { items } = await admin.list(ConfigMap, { namespace: 'default' });
    return items.map(({ metadata }) => metadata.name).filter((part) => part.startsWith(`${name}-`));
  }

  it('do not include undeclared access, and the error, an Event and the audit name the missing decorator', async () => {
    const identity = { name: 'curious', namespace: 'default', serviceAccount: 'curious' };
    const controllers = [CuriousController];
    const namespaces = ['default'];
    const audit = await RbacAudit.create({ transport: server.transport, identity, controllers, namespaces });
    const operator = await TestOperator.start({ transport: () => audit.transport } as never, controllers);
    const decorator = "add @Rbac(ServiceAccount, ['get']) above the class that asks for it";
    try {
      await admin.create(Widget, { metadata: { name: 'curious', namespace: 'default' }, spec: { parts: [] } });
      await operator.until('a failed run', () => operator.outcomes('curious').includes('failed'));
      const error = operator.runs.find(({ outcome }) => outcome === 'failed')?.error as Error;
      expect(isForbidden(error)).toBe(true);
      expect(error.message).toContain(
        `User "system:serviceaccount:default:curious" cannot get resource "serviceaccounts" in API group "" in the namespace "default"`,
      );
      expect(error.message).toContain(`; ${decorator}, run "evenkeel generate" and apply config/rbac`);
      const failures = operator.warnings.map(({ keys }) => String((keys['error'] as Error | undefined)?.message));
      expect(failures.join()).toContain(decorator);
      await operator.until('the Event', async () => {
        const { items } = await admin.list(Event, { namespace: 'default' });
        return items.some(({ reason, note }) => reason === 'Forbidden' && note?.includes(decorator) === true);
      });
    } finally {
      await operator.manager.stop();
    }
    expect(audit.refused).toEqual([
      `get serviceaccounts in default is not in the roles; ${decorator}, run "evenkeel generate" and apply config/rbac`,
    ]);
    expect(audit.unused.join('\n')).toContain(
      'list widgets.rbac.example.com was never needed (list, watch: CuriousController reconciles Widget)',
    );
  });
}

describeOnEmbeddedServer('derived roles: the embedded server', () => tests(embedded));
describeWithRealServer('derived roles: a real server', () => tests(real));
