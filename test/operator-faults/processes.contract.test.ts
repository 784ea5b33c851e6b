import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@evenkeel/client';
import { ConfigMap, Namespace } from '@evenkeel/kinds';
import { Lease } from '@evenkeel/kinds/coordination/v1';
import { eventually } from '@evenkeel/testing';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { FaultProxy } from '../fault-proxy.fixture.ts';
import { installSites } from './backend-environment.fixture.ts';
import { OperatorProcess, writeKubeconfig } from './operator-process.fixture.ts';
import { Site, type SiteSpec } from './site-operator.fixture.ts';

/** An operator in a separate process, and all requests that its server receives. */
class WatchedOperator {
  /** Requests that change something, with their times: no dry runs, Events or Leases. */
  readonly writes: { readonly atMs: number; readonly what: string }[] = [];
  readonly process: OperatorProcess;
  readonly #proxy: FaultProxy;

  private constructor(proxy: FaultProxy, process: OperatorProcess) {
    this.#proxy = proxy;
    this.process = process;
    proxy.faultFor = ({ method, path }) => {
      if (method !== 'GET' && !/\/(?:events|leases)\b|[?&]dryRun=/.test(path)) {
        this.writes.push({ atMs: performance.now(), what: `${method} ${path.replace(/\?.*/, '')}` });
      }
      return undefined;
    };
  }

  static async start(backend: ApiBackend, folder: string, flags: readonly string[]): Promise<WatchedOperator> {
    const proxy = await FaultProxy.start(backend.transport());
    const file = await writeKubeconfig(folder, proxy.connection.server);
    return new WatchedOperator(proxy, new OperatorProcess(file, flags));
  }

  async end(): Promise<void> {
    this.process.send('SIGCONT');
    this.process.send('SIGKILL');
    await this.process.exit;
    await this.#proxy.close();
  }
}

