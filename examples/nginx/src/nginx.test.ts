import { ApiServer } from '@evenkeel/apiserver';
import { customResourceDefinitionOf } from '@evenkeel/schema';
import { eventually, RbacAudit, type RbacAuditOptions } from '@evenkeel/testing';
import {
  type Client,
  ConfigMap,
  CustomResourceDefinition,
  createClient,
  createManager,
  Deployment,
  Event,
  findCondition,
  httpsTransport,
  ignoreNotFound,
  type KubernetesObject,
  loadConnection,
  type Manager,
  type MergePatch,
  type ReconcileRun,
  Service,
  type Transport,
} from 'evenkeel';
import {
  describeOnEmbeddedServer,
  describeWithRealServer,
  type RealServer,
  startRealServer,
} from '../../../test/real-server.fixture.ts';
import { fields } from './fields.ts';
import { NginxController } from './nginx.controller.ts';
import { Nginx } from './nginx.ts';

type Kind<T extends KubernetesObject> = new () => T;

const namespace = 'default';

/** A namespace of a cluster with the running operator, which has only the permissions of its declarations. */
class Stage {
  readonly client: Client;
  readonly admin: Transport;
  readonly audit: RbacAudit;
  readonly #scope: { readonly namespaces?: readonly string[] };
  readonly #observers = new Set<(run: ReconcileRun) => void>();
  #manager: Manager | undefined;

  constructor(admin: Transport, audit: RbacAudit, scope: { readonly namespaces?: readonly string[] }) {
    this.admin = admin;
    this.client = createClient(admin, { fieldManager: 'test' });
    this.#scope = scope;
    this.audit = audit;
  }

  async start(transport?: Transport): Promise<void> {
    const manager = await this.begin(transport);
    await manager.waitUntilReady();
  }

  /** Like {@link start}, without waiting until it is ready. */
  async begin(transport = this.audit.transport): Promise<Manager> {
    this.#manager = await createManager({
      transport,
      controllers: [NginxController],
      fields,
      ...this.#scope,
      observer: (run) => this.#observers.forEach((observer) => void observer(run)),
    });
    await this.#manager.start();
    return this.#manager;
  }

  async stop(): Promise<void> {
    await this.#manager?.stop();
  }

  key(name: string): string {
    return `${namespace}/${name}`;
  }

  create<T extends KubernetesObject>(kind: Kind<T>, name: string, fields: object): Promise<T> {
    return this.client.create(kind, {
      metadata: { name, namespace: namespace },
      ...fields,
    } as never) as Promise<T>;
  }

  merge<T extends KubernetesObject>(kind: Kind<T>, name: string, merge: MergePatch<T>): Promise<T> {
    return this.client.patch(kind, this.key(name), { merge }) as Promise<T>;
  }

  /** Watches the object, and resolves to it when `holds` is true for it. */
  async until<T extends KubernetesObject>(kind: Kind<T>, name: string, holds: (object: T) => boolean): Promise<T> {
    const signal = AbortSignal.timeout(90_000);
    const options = { namespace: namespace, fields: { 'metadata.name': name }, signal };
    let last: unknown;
    try {
      for await (const event of this.client.watch(kind, options)) {
        if (event.type === 'BOOKMARK') continue;
        last = event.object;
        if (event.type !== 'DELETED' && holds(event.object as T)) return event.object as T;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    throw new Error(`${kind.name} ${name} did not reach the expected state; last seen: ${JSON.stringify(last)}`);
  }

  /** Resolves when the object has been deleted, by garbage collection or another client. */
  async untilGone<T extends KubernetesObject>(kind: Kind<T>, name: string): Promise<void> {
    const there = await ignoreNotFound(this.client.get(kind, this.key(name)));
    if (there === undefined) return;
    const events = this.client.watch(kind, {
      namespace: namespace,
      fields: { 'metadata.name': name },
      resourceVersion: there.metadata.resourceVersion ?? '',
      signal: AbortSignal.timeout(90_000),
    });
    for await (const event of events) if (event.type === 'DELETED') return;
  }

  async untilEvent(matches: (event: Event) => boolean): Promise<Event> {
    for await (const { type, object } of this.client.watch(Event, { namespace, signal: AbortSignal.timeout(90_000) })) {
      if (type !== 'BOOKMARK' && matches(object as Event)) return object as Event;
    }
    throw new Error('the watch of Events ended');
  }

  available(name: string): Promise<Nginx> {
    return this.until(Nginx, name, (nginx) => isTrue(nginx, 'Available') && !isTrue(nginx, 'Progressing'));
  }

  /** Resolves to the next run that `matches`. Call this before the action that causes the run. */
  run(name: string, matches: (run: ReconcileRun) => boolean = () => true): Promise<ReconcileRun> {
    return new Promise((resolve) => {
      this.#observers.add((run) => {
        if (run.key.name === name && matches(run)) resolve(run);
      });
    });
  }
}

