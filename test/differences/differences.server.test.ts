import { type ComparedServer, embeddedServer, realServer } from '../../packages/apiserver/src/comparison.fixture.ts';
import { describeWithRealServer } from '../real-server.fixture.ts';
import { HistoryComparison } from './compare-history.fixture.ts';
import { randomHistory } from './history.fixture.ts';
import { historySeeds } from './history-seeds.fixture.ts';
import { recordedHistories } from './recorded-histories.fixture.ts';
import { reportOf } from './report.fixture.ts';
import { shrinkHistory } from './shrink-history.fixture.ts';

/** The servers keep every namespace, so that long runs start new ones from time to time. */
const historiesPerServer = 400;
/** The first letters of the namespaces of histories that run at once. Most of them wait for the real server. */
const lanes = ['a', 'b', 'c', 'd'];

const { first, count, seconds = Number.POSITIVE_INFINITY } = historySeeds;
const describeHistories = count === 0 ? () => undefined : describeWithRealServer;

describeHistories('random histories of requests to the real server and to the embedded one', () => {
  const startedAt = performance.now();
  const isOver = (): boolean => performance.now() - startedAt > seconds * 1000;
  const batches = Array.from({ length: Math.ceil(count / historiesPerServer) }, (_, batch) => {
    const start = first + batch * historiesPerServer;
    return [start, Math.min(start + historiesPerServer, first + count) - 1] as const;
  });

  it.each(batches)('get the same responses: seeds %i to %i', async (start, end) => {
    if (isOver()) return;
    const servers: ComparedServer[] = await Promise.all([realServer(), embeddedServer()]);
    const [real, embedded] = servers as [ComparedServer, ComparedServer];
    const differing: number[] = [];
    let next = start;
    const runLane = async (prefix: string): Promise<void> => {
      const comparison = new HistoryComparison(real, embedded, prefix);
      while (next <= end && !isOver()) {
        const history = randomHistory(next++);
        const found = await comparison.firstDifference(history);
        if (found === undefined) continue;
        // A long run shows each difference when it is found.
        process.stdout.write(`${reportOf(await shrinkHistory(history, found, comparison))}\n\n`);
        differing.push(history.seed);
      }
    };
    try {
      await Promise.all(lanes.map(runLane));
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
