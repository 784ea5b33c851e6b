import { type Client, createClient } from '@evenkeel/client';
import { type Logger, ObjectKey, resourceOf, SilentLogger, SystemClock } from '@evenkeel/core';
import { authoritySecretType, certificateTiming } from '@evenkeel/core/certificates';
import { deriveRoles, rbacManifests } from '@evenkeel/core/rbac';
import { Secret } from '@evenkeel/kinds';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@evenkeel/kinds/admissionregistration/v1';
import { CustomResourceDefinition } from '@evenkeel/kinds/apiextensions/v1';
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@evenkeel/kinds/rbac/v1';
import { type ApiBackend, describeOnEveryServer } from '../../../../../test/api-backend.fixture.ts';
import { readAuthorities } from './authority-secret.ts';
import { authorityName, BuiltInCertificate } from './built-in-certificate.ts';
import { accepts, manifestOf, service, targets } from './certificate-world.fixture.ts';

const key = new ObjectKey('nginx-webhook-authority', 'default');
const kinds = { ValidatingWebhookConfiguration, MutatingWebhookConfiguration, CustomResourceDefinition };

const tests = (startServer: () => Promise<ApiBackend>): void => {
  let backend: ApiBackend;
  let client: Client;
  let lines: string[];
  const replicas: BuiltInCertificate[] = [];

  beforeAll(async () => {
    backend = await startServer();
    client = createClient(backend.transport(), { fieldManager: 'kubectl' });
  });

  beforeEach(() => {
    lines = [];
  });

  afterEach(async () => {
    for (const replica of replicas.splice(0)) await replica.stop();
    await client.deleteCollection(Secret, { namespace: 'default' });
    for (const { kind, name } of targets) await client.delete(kinds[kind], name).catch(() => undefined);
    for (const { kind, name } of targets) {
      while ((await client.list(kinds[kind], { fields: { 'metadata.name': name } })).items.length > 0);
    }
  });

  afterAll(async () => {
    await backend.stop();
  });

  async function startReplica(as = client, timing = {}): Promise<BuiltInCertificate> {
    const write = (message: string): void => void lines.push(message);
    const logger: Logger = Object.assign(new SilentLogger(), { info: write, warn: write, error: write });
    const replica = new BuiltInCertificate({
      client: as,
      name: 'nginx',
      secret: key,
      service,
      targets,
      timing: certificateTiming({ trustDelay: '300ms', checkInterval: '2s', ...timing }),
      clock: new SystemClock(),
      logger,
    });
    replicas.push(replica);
    await replica.start();
    return replica;
  }

  async function apply(at: number): Promise<void> {
    const target = targets[at];
    if (target === undefined) throw new Error('no such target');
    await client.apply(resourceOf(kinds[target.kind]), manifestOf(target) as never, { force: true });
  }

  /** The `caBundle` of each webhook of the operator's Service. */
  async function bundlesOf(at: number): Promise<string[]> {
    const target = targets[at];
    if (target === undefined) throw new Error('no such target');
    const object = await client.get(resourceOf(kinds[target.kind]), target.name);
    const { webhooks, spec } = object as {
      webhooks?: { clientConfig: { url?: string; caBundle?: string } }[];
      spec?: { conversion?: { webhook?: { clientConfig: { caBundle?: string } } } };
    };
    const elsewhere = webhooks?.filter(({ clientConfig }) => clientConfig.url !== undefined) ?? [];
    expect(elsewhere.map(({ clientConfig }) => clientConfig.caBundle)).toEqual(elsewhere.map(() => undefined));
    if (webhooks === undefined) return [spec?.conversion?.webhook?.clientConfig.caBundle ?? ''];
    return webhooks
      .filter((webhook) => !elsewhere.includes(webhook))
      .map(({ clientConfig }) => clientConfig.caBundle ?? '');
  }

  async function until(holds: () => Promise<boolean>): Promise<void> {
    for (let left = 2000; left > 0; left--) {
      if (await holds()) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`does not hold; log: ${lines.join(', ')}`);
  }

  const isAccepted = async (replica: BuiltInCertificate, at: number): Promise<boolean> => {
    const { cert } = await replica.current();
    const bundles = await bundlesOf(at);
    return bundles.length > 0 && bundles.every((bundle) => accepts(bundle, cert, Date.now()));
  };

  const authorities = async () => {
    const { type, data } = await client.get(Secret, key);
    expect(type).toBe(authoritySecretType);
    const { records, damage } = readAuthorities(data, authorityName('nginx'));
    expect(damage).toBeUndefined();
    return records;
  };

  it('shares one authority between replicas, and adds it to all configurations, also to those that appear later', async () => {
    await apply(0);
    const [first, second] = await Promise.all([startReplica(), startReplica()]);
    expect((await first.current()).key).not.toBe((await second.current()).key);
    for (const replica of [first, second]) await until(() => isAccepted(replica, 0));
    for (const later of [1, 2]) {
      await apply(later);
      for (const replica of [first, second]) await until(() => isAccepted(replica, later));
    }
    expect(await authorities()).toHaveLength(1);
    expect([first.problem, second.problem]).toEqual([undefined, undefined]);
  });

  it('restores a caBundle that somebody removes or overwrites, and keeps the other fields', async () => {
    for (const at of targets.keys()) await apply(at);
    const replica = await startReplica();
    for (const at of targets.keys()) await until(() => isAccepted(replica, at));
    await client.patch(CustomResourceDefinition, 'widgets.example.com', {
      merge: { spec: { conversion: { webhook: { clientConfig: { caBundle: null } } } } },
    });
    await client.patch(ValidatingWebhookConfiguration, 'nginx', {
      json: [
        { op: 'replace', path: '/webhooks/2/clientConfig/caBundle', value: '' },
        { op: 'add', path: '/webhooks/2/timeoutSeconds', value: 7 },
      ],
    });
    // As `kubectl replace` does with the manifest.
    const { resourceVersion = '' } = (await client.get(MutatingWebhookConfiguration, 'nginx')).metadata;
    const manifest = manifestOf(targets[1] as (typeof targets)[number]) as MutatingWebhookConfiguration;
    await client.update(MutatingWebhookConfiguration, {
      ...manifest,
      metadata: { ...manifest.metadata, resourceVersion },
    });
    for (const at of targets.keys()) await until(() => isAccepted(replica, at));
    const { webhooks = [] } = await client.get(ValidatingWebhookConfiguration, 'nginx');
    expect(webhooks.map(({ name, timeoutSeconds }) => `${name} ${timeoutSeconds}`)).toEqual([
      'first.example.com 10',
      'elsewhere.example.com 10',
      'second.example.com 7',
    ]);
  });

  it('follows a configuration that is deleted and created again, and does not create it itself', async () => {
    await apply(0);
    const replica = await startReplica();
    await until(() => isAccepted(replica, 0));
    await client.delete(ValidatingWebhookConfiguration, 'nginx');
    await client.create(Secret, { metadata: { name: 'other', namespace: 'default' } });
    expect((await client.list(ValidatingWebhookConfiguration)).items).toEqual([]);
    await apply(0);
    await until(() => isAccepted(replica, 0));
  });

  it('lets kubectl apply and replace remove a webhook or a conversion, but not server-side apply', async () => {
    for (const at of targets.keys()) await apply(at);
    const replica = await startReplica();
    for (const at of targets.keys()) await until(() => isAccepted(replica, at));
    const [validating, , definition] = targets.map(manifestOf) as [
      ValidatingWebhookConfiguration,
      unknown,
      CustomResourceDefinition,
    ];
    const fewer = { ...validating, webhooks: validating.webhooks?.slice(0, 2) ?? [] };
    const unconverted = { ...definition, spec: { ...definition.spec, conversion: { strategy: 'None' as const } } };
    const applied = { fieldManager: 'kubectl', force: true };
    await expect(client.apply(ValidatingWebhookConfiguration, fewer, applied)).rejects.toThrow(
      /webhooks\[\d\]\.sideEffects/,
    );
    await expect(client.apply(CustomResourceDefinition, unconverted, applied)).rejects.toThrow(
      'spec.conversion.webhook',
    );
    // As kubectl apply sends it, with the list that it merges by name.
    await client.patch(ValidatingWebhookConfiguration, 'nginx', {
      strategic: { webhooks: [{ $patch: 'delete', name: 'second.example.com' }] } as never,
    });
    await client.patch(CustomResourceDefinition, 'widgets.example.com', {
      merge: { spec: { conversion: { strategy: 'None', webhook: null } } },
    });
    await until(() => isAccepted(replica, 0));
    expect(await bundlesOf(0)).toHaveLength(1);
    expect((await client.get(CustomResourceDefinition, 'widgets.example.com')).spec.conversion).toEqual({
      strategy: 'None',
    });
    expect(replica.problem).toBeUndefined();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['deleted', () => client.delete(Secret, key)],
    ['emptied', () => client.patch(Secret, key, { merge: { data: { 'ca.crt': '', 'ca.key': '' } } })],
    ['filled with garbage', () => client.patch(Secret, key, { merge: { data: { 'ca.crt': 'Z2FyYmFnZQ==' } } })],
    ['robbed of its key', () => client.patch(Secret, key, { merge: { data: { 'ca.key': null } } })],
  ])('replaces the authority without a failure after the Secret was %s', async (_what, damage) => {
    await apply(0);
    const pair = await Promise.all([startReplica(), startReplica()]);
    for (const replica of pair) await until(() => isAccepted(replica, 0));
    const [before] = await authorities();
    const served = await Promise.all(pair.map((replica) => replica.current()));
    await damage();
    await until(async () => {
      for (const replica of pair) expect(await isAccepted(replica, 0)).toBe(true);
      const now = await Promise.all(pair.map((replica) => replica.current()));
      return now.every(({ cert }, at) => cert !== served[at]?.cert);
    });
    await until(async () => (await authorities())[1]?.privateKeyPem === undefined);
    const [next, previous, ...others] = await authorities();
    expect(next?.id).not.toBe(before?.id);
    expect(previous).toEqual({ ...before, privateKeyPem: undefined });
    expect(others).toEqual([]);
  });

  it('leaves a Secret of another type alone, and reports it', async () => {
    await client.create(Secret, {
      metadata: { name: key.name, namespace: key.namespace ?? '' },
      data: { 'ca.crt': 'eA==' },
    });
    const replica = await startReplica();
    await until(async () => replica.problem?.includes('has the type "Opaque"') === true);
    expect(replica.problem).toBe(
      `there is no certificate yet: the Secret ${key} has the type "Opaque" instead of "${authoritySecretType}", so it is not that of a webhook certificate authority and is not replaced; delete or rename it`,
    );
    expect((await client.get(Secret, key)).data).toEqual({ 'ca.crt': 'eA==' });
    await client.delete(Secret, key);
    await until(async () => replica.problem === undefined);
  });

  it('rotates the authority and the certificates of several replicas, and only ever replaces what all trust', async () => {
    for (const at of targets.keys()) await apply(at);
    const timing = { authorityDuration: '9s', certificateDuration: '6s', trustDelay: '700ms', checkInterval: '400ms' };
    const trio = await Promise.all([
      startReplica(client, timing),
      startReplica(client, timing),
      startReplica(client, timing),
    ]);
    for (const replica of trio) for (const at of targets.keys()) await until(() => isAccepted(replica, at));
    const seen = new Set<string>();
    while (seen.size < 3) {
      for (const { id } of await authorities()) seen.add(id);
      for (const replica of trio) for (const at of targets.keys()) expect(await isAccepted(replica, at)).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect((await authorities()).length).toBeLessThanOrEqual(3);
    expect(lines).toContain('removed the key of a replaced webhook certificate authority');
  });

  it('needs only the permissions that are derived, and names the fix if they are missing', async () => {
    const [namespace, name] = ['default', 'nginx'];
    const as = createClient(backend.transport(`system:serviceaccount:${namespace}:${name}`));
    for (const at of targets.keys()) await apply(at);
    const replica = await startReplica(as);
    await until(async () => replica.problem?.includes('evenkeel generate') === true);
    const roles = deriveRoles({ plans: [], certificates: { secret: { name: key.name, namespace }, targets } });
    const written = { ClusterRole, ClusterRoleBinding, Role, RoleBinding };
    for (const { object } of rbacManifests(roles, { name, namespace, serviceAccount: name })) {
      if (object.kind === 'ServiceAccount') continue;
      await client.apply(resourceOf(written[object.kind]), object as never);
    }
    for (const at of targets.keys()) await until(() => isAccepted(replica, at));
    // Only a watch sees it before the next comparison.
    await replica.stop();
    const watching = await startReplica(as, { checkInterval: '1h' });
    for (const at of targets.keys()) await until(() => isAccepted(watching, at));
    await client.patch(CustomResourceDefinition, 'widgets.example.com', {
      merge: { spec: { conversion: { webhook: { clientConfig: { caBundle: null } } } } },
    });
    await until(() => isAccepted(watching, 2));
  });
};

describeOnEveryServer('built-in certificates', tests, { embedded: 'in process' });
