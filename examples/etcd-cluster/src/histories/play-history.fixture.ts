import { setTimeout as delay } from 'node:timers/promises';
import type { Environment, PodRunner } from '@evenkeel/testing';
import { findCondition, Pod, type Random, SeededRandom } from 'evenkeel';
import { EtcdBackup, EtcdRestore } from '../etcd-backup.ts';
import { EtcdClient, NotSentError } from '../etcd-client.fixture.ts';
import { EtcdCluster } from '../etcd-cluster.ts';
import { checkHistory, checkRestored, type Operation } from './check-history.fixture.ts';

/** What happened in one history. */
export interface PlayedHistory {
  readonly seed: number;
  readonly actions: readonly string[];
  readonly acknowledged: number;
  readonly unknown: number;
  readonly reads: number;
  readonly violations: readonly string[];
}

const clientCount = 2;
const keysOfEach = 2;
const pauseMs = 20;
const actionCount = 5;
/** On the clock of the environment, which runs five times as fast as the processes. */
const patience = { timeout: '900s' } as const;

/**
 * Plays one history: clients write and read all the time, while the cluster is scaled, upgraded and backed up, processes are killed and
 * pods are lost. At the end, the backup is restored. The seed decides the actions, their order and the clients' keys. The moment at which
 * each request meets an action depends on the machine.
 *
 * Pods are lost only from a cluster that has settled, and only so many that a quorum survives. Any number of processes is killed at any
 * time, because their pods keep the data.
 */
export async function playHistory(environment: Environment, runner: PodRunner, seed: number): Promise<PlayedHistory> {
  const stage = new Stage(environment, runner, await environment.createNamespace(), new SeededRandom(seed));
  await stage.start();
  const clients = Array.from({ length: clientCount }, (_, number) =>
    stage.runClient(number, new SeededRandom(seed * 31 + number)),
  );
  try {
    const backupAfter = stage.random.integer(actionCount);
    for (let number = 0; number < actionCount; number++) {
      await stage.act();
      if (number === backupAfter) await stage.backUp();
      if (stage.random.integer(2) === 0) await stage.settled();
      else await delay(stage.random.integer(1500));
    }
    await stage.settled();
  } finally {
    stage.stopping.abort();
    await Promise.all(clients);
  }
  const violations = [...(await stage.checkEnd()), ...(await stage.checkRestore())];
  await stage.remove();
  const puts = stage.history.filter(({ kind }) => kind === 'put');
  return {
    ...{ seed, actions: stage.actions, violations },
    acknowledged: puts.filter(({ endedMs }) => endedMs !== undefined).length,
    unknown: puts.filter(({ endedMs }) => endedMs === undefined).length,
    reads: stage.history.filter(({ kind, endedMs }) => kind === 'get' && endedMs !== undefined).length,
  };
}

class Stage {
  readonly history: Operation[] = [];
  readonly actions: string[] = [];
  readonly stopping = new AbortController();
  readonly random: Random;
  readonly #environment: Environment;
  readonly #runner: PodRunner;
  readonly #namespace: string;
  #size = 3;
  #patch = 16;
  #savedMs = 0;

  constructor(environment: Environment, runner: PodRunner, namespace: string, random: Random) {
    this.#environment = environment;
    this.#runner = runner;
    this.#namespace = namespace;
    this.random = random;
  }

  async start(): Promise<void> {
    await this.#environment.client.create(EtcdCluster, {
      metadata: { name: 'db', namespace: this.#namespace },
      spec: { size: this.#size, version: `3.6.${this.#patch}` },
    } as never);
    await this.settled();
  }

  /** Does the next action. */
  async act(): Promise<void> {
    switch (this.random.integer(4)) {
      case 0:
        this.#size = 1 + ((this.#size + this.random.integer(4)) % 5);
        this.actions.push(`scale to ${this.#size}`);
        return await this.#change({ size: this.#size });
      case 1:
        this.#patch++;
        this.actions.push(`upgrade to 3.6.${this.#patch}`);
        return await this.#change({ version: `3.6.${this.#patch}` });
      case 2: {
        const pods = await this.#pods();
        const killed = pods.slice(0, 1 + this.random.integer(pods.length));
        this.actions.push(`kill ${killed.length} of ${pods.length} processes`);
        for (const pod of killed) this.#runner.kill(pod);
        return;
      }
      default: {
        await this.settled();
        const pods = await this.#pods();
        const lost = pods.slice(0, Math.floor((pods.length - 1) / 2));
        this.actions.push(`lose ${lost.length} of ${pods.length} pods`);
        for (const { metadata } of lost)
          await this.#environment.client.delete(Pod, `${this.#namespace}/${metadata.name}`, { gracePeriodSeconds: 0 });
      }
    }
  }