function isTrue({ status }: Nginx, type: string): boolean {
  return findCondition(status?.conditions, type)?.status === 'True';
}

const reasonOf = (nginx: Nginx, type: string): string | undefined =>
  findCondition(nginx.status?.conditions, type)?.reason;

/** The tests for every server that runs Deployments. */
function operatorTests(stage: () => Stage): void {
  it('converges, and reports it in conditions with the observed generation', async () => {
    await stage().create(Nginx, 'web', { spec: { replicaCount: 2 } });
    const nginx = await stage().available('web');
    expect(nginx.status.readyReplicas).toBe(2);
    expect(nginx.status.selector).toBe('app.kubernetes.io/name=nginx,app.kubernetes.io/instance=web');
    expect(nginx.status.conditions?.map(({ type, status }) => `${type}=${status}`).sort()).toEqual([
      'Available=True',
      'Degraded=False',
      'Progressing=False',
    ]);
    expect(nginx.status.conditions?.every((condition) => condition.observedGeneration === 1)).toBe(true);
    const deployment = await stage().client.get(Deployment, stage().key('web'));
    expect(deployment.spec?.template.spec?.containers[0]?.image).toBe('nginx:1.29');
    expect(deployment.metadata.ownerReferences).toMatchObject([{ kind: 'Nginx', name: 'web', controller: true }]);
    expect((await stage().client.get(Service, stage().key('web'))).spec?.type).toBe('LoadBalancer');
  });

  it('repairs a port that was changed by hand, although ports are identified by their number', async () => {
    await stage().create(Nginx, 'ported', { spec: { replicaCount: 0 } });
    await stage().until(Service, 'ported', () => true);
    await stage().merge(Service, 'ported', { spec: { ports: [{ name: 'http', port: 8080, targetPort: 'http' }] } });
    const service = await stage().until(Service, 'ported', ({ spec }) => spec?.ports?.[0]?.port === 80);
    expect(service.spec?.ports).toHaveLength(1);
  });

  it('is available without an address, and reports the address when there is one', async () => {
    await stage().create(Nginx, 'addressed', {});
    await stage().available('addressed');
    await stage()
      .client.subresource(Service, stage().key('addressed'), 'status')
      .patch({ merge: { status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } } } });
    await stage().until(Nginx, 'addressed', (nginx) => nginx.status?.address === '192.0.2.7');
  });

  it('writes nothing if nothing differs', async () => {
    await stage().create(Nginx, 'quiet', {});
    await stage().available('quiet');
    const next = stage().run('quiet', (run) =>
      run.triggers.some(({ kind, changed }) => kind === 'Nginx' && changed.includes('metadata.annotations')),
    );
    await stage().merge(Nginx, 'quiet', { metadata: { annotations: { touched: 'yes' } } });
    expect((await next).writes).toEqual([]);
  });

  it('repairs manual changes', async () => {
    await stage().create(Nginx, 'changed', {});
    await stage().available('changed');
    await stage().merge(Deployment, 'changed', { spec: { replicas: 3 } });
    await stage().merge(Service, 'changed', { spec: { selector: { app: 'other' } } });
    await stage().until(Deployment, 'changed', ({ spec }) => spec?.replicas === 1);
    await stage().until(Service, 'changed', ({ spec }) => spec?.selector?.['app.kubernetes.io/instance'] === 'changed');
  });

  it('keeps fields that other clients add', async () => {
    await stage().create(Nginx, 'shared', {});
    await stage().available('shared');
    await stage().merge(Deployment, 'shared', {
      metadata: { annotations: { team: 'blue' } },
      spec: { paused: false },
    });
    const next = stage().run('shared', (run) => run.writes.length > 0);
    await stage().merge(Nginx, 'shared', { spec: { replicaCount: 2 } });
    await next;
    const deployment = await stage().until(Deployment, 'shared', ({ spec }) => spec?.replicas === 2);
    expect(deployment.metadata.annotations?.['team']).toBe('blue');
  });

  it('recreates a child that was deleted by hand', async () => {
    await stage().create(Nginx, 'deleted', {});
    await stage().available('deleted');
    const before = await stage().client.get(Deployment, stage().key('deleted'));
    await stage().client.delete(Deployment, stage().key('deleted'));
    await stage().client.delete(Service, stage().key('deleted'));
    await stage().until(Deployment, 'deleted', ({ metadata }) => metadata.uid !== before.metadata.uid);
    await stage().until(Service, 'deleted', () => true);
    await stage().available('deleted');
  });

  it('finds a child whose label was removed', async () => {
    await stage().create(Nginx, 'unlabelled', {});
    await stage().available('unlabelled');
    await stage().merge(Service, 'unlabelled', { metadata: { labels: { 'evenkeel.dev/controller': null } } });
    await stage().until(
      Service,
      'unlabelled',
      ({ metadata }) => metadata.labels?.['evenkeel.dev/controller'] === 'nginx',
    );
  });

  it('applies changes of its spec, and records Events', async () => {
    await stage().create(Nginx, 'follows', {});
    await stage().available('follows');
    await stage().merge(Nginx, 'follows', { spec: { replicaCount: 3, port: 8080, image: 'nginx:1.30' } });
    await stage().until(Service, 'follows', ({ spec }) => spec?.ports?.[0]?.port === 8080);
    const nginx = await stage().until(
      Nginx,
      'follows',
      (seen) => seen.status?.readyReplicas === 3 && !isTrue(seen, 'Progressing'),
    );
    expect(findCondition(nginx.status.conditions, 'Available')?.observedGeneration).toBe(2);
    // It is written in parallel with the run.
    await stage().untilEvent(({ reason, regarding }) => reason === 'Scaled' && regarding?.name === 'follows');
    const { items } = await stage().client.list(Event, { namespace: nginx.metadata.namespace });
    const scaled = items.filter(({ reason, regarding }) => reason === 'Scaled' && regarding?.name === 'follows');
    expect(scaled.map(({ note }) => note)).toEqual(['Scaled Deployment follows from 1 to 3']);
  });

  it('replaces the pods when the page changes', async () => {
    await stage().create(ConfigMap, 'page', { data: { 'index.html': 'one' } });
    await stage().create(Nginx, 'paged', { spec: { pageConfigMap: 'page' } });
    await stage().available('paged');
    const hashOf = ({ spec }: Deployment): string | undefined =>
      spec?.template.metadata?.annotations?.['web.example.com/page-hash'];
    const before = await stage().client.get(Deployment, stage().key('paged'));
    expect(before.spec?.template.spec?.volumes).toMatchObject([{ name: 'page', configMap: { name: 'page' } }]);
    await stage().merge(ConfigMap, 'page', { data: { 'index.html': 'two' } });
    await stage().until(Deployment, 'paged', (deployment) => hashOf(deployment) !== hashOf(before));
    await stage().available('paged');
  });

  it('removes the page when the spec no longer names one', async () => {
    await stage().create(ConfigMap, 'passing', { data: { 'index.html': 'one' } });
    await stage().create(Nginx, 'unpaged', { spec: { pageConfigMap: 'passing' } });
    await stage().available('unpaged');
    await stage().merge(Nginx, 'unpaged', { spec: { pageConfigMap: null } });
    const deployment = await stage().until(
      Deployment,
      'unpaged',
      ({ spec }) => spec?.template.spec?.volumes === undefined,
    );
    expect(deployment.spec?.template.metadata?.annotations?.['web.example.com/page-hash']).toBeUndefined();
  });

  it('is degraded while its page is missing, and recovers when it appears', async () => {
    await stage().create(Nginx, 'early', { spec: { pageConfigMap: 'late' } });
    const degraded = await stage().until(Nginx, 'early', (nginx) => isTrue(nginx, 'Degraded'));
    expect(reasonOf(degraded, 'Degraded')).toBe('PageNotFound');
    expect(isTrue(degraded, 'Available')).toBe(false);
    expect(await ignoreNotFound(stage().client.get(Deployment, stage().key('early')))).toBeUndefined();
    await stage().create(ConfigMap, 'late', { data: { 'index.html': 'here' } });
    await stage().available('early');
  });

  it('continues after another process without a write, also on a server without watch lists', async () => {
    await stage().create(Nginx, 'handed-over', {});
    await stage().available('handed-over');
    await stage().stop();
    const first = stage().run('handed-over');
    await stage().start(stage().audit.withoutWatchList);
    expect((await first).writes).toEqual([]);
  });

  it('pauses while the CRD lacks a field of its classes, names the field, and continues when it is added', async () => {
    await stage().stop();
    await stage().client.apply(CustomResourceDefinition, definitionWithout('pageConfigMap') as never, { force: true });
    const manager = await stage().begin();
    await eventually(() => expect(manager.health.problems).toEqual([lacking('spec.pageConfigMap')]), patience);
    expect(manager.health).toMatchObject({ ready: false, live: true });
    await stage().create(Nginx, 'patient', {});
    await stage().client.apply(CustomResourceDefinition, definition, { force: true });
    await eventually(() => expect(manager.health).toMatchObject({ ready: true, problems: [] }), patience);
    await stage().available('patient');
  });

  it('does not change a foreign Deployment with its name, reports it, and continues when the name is free', async () => {
    const labels = { team: 'payments' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'payments', image: 'payments:1' }] } };
    await stage().create(Deployment, 'taken', { spec: { selector: { matchLabels: labels }, template } });
    await stage().create(Nginx, 'taken', {});
    const nginx = await stage().until(Nginx, 'taken', (seen) => reasonOf(seen, 'ChildrenOwned') === 'ForeignChild');
    expect(findCondition(nginx.status.conditions, 'ChildrenOwned')?.message).toBe(
      `Nginx ${stage().key('taken')}: cannot apply Deployment ${stage().key('taken')}: it exists, is not controlled by this Nginx and was not changed; ` +
        'use another name for the Nginx or for its Deployment, delete the existing Deployment if it is not needed, ' +
        'or let the operator take it over with apply(child, { adopt: true })',
    );
    await stage().untilEvent(({ reason, regarding }) => reason === 'ForeignChild' && regarding?.name === 'taken');
    const { metadata, spec } = await stage().client.get(Deployment, stage().key('taken'));
    expect([metadata.ownerReferences, metadata.labels, spec?.template.spec?.containers[0]?.image]).toEqual([
      undefined,
      undefined,
      'payments:1',
    ]);
    await stage().client.delete(Deployment, stage().key('taken'));
    expect(reasonOf(await stage().available('taken'), 'ChildrenOwned')).toBeUndefined();
  });

  it('leaves no objects when it is deleted', async () => {
    await stage().create(Nginx, 'leaving', {});
    await stage().available('leaving');
    await stage().client.delete(Nginx, stage().key('leaving'));
    await stage().untilGone(Deployment, 'leaving');
    await stage().untilGone(Service, 'leaving');
  });

  it('counts a repeated Event as one', async () => {
    await stage().create(Nginx, 'again', {});
    await stage().available('again');
    for (const replicaCount of [2, 1, 2]) {
      await stage().merge(Nginx, 'again', { spec: { replicaCount } });
      await stage().until(Deployment, 'again', ({ spec }) => spec?.replicas === replicaCount);
      await stage().available('again');
    }
    const again = await stage().untilEvent(
      ({ regarding, note, series }) =>
        regarding?.name === 'again' && note === 'Scaled Deployment again from 1 to 2' && series !== undefined,
    );
    expect(again.series?.count).toBe(2);
  });

  it('gets no permission without a declaration, and the audit names the missing decorator', async () => {
    const identity = { name: 'curious', namespace, serviceAccount: 'curious' };
    const audit = await RbacAudit.create({ transport: stage().admin, controllers: [NginxController], identity });
    const outside = createClient(audit.transport).delete(ConfigMap, stage().key('page'));
    await expect(outside).rejects.toThrow('cannot delete resource "configmaps" in API group ""');
    expect(audit.refused).toEqual([
      `delete configmaps in default is not in the roles; add @Rbac(ConfigMap, ['delete']) above the class that asks for it, run "evenkeel generate" and apply config/rbac`,
    ]);
  });

  // This test is last: the tests above must need exactly the permissions of the roles.
  it('needs exactly the roles of its declarations', () => {
    expect(stage().audit.refused).toEqual([]);
    expect(stage().audit.unused).toEqual([]);
  });
}

