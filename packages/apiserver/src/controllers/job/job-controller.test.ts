import { SeededRandom } from '@evenkeel/core';
import type { Job, Pod } from '@evenkeel/kinds';
import { seed } from '../../../../../test/seed.fixture.ts';
import { ControlledServer } from '../controlled-server.fixture.ts';

const jobs = '/apis/batch/v1/namespaces/default/jobs';
const pods = '/api/v1/namespaces/default/pods';

let server: ControlledServer;

beforeEach(async () => {
  server = await ControlledServer.start();
});
afterEach(() => server.close());

/** Creates a Job whose pods are not scheduled unless a pod spec says otherwise. */
function create(name: string, spec: object = {}, pod: object = { schedulerName: 'by-hand' }): Promise<unknown> {
  const podSpec = { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }], ...pod };
  return server.send('POST', jobs, { metadata: { name }, spec: { ...spec, template: { spec: podSpec } } });
}

const jobOf = (name: string): Promise<Job> => server.send('GET', `${jobs}/${name}`);

const podsOf = async (name: string): Promise<Pod[]> =>
  (await server.send('GET', `${pods}?labelSelector=job-name%3D${name}`)).items;

const activeOf = async (name: string): Promise<Pod[]> =>
  (await podsOf(name)).filter(({ metadata, status }) => status?.phase === 'Pending' && !metadata.deletionTimestamp);

async function end(phase: 'Failed' | 'Succeeded', { metadata }: Pod): Promise<void> {
  const terminated = { exitCode: 0, finishedAt: new Date(server.clock.now()).toISOString().replace(/\.\d+/, '') };
  const ended = { name: 'a', image: 'a:1', imageID: '', ready: false, restartCount: 0, state: { terminated } };
  await server.send('PATCH', `${pods}/${metadata.name}/status`, { status: { phase, containerStatuses: [ended] } });
}

const holds = async (name: string, type: string): Promise<boolean> =>
  (await jobOf(name)).status?.conditions?.some((one) => one.type === type && one.status === 'True') === true;

async function eventsOf(name: string): Promise<string[]> {
  const { items } = (await server.send('GET', '/api/v1/namespaces/default/events')) as {
    items: { reason: string; message: string; involvedObject: { name: string } }[];
  };
  return items
    .filter(({ involvedObject }) => involvedObject.name === name)
    .map(({ reason, message }) => `${reason}: ${message}`);
}

