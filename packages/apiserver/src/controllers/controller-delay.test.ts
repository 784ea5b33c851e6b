import { ManualClock } from '@evenkeel/core';
import { ApiServer } from '../api-server.ts';
import { request } from '../request.fixture.ts';
import { ControlledServer } from './controlled-server.fixture.ts';

const namespace = '/api/v1/namespaces/default';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const replicaSets = '/apis/apps/v1/namespaces/default/replicasets';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const deployment = (name: string): object => ({
  metadata: { name },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
  },
});

const definition = {
  metadata: { name: 'sites.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Site', plural: 'sites', singular: 'site', listKind: 'SiteList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

describe('a server whose controllers have a delay of 100 ms', () => {
  let server: ControlledServer;

  beforeEach(async () => {
    server = await ControlledServer.start({ controllerDelayMs: 100 });
  });
  afterEach(() => server.close());

  const after = async (delayMs: number): Promise<void> => {
    await server.quiet();
    await server.clock.advance(delayMs);
    await server.quiet();
  };
  const owned = async (): Promise<number> => (await server.send('GET', replicaSets)).items.length;

  it('does not change a new object before the delay has passed', async () => {
    const created = await server.send('POST', deployments, deployment('web'));
    await after(99);
    const path = `${deployments}/web`;
    const update = { ...created, spec: { ...created.spec, replicas: 2 } };
    expect((await server.answer('PUT', path, update)).status).toBe(200);
    expect(await owned()).toBe(0);
    // The creation is due, but not the update.
    await after(1);
    expect(await owned()).toBe(1);
  });

  it('delays a chain of controllers only once', async () => {
    await server.send('POST', deployments, deployment('web'));
    await after(100);
    expect((await server.send('GET', `${deployments}/web`)).status.readyReplicas).toBe(1);
  });

  it('serves a definition after the delay, and not before the client has its response', async () => {
    const created = await server.send('POST', definitions, definition);
    expect(created.status.conditions ?? []).toEqual([]);
    await after(99);
    expect((await server.answer('GET', '/apis/example.com/v1/sites')).status).toBe(404);
    expect((await server.answer('PUT', `${definitions}/sites.example.com`, created)).status).toBe(200);
    await after(100);
    expect((await server.answer('GET', '/apis/example.com/v1/sites')).status).toBe(200);
    const deleted = await server.answer('DELETE', `${definitions}/sites.example.com`);
    expect(deleted.status).toBe(200);
    expect((await server.answer('GET', `${definitions}/sites.example.com`)).status).toBe(200);
    await after(100);
    expect((await server.answer('GET', `${definitions}/sites.example.com`)).status).toBe(404);
  });

  it('collects garbage and removes namespaces after the delay', async () => {
    const owner = await server.send('POST', `${namespace}/configmaps`, { metadata: { name: 'owner' } });
    const { name, uid } = owner.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }];
    await server.send('POST', `${namespace}/configmaps`, { metadata: { name: 'owned', ownerReferences } });
    await server.send('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
    await after(100);
    await server.send('DELETE', `${namespace}/configmaps/owner`);
    await server.send('DELETE', '/api/v1/namespaces/shop');
    await after(99);
    expect((await server.answer('GET', `${namespace}/configmaps/owned`)).status).toBe(200);
    expect((await server.send('GET', '/api/v1/namespaces/shop')).status.phase).toBe('Terminating');
    await after(1);
    expect((await server.answer('GET', `${namespace}/configmaps/owned`)).status).toBe(404);
    expect((await server.answer('GET', '/api/v1/namespaces/shop')).status).toBe(404);
  });
});

describe('the default delay of controllers', () => {
  it.each([
    ['is 0, and 100 ms while a server with controllers listens', {}, 404],
    ['is 0 for a server without controllers', { controllers: false }, 200],
    ['does not replace the option', { controllerDelayMs: 0 }, 200],
  ] as const)('%s', async (_, options, status) => {
    const clock = new ManualClock();
    const server = await ApiServer.create({ ...options, clock });
    const send = (name: string) => request(server.transport(), 'POST', definitions, named(name));
    await send('a');
    expect((await request(server.transport(), 'GET', '/apis/a.example.com/v1/sites')).status).toBe(200);
    await server.listen();
    await send('b');
    expect((await request(server.transport(), 'GET', '/apis/b.example.com/v1/sites')).status).toBe(status);
    await server.close();
  });

  const named = (group: string): object => ({
    metadata: { name: `sites.${group}.example.com` },
    spec: { ...definition.spec, group: `${group}.example.com` },
  });
});
