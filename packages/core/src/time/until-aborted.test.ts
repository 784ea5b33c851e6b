import { untilAborted } from './until-aborted.ts';

describe('untilAborted()', () => {
  it('settles like the promise, with or without a signal', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve(1), undefined)).toBe(1);
    expect(await untilAborted(Promise.resolve(2), signal)).toBe(2);
    await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });

  it('rejects with the reason of a signal that is aborted before or during the call', async () => {
    const never = new Promise<never>(() => undefined);
    const stop = new AbortController();
    const waiting = untilAborted(never, stop.signal);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(untilAborted(never, stop.signal)).rejects.toThrow('enough');
  });
});
