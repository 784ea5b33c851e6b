import { type ApiResource, type HostedWebhooks, SystemClock, type WebhookCall } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import {
  describeOnEmbeddedServer,
  describeWithRealServer,
  realServerAssets,
} from '../../../../test/real-server.fixture.ts';
import { Environment } from '../environment.ts';
import { HttpsDoor } from './https-door.ts';
import { KilledSession } from './killed-session-process.fixture.ts';
import { registeredKinds } from './registered-object.ts';
import { ServingWebhookHost } from './serving-webhook-host.ts';
import { sessionLabel } from './session-mark.ts';

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
  policies: [],
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
      const after = await Promise.all(plurals.map((plural) => client.get(bookOf(plural, 'v2'), 'one')));
      expect(after.map(({ pages }) => pages)).toEqual([1, 1]);
    }
    // A real server deletes the objects of a CRD first, in the background.
    await environment.eventually(async () => {
      const { items } = await client.list(CustomResourceDefinition);
      expect(items.filter(({ spec }) => spec.group !== group)).toEqual([]);
      expect(new Set(items.map(({ spec }) => spec.conversion?.strategy))).toEqual(new Set(['None']));
    });
  });
}

/** The names of everything that sessions have created or changed. */
async function marked({ client }: Environment): Promise<string[]> {
  const kinds = [...Object.values(registeredKinds), CustomResourceDefinition];
  const lists = await Promise.all(kinds.map((kind) => client.list(kind, { labels: sessionLabel })));
  return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.name));
}

/** Runs a session in another process until it prints a line, and kills it. */
async function killSession(environment: Environment, stuckAt: string, line: string): Promise<void> {
  const session = await KilledSession.start(await environment.kubeconfig(), stuckAt);
  const printed = await session.firstLine;
  await session.kill();
  expect(printed).toBe(`${line}\n`);
}

function cleansUp(start: () => Promise<Environment>): void {
  const hostOf = ({ client }: Environment): ServingWebhookHost =>
    new ServingWebhookHost({
      client,
      door: new HttpsDoor(async () => '127.0.0.1', Date.now),
      clock: new SystemClock(),
    });

  it.each([
    ['it waits for its configurations', 'configmaps', 'waiting', /^evenkeel-probe-/],
    ['it waits for its conversions', 'conversionprobes', 'waiting', /^conversionprobes\./],
    ['it serves', 'nothing', 'serving', /^evenkeel-killed-/],
  ])('removes what a session left that was killed while %s', async (_when, stuckAt, line, expected) => {
    await using environment = await start();
    const { client } = environment;
    await environment.install(bookDefinition('books'));
    const before = await client.get(CustomResourceDefinition, `books.${group}`);
    await killSession(environment, stuckAt, line);
    const left = await marked(environment);
    expect(left).toContainEqual(expect.stringMatching(expected));
    // The CRD itself stays.
    const removed = left.map((name) => (name === `books.${group}` ? `the conversion of ${name}` : name));
    expect((await hostOf(environment).removeAbandoned()).toSorted()).toEqual(removed.toSorted());
    // A real server deletes the objects of a CRD first, in the background.
    await environment.eventually(async () => expect(await marked(environment)).toEqual([]));
    const { metadata, spec } = await client.get(CustomResourceDefinition, `books.${group}`);
    expect(spec).toEqual(before.spec);
    expect(metadata.annotations ?? {}).toEqual(before.metadata.annotations ?? {});
  });

  it('keeps what a running session has registered', async () => {
    await using environment = await start();
    await environment.install(bookDefinition('books'));
    const end = await hostOf(environment).serve(webhooksOf('books'));
    const registered = await marked(environment);
    expect(registered).toContain(`books.${group}`);
    expect(await hostOf(environment).removeAbandoned()).toEqual([]);
    expect(await marked(environment)).toEqual(registered);
    await end();
  });
}

describeOnEmbeddedServer('ServingWebhookHost on an embedded server', () => {
  hostsConversions(() => Environment.create({ variables: {} }));
  cleansUp(() => Environment.create({ variables: {} }));
});

describeWithRealServer('ServingWebhookHost on a real server', () => {
  const start = async () => Environment.create({ variables: { KUBEBUILDER_ASSETS: await realServerAssets() } });
  hostsConversions(start);
  cleansUp(start);
});
