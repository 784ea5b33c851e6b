import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { type HostedWebhooks, SystemClock } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import {
  describeOnEmbeddedServer,
  describeWithRealServer,
  realServerAssets,
} from '../../../../test/real-server.fixture.ts';
import { Environment } from '../environment.ts';
import { applyDefinition } from './apply-definition.ts';
import { HttpsDoor } from './https-door.ts';
import { KilledSession } from './killed-session-process.fixture.ts';
import { ServingWebhookHost } from './serving-webhook-host.ts';

type Conversion = NonNullable<CustomResourceDefinition['spec']['conversion']>;

const [group, plural] = ['docs.example.com', 'books'];
const name = `${plural}.${group}`;
const service = { name: 'books-webhook', namespace: 'books-system', path: '/convert' };
const byService: Conversion = {
  strategy: 'Webhook',
  webhook: { clientConfig: { service }, conversionReviewVersions: ['v1'] },
};
const byUrl: Conversion = {
  strategy: 'Webhook',
  webhook: { clientConfig: { url: 'https://127.0.0.1:1/convert' }, conversionReviewVersions: ['v1'] },
};
const withoutWebhook: Conversion = { strategy: 'None' };

function definition(conversion?: Conversion) {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return {
    metadata: { name },
    spec: {
      ...{ group, names: { plural, kind: 'Book' }, scope: 'Cluster' },
      ...(conversion === undefined ? {} : { conversion }),
      versions: [
        { name: 'v1', served: true, storage: true, schema },
        { name: 'v2', served: true, storage: false, schema },
      ],
    },
  } as unknown as CustomResourceDefinition;
}

const webhooks: HostedWebhooks = {
  name: 'books',
  configurations: () => [],
  policies: [],
  conversions: [{ group, plural }],
  handle: async () => ({ status: 500, body: '', contentType: 'text/plain' }),
};

function hostOf({ client }: Environment): ServingWebhookHost {
  const door = new HttpsDoor(async () => '127.0.0.1', Date.now);
  return new ServingWebhookHost({ client, door, clock: new SystemClock() });
}

const authority = new CertificateAuthority('books', Date.now());

function removesConversions(start: () => Promise<Environment>): void {
  const tool = { fieldManager: 'tool' };

  it.each([
    ['applied', async ({ client }: Environment) => client.apply(CustomResourceDefinition, definition(byService), tool)],
    [
      'created',
      async ({ client }: Environment) => client.create(CustomResourceDefinition, definition(byService), tool),
    ],
    [
      'applied without one',
      async ({ client }: Environment) => client.apply(CustomResourceDefinition, definition(), tool),
    ],
  ])('leaves the owners of the fields of a CRD that was %s', async (_how, prepare) => {
    await using environment = await start();
    const { client } = environment;
    await prepare(environment);
    const owners = async () =>
      ((await client.get(CustomResourceDefinition, name)).metadata.managedFields ?? [])
        .filter(({ subresource }) => subresource === undefined)
        .map(({ manager, operation, fieldsV1 }) => ({ manager, operation, fieldsV1 }));
    const before = await owners();
    const end = await hostOf(environment).serve(webhooks);
    expect(await owners()).not.toEqual(before);
    await end();
    expect(await owners()).toEqual(before);
  });

  it('lets its owner remove the conversion after a session', async () => {
    await using environment = await start();
    const { client } = environment;
    await client.apply(CustomResourceDefinition, definition(byService), tool);
    await (await hostOf(environment).serve(webhooks))();
    const { spec } = await client.apply(CustomResourceDefinition, definition(), tool);
    expect(spec.conversion).toEqual(withoutWebhook);
  });
}