const definition = await customResourceDefinitionOf(Nginx);

const patience = { timeout: '90s' } as const;

/** The CRD of another version of the class. */
function definitionWithout(property: string): object {
  return JSON.parse(JSON.stringify(definition), (name, value) => (name === property ? undefined : value));
}

const lacking = (path: string): string =>
  `controller nginx needs fields of nginxes.web.example.com/v1alpha1 for @Controller(Nginx) that the API server does not serve: ${path}; apply the CRD that belongs to this version of the operator ("kubectl apply -f config/crd/web.example.com_nginxes.yaml"); the controller then continues`;

async function install(client: Client): Promise<void> {
  await client.create(CustomResourceDefinition, definition);
  const fields = { 'metadata.name': definition.metadata.name };
  for await (const { object } of client.watch(CustomResourceDefinition, { fields })) {
    const conditions = 'status' in object ? object.status?.conditions : undefined;
    if (conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) return;
  }
}

async function stageOn(
  admin: Transport,
  options: Pick<RbacAuditOptions, 'namespaces' | 'connect'> = {},
): Promise<Stage> {
  const { namespaces } = options;
  const audit = await RbacAudit.create({ transport: admin, controllers: [NginxController], ...options });
  const scope = namespaces === undefined ? {} : { namespaces };
  const stage = new Stage(admin, audit, scope);
  await stage.start();
  return stage;
}

