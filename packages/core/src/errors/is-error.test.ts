import { readFileSync } from 'node:fs';
import { isError } from './is-error.ts';

function thrownBy(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

describe('isError()', () => {
  it('accepts errors of Node, which are no instances of the Error of a test', () => {
    const missing = thrownBy(() => readFileSync('/missing'));
    expect([missing instanceof Error, isError(missing)]).toEqual([false, true]);
    expect(isError(AbortSignal.abort().reason)).toBe(true);
  });

  it('accepts errors of subclasses, and nothing else', () => {
    class Own extends Error {}
    expect([new Own(), new AggregateError([])].map(isError)).toEqual([true, true]);
    expect(['text', undefined, null, { message: 'no', stack: '' }].map(isError)).toEqual([false, false, false, false]);
  });
});
