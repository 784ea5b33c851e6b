import { type ApiResource, type LogKeys, ManualClock, ObjectKey, SilentLogger } from '@evenkeel/core';
import { ChannelSource } from './channel-source.ts';

const maps: ApiResource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

class Errors extends SilentLogger {
  readonly lines: string[] = [];

  override error(message = '', { channel, error, againAfterMs }: LogKeys = {}): void {
    this.lines.push([message, channel, error, againAfterMs].filter((part) => part !== undefined).join(' | '));
  }
}

function channel(open: (signal: AbortSignal) => unknown) {
  const clock = new ManualClock();
  const logger = new Errors();
  const source = new ChannelSource({ member: 'C.payments', open, resource: maps, clock, logger });
  const woken: string[] = [];
  source.start((key, trigger, isBackground) => woken.push(`${key}: ${trigger.verb}${isBackground ? ' later' : ''}`));
  return { clock, logger, source, woken };
}

describe('ChannelSource', () => {
  it('enqueues keys as they are yielded', async () => {
    const gate = Promise.withResolvers<void>();
    const { woken } = channel(async function* () {
      yield new ObjectKey('a', 'default');
      await gate.promise;
      yield new ObjectKey('b', 'default');
    });
    await turn();
    expect(woken).toEqual(['default/a: signalled']);
    gate.resolve();
    await turn();
    expect(woken).toEqual(['default/a: signalled', 'default/b: signalled']);
  });

  it('calls the method again with growing delays if it throws, and logs the error', async () => {
    let calls = 0;
    const { clock, logger, source, woken } = channel(async function* () {
      calls++;
      if (calls < 9) throw new Error('refused');
      yield new ObjectKey('a', 'default');
      if (calls < 10) throw new Error('cut off');
    });
    await turn();
    expect(source.state.problem).toBe('C.payments failed: refused');
    await clock.advance(1000 + 2000 + 4000 + 8000 + 16_000 + 32_000 + 60_000);
    expect(calls).toBe(8);
    await clock.advance(60_000);
    expect(woken).toEqual(['default/a: signalled']);
    await clock.advance(1000);
    expect(woken).toHaveLength(2);
    expect(source.state.problem).toBeUndefined();
    expect(logger.lines[0]).toBe('a channel failed; it will be reopened | C.payments | Error: refused | 1000');
    expect(logger.lines).toHaveLength(9);
  });

  it('skips invalid keys and continues', async () => {
    const { logger, woken } = channel(async function* () {
      yield 'default/a';
      yield new ObjectKey('b', 'default');
    });
    await turn();
    expect(woken).toEqual(['default/b: signalled']);
    expect(logger.lines).toEqual(['a channel yielded an invalid key; it is skipped | C.payments']);
  });

  it('explains what to return if the method returns a promise', async () => {
    const { source } = channel(async () => []);
    await turn();
    expect(source.state.problem).toBe(
      'C.payments failed: C.payments returned a promise; return an async iterable of ObjectKey, for example with "async *" before its name',
    );
  });

  it('ends with the iteration, and enqueues nothing after its stop', async () => {
    let calls = 0;
    const gate = Promise.withResolvers<void>();
    let signal: AbortSignal | undefined;
    const ended = channel(async function* () {
      calls++;
      yield* [];
    });
    const stopped = channel(async function* (given) {
      signal = given;
      await gate.promise;
      yield new ObjectKey('a', 'default');
    });
    await turn();
    stopped.source.stop();
    expect(signal?.aborted).toBe(true);
    gate.resolve();
    await ended.clock.advance(120_000);
    expect([calls, stopped.woken]).toEqual([1, []]);
  });
});
