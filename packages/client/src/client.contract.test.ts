import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  isUnauthorized,
  type Logger,
  type LogKeys,
  Metadata,
  SilentLogger,
  StatusError,
} from '@evenkeel/core';
import {
  ConfigMap,
  Deployment,
  LocalSubjectAccessReview,
  Namespace,
  Pod,
  SelfSubjectAccessReview,
  SelfSubjectReview,
  ServiceAccount,
  SubjectAccessReview,
  type TokenRequest,
  TokenReview,
} from '@evenkeel/kinds';
import { CoreV1Api } from '@kubernetes/client-node';
import { type ApiBackend, describeOnEveryServer } from '../../../test/api-backend.fixture.ts';
import { CertificateAuthority, type IssuedCertificate } from '../../../test/fault-proxy.fixture.ts';
import type { Client } from './client.ts';
import { clientNodeConfig } from './client-node-config.ts';
import type { Connection, Credentials } from './connection.ts';
import { createClient } from './create-client.ts';
import { evict } from './evict.ts';
import { httpsTransport } from './https-transport.ts';
import { loadConnection } from './kubeconfig/load-connection.ts';
import { review } from './review.ts';
import { serves } from './serves.ts';
import type { WatchEvent } from './watch-event.ts';

async function rejection(promise: Promise<unknown>): Promise<StatusError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StatusError)) throw new Error(`not rejected by the server: ${String(error)}`);
  return error;
}

function connectionOf({ connection }: ApiBackend): Connection {
  if (connection === undefined) throw new Error('this backend has no socket');
  return connection;
}

/** Forwards connections, and counts them. */
async function countingFront(server: string): Promise<{ url: string; connections(): number; close(): Promise<void> }> {
  const { hostname, port, protocol } = new URL(server);
  let connections = 0;
  const front = createServer((socket) => {
    connections++;
    const target = connect(Number(port), hostname);
    socket.pipe(target).pipe(socket);
    socket.on('error', () => target.destroy());
    target.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  return {
    url: `${protocol}//${hostname}:${(front.address() as AddressInfo).port}`,
    connections: () => connections,
    close: () => new Promise((resolve) => front.close(() => resolve())),
  };
}

function map(name: string, data: Record<string, string> = {}, namespace = 'default') {
  return { metadata: { name, namespace }, data };
}

const container = { name: 'web', image: 'nginx:1' };
const labels = { app: 'web' };
const deployment = {
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [container] } },
  },
};

