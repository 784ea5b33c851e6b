import { type Condition, ManualClock, type Metadata, type ObjectKey } from '@evenkeel/core';
import { ConfigMap, type Lease } from '@evenkeel/kinds';
import type { Lister } from '../cache/lister.ts';
import { StatusConditions } from '../reconcile/condition-set.ts';
import type { ReconcileContext } from '../reconcile/reconcile-context.ts';
import { refusal, type SentRequest, scriptedClient } from '../reconcile/scripted-client.fixture.ts';
import { type Operation, type OperationProgress, runOperation } from './run-operation.ts';

/** The operations of one target, with the Leases of a server, and a cache of them that a test can keep stale. */
class Target {
  readonly clock = new ManualClock();
  readonly leases = new Map<string, Metadata<Lease>>();
  readonly deleted: string[] = [];
  isCacheStale = false;
  ended: Operation[] = [];

  readonly #client = scriptedClient((request) => this.#respond(request)).client;

  operation(name: string): Course {
    return new Course(this, name);
  }

  get context() {
    return { client: this.#client, events: { normal() {}, warning() {} } };
  }

  get lock() {
    const get = (key: ObjectKey | string) => (this.isCacheStale ? undefined : this.leases.get(String(key)));
    return { name: 'web', labels: { lock: 'true' }, leases: { get } as Lister<Metadata<Lease>> };
  }

  #respond({ method, path, body }: SentRequest) {
    const [, kind, name] = /(leases|configmaps)\/?([^?]*)/.exec(path) ?? [];
    const key = `default/${name === '' ? (body as Lease).metadata.name : name}`;
    const lease = this.leases.get(key);
    if (method === 'DELETE') {
      this.deleted.push(`${kind} ${name}`);
      this.leases.delete(key);
      return { status: 200, body: { kind: 'Status', apiVersion: 'v1', status: 'Success' } };
    }
    if (lease !== undefined) return refusal(409, 'AlreadyExists', 'already exists');
    this.leases.set(key, body as Metadata<Lease>);
    return { status: 201, body };
  }
}

/** One operation: its stored status, what it did, and what it should do next. */
class Course {
  readonly did: string[] = [];
  stored: Operation['status'] = {};
  refusal: string | undefined;
  progress: OperationProgress = { state: 'running', message: '1 of 2' };
  isCancelled = false;
  readonly #target: Target;
  readonly #name: string;

  constructor(target: Target, name: string) {
    this.#target = target;
    this.#name = name;
  }

