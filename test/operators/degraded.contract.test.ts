import { type Client, createClient } from '@evenkeel/client';
import {
  Controller,
  CustomResource,
  isForbidden,
  KubernetesObject,
  Metadata,
  ObjectKey,
  Owns,
  Reconcile,
  Spec,
  Status,
  type Transport,
  Watches,
} from '@evenkeel/core';
import { ClusterRole, ClusterRoleBinding, ConfigMap, CustomResourceDefinition, Secret } from '@evenkeel/kinds';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { definitionOf } from './definition.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

class WebsiteSpec {
  text = '';
}

class WebsiteStatus {
  seen?: string;
}

@CustomResource({ group: 'degraded.example.com', version: 'v1' })
class Website extends KubernetesObject {
  @Spec() spec!: WebsiteSpec;
  @Status() status!: WebsiteStatus;
}

@Controller(Website)
@Owns(ConfigMap)
class WebsiteController {
  @Reconcile()
  async reconcile(website: Website, context: ReconcileContext): Promise<void> {
    const { name } = website.metadata;
    await context.apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    website.status.seen = `${website.metadata.uid}`;
  }
}

/** Needs nothing that the tests remove. */
@Controller(Secret, { name: 'independent', wholeCluster: true })
class Independent {
  @Reconcile()
  async reconcile({ metadata }: Secret, { client }: ReconcileContext): Promise<void> {
    if (!metadata.name.startsWith('probe') || metadata.annotations?.['seen'] === 'yes') return;
    await client.patch(Secret, ObjectKey.of({ metadata }), { merge: { metadata: { annotations: { seen: 'yes' } } } });
  }
}

@Controller(Secret, { name: 'by-metadata', wholeCluster: true })
class ByMetadata {
  @Watches(Metadata(ConfigMap))
  secretsOf(): ObjectKey[] {
    return [];
  }

  @Reconcile()
  async reconcile(): Promise<void> {}
}

const definition = definitionOf(Website, {
  spec: { type: 'object', properties: { text: { type: 'string' } } },
  status: { type: 'object', properties: { seen: { type: 'string' } } },
});

const ofWebsites = { apiGroups: ['degraded.example.com'], resources: ['websites', 'websites/status'], verbs: ['*'] };
const ofSecrets = { apiGroups: [''], resources: ['secrets'], verbs: ['*'] };
const ofConfigMaps = { apiGroups: [''], resources: ['configmaps'], verbs: ['*'] };
const ofLeases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['*'] };
const ofEvents = { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['*'] };

/** A transport that can end open watches, as a server does after their timeout. */
class CuttingTransport implements Transport {
  readonly #target: Transport;
  #watches = new AbortController();
  /** If true, no watch is opened. */
  refusesWatches = false;

  constructor(target: Transport) {
    this.#target = target;
  }

  cutWatches(): void {
    this.#watches.abort(new Error('the watch has reached its end'));
    this.#watches = new AbortController();
  }

  request(request: Parameters<Transport['request']>[0]): ReturnType<Transport['request']> {
    if (!request.path.includes('watch=true')) return this.#target.request(request);
    if (this.refusesWatches) return Promise.reject(new Error('no watch can be opened now'));
    const { signal } = this.#watches;
    return this.#target.request({
      ...request,
      signal: request.signal === undefined ? signal : AbortSignal.any([request.signal, signal]),
    });
  }

  close(): Promise<void> {
    return this.#target.close();
  }
}