describe('the Job controller', () => {
  it('doubles the delay after each failure in a row, up to ten minutes', async () => {
    await create('unlucky', { backoffLimit: 20 });
    const waits = [10, 20, 40, 80, 160, 320, 600, 600];
    for (const [failures, seconds] of waits.entries()) {
      const [pod] = await server.until(async () => {
        const active = await activeOf('unlucky');
        return active.length === 1 && active;
      });
      await end('Failed', pod as Pod);
      await server.until(async () => (await jobOf('unlucky')).status?.failed === failures + 1);
      await server.quiet();
      await server.clock.advance(seconds * 1000 - 1);
      await server.quiet();
      expect(await activeOf('unlucky')).toHaveLength(0);
      await server.clock.advance(1);
    }
    await server.until(async () => (await activeOf('unlucky')).length === 1);
  });

  it('resets the delay after a success', async () => {
    await create('mixed', { completions: 5 });
    const next = (): Promise<Pod> => server.until(async () => (await activeOf('mixed'))[0]);
    await end('Failed', await next());
    await server.until(async () => (await jobOf('mixed')).status?.failed === 1);
    await server.quiet();
    await server.clock.advance(10_000);
    await end('Succeeded', await next());
    await server.until(async () => (await jobOf('mixed')).status?.succeeded === 1);
    await server.clock.advance(1000);
    await end('Failed', await next());
    await server.until(async () => (await jobOf('mixed')).status?.failed === 2);
    await server.quiet();
    await server.clock.advance(9_999);
    await server.quiet();
    expect(await activeOf('mixed')).toHaveLength(0);
    await server.clock.advance(1);
    await next();
  });

  it('fails a Job exactly at its deadline, and never while it is suspended', async () => {
    await create('late', { activeDeadlineSeconds: 60 });
    await server.until(async () => (await activeOf('late')).length === 1);
    await server.quiet();
    await server.clock.advance(59_999);
    await server.quiet();
    expect(await holds('late', 'Failed')).toBe(false);
    await server.send('PATCH', `${jobs}/late`, { spec: { suspend: true } });
    await server.until(() => holds('late', 'Suspended'));
    await server.quiet();
    await server.clock.advance(3_600_000);
    await server.quiet();
    expect(await holds('late', 'Failed')).toBe(false);
    await server.send('PATCH', `${jobs}/late`, { spec: { suspend: false } });
    await server.until(async () => (await activeOf('late')).length === 1);
    await server.quiet();
    await server.clock.advance(60_000);
    await server.until(() => holds('late', 'Failed'));
    expect((await jobOf('late')).status?.conditions?.at(-1)).toMatchObject({ reason: 'DeadlineExceeded' });
  });

  it('deletes a finished Job and its pods when its TTL expires', async () => {
    await create('brief', { ttlSecondsAfterFinished: 100 }, {});
    await server.until(() => holds('brief', 'Complete'));
    await server.quiet();
    await server.clock.advance(99_999);
    await server.quiet();
    expect(await podsOf('brief')).toHaveLength(1);
    await server.send('PATCH', `${jobs}/brief`, { spec: { ttlSecondsAfterFinished: 200 } });
    await server.quiet();
    await server.clock.advance(100_000);
    await server.quiet();
    expect(await podsOf('brief')).toHaveLength(1);
    await server.clock.advance(1);
    await server.until(async () => (await server.send('GET', jobs)).items.length === 0);
    expect(await podsOf('brief')).toHaveLength(0);
  });

  it('ignores a Job that another controller manages', async () => {
    await create('foreign', { managedBy: 'example.com/queue' });
    await create('own', { managedBy: 'kubernetes.io/job-controller' });
    await server.until(async () => (await activeOf('own')).length === 1);
    await server.quiet();
    expect(await podsOf('foreign')).toHaveLength(0);
    expect((await jobOf('foreign')).status).toEqual({});
  });

  it('reports once why the server rejects its pods, and creates them as soon as the server accepts them', async () => {
    const template = { metadata: { finalizers: ['not-qualified'] } };
    await server.send('POST', jobs, {
      metadata: { name: 'refused' },
      spec: { template: { ...template, spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } } },
    });
    await server.until(async () => (await eventsOf('refused')).length === 1);
    for (const seconds of [1, 2, 4, 8]) {
      await server.quiet();
      await server.clock.advance(seconds * 1000);
    }
    await server.quiet();
    expect(await eventsOf('refused')).toEqual([
      expect.stringMatching(/^FailedCreate: Error creating: Pod "refused-\w{5}" is invalid: metadata.finalizers/),
    ]);
    expect((await jobOf('refused')).status).toMatchObject({ ready: 0, terminating: 0 });
    await server.send('PATCH', `${jobs}/refused`, { spec: { suspend: true } });
    await server.until(() => holds('refused', 'Suspended'));
    await server.send('PATCH', `${jobs}/refused`, { spec: { template: { metadata: { finalizers: null } } } });
    await server.send('PATCH', `${jobs}/refused`, { spec: { suspend: false } });
    await server.until(() => holds('refused', 'Complete'));
  });

  it('counts each pod once while other clients write to the Job and its pods', async () => {
    const random = new SeededRandom(seed);
    const ended = { Failed: 0, Succeeded: 0 };
    await create('busy', { completions: 30, parallelism: 5, backoffLimit: 1000 });
    for (let round = 0; ended.Succeeded < 30; round++) {
      const active = await activeOf('busy');
      const pod = active[random.integer(Math.max(1, active.length))];
      const phase = random.integer(4) === 0 ? 'Failed' : 'Succeeded';
      const labels = { round: String(round) };
      const writes = [server.send('PATCH', `${jobs}/busy`, { metadata: { labels } })];
      if (pod !== undefined) {
        writes.push(
          server.send('PATCH', `${pods}/${pod.metadata.name}`, { metadata: { labels } }),
          end(phase, pod).then(() => ended[phase]++),
        );
      }
      await Promise.all(writes);
      if (active.length === 0) await server.clock.advance(60_000);
      if (random.integer(3) === 0) await server.quiet();
    }
    await server.until(() => holds('busy', 'Complete'));
    const { status } = await jobOf('busy');
    expect({ seed, succeeded: status?.succeeded, failed: status?.failed ?? 0 }).toEqual({
      seed,
      succeeded: ended.Succeeded,
      failed: ended.Failed,
    });
    expect((await podsOf('busy')).filter(({ metadata }) => metadata.finalizers !== undefined)).toEqual([]);
  });

  it('orphans the pods of a Job deleted without a propagation policy, and removes their finalizers', async () => {
    await create('left', { completions: 2, parallelism: 2 });
    await server.until(async () => (await activeOf('left')).length === 2);
    await server.send('DELETE', `${jobs}/left`);
    await server.until(async () => (await podsOf('left')).every(({ metadata }) => metadata.finalizers === undefined));
    const left = await podsOf('left');
    expect(left).toHaveLength(2);
    expect(left.flatMap(({ metadata }) => metadata.ownerReferences ?? [])).toEqual([]);
  });
});
