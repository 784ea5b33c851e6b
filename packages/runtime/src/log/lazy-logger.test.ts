import { Logger, type LogKeys } from '@evenkeel/core';
import { LazyLogger } from './lazy-logger.ts';

/** A logger that keeps its lines, and counts its children. */
class Lines extends Logger {
  static made = 0;
  readonly #keys: LogKeys;
  readonly #lines: unknown[];

  constructor(lines: unknown[], keys: LogKeys = {}) {
    super();
    this.#lines = lines;
    this.#keys = keys;
  }

  debug(message: string, keys?: LogKeys): void {
    this.#lines.push(['debug', message, { ...this.#keys, ...keys }]);
  }

  info(message: string, keys?: LogKeys): void {
    this.#lines.push(['info', message, { ...this.#keys, ...keys }]);
  }

  warn(message: string, keys?: LogKeys): void {
    this.#lines.push(['warn', message, { ...this.#keys, ...keys }]);
  }

  error(message: string, keys?: LogKeys): void {
    this.#lines.push(['error', message, { ...this.#keys, ...keys }]);
  }

  child(keys: LogKeys): Logger {
    Lines.made++;
    return new Lines(this.#lines, { ...this.#keys, ...keys });
  }
}

describe('LazyLogger', () => {
  it('creates no child before the first line, and one child for all lines', () => {
    const lines: unknown[] = [];
    const logger = new LazyLogger(new Lines(lines), { name: 'web' });
    expect(Lines.made).toBe(0);
    logger.debug('a');
    logger.info('b', { more: 1 });
    logger.warn('c');
    logger.error('d');
    expect(Lines.made).toBe(1);
    logger.child({ part: 'x' }).info('e');
    expect(lines).toEqual([
      ['debug', 'a', { name: 'web' }],
      ['info', 'b', { name: 'web', more: 1 }],
      ['warn', 'c', { name: 'web' }],
      ['error', 'd', { name: 'web' }],
      ['info', 'e', { name: 'web', part: 'x' }],
    ]);
  });
});