  async backUp(): Promise<void> {
    this.actions.push('back up');
    this.#savedMs = performance.now();
    await this.#create(EtcdBackup, 'saved', { cluster: 'db' });
    await this.#until(EtcdBackup, 'saved', 'Ready');
  }

  /** Resolves when the cluster is as desired. */
  async settled(): Promise<void> {
    await this.#environment.eventually(async () => {
      const { status } = await this.#environment.client.get(EtcdCluster, `${this.#namespace}/db`);
      expect(status).toMatchObject({ size: this.#size, version: `3.6.${this.#patch}` });
      expect([status?.members?.ready.length, status?.members?.unready]).toEqual([this.#size, []]);
      for (const type of ['Recovering', 'Scaling', 'Upgrading'])
        expect(findCondition(status?.conditions, type)?.status).toBe('False');
      expect(await this.#pods()).toHaveLength(this.#size);
    }, patience);
  }

  /** Writes and reads its own keys, one request after the other, and reads those of others. */
  async runClient(number: number, random: Random): Promise<void> {
    const client = this.#clientOf(random);
    for (let count = 0; !this.stopping.signal.aborted; count++) {
      const isWrite = random.integer(3) > 0;
      const owner = isWrite ? number : random.integer(clientCount);
      const key = `key-${owner}-${random.integer(keysOfEach)}`;
      const startedMs = performance.now();
      try {
        if (isWrite) await this.#put(client, key, `${number}-${count}`, startedMs);
        else {
          const found = await client.get(key);
          this.history.push({ kind: 'get', key, startedMs, endedMs: performance.now(), found });
        }
      } catch {
        // The outcome of a write has been recorded, and a read without a response says nothing.
      }
      await delay(random.integer(2 * pauseMs));
    }
  }

  /** Reads all keys after everything, and checks the history. */
  async checkEnd(): Promise<string[]> {
    const client = this.#clientOf(new SeededRandom(1));
    for (const key of new Set(this.history.map((one) => one.key))) {
      await this.#environment.eventually(async () => {
        const startedMs = performance.now();
        const found = await client.get(key);
        this.history.push({ kind: 'get', key, startedMs, endedMs: performance.now(), found });
      }, patience);
    }
    return checkHistory(this.history);
  }

  /** Restores the backup, and compares the data. */
  async checkRestore(): Promise<string[]> {
    await this.#create(EtcdRestore, 'saved', { cluster: 'db', backup: 'saved' });
    await this.#until(EtcdRestore, 'saved', 'Complete');
    await this.settled();
    const client = this.#clientOf(new SeededRandom(1));
    const restored = await this.#environment.eventually(() => client.all(), patience);
    return checkRestored(this.history, restored, this.#savedMs);
  }

  async remove(): Promise<void> {
    const { client } = this.#environment;
    await client.delete(EtcdCluster, `${this.#namespace}/db`);
    await this.#environment.eventually(async () => expect(await this.#pods()).toEqual([]), patience);
  }

  async #put(client: EtcdClient, key: string, value: string, startedMs: number): Promise<void> {
    try {
      const revision = await client.put(key, value);
      this.history.push({ kind: 'put', key, value, startedMs, endedMs: performance.now(), revision });
    } catch (error) {
      if (!(error instanceof NotSentError))
        this.history.push({ kind: 'put', key, value, startedMs, endedMs: undefined });
    }
  }

  /** Asks a random ready member, as the Service for clients does; without one, any member. */
  #clientOf(random: Random): EtcdClient {
    return new EtcdClient(async () => {
      const pods = (await this.#pods()).filter(({ status }) => status?.podIP !== undefined);
      const ready = pods.filter((pod) =>
        pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
      );
      const candidates = ready.length === 0 ? pods : ready;
      const pod = candidates[random.integer(candidates.length)];
      if (pod === undefined) throw new Error('no pod');
      return `${pod.status?.podIP}:2379`;
    });
  }

  async #pods(): Promise<Pod[]> {
    return (await this.#environment.client.list(Pod, { namespace: this.#namespace })).items;
  }

  async #change(spec: object): Promise<void> {
    await this.#environment.client.patch(EtcdCluster, `${this.#namespace}/db`, { merge: { spec } as never });
  }

  async #create(kind: typeof EtcdBackup | typeof EtcdRestore, name: string, spec: object): Promise<void> {
    const object = { metadata: { name, namespace: this.#namespace }, spec };
    await this.#environment.client.create(kind as typeof EtcdBackup, object as never);
  }

  async #until(kind: typeof EtcdBackup | typeof EtcdRestore, name: string, type: string): Promise<void> {
    await this.#environment.eventually(async () => {
      const { status } = await this.#environment.client.get(kind as typeof EtcdBackup, `${this.#namespace}/${name}`);
      expect(findCondition(status?.conditions, type)?.status).toBe('True');
    }, patience);
  }
}
