import { ManualClock } from '@evenkeel/core';
import { Narrator } from './narrator.ts';
import { NarratorLogger } from './narrator-logger.ts';

function output(log: (logger: NarratorLogger) => void): string {
  const clock = new ManualClock();
  let written = '';
  const terminal = { isTTY: false, write: (text: string) => (written += text) };
  log(new NarratorLogger(new Narrator(terminal, clock, clock.monotonic()), false, { controller: 'web' }));
  return written;
}

describe('NarratorLogger', () => {
  it('prints the keys of a line, and the message of an error', () => {
    const text = output((logger) => logger.warn('slow', { afterMs: 5, list: ['a'], error: new Error('no') }));
    expect(text).toContain('controller=web afterMs=5 list=["a"] error=no');
  });

  it('prints the name of a Secret but not its data', () => {
    const secret: Record<string, unknown> = {
      kind: 'Secret',
      metadata: { name: 'db', namespace: 'default' },
      data: { password: 'aHVudGVyMg==' },
    };
    const text = output((logger) =>
      logger.warn('made', { secret, data: secret['data'], inner: { stringData: 'hunter2' } }),
    );
    expect(text).toContain('secret={"kind":"Secret","namespace":"default","name":"db"}');
    expect(text).not.toMatch(/aHVudGVyMg|hunter2/);
  });

  it('prints circular values and values that are not JSON, and truncates long ones', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const text = output((logger) =>
      logger.warn('odd', { circle, big: 5n, none: undefined, long: 'x'.repeat(100_000) }),
    );
    expect(text).toContain('big=5 none=undefined long=xxx');
    expect(text.length).toBeLessThan(5000);
  });
});
