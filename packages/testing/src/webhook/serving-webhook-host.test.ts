import { createClient } from '@evenkeel/client';
import type { HostedWebhooks, Transport, WebhookClientConfig } from '@evenkeel/core';
import { SystemClock } from '@evenkeel/core';
import {
  CustomResourceDefinition,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@evenkeel/kinds';
import { Environment } from '../environment.ts';
import { widgetDefinition } from '../widget.fixture.ts';
import { HttpsDoor } from './https-door.ts';
import { ServingWebhookHost } from './serving-webhook-host.ts';
import type { WebhookDoor } from './webhook-door.ts';

const webhooks: HostedWebhooks = {
  name: 'test',
  configurations: (clientConfigOf: (path: string) => WebhookClientConfig) => [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'test' },
      webhooks: [
        {
          name: 'maps.webhook.example.com',
          clientConfig: clientConfigOf('/maps'),
          rules: [{ operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    },
  ],
  policies: [],
  conversions: [],
  handle: async () => ({ status: 500, body: '', contentType: 'text/plain' }),
};

const registered = async ({ client }: Environment) => [
  ...(await client.list(ValidatingWebhookConfiguration)).items,
  ...(await client.list(MutatingWebhookConfiguration)).items,
];

const hostWith = ({ client }: Environment, door: WebhookDoor) =>
  new ServingWebhookHost({ client, door, clock: new SystemClock() });

describe('ServingWebhookHost', () => {
  it('says at once that the API server cannot call this process, and removes what it registered', async () => {
    await using environment = await Environment.create({ variables: {} });
    const closed: string[] = [];
    const host = hostWith(environment, {
      open: async () => ({
        // The discard port, on which nothing listens.
        clientConfigOf: (path) => ({ url: `https://127.0.0.1:9${path}` }),
        close: async () => {
          closed.push('door');
        },
      }),
    });
    await expect(host.serve(webhooks)).rejects.toMatchObject({
      code: 'webhook-not-reachable',
      message: expect.stringMatching(
        /^the API server cannot call the webhooks of this process at https:\/\/127\.0\.0\.1:9\/: .*connection refused.*; run them on the embedded API server, or install the operator in the cluster$/,
      ),
    });
    expect(await registered(environment)).toEqual([]);
    expect(closed).toEqual(['door']);
  });

  it('registers over HTTPS with a certificate of the session, and removes it at the end', async () => {
    await using environment = await Environment.create({ variables: {} });
    const host = hostWith(environment, new HttpsDoor(async () => '127.0.0.1', Date.now));
    const end = await host.serve(webhooks);
    const [configuration, ...others] = await registered(environment);
    expect(others).toEqual([]);
    expect(configuration?.metadata.name).toMatch(/^evenkeel-test-[0-9a-f]{6}$/);
    expect(configuration?.webhooks?.[0]?.clientConfig).toEqual({
      url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/maps$/),
      caBundle: expect.any(String),
    });
    await end();
    await end();
    expect(await registered(environment)).toEqual([]);
  });

  it('ends what has begun or is registered when it is closed, without the managers', async () => {
    await using environment = await Environment.create({ variables: {} });
    const host = hostWith(environment, new HttpsDoor(async () => '127.0.0.1', Date.now));
    await host.serve(webhooks);
    const opened = Promise.withResolvers<void>();
    const isOpen = Promise.withResolvers<void>();
    const late = hostWith(environment, {
      open: async () => {
        opened.resolve();
        await isOpen.promise;
        // The API server calls nothing at this address, so the registration waits.
        return { clientConfigOf: (path) => ({ url: `https://127.0.0.1:9${path}` }), close: async () => undefined };
      },
    });
    const serving = late.serve(webhooks);
    await opened.promise;
    const closing = [host.close(), late.close()];
    isOpen.resolve();
    await expect(serving).rejects.toThrow();
    await Promise.all(closing);
    expect(await registered(environment)).toEqual([]);
    await expect(host.serve(webhooks)).rejects.toThrow('the session ends');
  });

  it('keeps its address open until the API server uses the original conversion again', async () => {
    await using environment = await Environment.create({ variables: {} });
    const versions = ['v1', 'v2'].map((name, at) => ({
      ...{ name, served: true, storage: at === 0, schema: { openAPIV3Schema: { type: 'object' as const } } },
    }));
    const names = { kind: 'Book', plural: 'books' };
    const spec = { group: 'docs.example.com', names, scope: 'Cluster' as const, versions };
    const definition = { metadata: { name: 'books.docs.example.com' }, spec };
    await environment.install({
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...definition },
    } as CustomResourceDefinition);
    const log: string[] = [];
    let lagging = 0;
    const { transport } = environment;
    const lagged: Transport = {
      close: async () => undefined,
      request: async (sent) => {
        if (!sent.path.includes('/conversionprobes?dryRun=All') || lagging === 0) return await transport.request(sent);
        log.push('probed');
        lagging--;
        return await transport.request(lagging > 0 ? { ...sent, path: '/not-yet', method: 'GET' } : sent);
      },
    };
    const inner = new HttpsDoor(async () => '127.0.0.1', Date.now);
    const host = new ServingWebhookHost({
      client: createClient(lagged, { fieldManager: 'test' }),
      door: {
        open: async (paths, handle) => {
          const open = await inner.open(paths, handle);
          const close = async () => {
            log.push('closed');
            await open.close();
          };
          return { clientConfigOf: (path) => open.clientConfigOf(path), close };
        },
      },
      clock: new SystemClock(),
    });
    const end = await host.serve({
      ...{ ...webhooks, configurations: () => [], conversions: [{ group: spec.group, plural: names.plural }] },
    });
    lagging = 4;
    await end();
    expect(log).toEqual(['probed', 'probed', 'probed', 'probed', 'closed']);
    const { spec: restored, metadata } = await environment.client.get(
      CustomResourceDefinition,
      definition.metadata.name,
    );
    expect(restored.conversion).toEqual({ strategy: 'None' });
    expect({ ...metadata.labels, ...metadata.annotations }).toEqual({});
  });

  it('leaves what it may not list', async () => {
    await using environment = await Environment.create({ variables: {} });
    const { transport } = environment;
    const asked: string[] = [];
    const limited: Transport = {
      close: async () => undefined,
      request: (sent) => {
        asked.push(sent.path.split('?')[0] ?? '');
        return transport.request({ ...sent, headers: { ...sent.headers, 'impersonate-user': 'nobody' } });
      },
    };
    const options = { client: createClient(limited), door: new HttpsDoor(async () => '127.0.0.1', Date.now) };
    const host = new ServingWebhookHost({ ...options, clock: new SystemClock() });
    expect(await host.removeAbandoned()).toEqual([]);
    expect(asked.map((path) => path.split('/').at(-1))).toEqual([
      ...['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
      ...['validatingadmissionpolicybindings', 'mutatingadmissionpolicybindings'],
      ...['validatingadmissionpolicies', 'mutatingadmissionpolicies'],
      'customresourcedefinitions',
    ]);
    await expect(createClient(limited).list(CustomResourceDefinition)).rejects.toMatchObject({ reason: 'Forbidden' });
  });

  it('deletes no CRD of a user, whatever its marks', async () => {
    await using environment = await Environment.create({ variables: {} });
    const { client } = environment;
    const host = hostWith(environment, new HttpsDoor(async () => '127.0.0.1', Date.now));
    const definition = widgetDefinition();
    const { name } = definition.metadata;
    await environment.install(definition);
    for (const original of [null, '{', '{"strategy":"Odd"}']) {
      const metadata = {
        labels: { 'evenkeel.dev/webhook-session': 'ffffff' },
        // The discard port, on which nothing listens.
        annotations: {
          'evenkeel.dev/webhook-address': 'https://127.0.0.1:9/',
          'evenkeel.dev/original-conversion': original,
        },
      };
      const clientConfig = { url: 'https://127.0.0.1:9/convert' };
      const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
      await client.patch(CustomResourceDefinition, name, { merge: { metadata, spec: { conversion } } });
      expect(await host.removeAbandoned()).toEqual([]);
      expect((await client.get(CustomResourceDefinition, name)).spec.conversion).toEqual(conversion);
      await expect(environment.install(definition)).rejects.toMatchObject({
        code: 'dev-session-running',
        message: expect.stringMatching(
          /a killed session \(at https:\/\/127\.0\.0\.1:9\/\) has changed its conversion, and the original one cannot be restored: .*; remove its mark/,
        ),
      });
    }
    // The message says to remove the label.
    await client.patch(CustomResourceDefinition, name, {
      merge: { metadata: { labels: { 'evenkeel.dev/webhook-session': null } } },
    });
    await environment.install(definition);
    expect((await client.get(CustomResourceDefinition, name)).spec.conversion).toEqual({ strategy: 'None' });
  });
});
