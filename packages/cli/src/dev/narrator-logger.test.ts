import { type Logger, type LogKeys, ManualClock } from '@evenkeel/core';
import { Narrator } from './narrator.ts';
import { NarratorLogger } from './narrator-logger.ts';

function output(log: (logger: Logger) => void, keys: LogKeys = { controller: 'web' }, verbose = false): string {
  const clock = new ManualClock();
  let written = '';
  const terminal = { isTTY: false, write: (text: string) => (written += text) };
  const narrator = new Narrator(terminal, clock, clock.monotonic());
  log(new NarratorLogger({ narrator, verbose, folder: '/app' }).child(keys));
  return written;
}

const ofController = { controller: 'web', controllerGroup: 'example.com', controllerKind: 'Site' };
const ofRun = { Site: { name: 'a', namespace: 'shop' }, namespace: 'shop', name: 'a', reconcileID: 'id' };

function thrownAt(place: string): Error {
  const error = new Error('no');
  error.stack = `Error: no\n    at SiteController.onSecret (${place})`;
  return error;
}

describe('NarratorLogger', () => {
  it('prints the keys of a line, and the message of an error', () => {
    const text = output((logger) => logger.warn('slow', { afterMs: 5, list: ['a'], error: new Error('no') }));
    expect(text).toContain('controller=web afterMs=5 list=["a"] error=no');
  });

  it('prints the line that threw an error', () => {
    const text = output((logger) =>
      logger.error('a mapper failed', { error: thrownAt('file:///app/src/site.ts:12:5') }),
    );
    expect(text).toContain('a mapper failed  controller=web error=no (src/site.ts:12)');
  });

  it('prints info and warnings of a run with the object instead of the keys of the run', () => {
    const run = { ...ofController, ...ofRun };
    expect(output((logger) => logger.info('page made', { bytes: 5 }), run)).toBe(
      '  0.00 s  info       shop/a: page made  bytes=5\n',
    );
    expect(
      output((logger) => logger.warn('reconcile exceeded its timeout', { ...ofRun, timeoutMs: 5 }), ofController),
    ).toBe('  0.00 s  warning    shop/a: reconcile exceeded its timeout  timeoutMs=5\n');
    // Keys of the user's code, and an object without a namespace.
    expect(output((logger) => logger.child({ step: 1 }).info('n', { name: 'b' }), { ...run, namespace: '' })).toBe(
      '  0.00 s  info       a: n  step=1 name=b\n',
    );
    expect(output((logger) => logger.debug('page made'), run)).toBe('');
  });

  it('prints info outside of runs, as of an injected logger, except what the session prints itself', () => {
    expect(output((logger) => logger.info('connected', { url: 'x' }), {})).toBe(
      '  0.00 s  info       connected  url=x\n',
    );
    expect(output((logger) => logger.info('controller started'), ofController)).toBe('');
  });

  it('prints all keys of a run if it is verbose', () => {
    const verbose = output((logger) => logger.info('page made'), { ...ofController, ...ofRun }, true);
    expect(verbose).toContain(
      'info       page made  controller=web controllerGroup=example.com controllerKind=Site Site={',
    );
  });

  it('counts equal lines about an object', () => {
    const text = output(
      (logger) => {
        for (let at = 0; at < 3; at++) logger.info('trying', { step: 1 });
        logger.info('trying', { step: 2 });
      },
      { ...ofController, ...ofRun },
    );
    expect(text.match(/trying.*/g)).toEqual(['trying  step=1', 'trying  step=1  (2 times)', 'trying  step=2']);
  });

  it('escapes what it prints, also in the stacks of a verbose log', () => {
    const evil = new Error('a\n  0.00 s  ready      default/web\u001b[2J');
    const text = output((logger) => logger.warn('odd\u202e', { error: evil, text: '\u0007' }), {}, true);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(text).not.toMatch(/^ *0\.00 s {2}ready/m);
    expect(text).toContain('  |   0.00 s  ready      default/web\\u001b[2J');
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
