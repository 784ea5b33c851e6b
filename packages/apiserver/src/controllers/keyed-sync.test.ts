import { ManualClock } from '@evenkeel/core';
import { KeyedSync, type KeyedSyncContext } from './keyed-sync.ts';
import { RecordedLog } from './recorded-log.fixture.ts';
import { SyncTurns } from './sync-turns.ts';

function contextOn(clock: ManualClock): KeyedSyncContext & { logger: RecordedLog } {
  return { clock, turns: new SyncTurns(clock), logger: new RecordedLog() };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function untilLogged({ lines }: RecordedLog): Promise<void> {
  for (let turns = 0; lines.length === 0; turns++) {
    if (turns > 1_000_000) throw new Error('nothing was logged in a million turns');
    await turn();
  }
}

describe('KeyedSync', () => {
  it('runs a key once more if it is added while it runs, and never twice at once', async () => {
    const clock = new ManualClock();
    let running = 0;
    let most = 0;
    let runs = 0;
    const sync: KeyedSync = new KeyedSync(contextOn(clock), async () => {
      running++;
      most = Math.max(most, running);
      runs++;
      if (runs === 1) for (let times = 0; times < 3; times++) sync.add('a');
      await clock.sleep(10);
      running--;
    });
    sync.add('a');
    await clock.advance(100);
    expect(runs).toBe(2);
    expect(most).toBe(1);
  });

  it('retries a failed key with a growing delay', async () => {
    const clock = new ManualClock();
    const at: number[] = [];
    const sync = new KeyedSync(contextOn(clock), async () => {
      at.push(clock.monotonic());
      if (at.length < 4) throw new Error('conflict');
    });
    sync.add('a');
    await clock.advance(1000);
    expect(at).toEqual([0, 5, 15, 35]);
  });

  it('runs nothing after a stop', async () => {
    const clock = new ManualClock();
    let runs = 0;
    const sync = new KeyedSync(contextOn(clock), async () => {
      runs++;
    });
    sync.addAfter('a', 10);
    sync.stop();
    sync.add('b');
    await clock.advance(100);
    expect(runs).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('runs a key in the turn of the event loop in which it was added', async () => {
    const keys: string[] = [];
    const sync = new KeyedSync(contextOn(new ManualClock()), async (key) => void keys.push(key));
    for (const key of ['a', 'b', 'c']) sync.add(key);
    await Promise.resolve();
    expect(keys).toEqual(['a', 'b', 'c']);
  });

  it('does not block the event loop while two controllers react to each other for ever', async () => {
    const context = contextOn(new ManualClock());
    let runs = 0;
    const ping: KeyedSync = new KeyedSync(context, async (key) => {
      runs++;
      pong.add(key);
    });
    const pong: KeyedSync = new KeyedSync(context, async (key) => {
      runs++;
      ping.add(key);
    });
    ping.add('a');
    for (let turns = 0; turns < 5; turns++) {
      const before = runs;
      await turn();
      expect(runs - before).toBeLessThanOrEqual(64);
    }
    ping.stop();
    pong.stop();
  });

  it('reports a key that adds itself in each sync once, and slows it down', async () => {
    const clock = new ManualClock();
    const context = contextOn(clock);
    let runs = 0;
    const sync: KeyedSync = new KeyedSync(context, async (key) => {
      runs++;
      sync.add(key);
    });
    sync.add('default/restless');
    await untilLogged(context.logger);
    expect(context.logger.lines).toEqual([
      {
        level: 'error',
        message: 'an object never settles: its syncs are slowed down',
        keys: { key: 'default/restless', againAfterMs: 1000 },
      },
    ]);
    const before = runs;
    for (let seconds = 0; seconds < 15; seconds++) await clock.advance(1000);
    // After 1, 2, 4 and 8 seconds.
    expect(runs - before).toBe(4);
    await clock.advance(600_000);
    expect(runs - before).toBeLessThan(20);
    expect(context.logger.lines).toHaveLength(1);
    sync.stop();
    expect(clock.pending).toBe(0);
  });

  it('continues with other keys while one never settles', async () => {
    const context = contextOn(new ManualClock());
    const seen: string[] = [];
    const sync: KeyedSync = new KeyedSync(context, async (key) => {
      if (key === 'restless') sync.add(key);
      else seen.push(key);
    });
    sync.add('restless');
    await turn();
    sync.add('calm');
    await turn();
    expect(seen).toEqual(['calm']);
    await untilLogged(context.logger);
    sync.add('another');
    await turn();
    expect(seen).toEqual(['calm', 'another']);
    sync.stop();
  });

  it('does not report a key that changes often but has rests in between', async () => {
    const clock = new ManualClock();
    const context = contextOn(clock);
    let runs = 0;
    const sync = new KeyedSync(context, async () => {
      runs++;
    });
    for (let times = 0; times < 2000; times++) {
      sync.add('a');
      for (let turns = 0; turns < 3; turns++) await turn();
    }
    expect(runs).toBe(2000);
    expect(context.logger.lines).toEqual([]);
  });

  it('does not report a key that changes 100 times a second for ever', async () => {
    const clock = new ManualClock();
    const context = contextOn(clock);
    const sync = new KeyedSync(context, async () => undefined);
    for (let times = 0; times < 3000; times++) {
      sync.add('a');
      await clock.advance(10);
    }
    expect(context.logger.lines).toEqual([]);
  });

  it('reports the name of the object if it was created with nameOf', async () => {
    const context = contextOn(new ManualClock());
    const sync: KeyedSync = new KeyedSync(
      context,
      async (key) => sync.add(key),
      (key) => `configmaps default/${key}`,
    );
    sync.add('a');
    await untilLogged(context.logger);
    expect(context.logger.lines[0]?.keys['key']).toBe('configmaps default/a');
    sync.stop();
  });
});
