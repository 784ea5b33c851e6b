import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, SeededRandom } from '@evenkeel/core';
import { ApiServer, type ApiServerOptions } from './api-server.ts';
import { request, watchEvents } from './request.fixture.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, data: object = {}): object => ({ metadata: { name }, data });

const servers: ApiServer[] = [];
async function start(options: ApiServerOptions = { controllers: false }): Promise<ApiServer> {
  const server = await ApiServer.create(options);
  servers.push(server);
  return server;
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

describe('ApiServer', () => {
  it('starts with the namespaces, the service and the roles of a new cluster', async () => {
    const transport = (await start()).transport();
    const { body } = await request(transport, 'GET', '/api/v1/namespaces');
    expect(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual([
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ]);
    const service = await request(transport, 'GET', '/api/v1/namespaces/default/services/kubernetes');
    expect(service.body.spec.clusterIP).toBe('10.96.0.1');
    const role = await request(transport, 'GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin');
    expect(role.status).toBe(200);
  });

  it('shares no state with another server in the same process', async () => {
    const [one, other] = [(await start()).transport(), (await start()).transport()];
    await request(one, 'POST', maps, configMap('mine'));
    expect((await request(other, 'GET', `${maps}/mine`)).status).toBe(404);
  });

  it('generates the same names and uids from the same seed', async () => {
    const names = async (): Promise<unknown> => {
      const clock = new ManualClock();
      const transport = (await start({ controllers: false, random: new SeededRandom(7), clock })).transport();
      const { body } = await request(transport, 'POST', maps, { metadata: { generateName: 'x-' } });
      return body;
    };
    expect(await names()).toEqual(await names());
  });

  it('delivers every change to a watch once and in order, from the requested revision', async () => {
    const transport = (await start()).transport();
    await request(transport, 'POST', maps, configMap('before'));
    const { body: list } = await request(transport, 'GET', maps);
    const stopping = new AbortController();
    const events = watchEvents(
      transport,
      `${maps}?watch=1&resourceVersion=${list.metadata.resourceVersion}`,
      stopping.signal,
    );
    const first = events.next();
    await request(transport, 'POST', maps, configMap('a'));
    await request(transport, 'PUT', `${maps}/a`, configMap('a', { x: '1' }));
    await request(transport, 'PUT', `${maps}/a`, configMap('a', { x: '1' }));
    await request(transport, 'DELETE', `${maps}/a`);
    const seen = [await first, await events.next(), await events.next()].map(({ value }) => value);
    expect(seen.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
      'ADDED a',
      'MODIFIED a',
      'DELETED a',
    ]);
    const revisions = seen.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(revisions).toEqual([...revisions].sort((x, y) => x - y));
    stopping.abort();
  });

  it('sends a watch with a selector ADDED and DELETED when an object starts and stops matching', async () => {
    const transport = (await start()).transport();
    await request(transport, 'POST', maps, configMap('a'));
    const { body } = await request(transport, 'GET', maps);
    const events = watchEvents(
      transport,
      `${maps}?watch=1&labelSelector=on&resourceVersion=${body.metadata.resourceVersion}`,
    );
    const first = events.next();
    const merge = { 'content-type': 'application/merge-patch+json' };
    await request(transport, 'PATCH', `${maps}/a`, { metadata: { labels: { on: 'yes' } } }, merge);
    await request(transport, 'PATCH', `${maps}/a`, { metadata: { labels: { on: null } } }, merge);
    const [added, deleted] = [(await first).value, (await events.next()).value];
    expect([added.type, deleted.type]).toEqual(['ADDED', 'DELETED']);
    expect(deleted.object.metadata.labels).toEqual({ on: 'yes' });
    expect(Number(deleted.object.metadata.resourceVersion)).toBeGreaterThan(
      Number(added.object.metadata.resourceVersion),
    );
  });

  it('continues a chunked list at the revision of its first chunk', async () => {
    const transport = (await start()).transport();
    for (const name of ['a', 'b', 'c', 'd']) await request(transport, 'POST', maps, configMap(name));
    const first = await request(transport, 'GET', `${maps}?limit=2`);
    expect(first.body.metadata.remainingItemCount).toBe(2);
    await request(transport, 'DELETE', `${maps}/c`);
    await request(transport, 'POST', maps, configMap('bb'));
    const token = encodeURIComponent(first.body.metadata.continue);
    const rest = await request(transport, 'GET', `${maps}?limit=2&continue=${token}`);
    const names = rest.body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    expect(names).toEqual(['c', 'd']);
    expect(rest.body.metadata).toEqual({ resourceVersion: first.body.metadata.resourceVersion });
  });

  it('sends requested bookmarks each minute, and ends a watch at its timeout', async () => {
    const clock = new ManualClock();
    const transport = (await start({ controllers: false, clock })).transport();
    const events = watchEvents(
      transport,
      `${maps}?watch=1&allowWatchBookmarks=true&timeoutSeconds=90&resourceVersion=1`,
    );
    const first = events.next();
    await clock.advance(60_000);
    expect((await first).value).toMatchObject({ type: 'BOOKMARK', object: { kind: 'ConfigMap' } });
    const end = events.next();
    await clock.advance(30_000);
    expect((await end).done).toBe(true);
  });

  it('frees the addresses and ports of a Service that is rejected or a dry run', async () => {
    const transport = (await start()).transport();
    const services = '/api/v1/namespaces/default/services';
    const service = { metadata: { name: 's' }, spec: { clusterIP: '10.96.0.77', ports: [{ port: 80 }] } };
    const broken = { ...service, spec: { ...service.spec, ports: [{ port: 0 }] } };
    expect((await request(transport, 'POST', services, broken)).status).toBe(422);
    expect((await request(transport, 'POST', `${services}?dryRun=All`, service)).status).toBe(201);
    expect((await request(transport, 'POST', services, service)).status).toBe(201);
    const other = await request(transport, 'POST', services, { ...service, metadata: { name: 'other' } });
    expect(other.body.message).toContain('provided IP is already allocated');
  });

  it('makes a Deployment available unless one of its controllers is disabled', async () => {
    const deployment = {
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
      },
    };
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const transport = (await start({})).transport();
    await request(transport, 'POST', path, deployment);
    for await (const { object } of watchEvents(transport, `${path}?watch=1`)) {
      if (object.status?.readyReplicas === 1) break;
    }
    const idle = (await start({ controllers: { 'deployment-controller': false } })).transport();
    await request(idle, 'POST', path, deployment);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await request(idle, 'GET', '/apis/apps/v1/replicasets')).body.items).toEqual([]);
  });

  it('rejects bodies beyond the size limit and objects beyond the depth limit', async () => {
    const transport = (await start()).transport();
    const large = await request(transport, 'POST', maps, configMap('large', { x: 'x'.repeat(3 * 1024 * 1024) }));
    expect([large.status, large.body.reason]).toEqual([413, 'RequestEntityTooLarge']);
    const stored = await request(transport, 'POST', maps, configMap('stored', { x: 'x'.repeat(1_600_000) }));
    expect(stored.status).not.toBe(201);
    const deep = `{"metadata":{"name":"deep"},"data":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}`;
    expect((await request(transport, 'POST', maps, deep)).status).toBe(400);
    expect((await request(transport, 'GET', maps)).body.items).toEqual([]);
  });

  it('does not let a key in a body change a prototype', async () => {
    const transport = (await start()).transport();
    const body = '{"metadata":{"name":"a","labels":{"constructor":"x"}},"data":{"__proto__":"y"},"__proto__":{"z":1}}';
    const { status, body: created } = await request(transport, 'POST', maps, body);
    expect(status).toBe(201);
    expect(Object.keys(created.data)).toEqual(['__proto__']);
    expect(({} as { z?: number }).z).toBeUndefined();
  });

  it('rejects forbidden requests, and names the user and the access', async () => {
    const server = await start();
    const somebody = server.transport({ name: 'somebody', groups: [] });
    const { status, body } = await request(somebody, 'GET', maps);
    expect(status).toBe(403);
    expect(body.message).toBe(
      'configmaps is forbidden: User "somebody" cannot list resource "configmaps" in API group "" in the namespace "default"',
    );
    const binding = {
      metadata: { name: 'view' },
      subjects: [{ kind: 'User', name: 'somebody', apiGroup: 'rbac.authorization.k8s.io' }],
      roleRef: { kind: 'ClusterRole', name: 'view', apiGroup: 'rbac.authorization.k8s.io' },
    };
    const bindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
    await request(server.transport(), 'POST', bindings, binding);
    expect((await request(somebody, 'GET', maps)).status).toBe(200);
    expect((await request(somebody, 'POST', maps, configMap('a'))).status).toBe(403);
  });
});

