import { logText } from './log-text.ts';

describe('the keys of a line as text', () => {
  it('are pairs, with the messages of errors and of their causes', () => {
    expect(logText({ runnable: 'sweeper', afterMs: 5, error: new Error('no disk') })).toBe(
      'runnable=sweeper afterMs=5 error=no disk',
    );
    expect(logText({ error: new TypeError('fetch failed', { cause: new Error('Bearer hidden') }) })).toBe(
      'error=fetch failed: Bearer (withheld)',
    );
    expect(logText({})).toBe('');
  });

  it('have neither tokens nor the contents of Secrets, and are cut', () => {
    const secret = { kind: 'Secret', metadata: { name: 's', namespace: 'n' }, data: { a: 'hidden' } };
    expect(logText({ secret, error: new Error('Bearer hidden'), data: 'hidden' })).toBe(
      'secret={"kind":"Secret","namespace":"n","name":"s"} error=Bearer (withheld) data=(withheld)',
    );
    expect(logText({ long: 'x'.repeat(2000) })).toHaveLength(1005);
  });
});
