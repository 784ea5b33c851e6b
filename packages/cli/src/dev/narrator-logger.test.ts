import { ManualClock } from '@evenkeel/core';
import { Narrator } from './narrator.ts';
import { NarratorLogger } from './narrator-logger.ts';

function told(tell: (logger: NarratorLogger) => void): string {
  const clock = new ManualClock();
  let written = '';
  const terminal = { isTTY: false, write: (text: string) => (written += text) };
  tell(new NarratorLogger(new Narrator(terminal, clock, clock.monotonic()), false, { controller: 'web' }));
  return written;
}

describe('NarratorLogger', () => {
  it('tells the keys of a line, and of an error its message', () => {
    const text = told((logger) => logger.warn('slow', { afterMs: 5, list: ['a'], error: new Error('no') }));
    expect(text).toContain('controller=web afterMs=5 list=["a"] error=no');
  });

  it('tells of a Secret which it is, and not what it holds', () => {
    const secret: Record<string, unknown> = {
      kind: 'Secret',
      metadata: { name: 'db', namespace: 'default' },
      data: { password: 'aHVudGVyMg==' },
    };
    const text = told((logger) =>
      logger.warn('made', { secret, data: secret['data'], inner: { stringData: 'hunter2' } }),
    );
    expect(text).toContain('secret={"kind":"Secret","namespace":"default","name":"db"}');
    expect(text).not.toMatch(/aHVudGVyMg|hunter2/);
  });

  it('tells what refers to itself, what is no JSON, and no more than a line of what is long', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const text = told((logger) => logger.warn('odd', { circle, big: 5n, none: undefined, long: 'x'.repeat(100_000) }));
    expect(text).toContain('big=5 none=undefined long=xxx');
    expect(text.length).toBeLessThan(5000);
  });
});