describe('ApiServer.listen', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-apiserver-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('accepts tokens and client certificates, treats requests without them as anonymous, and rejects wrong ones', async () => {
    const { url, caPem, token, clientCertificate } = await (await start()).listen();
    const status = (headers: Record<string, string>, certificate = {}) =>
      statusOf(`${url}/api/v1/namespaces`, { ca: caPem, ...certificate }, headers);
    expect(await status({ authorization: `Bearer ${token}` })).toBe(200);
    expect(await status({}, { cert: clientCertificate.certificatePem, key: clientCertificate.privateKeyPem })).toBe(
      200,
    );
    expect(await status({})).toBe(403);
    expect(await status({ authorization: 'Bearer wrong' })).toBe(401);
  });

  it('writes a kubeconfig that only its owner can read', async () => {
    const server = await start();
    const { url } = await server.listen();
    const file = join(folder, 'kubeconfig');
    await server.writeKubeconfig(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain(url);
  });

  it('reports how to resolve a port conflict', async () => {
    const { port } = await (await start()).listen();
    const second = await start();
    await expect(second.listen({ port })).rejects.toMatchObject({
      code: 'port-in-use',
      message: expect.stringContaining('choose another port'),
    });
  });

  it('closes while a watch is open, and stops listening', async () => {
    const server = await start();
    const { url, caPem, token } = await server.listen();
    const ended = new Promise<void>((resolve, reject) => {
      const outgoing = httpsRequest(
        `${url}${maps}?watch=1`,
        { ca: caPem, headers: { authorization: `Bearer ${token}` } },
        (incoming) => {
          incoming.on('close', resolve).resume();
          void server.close();
        },
      );
      outgoing.on('error', reject).end();
    });
    await ended.catch(() => undefined);
    await expect(statusOf(`${url}/healthz`, { ca: caPem }, {})).rejects.toThrow('ECONNREFUSED');
  });
});

function statusOf(url: string, tls: object, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ ...tls, keepAlive: false });
    httpsRequest(url, { agent, headers }, (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}
