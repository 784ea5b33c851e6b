import { type ComparedServer, embeddedServer, realServer } from '../../packages/apiserver/src/comparison.fixture.ts';
import { describeWithRealServer } from '../real-server.fixture.ts';
import { HistoryComparison } from './compare-history.fixture.ts';
import { randomHistory } from './history.fixture.ts';
import { firstSeed, historyCount } from './history-seeds.fixture.ts';
import { recordedHistories } from './recorded-histories.fixture.ts';
import { reportOf } from './report.fixture.ts';
import { shrinkHistory } from './shrink-history.fixture.ts';

/** The servers keep every namespace, so that long runs start new ones from time to time. */
const historiesPerServer = 200;

const describeHistories = historyCount === 0 ? () => undefined : describeWithRealServer;

describeHistories('random histories of requests to the real server and to the embedded one', () => {
  const batches = Array.from({ length: Math.ceil(historyCount / historiesPerServer) }, (_, batch) => {
    const start = firstSeed + batch * historiesPerServer;
    return [start, Math.min(start + historiesPerServer, firstSeed + historyCount) - 1] as const;
  });

  it.each(batches)('get the same responses: seeds %i to %i', async (start, end) => {
    const servers: ComparedServer[] = await Promise.all([realServer(), embeddedServer()]);
    const [real, embedded] = servers as [ComparedServer, ComparedServer];
    try {
      const comparison = new HistoryComparison(real, embedded);
      const differing: number[] = [];
      for (let seed = start; seed <= end; seed++) {
        const history = randomHistory(seed);
        const found = await comparison.firstDifference(history);
        if (found === undefined) continue;
        // A long run shows each difference when it is found.
        process.stdout.write(`${reportOf(await shrinkHistory(history, found, comparison))}\n\n`);
        differing.push(seed);
      }
      // The reports are above.
      expect(differing).toEqual([]);
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  });
});

describeWithRealServer('histories that once differed', () => {
  let servers: readonly [real: ComparedServer, embedded: ComparedServer];
  let comparison: HistoryComparison;

  beforeAll(async () => {
    servers = await Promise.all([realServer(), embeddedServer()]);
    comparison = new HistoryComparison(...servers);
  });
  afterAll(() => Promise.all((servers ?? []).map((server) => server.stop())));

  it.each(recordedHistories)('get the same responses: %s', async (_, requests) => {
    expect((await comparison.firstDifference({ requests }))?.lines ?? []).toEqual([]);
  });
});