  objectWith(spec: Operation['spec']): Operation {
    const metadata = { name: this.#name, namespace: 'default', uid: `uid-${this.#name}` };
    const status = structuredClone(this.stored);
    return Object.assign(new ConfigMap(), { apiVersion: 'v1', kind: 'ConfigMap', metadata, spec, status }) as Operation;
  }

  /** Reconciles it. After a crash, the status is not stored. */
  async run({ crashes = false, ttlAfterFinished = '1h', historyLimit = 2 } = {}): Promise<string> {
    const { clock, context, lock, ended } = this.#target;
    const operation = this.objectWith({ cancel: this.isCancelled, timeout: '10m', ttlAfterFinished, historyLimit });
    const conditions = new StatusConditions(() => operation.status as { conditions?: Condition[] }, 1, clock);
    const plan = { kind: ConfigMap, lock, clock, others: ended };
    const result = await runOperation(operation, { ...context, conditions } as unknown as ReconcileContext, plan, {
      prepare: () => this.refusal,
      advance: async () => {
        this.did.push('advance');
        return this.progress;
      },
      undo: async () => this.did.push('undo'),
    });
    if (!crashes) this.stored = operation.status;
    return result.outcome === 'await-change' ? 'wait' : `${result.afterMs / 1000} s`;
  }

  get state(): string {
    const { status, reason, message } = this.stored.conditions?.[0] ?? {};
    return `${status} ${reason}: ${message}`;
  }
}

let target: Target;
beforeEach(() => {
  target = new Target();
});

describe('runOperation', () => {
  it('stores the start before it does anything, and the end before it releases the lock', async () => {
    const course = target.operation('a');
    expect(await course.run()).toBe('0.001 s');
    expect([course.state, course.did]).toEqual(['Unknown Running: It has started', []]);
    await target.clock.advance(60_000);
    expect(await course.run()).toBe('540 s');
    expect([course.state, course.did]).toEqual(['Unknown Running: 1 of 2', ['advance']]);
    course.progress = { state: 'succeeded', message: '2 of 2' };
    expect(await course.run()).toBe('0.001 s');
    expect(course.state).toBe('True Succeeded: 2 of 2');
    expect(target.leases.size).toBe(1);
    expect(await course.run()).toBe('3600 s');
    expect(target.leases.size).toBe(0);
    expect(course.did).toEqual(['advance', 'advance']);
  });

  it('lets one operation after the other run', async () => {
    const [one, other] = [target.operation('a'), target.operation('b')];
    await one.run();
    expect(await other.run()).toBe('wait');
    expect(other.state).toBe('Unknown Waiting: It waits until ConfigMap a has ended');
    one.progress = { state: 'succeeded', message: 'done' };
    await one.run();
    await other.run();
    expect(other.did).toEqual([]);
    await one.run();
    await other.run();
    await other.run();
    expect(other.did).toEqual(['advance']);
  });

  it('waits for a Lease that the cache does not contain, and tries again without an event', async () => {
    const [one, other] = [target.operation('a'), target.operation('b')];
    await one.run();
    target.isCacheStale = true;
    expect(await other.run()).toBe('10 s');
    expect(other.state).toBe('Unknown Waiting: It waits until the holder of Lease web has ended');
  });

  it('continues after a crash, with the lock that it holds', async () => {
    const course = target.operation('a');
    await course.run({ crashes: true });
    target.isCacheStale = true;
    expect(await course.run()).toBe('10 s');
    target.isCacheStale = false;
    await course.run();
    expect(course.state).toBe('Unknown Running: It has started');
    course.progress = { state: 'failed', message: 'no' };
    await course.run({ crashes: true });
    await course.run();
    await course.run({ crashes: true });
    await course.run();
    expect([course.state, course.did]).toEqual(['False Failed: no', ['advance', 'advance', 'undo', 'undo']]);
  });

  it('decides to undo before it undoes, and then does not advance again', async () => {
    const course = target.operation('a');
    await course.run();
    await course.run();
    course.isCancelled = true;
    await course.run();
    expect([course.state, course.did]).toEqual(['Unknown Cancelling: It was cancelled. Before: 1 of 2', ['advance']]);
    await course.run();
    expect(course.state).toBe('False Cancelled: It was cancelled. Before: 1 of 2');
    expect(course.did).toEqual(['advance', 'undo']);
  });

  it('undoes an operation at its timeout, which starts when it has the lock', async () => {
    const [one, other] = [target.operation('a'), target.operation('b')];
    for (const course of [one, other]) await course.run();
    await target.clock.advance(600_000);
    await one.run();
    await one.run();
    expect(one.state).toBe('False TimedOut: It took longer than 10m. Before: It has started');
    expect(one.did).toEqual(['undo']);
    await one.run();
    await other.run();
    expect(await other.run()).toBe('600 s');
  });

  it('does nothing if it is refused, or cancelled before it starts', async () => {
    const [refused, cancelled] = [target.operation('a'), target.operation('b')];
    refused.refusal = 'no such target';
    await refused.run();
    cancelled.isCancelled = true;
    await cancelled.run();
    expect([refused.state, cancelled.state]).toEqual([
      'False Refused: no such target',
      'False Cancelled: It was cancelled before it started',
    ]);
    for (const course of [refused, cancelled]) await course.run();
    expect([refused.did, cancelled.did, target.leases.size]).toEqual([[], [], 0]);
  });

  it('deletes the oldest operations beyond the limit, and itself at the end of its time', async () => {
    for (const name of ['a', 'b', 'c', 'd']) {
      const course = target.operation(name);
      course.isCancelled = true;
      await course.run();
      target.ended.push(course.objectWith({}));
      await target.clock.advance(1000);
    }
    const course = target.operation('c');
    Object.assign(course, { stored: target.ended[2]?.status });
    await course.run();
    // It keeps itself, the one before it, and all newer ones.
    expect(target.deleted).toEqual(['configmaps a']);
    target.ended = [];
    await target.clock.advance(3_600_000);
    expect(await course.run()).toBe('wait');
    expect(target.deleted).toEqual(['configmaps a', 'configmaps c']);
  });

  it('waits for a Lease without an owner', async () => {
    target.leases.set('default/web', { metadata: { name: 'web' } } as Metadata<Lease>);
    const course = target.operation('a');
    await course.run();
    expect(course.state).toBe('Unknown Waiting: It waits until the holder of Lease web has ended');
  });
});
