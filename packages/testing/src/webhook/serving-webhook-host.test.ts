import type { HostedWebhooks, WebhookClientConfig } from '@evenkeel/core';
import { SystemClock } from '@evenkeel/core';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@evenkeel/kinds';
import { Environment } from '../environment.ts';
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
});