describeOnEveryServer('a client', (start, { overHttps }) => {
  let backend: ApiBackend;
  let client: Client;

  beforeAll(async () => {
    backend = await start();
    client = createClient(backend.transport(), { fieldManager: 'tester' });
  });
  afterAll(async () => {
    await backend?.stop();
  });

  it('creates, reads, replaces and deletes with its field manager', async () => {
    const created = await client.create(ConfigMap, map('crud', { a: '1' }));
    expect(created).toBeInstanceOf(ConfigMap);
    expect(created.metadata.managedFields?.map(({ manager, operation }) => [manager, operation])).toEqual([
      ['tester', 'Update'],
    ]);
    expect(await client.get(ConfigMap, 'default/crud')).toEqual(created);
    const replaced = await client.update(ConfigMap, { ...created, data: { b: '2' } });
    expect(replaced.data).toEqual({ b: '2' });
    const { uid, resourceVersion } = replaced.metadata;
    const stale = client.delete(ConfigMap, 'default/crud', { preconditions: { uid: 'another' } });
    expect(isConflict(await rejection(stale))).toBe(true);
    expect(
      await client.delete(ConfigMap, 'default/crud', {
        preconditions: { uid: uid ?? '', resourceVersion: resourceVersion ?? '' },
      }),
    ).toBeUndefined();
    expect(isNotFound(await rejection(client.get(ConfigMap, 'default/crud')))).toBe(true);
  });

  it('returns the object of a delete that a finalizer delays', async () => {
    const { metadata } = map('held');
    await client.create(ConfigMap, { metadata: { ...metadata, finalizers: ['example.com/hold'] } });
    const held = await client.delete(ConfigMap, 'default/held');
    expect(held?.metadata.deletionTimestamp).toBeDefined();
    await client.patch(ConfigMap, 'default/held', { merge: { metadata: { finalizers: null } } });
    expect(isNotFound(await rejection(client.get(ConfigMap, 'default/held')))).toBe(true);
  });

  it('stores nothing in a dry run', async () => {
    const checked = await client.create(ConfigMap, map('dry'), { dryRun: true });
    expect(checked.metadata.uid).toBeDefined();
    expect(isNotFound(await rejection(client.get(ConfigMap, 'default/dry')))).toBe(true);
    await client.create(ConfigMap, map('dry'));
    await client.patch(ConfigMap, 'default/dry', { merge: { data: { a: '1' } } }, { dryRun: true });
    await client.delete(ConfigMap, 'default/dry', { dryRun: true });
    expect((await client.get(ConfigMap, 'default/dry')).data).toBeUndefined();
  });

  it('applies, gets a conflict for fields of another manager, and takes them over by force', async () => {
    const first = await client.apply(ConfigMap, map('applied', { a: '1', b: '2' }));
    expect(first.data).toEqual({ a: '1', b: '2' });
    const other = { fieldManager: 'other' };
    const conflict = await rejection(client.apply(ConfigMap, map('applied', { a: 'mine' }), other));
    expect(isConflict(conflict)).toBe(true);
    expect(conflict.message).toBe(
      'apply configmaps default/applied: Apply failed with 1 conflict: conflict with "tester": .data.a',
    );
    expect((await client.apply(ConfigMap, map('applied', { a: 'mine' }), { ...other, force: true })).data).toEqual({
      a: 'mine',
      b: '2',
    });
    // A field that a manager no longer applies and that no other manager owns is removed.
    expect((await client.apply(ConfigMap, map('applied', {}))).data).toEqual({ a: 'mine' });
  });

  it('applies characters that are valid in JSON and not in YAML', async () => {
    const odd = '\x7f\x80\x85\x9b\u2028\u2029\ufeff\ufffe\uffff😀';
    expect((await client.apply(ConfigMap, map('odd', { odd }))).data).toEqual({ odd });
  });

  it('patches with all three patch types', async () => {
    await client.create(Deployment, deployment);
    const key = 'default/web';
    const merged = await client.patch(Deployment, key, { merge: { metadata: { labels: { by: 'merge' } } } });
    expect(merged.metadata.labels).toEqual({ by: 'merge' });
    const sidecar = { name: 'sidecar', image: 'envoy:1' };
    const strategic = { spec: { template: { spec: { containers: [sidecar] } } } };
    const containers = (of: Deployment): string[] | undefined =>
      of.spec?.template.spec?.containers.map(({ name }) => name);
    expect(containers(await client.patch(Deployment, key, { strategic }))).toEqual(['sidecar', 'web']);
    const path = '/spec/template/spec/containers/0';
    const json = [{ op: 'test', path: `${path}/name`, value: 'sidecar' } as const, { op: 'remove', path } as const];
    expect(containers(await client.patch(Deployment, key, { json }))).toEqual(['web']);
    const failed = await rejection(client.patch(Deployment, key, { json }));
    expect(isInvalid(failed)).toBe(true);
    expect(failed.message).toMatch(/^patch deployments\.apps default\/web: the server rejected our request/);
  });

  it('reads and writes status, scale and eviction', async () => {
    const key = 'default/sub';
    await client.create(Deployment, { ...deployment, metadata: { name: 'sub', namespace: 'default' } });
    const status = client.subresource(Deployment, key, 'status');
    const written = await status.patch({ merge: { spec: { replicas: 7 }, status: { observedGeneration: 5 } } });
    expect([written.status?.observedGeneration, written.spec?.replicas]).toEqual([5, 1]);
    await status.apply({ metadata: { name: 'sub', namespace: 'default' }, status: { collisionCount: 2 } });
    const latest = await status.get();
    expect(latest).toBeInstanceOf(Deployment);
    expect(latest.status).toMatchObject({ observedGeneration: 5, collisionCount: 2 });
    const newer = { observedGeneration: 6, collisionCount: 2 };
    expect((await status.update({ ...latest, status: newer })).status).toEqual(newer);
    const scale = client.subresource(Deployment, key, 'scale');
    const current = await scale.get();
    await scale.update({ ...current, spec: { replicas: 3 } });
    expect((await client.get(Deployment, key)).spec?.replicas).toBe(3);
    await client.create(Pod, { metadata: { name: 'p', namespace: 'default' }, spec: { containers: [container] } });
    await client.subresource(Pod, 'default/p', 'eviction').create({ metadata: { name: 'p', namespace: 'default' } });
    expect(isNotFound(await rejection(client.get(Pod, 'default/p')))).toBe(true);
  });

  it('lists pages of one version, follows all pages, and deletes what a selector selects', async () => {
    await client.create(Namespace, { metadata: { name: 'many' } });
    const names = Array.from({ length: 503 }, (_, at) => `m-${String(at).padStart(3, '0')}`);
    const parity = (at: number): Record<string, string> => ({ parity: at % 2 === 0 ? 'even' : 'odd' });
    await Promise.all(
      names.map((name, at) => client.create(ConfigMap, { metadata: { name, namespace: 'many', labels: parity(at) } })),
    );
    const all = await client.list(ConfigMap, { namespace: 'many' });
    expect(all.items.map(({ metadata }) => metadata.name)).toEqual(names);
    const page = await client.list(ConfigMap, { namespace: 'many', limit: 2 });
    expect(page).toMatchObject({ items: [{}, {}], continue: expect.any(String), remainingItemCount: 501 });
    await client.create(ConfigMap, map('m-later', {}, 'many'));
    const next = await client.list(ConfigMap, { namespace: 'many', limit: 600, continue: page.continue ?? '' });
    expect(next.resourceVersion).toBe(page.resourceVersion);
    expect(next.items.map(({ metadata }) => metadata.name)).toEqual(names.slice(2));
    const even = { namespace: 'many', labels: { parity: 'even' } };
    await client.deleteCollection(ConfigMap, { ...even, dryRun: true });
    expect((await client.list(ConfigMap, even)).items).toHaveLength(252);
    const deletions: (readonly string[] | undefined)[] = [];
    const observed = createClient(backend.transport(), {
      observers: [({ deleted }) => deletions.push(deleted?.map(({ metadata, kind }) => `${kind} ${metadata.name}`))],
    });
    await observed.deleteCollection(ConfigMap, even);
    expect(deletions.map((deleted) => deleted?.toSorted())).toEqual([
      names.filter((_, index) => index % 2 === 0).map((name) => `ConfigMap ${name}`),
    ]);
    expect((await client.list(ConfigMap, even)).items).toEqual([]);
    expect((await client.list(ConfigMap, { namespace: 'many' })).items).toHaveLength(252);
    const one = await client.list(ConfigMap, { namespace: 'many', fields: { 'metadata.name': 'm-001' } });
    expect(one.items.map(({ metadata }) => metadata.name)).toEqual(['m-001']);
  });

  it('watches existing and new objects until the loop is left', async () => {
    await client.create(Namespace, { metadata: { name: 'watched' } });
    const created = await client.create(ConfigMap, map('w', {}, 'watched'));
    const seen: string[] = [];
    for await (const event of client.watch(ConfigMap, { namespace: 'watched', bookmarks: false })) {
      seen.push(`${event.type} ${event.object.metadata.name}`);
      expect(event.object).toBeInstanceOf(ConfigMap);
      if (event.type === 'ADDED') await client.update(ConfigMap, { ...created, data: { changed: 'yes' } });
      if (event.type === 'MODIFIED') await client.delete(ConfigMap, 'watched/w');
      if (event.type === 'DELETED') break;
    }
    expect(seen).toEqual(['ADDED w', 'MODIFIED w', 'DELETED w']);
  });

  it('ends a watch when the server ends it, and rejects with the reason of its signal', async () => {
    const events: WatchEvent<ConfigMap>[] = [];
    const { resourceVersion } = await client.list(ConfigMap);
    for await (const event of client.watch(ConfigMap, { resourceVersion, timeoutSeconds: 1 })) events.push(event);
    expect(events.filter(({ type }) => type !== 'BOOKMARK')).toEqual([]);
    const abort = new AbortController();
    const watching = (async () => {
      for await (const { type } of client.watch(ConfigMap, { signal: abort.signal, bookmarks: false })) {
        if (type === 'ADDED') abort.abort(new Error('enough'));
      }
    })();
    await expect(watching).rejects.toThrow('enough');
  });

  it('gets, lists and watches only metadata', async () => {
    await client.create(ConfigMap, map('meta', { secret: 'long' }));
    const partial = Metadata(ConfigMap);
    const one = await client.get(partial, 'default/meta');
    expect(Object.keys(one).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
    expect([one.apiVersion, one.kind]).toEqual(['v1', 'ConfigMap']);
    const fields = { 'metadata.name': 'meta' };
    expect((await client.list(partial, { namespace: 'default', fields })).items).toEqual([one]);
    for await (const event of client.watch(partial, { namespace: 'default', fields, bookmarks: false })) {
      expect(event.object).toEqual(one);
      break;
    }
  });

  it('writes and deletes with the same calls for metadata', async () => {
    const created = await client.create(ConfigMap, map('partial', { a: '1' }));
    const partial = Metadata(ConfigMap);
    const patched = await client.patch(partial, 'default/partial', {
      merge: { metadata: { labels: { by: 'patch' } } },
    });
    expect(patched).not.toHaveProperty('data');
    expect([patched.kind, patched.metadata.labels, patched.metadata.uid]).toEqual([
      'ConfigMap',
      { by: 'patch' },
      created.metadata.uid,
    ]);
    const applied = await client.apply(partial, {
      metadata: { name: 'partial', namespace: 'default', annotations: { by: 'apply' } },
    });
    expect(Object.keys(applied).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
    expect((await client.get(ConfigMap, 'default/partial')).data).toEqual({ a: '1' });
    await client.deleteCollection(partial, { namespace: 'default', labels: { by: 'patch' } });
    expect(isNotFound(await rejection(client.get(partial, 'default/partial')))).toBe(true);
  });

  it('supports kinds without a class with the same calls', async () => {
    const maps = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
    const deployments = { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true };
    const created = await client.create(maps, map('plain', { a: '1' }));
    expect([created.constructor, created.apiVersion, created.kind]).toEqual([Object, 'v1', 'ConfigMap']);
    expect(await client.get(maps, 'default/plain')).toEqual(created);
    expect((await client.update(maps, { ...created, data: { a: '2' } }))['data']).toEqual({ a: '2' });
    expect((await client.patch(maps, 'default/plain', { merge: { data: { b: '3' } } }))['data']).toEqual({
      a: '2',
      b: '3',
    });
    expect((await client.apply(maps, map('plain', { c: '4' })))['data']).toEqual({ a: '2', b: '3', c: '4' });
    const fields = { 'metadata.name': 'plain' };
    const { items } = await client.list(maps, { namespace: 'default', fields });
    expect(items.map((item) => [item.apiVersion, item.kind, item['data']])).toEqual([
      ['v1', 'ConfigMap', { a: '2', b: '3', c: '4' }],
    ]);
    for await (const event of client.watch(maps, { namespace: 'default', fields, bookmarks: false })) {
      expect([event.type, event.object]).toEqual(['ADDED', items[0]]);
      break;
    }
    await client.create(deployments, { ...deployment, metadata: { name: 'plain', namespace: 'default' } });
    const scale = client.subresource(deployments, 'default/plain', 'scale');
    expect((await scale.patch({ merge: { spec: { replicas: 4 } } })).spec?.replicas).toBe(4);
    const status = client.subresource(deployments, 'default/plain', 'status');
    expect((await status.patch({ merge: { status: { collisionCount: 9 } } }))['status']).toMatchObject({
      collisionCount: 9,
    });
    expect(await client.delete(maps, 'default/plain')).toBeUndefined();
    expect(isNotFound(await rejection(client.get(maps, 'default/plain')))).toBe(true);
  });

  it('names the request, the object and the message of the server in its errors', async () => {
    await client.create(ConfigMap, map('there'));
    const stale = await client.get(ConfigMap, 'default/there');
    await client.patch(ConfigMap, 'default/there', { merge: { data: { a: '1' } } });
    const unserved = { group: 'none.example.com', version: 'v1', kind: 'None', plural: 'nones', namespaced: true };
    const rejections = {
      absent: await rejection(client.get(ConfigMap, 'default/absent')),
      exists: await rejection(client.create(ConfigMap, map('there'))),
      stale: await rejection(client.update(ConfigMap, stale)),
      invalid: await rejection(client.create(ConfigMap, map('Not_A_Name'))),
      strict: await rejection(
        client.create(ConfigMap, { ...map('x'), oops: 1 } as never, { fieldValidation: 'Strict' }),
      ),
      unserved: await rejection(client.list(unserved)),
    };
    expect(
      Object.fromEntries(Object.entries(rejections).map(([name, { message }]) => [name, message])),
    ).toMatchInlineSnapshot(`
{
  "absent": "get configmaps default/absent: configmaps "absent" not found",
  "exists": "create configmaps default/there: configmaps "there" already exists",
  "invalid": "create configmaps default/Not_A_Name: ConfigMap "Not_A_Name" is invalid: metadata.name: Invalid value: "Not_A_Name": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  "stale": "update configmaps default/there: Operation cannot be fulfilled on configmaps "there": the object has been modified; please apply your changes to the latest version and try again",
  "strict": "create configmaps default/x: ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "oops"",
  "unserved": "list nones.none.example.com: the server does not serve nones of none.example.com/v1; check that the CRD is installed",
}
`);
    expect(isNotFound(rejections.absent)).toBe(true);
    expect(isAlreadyExists(rejections.exists)).toBe(true);
    expect(isConflict(rejections.stale)).toBe(true);
    expect(isInvalid(rejections.invalid)).toBe(true);
    expect(rejections.strict.reason).toBe('BadRequest');
    expect(isNotFound(rejections.unserved)).toBe(true);
  });

  it('reports missing permissions of the user', async () => {
    const forbidden = await rejection(createClient(backend.transport('nobody')).get(ConfigMap, 'default/there'));
    expect(isForbidden(forbidden)).toBe(true);
    expect(forbidden.message).toBe(
      'get configmaps default/there: configmaps "there" is forbidden: User "nobody" cannot get resource "configmaps" in API group "" in the namespace "default"',
    );
  });

  it('logs each warning of the server once, also with non-ASCII letters', async () => {
    const observed: unknown[] = [];
    const logger = new SilentLogger() as Logger;
    logger.warn = (_message: string, keys: LogKeys = {}) => {
      observed.push(keys['warning']);
    };
    const warned = createClient(backend.transport(), { logger });
    for (const name of ['warned-a', 'warned-b']) {
      const odd = { ...map(name), 'ü x': 1, 日本: 2 } as never;
      await warned.create(ConfigMap, odd, { fieldValidation: 'Warn' });
    }
    expect(observed.sort()).toEqual(['unknown field "ü x"', 'unknown field "日本"']);
  });

  it('finds out by discovery what the server serves', async () => {
    const transport = backend.transport();
    const pods = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
    expect(await serves(transport, pods)).toBe(true);
    expect(await serves(transport, { ...pods, plural: 'pots' })).toBe(false);
    expect(await serves(transport, { ...pods, group: 'none.example.com' })).toBe(false);
  });

  it('evicts a pod as far as its disruption budget allows', async () => {
    const pod = (name: string, app: string) => ({
      metadata: { name, namespace: 'default', labels: { app } },
      spec: { containers: [container] },
    });
    await client.create(Pod, pod('evicted', 'free'));
    await evict(client, 'default/evicted', { gracePeriodSeconds: 0 });
    expect(isNotFound(await rejection(client.get(Pod, 'default/evicted')))).toBe(true);
    expect(isNotFound(await rejection(evict(client, 'default/evicted')))).toBe(true);
  });

  it('asks the server for its identity and permissions', async () => {
    const who = await review(client, SelfSubjectReview, {});
    expect(who.userInfo?.groups).toContain('system:masters');
    const resourceAttributes = { verb: 'delete', resource: 'nodes' };
    expect(await review(client, SelfSubjectAccessReview, { resourceAttributes })).toMatchObject({ allowed: true });
    const user = { user: 'somebody', resourceAttributes };
    expect(await review(client, SubjectAccessReview, user)).toMatchObject({ allowed: false });
    const local = { user: 'somebody', resourceAttributes: { ...resourceAttributes, namespace: 'default' } };
    expect(await review(client, LocalSubjectAccessReview, local, { namespace: 'default' })).toMatchObject({
      allowed: false,
    });
    const token = await client
      .subresource(ServiceAccount, 'default/robot', 'token')
      .create({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} })
      .catch((error: unknown) => error);
    expect(isNotFound(token)).toBe(true);
    await client.create(ServiceAccount, { metadata: { name: 'robot', namespace: 'default' } });
    const issued = (await client
      .subresource(ServiceAccount, 'default/robot', 'token')
      .create({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} })) as unknown as TokenRequest;
    const known = await review(client, TokenReview, { token: issued.status?.token ?? '' });
    expect(known).toMatchObject({ authenticated: true, user: { username: 'system:serviceaccount:default:robot' } });
  });

  // In the same process, no token is checked, and no connection is used.
  if (!overHttps) return;

  it('is rejected with an invalid token', async () => {
    const credentials = async () => ({ headers: { authorization: 'Bearer wrong' } });
    const transport = httpsTransport({ ...connectionOf(backend), credentials });
    const unauthorized = await rejection(createClient(transport).get(ConfigMap, 'default/there'));
    expect(isUnauthorized(unauthorized)).toBe(true);
    expect(unauthorized.message).toBe('get configmaps default/there: Unauthorized');
    await transport.close();
  });

  it('reuses a few connections for many concurrent requests', async () => {
    const counted = await countingFront(connectionOf(backend).server);
    const transport = httpsTransport({ ...connectionOf(backend), server: counted.url });
    const many = createClient(transport);
    const get = (): Promise<unknown> => many.get(Namespace, 'default');
    await Promise.all(Array.from({ length: 300 }, get));
    expect(counted.connections()).toBeLessThanOrEqual(64);
    const afterCrowd = counted.connections();
    for (let at = 0; at < 30; at++) await get();
    await Promise.all(Array.from({ length: 40 }, get));
    expect(counted.connections()).toBe(afterCrowd);
    await transport.close();
    await counted.close();
  });

  it('reads the authority again if it does not trust the server', async () => {
    const connection = connectionOf(backend);
    const given = await connection.credentials?.();
    const right = given?.ca ?? connection.ca;
    const wrong = new CertificateAuthority('another', Date.now()).certificatePem;
    const renewals: unknown[] = [];
    const transport = httpsTransport({
      ...connection,
      credentials: async (options) => {
        renewals.push(options?.renew);
        return { ...given, ca: options?.renew === true ? right : wrong };
      },
    });
    const renewing = createClient(transport);
    await expect(renewing.get(Namespace, 'default')).rejects.toThrow('its certificate is');
    expect((await renewing.get(Namespace, 'default')).metadata.name).toBe('default');
    expect(renewals).toEqual([false, true]);
    await transport.close();
  });

  it.each<[string, (one: IssuedCertificate, other: IssuedCertificate) => Credentials, RegExp]>([
    [
      'the key of another certificate',
      (one, other) => ({ cert: one.certificatePem, key: other.privateKeyPem }),
      /the client certificate and its key do not match/,
    ],
    [
      'half of a certificate',
      (one) => ({ cert: one.certificatePem.slice(0, 200), key: one.privateKeyPem }),
      /^cannot reach https:/,
    ],
  ])('reads credentials again after %s, as happens while files are replaced', async (_, of, message) => {
    const connection = connectionOf(backend);
    const given = await connection.credentials?.();
    const authority = new CertificateAuthority('rotating', Date.now());
    const [one, other] = [1, 2].map(() => authority.issue({ commonName: 'operator', usage: 'client' }));
    if (one === undefined || other === undefined) throw new Error('bug: there are two');
    const transport = httpsTransport({
      ...connection,
      credentials: async (options) => (options?.renew === true ? { ...given } : { ...given, ...of(one, other) }),
    });
    const renewing = createClient(transport);
    await expect(renewing.get(Namespace, 'default')).rejects.toThrow(message);
    expect((await renewing.get(Namespace, 'default')).metadata.name).toBe('default');
    await transport.close();
  });

  it('reports the correct server URL if it is called without TLS', async () => {
    const { server } = connectionOf(backend);
    const plain = server.replace('https:', 'http:');
    const transport = httpsTransport({ ...connectionOf(backend), server: plain });
    // A real server reports this; Node's server closes the connection.
    const why = /^cannot reach http:\/\/\S+: (it uses HTTPS;|the connection was reset; if it uses HTTPS,) write https:/;
    await expect(createClient(transport).get(Namespace, 'default')).rejects.toMatchObject({
      code: 'cluster-unreachable',
      message: expect.stringMatching(why),
    });
    await transport.close();
  });

  it('reaches the server through a proxy, one tunnel for many requests', async () => {
    const tunnels: string[] = [];
    const proxy = createHttpServer();
    proxy.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
      tunnels.push(url);
      const { hostname, port } = new URL(`http://${url}`);
      const target = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        target.pipe(socket).pipe(target);
      });
      target.on('error', () => socket.destroy());
      socket.on('error', () => target.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const transport = httpsTransport({ ...connectionOf(backend), proxyUrl });
    const proxied = createClient(transport);
    for (let at = 0; at < 5; at++) {
      expect((await proxied.get(Namespace, 'default')).metadata.name).toBe('default');
      // The agent takes the connection back one turn of the event loop later.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(tunnels).toEqual([new URL(connectionOf(backend).server).host]);
    await transport.close();
    await new Promise((resolve) => proxy.close(resolve));
  });

  it('impersonates the user of the kubeconfig, with groups and extra', async () => {
    const { server, ca = '' } = connectionOf(backend);
    const token = (await connectionOf(backend).credentials?.())?.headers?.['authorization'];
    const folder = await mkdtemp(join(tmpdir(), 'evenkeel-impersonation-'));
    const file = join(folder, 'config');
    const user = {
      token: String(token).replace('Bearer ', ''),
      as: 'jane',
      'as-groups': ['dev', 'system:masters'],
      'as-user-extra': { 'example.com/Team': ['red', 'blue'] },
    };
    const cluster = { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
    await writeFile(
      file,
      JSON.stringify({
        'current-context': 'c',
        clusters: [{ name: 'c', cluster }],
        users: [{ name: 'u', user }],
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      }),
    );
    const transport = httpsTransport(await loadConnection({ kubeconfig: file, environment: {} }));
    const { userInfo } = await review(createClient(transport), SelfSubjectReview, {});
    expect(userInfo).toMatchObject({
      username: 'jane',
      groups: expect.arrayContaining(['dev', 'system:masters']),
      extra: { 'example.com/team': ['red', 'blue'] },
    });
    await transport.close();
    await rm(folder, { recursive: true });
  });

  it('passes its connection and credentials to client-node', async () => {
    const connection = connectionOf(backend);
    const config = await clientNodeConfig(connection);
    const { items } = await config.makeApiClient(CoreV1Api).listNamespace();
    expect(items.map(({ metadata }) => metadata?.name)).toContain('default');
    expect(config.getContextObject('current')?.namespace).toBe(connection.namespace ?? 'default');
    const impersonating = await clientNodeConfig({
      ...connection,
      credentials: async () => ({
        headers: { ...(await connection.credentials?.())?.headers, 'impersonate-user': 'somebody' },
      }),
    });
    await expect(impersonating.makeApiClient(CoreV1Api).listNamespace()).rejects.toMatchObject({ code: 403 });
  });
});
