import { Controller, Finalizer, ignoreNotFound, ObjectKey, Owns, Reconcile, type Transport } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import { jest } from '@jest/globals';
import { type ApiBackend, describeOnEveryServer } from '../../../../test/api-backend.fixture.ts';
import type { ReconcileContext } from '../reconcile/reconcile-context.ts';
import { refusal } from '../reconcile/scripted-client.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

jest.setTimeout(120_000);

/** What becomes of a write: it is answered here, or its answer is lost after the server has done it. */
const faults = {
  'an internal error': (): Fault => ({ status: 500, reason: 'InternalError' }),
  'a conflict': (): Fault => ({ status: 409, reason: 'Conflict' }),
  'too many requests': (): Fault => ({ status: 429, reason: 'TooManyRequests' }),
  'an answer that is lost': (): Fault => 'lost',
};

type Fault = { readonly status: number; readonly reason: string } | 'lost';

/** Does something to one of the writes, and counts them. */
class FaultyTransport implements Transport {
  readonly #inner: Transport;
  readonly #at: number;
  readonly #fault: Fault;
  writes = 0;

  constructor(inner: Transport, at: number, fault: Fault) {
    this.#inner = inner;
    this.#at = at;
    this.#fault = fault;
  }

  async request(request: Parameters<Transport['request']>[0]): ReturnType<Transport['request']> {
    const isWrite = request.method !== 'GET' && !request.path.includes('/events');
    if (!isWrite || this.writes++ !== this.#at) return this.#inner.request(request);
    if (this.#fault === 'lost') {
      for await (const _ of (await this.#inner.request(request)).body);
      throw new Error('socket hang up');
    }
    const { status, reason } = this.#fault;
    const body = new TextEncoder().encode(JSON.stringify(refusal(status, reason, 'a fault').body));
    return {
      status,
      headers: { 'content-type': 'application/json' },
      body: (async function* () {
        yield body;
      })(),
    };
  }

  async close(): Promise<void> {}
}

let current = '';
let running = 0;
let overlapped = false;
let cleaned = 0;

/** A ConfigMap for each key of the data, and something outside that the finalizer undoes. */
@Controller(Secret, { name: 'sets' })
@Owns(ConfigMap)
class SetController {
  @Reconcile()
  async reconcile({ metadata: { name }, data }: Secret, context: ReconcileContext): Promise<void> {
    if (name !== current) return;
    await this.alone(async () => {
      for (const key of Object.keys(data ?? {})) {
        await context.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-${key}` } } as ConfigMap);
      }
      await context.prune();
    });
  }

  @Finalizer('example.com/outside')
  async clean({ metadata: { name } }: Secret): Promise<void> {
    await this.alone(async () => {
      if (name === current) cleaned++;
    });
  }

  private async alone(work: () => Promise<void>): Promise<void> {
    overlapped ||= running > 0;
    running++;
    await work().finally(() => running--);
  }
}

describeOnEveryServer('an operator one of whose writes meets', (start, { overHttps }) => {
  let backend: ApiBackend;

  beforeAll(async () => {
    backend = await start();
  });

  afterAll(() => backend.stop());

  /** The life of one object. Gives how many writes it took. */
  async function live(name: string, at: number, fault: Fault): Promise<number> {
    current = name;
    cleaned = 0;
    const transport = new FaultyTransport(backend.transport(), at, fault);
    const operator = await TestOperator.start(backend, [SetController], { transport });
    const { client } = operator;
    const children = async (): Promise<string> =>
      (await client.list(ConfigMap, { namespace: 'default', labels: { 'evenkeel.dev/controller': 'sets' } })).items
        .filter(({ metadata }) => metadata.name.startsWith(`${name}-`) && metadata.deletionTimestamp === undefined)
        .map(({ metadata }) => metadata.name.slice(name.length + 1))
        .sort()
        .join();
    try {
      const key = new ObjectKey(name, 'default');
      const data = { a: 'eA==', b: 'eA==' };
      await client.create(Secret, { metadata: { name, namespace: 'default' }, data } as never);
      await operator.until('both children', async () => (await children()) === 'a,b');
      await client.patch(Secret, key, { merge: { data: { a: null } } });
      await operator.until('one child', async () => (await children()) === 'b');
      await operator.until('the finalizer on', async () => {
        return (await client.get(Secret, key)).metadata.finalizers?.join() === 'example.com/outside';
      });
      await client.delete(Secret, key);
      await operator.until('the end', async () => (await ignoreNotFound(client.get(Secret, key))) === undefined);
      await operator.until('its last run', () => operator.outcomes(name).at(-1) === 'gone');
      expect([overlapped, cleaned > 0]).toEqual([false, true]);
      return transport.writes;
    } finally {
      await operator.manager.stop();
    }
  }

  it.each(Object.entries(faults))('%s comes to the same end, whichever write it is', async (_, faultOf) => {
    const title = `${overHttps ? 'https' : 'memory'}-${JSON.stringify(faultOf()).replaceAll(/[^a-z0-9]/g, '')}`;
    const writes = await live(`${title}-none`, Number.POSITIVE_INFINITY, 'lost');
    expect(writes).toBeGreaterThanOrEqual(5);
    for (let at = 0; at < writes; at++) await live(`${title}-${at}`, at, faultOf());
  });
});
