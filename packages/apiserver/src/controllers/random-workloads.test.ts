import { SeededRandom } from '@evenkeel/core';
import { seed } from '../../../../test/seed.fixture.ts';
import { mostWritesInATurn, writesInATurnMax } from './busy-turns.fixture.ts';
import { ControlledServer } from './controlled-server.fixture.ts';
import { RandomWorkloads } from './random-workloads.fixture.ts';
import { RecordedLog } from './recorded-log.fixture.ts';

const runs = 500;
/** The most writes one run may cause: enough for several rollouts of three pods. */
const writesMax = 1000;

describe('random workloads', () => {
  it(`settle in each of ${runs} runs, starting with seed ${seed}`, async () => {
    const log = new RecordedLog();
    const server = await ControlledServer.start({ logger: log });
    const revision = async (): Promise<number> =>
      Number((await server.send('GET', '/api/v1/namespaces')).metadata.resourceVersion);
    const restless: object[] = [];
    let accepted = 0;
    let isOver = false;
    const mostWrites = mostWritesInATurn(() => isOver);
    try {
      for (let run = 0; run < runs; run++) {
        const random = new SeededRandom(seed + run);
        const before = await revision();
        const workloads = new RandomWorkloads(server, random, `seed-${seed + run}`);
        await workloads.begin();
        for (let count = 1 + random.integer(3); count > 0; count--) await workloads.create();
        await server.quiet();
        for (let count = 1 + random.integer(5); count > 0; count--) {
          await workloads.change();
          if (random.integer(2) === 0) await server.quiet();
          if (random.integer(2) === 0) await server.clock.advance(1000 * random.integer(12));
        }
        await server.quiet();
        await workloads.end();
        await server.quiet();
        const writes = (await revision()) - before;
        const lines = log.lines.splice(0);
        if (writes > writesMax || lines.length > 0) restless.push({ seed: seed + run, writes, lines });
        accepted += workloads.accepted;
      }
    } finally {
      isOver = true;
      await mostWrites;
      await server.close();
    }
    expect(restless).toEqual([]);
    // Most changes must be valid, or the test would exercise nothing.
    expect(accepted / runs).toBeGreaterThan(3);
    expect(await mostWrites).toBeLessThan(writesInATurnMax);
  });
});
