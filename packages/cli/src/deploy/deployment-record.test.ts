import { ApiServer } from '@evenkeel/apiserver';
import { type Client, createClient } from '@evenkeel/client';
import { ManualClock } from '@evenkeel/core';
import { ConfigMap, Namespace } from '@evenkeel/kinds';
import { eventually } from '@evenkeel/testing';
import { DeploymentRecord } from './deployment-record.ts';

const namespace = 'sites-system';
const map = { namespace, name: 'sites-deployment' };
const { signal } = new AbortController();
const site = { apiVersion: 'v1', kind: 'Service', namespace, name: 'site' };

let server: ApiServer;
let client: Client;
let clock: ManualClock;
beforeEach(async () => {
  server = await ApiServer.create({ controllers: false });
  client = createClient(server.transport());
  clock = new ManualClock();
  await client.create(Namespace, { metadata: { name: namespace } });
});
afterEach(async () => server.close());

const record = (): DeploymentRecord =>
  new DeploymentRecord({ client, clock, manager: 'test', operator: { name: 'sites', namespace } });

/** Acquires the lock while the time passes, a second at a time. Resolves to the seconds. */
async function acquiredAfter(waiting: DeploymentRecord, onWait: (by: string) => void): Promise<number> {
  let isDone = false;
  const acquired = waiting.acquire(60_000, signal, onWait).finally(() => {
    isDone = true;
  });
  let seconds = 0;
  await eventually(
    async () => {
      if (!isDone) {
        await clock.advance(1000);
        seconds++;
      }
      expect(isDone).toBe(true);
    },
    { timeout: '60s' },
  );
  await acquired;
  return seconds;
}

describe('DeploymentRecord', () => {
  it('remembers the objects, without duplicates', async () => {
    const first = record();
    await first.acquire(0, signal, () => undefined);
    await first.write([site, { ...site, apiVersion: 'v1' }], signal);
    await first.release();
    const second = record();
    expect(await second.read(signal)).toEqual({ exists: true, version: expect.stringMatching(/^\d/) });
    expect(second.objects).toEqual([site]);
  });

  it('takes over a lock that is not renewed, and the former owner notices', async () => {
    const killed = record();
    await killed.acquire(0, signal, () => undefined);
    // It does not renew: its clock stands still.
    clock = new ManualClock();
    const owners: string[] = [];
    const seconds = await acquiredAfter(record(), (by) => owners.push(by));
    expect(seconds).toBeGreaterThanOrEqual(20);
    expect(owners).toHaveLength(1);
    await expect(killed.write([site], signal)).rejects.toThrow('the object has been modified');
    expect(killed.lost.aborted).toBe(true);
    expect(() => killed.lost.throwIfAborted()).toThrow('another deployment of sites has started meanwhile');
  });

  it('does not take over a lock that is renewed', async () => {
    const first = record();
    await first.acquire(0, signal, () => undefined);
    const before = (await client.get(ConfigMap, map)).metadata.annotations;
    await clock.advance(5000);
    await eventually(async () => {
      expect((await client.get(ConfigMap, map)).metadata.annotations).not.toEqual(before);
    });
    await expect(record().acquire(0, signal, () => undefined)).rejects.toThrow(
      'is deploying sites to the same namespace',
    );
  });

  it('lists nothing if somebody has broken it', async () => {
    await client.create(ConfigMap, { metadata: map, data: { objects: '[{"kind": 1}, 2' } });
    const broken = record();
    await broken.read(signal);
    expect(broken.objects).toEqual([]);
    await client.patch(ConfigMap, map, { merge: { data: { objects: '[{"kind": 1}, {}]' } } });
    await broken.read(signal);
    expect(broken.objects).toEqual([]);
  });
});