describeOnEveryServer('an operator with a missing CRD or permission', (start) => {
  let backend: ApiBackend;
  let operator: TestOperator;
  let client: Client;
  let transport: CuttingTransport;

  beforeAll(async () => {
    backend = await start();
    client = createClient(backend.transport(), { fieldManager: 'test' });
  });

  afterEach(() => operator?.manager.stop());

  afterAll(() => backend.stop());

  async function operating(options: Parameters<typeof TestOperator.begin>[2] = {}): Promise<void> {
    transport = new CuttingTransport(backend.transport('operator'));
    operator = await TestOperator.begin(backend, [WebsiteController, Independent], {
      transport,
      namespaces: undefined as never,
      ...options,
    });
  }

  /** Sets the permissions of the operator's user. */
  async function grant(...rules: object[]): Promise<void> {
    const apply = { force: true } as const;
    await client.apply(ClusterRole, { metadata: { name: 'operator' }, rules: rules as never }, apply);
    await client.apply(
      ClusterRoleBinding,
      {
        metadata: { name: 'operator' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'operator' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'operator' }],
      },
      apply,
    );
    // The server's authorizer receives the change a moment later, and a watch that it accepted before stays open.
    const own = createClient(backend.transport('operator'));
    const mayList = rules.includes(ofConfigMaps);
    await TestOperator.until('the rules to be in force', async () => {
      const listed = own.list(ConfigMap, { limit: 1 });
      return mayList === (await listed.then(Boolean, (error: unknown) => !isForbidden(error)));
    });
  }

  const problems = (): readonly string[] => operator.manager.health.problems;
  const isDegraded = (name: string): boolean =>
    operator.manager.health.controllers.some(
      (controller) => controller.name === name && controller.sources.some(({ degraded }) => degraded),
    );
  const isReady = (): boolean => operator.manager.health.ready;

  /** Checks that the controller with all its parts works. */
  async function othersWork(name: string): Promise<void> {
    await client.create(Secret, { metadata: { name, namespace: 'default' } });
    await operator.object(Secret, name, ({ metadata }) => metadata.annotations?.['seen'] === 'yes');
  }

  async function websiteIsSeen(name: string): Promise<void> {
    const website = await client.create(Website, { metadata: { name, namespace: 'default' }, spec: { text: 'hello' } });
    await operator.object(Website, name, ({ status }) => status?.seen === website.metadata.uid);
  }

  async function withoutDefinition(): Promise<void> {
    await client.delete(CustomResourceDefinition, definition.metadata.name);
    await operator.until('the CRD has gone', async () => {
      const { items } = await client.list(CustomResourceDefinition);
      return items.length === 0;
    });
  }

  it('waits for a CRD, works within seconds after its creation, degrades after its deletion, and works again when it is back', async () => {
    await grant(ofWebsites, ofSecrets, ofConfigMaps, ofEvents);
    await operating();
    await operator.until('the problem', () => problems().length === 1);
    expect(problems()[0]).toMatch(
      /^controller website cannot watch websites\.degraded\.example\.com\/v1 for @Controller\(Website\): the API server does not serve it; apply its CRD \("kubectl apply -f config\/crd\/degraded\.example\.com_websites\.yaml"\)/,
    );
    await othersWork('probe-1');
    expect({ ready: isReady(), live: operator.manager.health.live }).toEqual({ ready: false, live: true });

    await client.create(CustomResourceDefinition, definition);
    const startMs = performance.now();
    await operator.until('ready', isReady);
    // The next attempt is after 1 to 2 s. A busy machine takes longer, but not the 30 s of a reflector's longest delay.
    expect(performance.now() - startMs).toBeLessThan(25_000);
    const names = ['one', 'two', 'three', 'four'];
    for (const name of names) await websiteIsSeen(name);

    await withoutDefinition();
    await operator.until('degraded', () => isDegraded('website'));
    // No garbage collector runs here.
    await client.deleteCollection(ConfigMap, { namespace: 'default' });
    expect(isDegraded('independent')).toBe(false);
    expect(problems()[0]).toContain('the API server does not serve it; apply its CRD');
    await othersWork('probe-2');

    await client.create(CustomResourceDefinition, definition);
    await operator.until('served', () =>
      client.list(Website, { namespace: 'default' }).then(
        () => true,
        () => false,
      ),
    );
    await Promise.all(names.map(websiteIsSeen));
    await operator.until('ready', isReady);
    const logged = operator.warnings.filter(({ message }) => message.includes('does not serve it'));
    expect(logged).toHaveLength(2);
  });

  it('does nothing for objects that were deleted with their CRD without an event', async () => {
    await grant(ofWebsites, ofSecrets, ofConfigMaps, ofEvents);
    await client.apply(CustomResourceDefinition, definition, { force: true });
    await operating();
    await operator.until('ready', isReady);
    await websiteIsSeen('ghost');
    transport.refusesWatches = true;
    transport.cutWatches();
    await withoutDefinition();
    transport.refusesWatches = false;
    await operator.until('degraded', () => isDegraded('website'));
    const runs = operator.outcomes('ghost').length;
    await client.delete(ConfigMap, 'default/ghost');
    await othersWork('probe-5');
    expect(operator.outcomes('ghost')).toHaveLength(runs);
    expect((await client.list(ConfigMap, { namespace: 'default' })).items.map(({ metadata }) => metadata.name)).toEqual(
      expect.not.arrayContaining(['ghost']),
    );
    await client.create(CustomResourceDefinition, definition);
    await operator.until('ready', isReady);
    await operator.until('the end of the ghost', () => operator.outcomes('ghost').at(-1) === 'gone');
  });

  it('reports what is missing when it becomes the leader, even if its watch failed before, and what prevents leadership', async () => {
    await grant(ofWebsites, ofSecrets, ofEvents);
    await operating({ leaderElection: { name: 'degraded', namespace: 'default', retryPeriod: '250ms' } });
    const logged = (text: string): number => operator.warnings.filter(({ message }) => message.includes(text)).length;
    await operator.until('the problem', () =>
      problems().some((problem) => problem.includes('configmaps is forbidden')),
    );
    await operator.until('the refused Lease', () => logged('could not take the lease default/degraded') === 1);
    expect(logged(`set "leaderElection: { name: 'degraded' }" in defineOperator()`)).toBe(1);
    expect(logged('cannot watch configmaps/v1')).toBe(0);
    await grant(ofWebsites, ofSecrets, ofEvents, ofLeases);
    await operator.until('the line', () => logged('cannot watch configmaps/v1') === 1);
    expect(logged('could not take the lease')).toBe(1);
  });

  it('names a watch of metadata as in the code', async () => {
    await grant(ofSecrets, ofEvents);
    await operating({ controllers: [ByMetadata] });
    await operator.until('the problem', () => problems().length === 1);
    expect(problems()[0]).toContain(
      'cannot watch configmaps/v1 for @Watches(Metadata(ConfigMap)): configmaps is forbidden',
    );
  });

  it('waits for an RBAC rule, works within seconds after its creation, and degrades and recovers as it is removed and restored', async () => {
    await grant(ofWebsites, ofSecrets, ofEvents);
    await operating();
    await operator.until('the problem', () => problems().length === 1);
    expect(problems()[0]).toMatch(
      /^controller website cannot watch configmaps\/v1 for @Owns\(ConfigMap\): configmaps is forbidden: User "operator" cannot watch resource "configmaps" in API group "" at the cluster scope; its service account lacks \{ apiGroups: \[""\], resources: \["configmaps"\], verbs: \["list", "watch"\] \} in a ClusterRole; "evenkeel generate" writes it, "kubectl apply -f config\/rbac" grants it/,
    );
    await othersWork('probe-3');

    await grant(ofWebsites, ofSecrets, ofConfigMaps, ofEvents);
    await operator.until('ready', isReady);
    await websiteIsSeen('granted');

    await grant(ofWebsites, ofSecrets, ofEvents);
    transport.cutWatches();
    await operator.until('degraded', () => isDegraded('website'));
    expect({ ready: isReady(), independent: isDegraded('independent') }).toEqual({ ready: false, independent: false });
    await othersWork('probe-4');
    // Deleted while the operator has no permission to see it.
    await client.delete(ConfigMap, 'default/granted');

    await grant(ofWebsites, ofSecrets, ofConfigMaps, ofEvents);
    await operator.until('ready', isReady);
    await operator.object(ConfigMap, 'granted');
    await websiteIsSeen('granted-again');
  });
});
