import { Client } from '@evenkeel/client';
import {
  AdmissionReview,
  Admit,
  CustomResource,
  KubernetesObject,
  ListerOf,
  MutatingWebhook,
  ObjectKey,
  Spec,
  Status,
  StatusError,
  ValidatingWebhook,
} from '@evenkeel/core';
import {
  ConfigMap,
  Deployment,
  MutatingWebhookConfiguration,
  Namespace,
  Secret,
  ValidatingWebhookConfiguration,
} from '@evenkeel/kinds';
import { Scale } from '@evenkeel/kinds/autoscaling/v1';
import { createManager, Lister, type ManagerOptions } from '@evenkeel/runtime';
import { Environment, RbacAudit } from '@evenkeel/testing';
import { describeOnEmbeddedServer, describeWithRealServer, realServerAssets } from '../real-server.fixture.ts';
import { definitionOf } from './definition.fixture.ts';

class SiteSpec {
  size = 1;
  host?: string;
}

@CustomResource({ group: 'webhooks.example.com', version: 'v1' })
class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
  @Status() status!: { ready?: boolean };
}

/** What the webhooks were called with. */
const calls: string[] = [];

@MutatingWebhook(Site)
class SiteDefaults {
  @Admit('create', 'update')
  set(site: Site, { operation }: AdmissionReview<Site>): void {
    calls.push(`default ${operation}`);
    site.spec.host ??= `${site.metadata.name}.example.com`;
  }
}

@MutatingWebhook(Site, { name: 'second.webhooks.example.com', path: '/second' })
class SecondDefaults {
  @Admit('create')
  set(site: Site): void {
    site.metadata.annotations = { ...site.metadata.annotations, seen: site.spec.host ?? 'none' };
  }
}

class Limits {
  readonly most = 5;
}

@ValidatingWebhook(Site)
class SiteValidator {
  readonly #limits: Limits;
  readonly #namespaces: Lister<Namespace>;

  constructor(limits: Limits, @ListerOf(Namespace) namespaces: Lister<Namespace>) {
    this.#limits = limits;
    this.#namespaces = namespaces;
  }