/** Runs another session until it serves the conversion, and calls `during`. */
async function besideAnotherSession(
  environment: Environment,
  during: (kill: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const session = await KilledSession.start(await environment.kubeconfig(), 'nothing');
  try {
    expect(await session.firstLine).toBe('serving\n');
    await during(() => session.kill());
  } finally {
    await session.kill();
  }
}

function replacesConversions(start: () => Promise<Environment>): void {
  const asOwner = { fieldManager: 'owner', force: true };

  it.each([
    ['a patch', byService, 'patch'],
    ['a patch with a URL', byUrl, 'patch'],
    ['the apply of another manager', byService, 'apply'],
  ] as const)('removes a webhook that comes from %s', async (_from, conversion, how) => {
    await using environment = await start();
    const { client } = environment;
    await applyDefinition(client, definition(), asOwner);
    const other = { fieldManager: 'other' };
    if (how === 'patch') {
      await client.patch(CustomResourceDefinition, name, { merge: { spec: { conversion } } }, other);
    } else await client.apply(CustomResourceDefinition, definition(conversion), { ...other, force: true });
    const before = await client.get(CustomResourceDefinition, name);
    const tried = await applyDefinition(client, definition(), { ...asOwner, dryRun: true });
    expect(tried.spec.conversion).toEqual(withoutWebhook);
    expect((await client.get(CustomResourceDefinition, name)).spec).toEqual(before.spec);
    const { spec } = await applyDefinition(client, definition(), asOwner);
    expect(spec.conversion).toEqual(withoutWebhook);
    // No owner is left, so every tool can declare a conversion again without a conflict.
    await client.apply(CustomResourceDefinition, definition(byService), { fieldManager: 'owner' });
  });

  it('replaces a URL by a Service, and keeps the caBundle of a Service', async () => {
    await using environment = await start();
    const { client } = environment;
    await client.create(CustomResourceDefinition, definition(byUrl), { fieldManager: 'other' });
    const { spec } = await applyDefinition(client, definition(byService), asOwner);
    expect(spec.conversion?.webhook?.clientConfig).toEqual({ service: { ...service, port: 443 } });
    const caBundle = Buffer.from(authority.certificatePem).toString('base64');
    const merge = { spec: { conversion: { webhook: { clientConfig: { caBundle } } } } };
    await client.patch(CustomResourceDefinition, name, { merge }, { fieldManager: 'certificates' });
    const again = await applyDefinition(client, definition(byService), asOwner);
    expect(again.spec.conversion?.webhook?.clientConfig).toMatchObject({ caBundle, service });
  });

  it('does not replace the conversion of another session that runs, and restores that of a killed one', async () => {
    await using environment = await start();
    const { client } = environment;
    await applyDefinition(client, definition(byService), asOwner);
    await besideAnotherSession(environment, async (kill) => {
      const before = await client.get(CustomResourceDefinition, name);
      const running =
        /^CRD books\.docs\.example\.com: another session .* serves its conversion \(process \d+ on \S+, since \S+Z\); stop that session/;
      for (const conversion of [undefined, byService]) {
        for (const dryRun of [true, false]) {
          const applied = applyDefinition(client, definition(conversion), { ...asOwner, dryRun });
          await expect(applied).rejects.toMatchObject({
            code: 'dev-session-running',
            message: expect.stringMatching(running),
          });
        }
      }
      await expect(hostOf(environment).serve(webhooks)).rejects.toMatchObject({ code: 'dev-session-running' });
      const after = await client.get(CustomResourceDefinition, name);
      expect(after).toEqual(before);
      await kill();
      const { spec, metadata } = await applyDefinition(client, definition(), asOwner);
      expect(spec.conversion).toEqual(withoutWebhook);
      expect([metadata.labels, metadata.annotations]).toEqual([undefined, undefined]);
    });
  });

  it('keeps a conversion that was changed while a session served it', async () => {
    await using environment = await start();
    const { client } = environment;
    await applyDefinition(client, definition(byService), asOwner);
    const end = await hostOf(environment).serve(webhooks);
    const conversion = { strategy: 'None', webhook: null } as const;
    await client.patch(CustomResourceDefinition, name, { merge: { spec: { conversion } } });
    await end();
    const { spec, metadata } = await client.get(CustomResourceDefinition, name);
    expect(spec.conversion).toEqual(withoutWebhook);
    expect([metadata.labels, metadata.annotations]).toEqual([undefined, undefined]);
  });
}

describeOnEmbeddedServer('the conversion of a CRD on an embedded server', () => {
  const start = () => Environment.create({ variables: {} });
  removesConversions(start);
  replacesConversions(start);
});

describeWithRealServer('the conversion of a CRD on a real server', () => {
  const start = async () => Environment.create({ variables: { KUBEBUILDER_ASSETS: await realServerAssets() } });
  removesConversions(start);
  replacesConversions(start);
});
