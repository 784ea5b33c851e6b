import { type ApiResource, type HostedWebhooks, SystemClock, type WebhookCall } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { describeWithRealServer, realServerAssets } from '../../../../test/real-server.fixture.ts';
import { Environment } from '../environment.ts';
import { HttpsDoor } from './https-door.ts';
import { ServingWebhookHost } from './serving-webhook-host.ts';

const group = 'docs.example.com';

function bookDefinition(plural: string): CustomResourceDefinition {
  const schema = {
    openAPIV3Schema: { type: 'object', required: ['pages'], properties: { pages: { type: 'integer' } } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, names: { plural, kind: plural }, scope: 'Cluster' },
      versions: [
        { name: 'v1', served: true, storage: true, schema },
        { name: 'v2', served: true, storage: false, schema },
      ],
    },
  } as CustomResourceDefinition;
}

/** Converts books by adding a page. */
const webhooksOf = (...plurals: string[]): HostedWebhooks => ({
  name: 'books',
  configurations: () => [],
  conversions: plurals.map((plural) => ({ group, plural })),
  handle: async ({ body }: WebhookCall) => {
    const { apiVersion, kind, request } = JSON.parse(Buffer.from(body).toString());
    const convertedObjects = request.objects.map((book: { pages: number }) => ({
      ...book,
      apiVersion: request.desiredAPIVersion,
      pages: book.pages + 1,
    }));
    const response = { uid: request.uid, convertedObjects, result: { status: 'Success' } };
    return { status: 200, body: JSON.stringify({ apiVersion, kind, response }), contentType: 'application/json' };
  },
});

const bookOf = (plural: string, version: string): ApiResource => ({
  ...{ group, version, kind: plural, plural, namespaced: false },
});

function hostsConversions(start: () => Promise<Environment>): void {
  it('waits until the API server calls the conversion of each kind, and leaves no probe', async () => {
    await using environment = await start();
    const { client } = environment;
    const door = new HttpsDoor(async () => '127.0.0.1', Date.now);
    const host = new ServingWebhookHost({ client, door, clock: new SystemClock() });
    // Without the wait, one round succeeds now and then.
    for (const round of ['a', 'b', 'c', 'd']) {
      const plurals = [`${round}books`, `${round}magazines`];
      for (const plural of plurals) {
        await environment.install(bookDefinition(plural));
        await client.create(bookOf(plural, 'v1'), { metadata: { name: 'one' }, pages: 1 });
        // From now on, the API server has a converter for the kind without the webhook.
        expect(await client.get(bookOf(plural, 'v2'), 'one')).toMatchObject({ pages: 1 });
      }
      const end = await host.serve(webhooksOf(...plurals));
      const read = await Promise.all(plurals.map((plural) => client.get(bookOf(plural, 'v2'), 'one')));
      expect(read.map(({ pages }) => pages)).toEqual([2, 2]);
      await end();
    }
    // A real server deletes the objects of a CRD first, in the background.
    await environment.eventually(async () => {
      const { items } = await client.list(CustomResourceDefinition);
      expect(items.filter(({ spec }) => spec.group !== group)).toEqual([]);
      expect(new Set(items.map(({ spec }) => spec.conversion?.strategy))).toEqual(new Set(['None']));
    });
  });
}

describe('ServingWebhookHost on an embedded server', () => {
  hostsConversions(() => Environment.create({ variables: {} }));
});

describeWithRealServer('ServingWebhookHost on a real server', () => {
  hostsConversions(async () => Environment.create({ variables: { KUBEBUILDER_ASSETS: await realServerAssets() } }));
});
