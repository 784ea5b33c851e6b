import { EvenkeelError, ManualClock, SilentLogger } from '@evenkeel/core';
import { FakeProcess } from './fake-process.fixture.ts';
import { type Program, runUntilSignal } from './run-until-signal.ts';

const never = new Promise<never>(() => {});

class ErrorLines extends SilentLogger {
  readonly lines: string[] = [];

  override error(message?: string): void {
    this.lines.push(message ?? '');
  }
}

function run(program: Partial<Program> = {}) {
  const process = new FakeProcess();
  const clock = new ManualClock();
  const logger = new ErrorLines();
  const ended = runUntilSignal(
    { start: async () => {}, stop: async () => ({ drained: true }), failure: never, ...program },
    { process, clock, logger },
  );
  return { process, clock, logger, ended };
}

describe('runUntilSignal()', () => {
  it.each(['SIGTERM', 'SIGINT'])('stops on %s, exits with 0 when drained, and leaves no listener', async (signal) => {
    const { process, ended } = run();
    process.send(signal);
    await ended;
    expect(process.exits).toEqual([0]);
    expect([...process.listeners.values()].every((listeners) => listeners.size === 0)).toBe(true);
  });

  it('listens for signals until it has exited, because a late signal would otherwise determine the exit code', async () => {
    const { process, ended } = run();
    let listening: number | undefined;
    process.exit = () => {
      listening = process.listeners.get('SIGINT')?.size;
    };
    process.send('SIGTERM');
    await ended;
    expect(listening).toBe(1);
  });

  it('exits with 1 without a log line if the failure is logged already', async () => {
    const { process, logger, ended } = run({ failure: Promise.resolve(undefined) });
    await ended;
    expect(process.exits).toEqual([1]);
    expect(logger.lines).toEqual([]);
  });

  it('treats two signals within 500 ms as one', async () => {
    const stop = Promise.withResolvers<{ drained: boolean }>();
    const { process, clock, ended } = run({ stop: () => stop.promise });
    process.send('SIGINT');
    await clock.advance(500);
    process.send('SIGINT');
    expect(process.exits).toEqual([]);
    stop.resolve({ drained: true });
    await ended;
    expect(process.exits).toEqual([0]);
  });

  it('exits with 1 at once on a later second signal', async () => {
    const { process, clock } = run({ stop: () => never });
    process.send('SIGTERM');
    await clock.advance(501);
    process.send('SIGTERM');
    expect(process.exits).toEqual([1]);
  });

  it('stops on a signal during start()', async () => {
    const { process, ended } = run({ start: () => never });
    process.send('SIGTERM');
    await ended;
    expect(process.exits).toEqual([0]);
  });

  it('exits with 1 and one line if start() fails because of a mistake that the user can fix', async () => {
    const mistake = new EvenkeelError('missing-controller', 'Thing has no @Controller');
    const { process, logger, ended } = run({ start: () => Promise.reject(mistake) });
    await ended;
    expect(logger.lines).toEqual(['Thing has no @Controller']);
    expect(process.exits).toEqual([1]);
  });

  it('exits with 2 if prepare() fails because of a mistake of the user, and with 1 for any other error', async () => {
    const wrong = run({ prepare: () => Promise.reject(new EvenkeelError('invalid-option', 'no such thing')) });
    await wrong.ended;
    expect(wrong.logger.lines).toEqual(['no such thing']);
    expect(wrong.process.exits).toEqual([2]);
    const broken = run({ prepare: () => Promise.reject(new TypeError('x is undefined')) });
    await broken.ended;
    expect(broken.process.exits).toEqual([1]);
  });

  it.each(['cluster-unreachable', 'factory-failed', 'hook-failed'] as const)(
    'exits with 1 if prepare() fails with %s, which may be temporary',
    async (code) => {
      const { process, logger, ended } = run({
        prepare: () => Promise.reject(new EvenkeelError(code, 'no route to host')),
      });
      await ended;
      expect(logger.lines).toEqual(['no route to host']);
      expect(process.exits).toEqual([1]);
    },
  );

  it('stops on a signal during prepare(), and does not start', async () => {
    const calls: string[] = [];
    const { process, ended } = run({
      prepare: () => never,
      start: async () => void calls.push('start'),
      stop: async () => {
        calls.push('stop');
        return { drained: true };
      },
    });
    process.send('SIGTERM');
    await ended;
    expect(calls).toEqual(['stop']);
    expect(process.exits).toEqual([0]);
  });

  it('ignores a late failure of the step that a signal interrupted', async () => {
    for (const step of ['prepare', 'start'] as const) {
      const interrupted = Promise.withResolvers<void>();
      const { process, logger, ended } = run({
        [step]: () => interrupted.promise,
        stop: async () => {
          interrupted.reject(new Error('interrupted'));
          return { drained: true };
        },
      });
      process.send('SIGINT');
      await ended;
      expect([step, process.exits, logger.lines]).toEqual([step, [0], []]);
    }
  });

  it('exits with 1 on a failure during prepare(), and on a second signal during prepare()', async () => {
    const failing = run({
      prepare: () => never,
      failure: Promise.resolve(new EvenkeelError('leadership-lost', 'lost')),
    });
    await failing.ended;
    expect(failing.process.exits).toEqual([1]);
    const waiting = run({ prepare: () => never, stop: () => never });
    waiting.process.send('SIGINT');
    await waiting.clock.advance(501);
    waiting.process.send('SIGTERM');
    expect(waiting.process.exits).toEqual([1]);
  });

  it('exits with 1 and logs the error of a failure during the stop', async () => {
    const failure = Promise.withResolvers<unknown>();
    const { process, logger, ended } = run({
      failure: failure.promise,
      stop: async () => {
        failure.resolve(new EvenkeelError('leadership-lost', 'the lease is lost'));
        return { drained: true };
      },
    });
    process.send('SIGTERM');
    await ended;
    expect(logger.lines).toEqual(['the lease is lost']);
    expect(process.exits).toEqual([1]);
  });

  it('exits with 1 if the program fails, and if stop() fails', async () => {
    const failing = run({ failure: Promise.resolve(new Error('boom')), stop: () => Promise.reject(new Error('bang')) });
    await failing.ended;
    expect(failing.process.exits).toEqual([1]);
    const broken = run({ stop: () => Promise.reject(new Error('bang')) });
    broken.process.send('SIGTERM');
    await broken.ended;
    expect(broken.process.exits).toEqual([1]);
  });

  it('exits with 1 if the program fails, and if the grace period ends first', async () => {
    const failing = run({ failure: Promise.resolve(new Error('boom')) });
    await failing.ended;
    expect(failing.process.exits).toEqual([1]);
    const slow = run({ stop: async () => ({ drained: false }) });
    slow.process.send('SIGTERM');
    await slow.ended;
    expect(slow.process.exits).toEqual([1]);
  });
});