/** Rejects owner references of clients without the required permission. */
const enforcing = 'OwnerReferencesPermissionEnforcement';

describeOnEmbeddedServer('the nginx operator on the embedded server', () => {
  let server: ApiServer;
  let stage: Stage;
  beforeAll(async () => {
    // Like the real server in these tests, it has no cloud for addresses; the tests simulate it.
    server = await ApiServer.create({
      controllers: { 'service-lb-controller': false },
      enableAdmissionPlugins: [enforcing],
    });
    await install(createClient(server.transport()));
    stage = await stageOn(server.transport());
  });
  afterAll(async () => {
    await stage?.stop();
    await server?.close();
  });
  operatorTests(() => stage);
});

describeWithRealServer('the nginx operator on a real server', () => {
  let server: RealServer;
  let stage: Stage;
  beforeAll(async () => {
    server = await startRealServer('nodes', [definition], [`--enable-admission-plugins=${enforcing}`]);
    const connection = await loadConnection({ kubeconfig: server.kubeconfig });
    // One namespace here and all namespaces above, so that a Role and a ClusterRole are tested.
    stage = await stageOn(httpsTransport(connection), {
      namespaces: [namespace],
      connect: (token) =>
        httpsTransport({ ...connection, credentials: async () => ({ headers: { authorization: `Bearer ${token}` } }) }),
    });
  });
  afterAll(async () => {
    await stage?.stop();
    await stage?.audit.transport.close();
    await server?.stop();
  });
  operatorTests(() => stage);
});
