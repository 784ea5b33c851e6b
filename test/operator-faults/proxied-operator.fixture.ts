import { type Client, type Connection, httpsTransport } from '@evenkeel/client';
import {
  type Clock,
  ignoreNotFound,
  isConflict,
  type Logger,
  type LogKeys,
  type ObjectMeta,
  type Random,
  SeededRandom,
  SilentLogger,
  type Transport,
} from '@evenkeel/core';
import { ConfigMap, Deployment, Namespace } from '@evenkeel/kinds';
import { eventually, HurriedClock } from '@evenkeel/testing';
import { createManager, type Manager } from '../../packages/runtime/src/manager/manager.ts';
import type { ManagerOptions } from '../../packages/runtime/src/options/manager-options.ts';
import type { ReconcileRun } from '../../packages/runtime/src/reconcile/reconcile-run.ts';
import { seed } from '../seed.fixture.ts';
import { Ledger, type Outside, Site, type SiteSpec, siteController } from './site-operator.fixture.ts';

/** How long a test waits for an expected state. */
const timeout = '90s';

class Lines extends SilentLogger {
  readonly lines: { readonly message: string; readonly keys: LogKeys }[] = [];

  override warn(message = '', keys: LogKeys = {}): void {
    this.lines.push({ message, keys });
  }

  override error(message = '', keys: LogKeys = {}): void {
    this.lines.push({ message, keys });
  }

  override child(): Logger {
    return this;
  }
}

/** An operator for sites on a hurried clock, and its user, in a separate namespace. */
export class SiteOperator {
  readonly namespace: string;
  readonly manager: Manager;
  readonly ledger: Ledger;
  readonly outside: Outside;
  readonly runs: ReconcileRun[];
  readonly lines: Lines['lines'];
  /** The user's client, without faults. */
  client: Client;
  /** Whether sites may have disappeared without a deletion, so that nothing withdraws their external state. */
  isSetBack = false;
  readonly #transport: Transport;
  /** The number of used names. */
  names = 0;

  private constructor(
    parts: Pick<SiteOperator, 'namespace' | 'manager' | 'ledger' | 'outside' | 'runs' | 'lines' | 'client'>,
    transport: Transport,
  ) {
    this.namespace = parts.namespace;
    this.manager = parts.manager;
    this.ledger = parts.ledger;
    this.outside = parts.outside;
    this.runs = parts.runs;
    this.lines = parts.lines;
    this.client = parts.client;
    this.#transport = transport;
  }

  /** `connection` is the operator's transport, `client` the user's. */
  static async start(
    client: Client,
    connection: Connection,
    {
      clock = new HurriedClock(),
      namespace,
      outside = new Map(),
      names = 0,
      inactivityTimeoutMs = 1000,
      ...options
    }: Partial<ManagerOptions> & {
      readonly clock?: Clock;
      readonly namespace?: string;
      readonly outside?: Outside;
      readonly names?: number;
      /** The time limit for a response. In production it is a minute and a half. */
      readonly inactivityTimeoutMs?: number;
    } = {},
  ): Promise<SiteOperator> {
    const own = namespace ?? (await client.create(Namespace, { metadata: { generateName: 'faults-' } })).metadata.name;
    const transport = httpsTransport(connection, { inactivityTimeoutMs });
    const ledger = new Ledger(outside);
    const runs: ReconcileRun[] = [];
    const logger = new Lines();
    const manager = await createManager({
      transport,
      clock,
      random: new SeededRandom(seed),
      namespaces: [own],
      controllers: [siteController(ledger)],
      observer: (run) => runs.push(run),
      logger,
      ...options,
    });
    await manager.start();
    const operator = new SiteOperator(
      { namespace: own, manager, ledger, outside, runs, lines: logger.lines, client },
      transport,
    );
    operator.names = names;
    return operator;
  }

  key(name: string): string {
    return `${this.namespace}/${name}`;
  }

  async create(name: string, spec: SiteSpec, metadata: Partial<ObjectMeta> = {}): Promise<void> {
    await this.client.create(Site, { metadata: { ...metadata, name, namespace: this.namespace }, spec } as never);
  }

  async change(name: string, spec: SiteSpec): Promise<void> {
    await this.client.patch(Site, this.key(name), { merge: { spec } });
  }

  async delete(name: string): Promise<void> {
    await this.client.delete(Site, this.key(name));
  }