  @Admit()
  async check(site: Site, review: AdmissionReview<Site>): Promise<void> {
    const { size } = site.spec;
    const namespace = this.#namespaces.get(new ObjectKey(review.namespace ?? ''));
    if (namespace?.metadata.labels?.['frozen'] === 'yes') review.deny('the namespace is frozen');
    if (size > this.#limits.most) review.invalid('spec.size', size, `must not be greater than ${this.#limits.most}`);
    if (size < (review.oldObject?.spec.size ?? 0)) review.forbidden('spec.size', 'may not shrink');
    if (size === 4) review.warn('size 4 is nearly too large');
    if (size === 3) throw new TypeError('a bug');
    review.audit('size', String(size));
  }

  @Admit('delete')
  gone(site: Site, review: AdmissionReview<Site>): void {
    if (site.metadata.labels?.['keep'] === 'yes') review.deny(`${review.user.username} may not delete ${review.name}`);
  }
}

@ValidatingWebhook(Deployment, { subresource: 'scale', matchPolicy: 'Exact' })
class ScaleLimit {
  @Admit('update')
  limit(scale: Scale, review: AdmissionReview<Scale>): void {
    if ((scale.spec?.replicas ?? 0) > 3) review.invalid('spec.replicas', scale.spec?.replicas, 'must be at most 3');
  }
}

const allWebhooks = [SiteDefaults, SecondDefaults, SiteValidator, ScaleLimit];

function site(namespace: string, name: string, spec: object = {}, metadata: object = {}): Site {
  return Object.assign(new Site(), { metadata: { name, namespace, ...metadata }, spec: { size: 1, ...spec } });
}

async function refusal(promise: Promise<unknown>): Promise<StatusError> {
  const error: unknown = await promise.then(
    () => new Error('was accepted'),
    (reason: unknown) => reason,
  );
  if (error instanceof StatusError) return error;
  throw error;
}

const definition = definitionOf(Site, {
  spec: {
    type: 'object',
    properties: { size: { type: 'integer' }, host: { type: 'string' } },
    'x-kubernetes-preserve-unknown-fields': true,
  },
  status: { type: 'object', properties: { ready: { type: 'boolean' } } },
});

function webhookContract(start: () => Promise<Environment>): void {
  let environment: Environment;
  let namespace: string;

  beforeAll(async () => {
    environment = await start();
    await environment.install(definition);
    namespace = await environment.createNamespace();
  });
  afterAll(() => environment?.close());

  const run = (options: Partial<ManagerOptions> = {}) =>
    environment.run(async (connection) => {
      const manager = await createManager({
        ...{ ...connection, name: 'site-operator', controllers: [], webhooks: allWebhooks, services: [Limits] },
        ...options,
      });
      await manager.start();
      return manager;
    });

  describe('with webhooks of an operator', () => {
    let manager: Awaited<ReturnType<typeof run>>;
    beforeAll(async () => {
      manager = await run();
      await manager.waitUntilReady();
    });
    afterAll(() => manager?.stop());
    beforeEach(() => {
      calls.length = 0;
    });

    it('sets defaults in the order of the list, and stores fields that the class does not know', async () => {
      const created = await environment.client.create(Site, site(namespace, 'defaults', { unknown: { kept: [1] } }));
      expect(created.spec.host).toBe('defaults.example.com');
      expect(created.metadata.annotations).toEqual({ seen: 'defaults.example.com' });
      expect(created.spec).toMatchObject({ unknown: { kept: [1] } });
      expect(calls).toEqual(['default create']);
    });

    it('rejects with the causes of the API server', async () => {
      const { status } = await refusal(environment.client.create(Site, site(namespace, 'large', { size: 6 })));
      expect(status).toMatchObject({
        code: 422,
        reason: 'Invalid',
        message:
          'admission webhook "vsite-v1.webhooks.example.com" denied the request: Site.webhooks.example.com "large" is invalid: spec.size: Invalid value: 6: must not be greater than 5',
        details: {
          name: 'large',
          kind: 'Site',
          causes: [
            {
              reason: 'FieldValueInvalid',
              message: 'Invalid value: 6: must not be greater than 5',
              field: 'spec.size',
            },
          ],
        },
      });
    });

    it('compares with the old object in updates, and reviews deletions', async () => {
      const { client } = environment;
      const made = await client.create(Site, site(namespace, 'shrinks', { size: 2 }, { labels: { keep: 'yes' } }));
      const shrink = await refusal(client.patch(Site, ObjectKey.of(made), { merge: { spec: { size: 1 } } }));
      expect(shrink.message).toContain('spec.size: Forbidden: may not shrink');
      const kept = await refusal(client.delete(Site, ObjectKey.of(made)));
      expect(kept.status).toMatchObject({ code: 403, reason: 'Forbidden' });
      expect(kept.message).toMatch(/denied the request: \S+ may not delete shrinks$/);
      await client.patch(Site, ObjectKey.of(made), { merge: { metadata: { labels: null } } });
      await client.delete(Site, ObjectKey.of(made));
    });

    it('reads objects from the cache of its listers', async () => {
      const { client } = environment;
      const frozen = await environment.createNamespace();
      await client.patch(Namespace, frozen, { merge: { metadata: { labels: { frozen: 'yes' } } } });
      await environment.eventually(async () => {
        const { message } = await refusal(client.create(Site, site(frozen, 'late'), { dryRun: true }));
        expect(message).toContain('the namespace is frozen');
      });
    });

    it('rejects with 500 whatever the policy is if its code throws', async () => {
      const { status } = await refusal(environment.client.create(Site, site(namespace, 'bug', { size: 3 })));
      expect(status).toMatchObject({ code: 500, reason: 'InternalError' });
      expect(status.message).toMatch(/SiteValidator failed with TypeError; the log of the operator has the details$/);
    });

    it('reviews Scales', async () => {
      const { client } = environment;
      const labels = { app: 'web' };
      const containers = [{ name: 'web', image: 'web' }];
      const made = await client.create(Deployment, {
        metadata: { name: 'scaled', namespace },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers } },
        },
      });
      const scaled = (replicas: number) =>
        client.subresource(Deployment, ObjectKey.of(made), 'scale').patch({ merge: { spec: { replicas } } });
      expect((await refusal(scaled(4))).message).toContain('spec.replicas: Invalid value: 4: must be at most 3');
      await scaled(2);
    });
  });

  it('registers replicas once, goes on with the other if one stops, and removes everything at the end', async () => {
    const { client } = environment;
    const one = await run({ webhooks: [SiteDefaults] });
    const two = await run({ webhooks: [SiteDefaults] });
    const configurations = async () => (await client.list(MutatingWebhookConfiguration)).items.length;
    expect(await configurations()).toBe(1);
    await one.stop();
    expect(await configurations()).toBe(1);
    expect((await client.create(Site, site(namespace, 'replica'))).spec.host).toBe('replica.example.com');
    await two.stop();
    expect(await configurations()).toBe(0);
    expect((await client.list(ValidatingWebhookConfiguration)).items).toEqual([]);
    await environment.eventually(async () => {
      const made = await client.create(Site, site(namespace, 'alone'), { dryRun: true });
      expect(made.spec.host).toBeUndefined();
    });
  });

  it('registers those of an operator on the transport of an audit, which has their permissions', async () => {
    const { client, transport } = environment;
    const operator = { name: 'site-operator', controllers: [], webhooks: [SiteValidator], services: [Limits] };
    const audit = await RbacAudit.create({ transport, ...operator });
    const manager = await run({ ...operator, transport: audit.transport });
    await manager.waitUntilReady();
    expect((await refusal(client.create(Site, site(namespace, 'audited', { size: 6 })))).status.code).toBe(422);
    await manager.stop();
    expect(audit.refused).toEqual([]);
    await audit.close();
  });

  it('works on a replica that does not lead, whose webhooks may write', async () => {
    const { client } = environment;
    @ValidatingWebhook(Secret, { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } })
    class Counts {
      readonly #client: Client;
      constructor(client: Client) {
        this.#client = client;
      }
      @Admit('create') async count(secret: Secret, { dryRun }: AdmissionReview<Secret>): Promise<void> {
        if (dryRun) return;
        await this.#client.create(ConfigMap, { metadata: { name: `of-${secret.metadata.name}`, namespace } });
      }
    }
    const options = { controllers: [], leaderElection: { name: 'webhook-test', namespace } };
    const leader = await run({ ...options, webhooks: [] });
    await leader.waitUntilReady();
    const standby = await run({ ...options, webhooks: [Counts] });
    const secret = { metadata: { name: 'counted', namespace } };
    await client.create(Secret, secret);
    expect((await client.get(ConfigMap, new ObjectKey('of-counted', namespace))).metadata.name).toBe('of-counted');
    await expect(standby.client.create(ConfigMap, { metadata: { name: 'fenced', namespace } })).rejects.toThrow(
      'does not lead',
    );
    await standby.stop();
    await leader.stop();
  });
}

describeOnEmbeddedServer('webhooks on the embedded server', () => {
  webhookContract(() => Environment.create({ variables: {} }));
});

describeWithRealServer('webhooks on a real server', () => {
  webhookContract(async () => Environment.create({ variables: { KUBEBUILDER_ASSETS: await realServerAssets() } }));
});
