import { readFileSync } from 'node:fs';
import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment, type SweepRound, verifyOperator } from '@evenkeel/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createManager, Job, SystemClock, type Timer } from 'evenkeel';
import { CronJobController } from './cron-job.controller.ts';
import { CronJob } from './cron-job.ts';

// operator.contract.test.ts has the webhooks and the conversion.
const controllers = [CronJobController];
let environment: Environment;

beforeAll(async () => {
  const definition = await customResourceDefinitionOf(CronJob, await readSources(`${import.meta.dirname}/cron-job.ts`));
  environment = await Environment.create({ kind: 'embedded', definitions: [definition] });
});
afterAll(() => environment?.close());

/** Runs like the machine's clock, with another start time; delays are twenty times as fast. */
class LaterClock extends SystemClock {
  readonly #aheadMs: number;

  constructor(start: Date) {
    super();
    this.#aheadMs = start.getTime() - super.now();
  }

  override now(): number {
    return super.now() + this.#aheadMs;
  }

  override monotonic(): number {
    return super.monotonic() * 20;
  }

  override schedule(delayMs: number, callback: () => void, options?: { unref?: boolean }): Timer {
    return super.schedule(delayMs / 20, callback, options);
  }
}

/** Creates a CronJob whose only start is years ahead for the server, and has just been reached for the operator. Ends its Job. */
async function scenario({ client, namespace, eventually }: SweepRound): Promise<void> {
  const key = `${namespace}/yearly-31557600`;
  const jobs = async (): Promise<string[]> =>
    (await client.list(Job, { namespace })).items.map(({ metadata }) => `${namespace}/${metadata.name}`);
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'work', image: 'busybox:1.37' }] } };
  await client.create(CronJob, {
    metadata: { name: 'yearly', namespace },
    spec: {
      schedule: '0 0 1 1 *',
      successfulJobsHistoryLimit: 0,
      jobTemplate: { spec: { template, managedBy: 'example.com/test' } },
    } as CronJob['spec'],
  });
  await eventually(async () => expect(await jobs()).toEqual([key]));
  const now = new Date().toISOString();
  const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({
    ...{ type, status: 'True', lastTransitionTime: now, lastProbeTime: now },
  }));
  const status = { startTime: now, completionTime: now, conditions };
  await client.subresource(Job, key, 'status').patch({ merge: { status } });
  await eventually(async () => expect(await jobs()).toEqual([]));
  await eventually(async () => {
    const { status } = await client.get(CronJob, `${namespace}/yearly`);
    expect(status).toMatchObject({ active: [], lastScheduleTime: '2030-01-01T00:00:00Z' });
  });
}

it('passes all sweeps with exactly its roles, as the README reports', async () => {
  const { lines } = await verifyOperator({
    environment,
    declaration: { controllers },
    operator: async (connection) => {
      const clock = new LaterClock(new Date('2030-01-01T00:00:30Z'));
      const manager = await createManager({ ...connection, clock, controllers });
      await manager.start();
      return manager;
    },
    scenario,
    concurrency: 8,
    quiet: '40ms',
  });
  expect(readFileSync(`${import.meta.dirname}/../README.md`, 'utf8')).toContain(lines.join('\n'));
}, 300_000);