  /**
   * Makes this many random writes of users, and of others who sometimes change or delete a child. Each name is used
   * only once, because nothing collects the children of a deleted object.
   */
  async changeAtRandom(random: Random, times: number): Promise<void> {
    const { namespace, client } = this;
    const spec = () => ({
      pages: ['home', 'news', 'about'].slice(0, random.integer(4)),
      text: `é€😀 ${random.integer(1_000_000)}`,
    });
    for (let at = 0; at < times; at++) {
      const sites = (await client.list(Site, { namespace })).items.filter(
        ({ metadata }) => metadata.deletionTimestamp === undefined && metadata.name.startsWith('site-'),
      );
      const { name: site, resourceVersion = '' } = sites[random.integer(5)]?.metadata ?? {};
      const act = random.integer(4);
      if (site === undefined) await this.create(`site-${this.names++}`, spec());
      else if (act === 0) await this.#deleteUnchanged(site, resourceVersion);
      else if (act > 1) await this.change(site, spec());
      else {
        const maps = (await client.list(ConfigMap, { namespace })).items;
        const map = maps[random.integer(maps.length)]?.metadata.name;
        if (map === undefined) continue;
        const merge = { data: { text: 'drifted' }, metadata: { labels: { drifted: 'yes' } } };
        if (random.integer(2) === 0) await ignoreNotFound(client.delete(ConfigMap, this.key(map)));
        else await ignoreNotFound(client.patch(ConfigMap, this.key(map), { merge }));
      }
    }
  }

  /**
   * A server may remove an object immediately after a delete without a version, although a finalizer has just been
   * added (https://github.com/kubernetes/kubernetes/issues/77988). Then nothing could withdraw the external state.
   */
  async #deleteUnchanged(name: string, resourceVersion: string): Promise<void> {
    try {
      await this.client.delete(Site, this.key(name), { preconditions: { resourceVersion } });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }

  eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
    return eventually(assertion, { timeout });
  }

  /**
   * Checks that every site was reconciled in its latest generation and has exactly the desired children, that all other
   * sites were withdrawn, that no key was reconciled twice at the same time, and that nothing is written afterwards.
   */
  async converges(): Promise<void> {
    await this.eventually(() => this.#isLevel());
    expect(this.ledger.overlaps).toEqual([]);
    const before = await this.#versions();
    let { runs } = this.ledger;
    const aWhile = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));
    await aWhile();
    expect(await this.#versions()).toEqual(before);
    await this.#isLevel();
    // A watch that is restored late causes one more run of each site. A loop never ends.
    await this.eventually(async () => {
      const since = this.ledger.runs - runs;
      runs = this.ledger.runs;
      if (since >= 10) await aWhile();
      expect(since).toBeLessThan(10);
    });
  }

  async stop(): Promise<void> {
    await this.manager.stop();
    await this.#transport.close();
  }

  async #isLevel(): Promise<void> {
    const { namespace } = this;
    const sites = (await this.client.list(Site, { namespace })).items;
    const uids = new Set<string | undefined>();
    const wanted: Record<string, unknown> = {};
    for (const { metadata, spec, status } of sites) {
      const { name, uid, generation, deletionTimestamp } = metadata;
      expect([name, deletionTimestamp]).toEqual([name, undefined]);
      const pages = spec.pages ?? [];
      expect({ name, observed: status?.observedGeneration, pages: status?.pages }).toEqual({
        name,
        observed: generation,
        pages: pages.length,
      });
      uids.add(uid);
      for (const page of pages) wanted[`ConfigMap ${name}-${page}`] = { uid, is: spec.text };
      wanted[`Deployment ${name}`] = { uid, is: pages.length };
    }
    const found: Record<string, unknown> = {};
    const children = [
      ...(await this.client.list(ConfigMap, { namespace })).items.map((child) => ({ child, is: child.data?.['text'] })),
      ...(await this.client.list(Deployment, { namespace })).items.map((child) => ({
        child,
        is: child.spec?.replicas,
      })),
    ];
    for (const { child, is } of children) {
      const uid = child.metadata.ownerReferences?.[0]?.uid;
      // Nothing collects the children of deleted owners.
      if (uids.has(uid)) found[`${child.kind} ${child.metadata.name}`] = { uid, is };
    }
    expect(found).toEqual(wanted);
    const published = sites.map((site) => [this.key(site.metadata.name), site.spec.text]);
    const isThere = new Set(published.map(([key]) => key));
    const outside = [...this.outside].filter(([key]) => !this.isSetBack || isThere.has(key));
    expect(outside.sort()).toEqual(published.sort());
  }

  async #versions(): Promise<string[]> {
    const { namespace } = this;
    const objects = [];
    for (const kind of [Site, ConfigMap, Deployment])
      objects.push(...(await this.client.list(kind, { namespace })).items);
    return objects.map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`);
  }
}
