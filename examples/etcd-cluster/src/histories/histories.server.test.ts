import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Environment, HurriedClock, type PodRunner } from '@evenkeel/testing';
import { createManager } from 'evenkeel';
import { freePorts } from '../../../../test/free-ports.fixture.ts';
import { describeWithRealServer, hasRealServer, realServerAssets } from '../../../../test/real-server.fixture.ts';
import { seed } from '../../../../test/seed.fixture.ts';
import { etcdDefinitions, etcdServices } from '../etcd-operator.fixture.ts';
import { etcdutlIn } from '../etcdutl.fixture.ts';
import { operator } from '../operator.ts';
import { RealEtcd } from '../real-etcd.fixture.ts';
import { SnapshotAddress, SnapshotServer } from '../snapshot-server.ts';
import { type PlayedHistory, playHistory } from './play-history.fixture.ts';

const count = Number(process.env['EVENKEEL_HISTORIES'] || 5);
/** Most of the time, a history waits for elections and for starting processes. */
const parallel = Math.min(count, 4);
const etcdutl = hasRealServer() ? await etcdutlIn(await realServerAssets()) : undefined;
if (hasRealServer() && etcdutl === undefined)
  process.stdout.write('skipped: the histories of etcd: no etcdutl beside etcd, and no Go to build it\n');

(etcdutl === undefined ? describe.skip : describeWithRealServer)('random histories of etcd clusters', () => {
  let environment: Environment;
  let runner: PodRunner;
  let folder: string;

  beforeAll(async () => {
    const definitions = await etcdDefinitions();
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-snapshots-'));
    // Not faster: the limits of silence must stay longer than the responses of a busy machine take.
    const clock = new HurriedClock({ times: 5 });
    environment = await Environment.create({ kind: 'embedded', definitions, clock });
    const etcd = new RealEtcd();
    runner = await etcd.runPods(environment, await realServerAssets(), etcdutl, clock);
    const address = new SnapshotAddress(`http://127.0.0.1:${(await freePorts(1)).join()}`, '127.0.0.1');
    const manager = await environment.run(async (connection) => {
      const created = await createManager({
        ...{ ...connection, controllers: operator.controllers, runnables: [SnapshotServer] },
        services: etcdServices(etcd, folder, address),
      });
      await created.start();
      return created;
    });
    await manager.waitUntilReady();
  });
  afterAll(async () => {
    await environment?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it(
    `lose no acknowledged write, and restore the backup (${count} from seed ${seed})`,
    async () => {
      const seeds = Array.from({ length: count }, (_, index) => seed + index);
      const played: PlayedHistory[] = [];
      const next = async (): Promise<void> => {
        for (let one = seeds.shift(); one !== undefined; one = seeds.shift()) {
          const history = await playHistory(environment, runner, one);
          played.push(history);
          process.stdout.write(`${describeHistory(history)}\n`);
        }
      };
      await Promise.all(Array.from({ length: parallel }, next));
      const total = (of: (history: PlayedHistory) => number): number => played.reduce((sum, one) => sum + of(one), 0);
      process.stdout.write(
        `${played.length} histories: ${total(({ acknowledged }) => acknowledged)} acknowledged writes, ` +
          `${total(({ unknown }) => unknown)} of unknown outcome, ${total(({ reads }) => reads)} reads, ` +
          `${total(({ violations }) => violations.length)} violations\n`,
      );
      expect(played.filter(({ violations }) => violations.length > 0)).toEqual([]);
      expect(total(({ acknowledged }) => acknowledged)).toBeGreaterThan(count * 50);
    },
    2 * 3_600_000,
  );
});

function describeHistory({ seed: own, actions, acknowledged, unknown, reads, violations }: PlayedHistory): string {
  const result = violations.length === 0 ? 'ok' : `${violations.length} violations, first: ${violations[0]}`;
  return `seed ${own}: ${actions.join(', ')}; ${acknowledged} writes, ${unknown} unknown, ${reads} reads: ${result}`;
}
