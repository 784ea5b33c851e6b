import { EvenkeelError, type LogKeys, ManualClock, SeededRandom, SilentLogger } from '@evenkeel/core';
import { ServerProbe } from './server-probe.ts';

class Lines extends SilentLogger {
  readonly lines: string[] = [];

  override info(message = '', keys?: LogKeys): void {
    this.lines.push(`${message} after ${keys?.['tries']}`);
  }

  override warn(message = '', keys: LogKeys = {}): void {
    this.lines.push(`${message}: ${(keys['error'] as Error).message}`);
  }
}

const refused = new EvenkeelError('cluster-unreachable', 'ECONNREFUSED');

async function probe(ask: (signal: AbortSignal) => Promise<unknown>, reached = () => {}) {
  const clock = new ManualClock();
  const logger = new Lines();
  const instance = new ServerProbe({ ask, clock, random: new SeededRandom(1), logger, reached });
  await instance.start();
  await clock.advance(0);
  return { clock, logger, instance };
}

describe('ServerProbe', () => {
  it('logs one line for each attempt until there is a response, with delays up to 30 s', async () => {
    let asked = 0;
    const { clock, logger } = await probe(async () => {
      if (++asked < 12) throw refused;
    });
    expect(logger.lines).toEqual(['the API server cannot be reached: ECONNREFUSED']);
    await clock.advance(1000);
    expect(asked).toBe(2);
    await clock.advance(30_000);
    expect(asked).toBeGreaterThan(4);
    expect(asked).toBeLessThan(8);
    await clock.advance(300_000);
    expect(logger.lines.slice(-2)).toEqual([
      'the API server cannot be reached: ECONNREFUSED',
      'reached the API server after 12',
    ]);
    expect(logger.lines).toHaveLength(12);
    expect(clock.pending).toBe(0);
  });

  it('calls reached() once, at the first response', async () => {
    let answers = false;
    let reached = 0;
    const ask = async (): Promise<void> => {
      if (!answers) throw refused;
    };
    const { clock } = await probe(ask, () => reached++);
    await clock.advance(100_000);
    expect(reached).toBe(0);
    answers = true;
    await clock.advance(100_000);
    expect(reached).toBe(1);
  });

  it('treats a rejection as a response, and logs nothing if the first attempt gets one', async () => {
    const { clock, logger } = await probe(() => Promise.reject(new Error('forbidden')));
    expect(logger.lines).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('gives up on a silent server after 10 s, and stops at once', async () => {
    const { clock, logger, instance } = await probe(
      (signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    await clock.advance(10_000);
    expect(logger.lines).toEqual(['the API server cannot be reached: no response within 10000 ms']);
    await clock.advance(5000);
    await instance.stop();
    await clock.advance(0);
    expect(clock.pending).toBe(0);
    expect(logger.lines).toHaveLength(1);
  });
});