const tests = (startServer: () => Promise<ApiBackend>): void => {
  let backend: ApiBackend;
  let client: Client;
  let folder: string;
  let namespace: string;
  const operators: WatchedOperator[] = [];

  beforeAll(async () => {
    backend = await startServer();
    client = createClient(backend.transport(), { fieldManager: 'test' });
    await installSites(client);
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-processes-'));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
    await backend.stop();
  });

  beforeEach(async () => {
    namespace = (await client.create(Namespace, { metadata: { generateName: 'processes-' } })).metadata.name;
  });

  afterEach(async () => {
    for (const operator of operators.splice(0)) await operator.end();
  });

  async function start(...flags: string[]): Promise<WatchedOperator> {
    const operator = await WatchedOperator.start(backend, folder, ['--namespaces', namespace, ...flags]);
    operators.push(operator);
    return operator;
  }

  /** A candidate in the namespace's election. A busy machine may delay it, but not for as long as its deadline. */
  const candidate = (leaseDuration = '5s', renewDeadline = '4s'): Promise<WatchedOperator> =>
    start(
      `--leader-election-namespace=${namespace}`,
      `--leader-election-lease-duration=${leaseDuration}`,
      `--leader-election-renew-deadline=${renewDeadline}`,
      '--leader-election-retry-period=250ms',
    );

  /** Two candidates: a leader, and a standby that has written nothing. */
  async function leaderAndNext(...lease: Parameters<typeof candidate>): Promise<[WatchedOperator, WatchedOperator]> {
    const [one, two] = await Promise.all([candidate(...lease), candidate(...lease)]);
    const leads = await Promise.race([one, two].map((each) => each.process.line('became leader').then(() => each)));
    const next = leads === one ? two : one;
    await Promise.all([leads.process.line('controller started'), next.process.line('standing by')]);
    expect(next.writes).toEqual([]);
    return [leads, next];
  }

  const create = (name: string, spec: SiteSpec): Promise<unknown> =>
    client.create(Site, { metadata: { name, namespace }, spec } as never);

  /** Waits until the site is reconciled in its latest generation, and has exactly its pages. */
  const settled = (name: string): Promise<void> =>
    eventually(
      async () => {
        const { metadata, spec, status } = await client.get(Site, `${namespace}/${name}`);
        expect(status?.observedGeneration).toBe(metadata.generation);
        const maps = (await client.list(ConfigMap, { namespace })).items.map((map) => map.metadata.name);
        const pages = (spec.pages ?? []).map((page) => `${name}-${page}`);
        expect(maps.filter((map) => map.startsWith(`${name}-`)).sort()).toEqual(pages.toSorted());
      },
      { timeout: '90s' },
    );

  it('start no write after the deadline of a paused leader, and the other one finishes', async () => {
    await client.create(ConfigMap, { metadata: { name: 'written', namespace } });
    await create('endless', { pages: ['home'], text: 'write on' });
    const [one, two] = await leaderAndNext();
    await one.process.line('entered');
    await create('lasting', { pages: ['home', 'news'], text: 'first' });
    await settled('lasting');
    one.process.send('SIGSTOP');
    await client.patch(Site, `${namespace}/lasting`, { merge: { spec: { pages: ['about'], text: 'second' } } });
    await two.process.line('became leader');
    await settled('lasting');
    const before = one.writes.length;
    expect(two.writes[0]?.atMs).toBeGreaterThan(one.writes[before - 1]?.atMs ?? Number.NaN);
    one.process.send('SIGCONT');
    expect(await one.process.exit).toBe(1);
    expect(one.process.lines).toContainEqual(expect.objectContaining({ code: 'leadership-lost' }));
    // A request cannot be withdrawn if the pause comes between the last check of the clock and the socket.
    const after = one.writes.slice(before).map(({ what }) => what);
    expect([[], [`PATCH /api/v1/namespaces/${namespace}/configmaps/written`]]).toContainEqual(after);
    await create('after', { pages: ['home'], text: 'third' });
    await settled('after');
  });

  it('exit with 1 if the leader loses its Lease during a reconcile, and the other one finishes', async () => {
    // Long enough that only the lost Lease stops it.
    const [one, two] = await leaderAndNext('20s', '15s');
    await create('halved', { pages: ['home', 'news'], text: 'for ever' });
    await one.process.line('entered');
    const stolen = { holderIdentity: 'thief', leaseDurationSeconds: 1 };
    await client.patch(Lease, `${namespace}/sites`, { merge: { spec: stolen } });
    expect(await one.process.exit).toBe(1);
    const ofPages = one.writes.flatMap(({ what }) => /configmaps\/(\S+)/.exec(what)?.[1] ?? []);
    expect(ofPages).toEqual(['halved-home']);
    await client.patch(Site, `${namespace}/halved`, { merge: { spec: { text: 'quick' } } });
    await two.process.line('became leader');
    await settled('halved');
  });

  it('stop after running reconciles have finished, and exit with 0', async () => {
    const { process } = await start();
    await process.line('controller started');
    await create('last', { pages: ['home', 'news'], text: 'slow' });
    await process.line('entered');
    process.send('SIGTERM');
    expect(await process.exit).toBe(0);
    await settled('last');
  });

  it('stop after the grace period if a promise never settles, and exit with 1; other reconciles continue until then', async () => {
    const one = await start('--grace-period=300ms');
    await one.process.line('controller started');
    await create('stuck', { pages: ['home', 'news'], text: 'for ever' });
    await one.process.line('entered');
    // Its key stays busy, even if the object changes.
    await client.patch(Site, `${namespace}/stuck`, { merge: { spec: { text: 'mended' } } });
    const others = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(others.map((name) => create(name, { pages: ['home'], text: name })));
    for (const name of others) await settled(name);
    expect(one.process.lines.filter(({ msg }) => msg === 'entered')).toHaveLength(1);
    one.process.send('SIGTERM');
    const stoppedMs = performance.now();
    expect(await one.process.exit).toBe(1);
    // Without this flag, it would wait for half a minute.
    expect(performance.now() - stoppedMs).toBeLessThan(25_000);
    expect(one.process.lines).toContainEqual(
      expect.objectContaining({ msg: 'reconcile did not finish before the manager stopped', name: 'stuck', namespace }),
    );
    // The next process continues from there.
    await start();
    await settled('stuck');
  });

  it('report which reconcile blocks the event loop, and continue', async () => {
    const { process } = await candidate('20s', '15s');
    await process.line('controller started');
    await create('blocking', { pages: ['home', 'news'], text: 'block 1500' });
    // A busy machine blocks a process too, without a reconcile as the cause.
    const line = await process.line('the event loop was blocked', 0, ({ name }) => name === 'blocking');
    expect(line).toMatchObject({ level: 'warn', controller: 'sites', namespace, name: 'blocking' });
    expect(line['blockedMs']).toBeGreaterThan(1000);
    await settled('blocking');
  });

  it('write nothing after the event loop was blocked for longer than the renew deadline', async () => {
    const [one, two] = await leaderAndNext();
    await create('blocking', { pages: ['home', 'news'], text: 'block 4500' });
    await one.process.line('entered');
    await client.patch(Site, `${namespace}/blocking`, { merge: { spec: { text: 'quick' } } });
    expect(await one.process.exit).toBe(1);
    expect(one.writes.flatMap(({ what }) => /configmaps\/(\S+)/.exec(what)?.[1] ?? [])).toEqual(['blocking-home']);
    await two.process.line('became leader');
    await settled('blocking');
  });
};

describeOnEveryServer('whole operators as processes', tests, { embedded: 'over HTTPS' });
