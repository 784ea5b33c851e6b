import { untilAborted } from './until-aborted.ts';

describe('untilAborted()', () => {
  it('gives what the promise comes to, with a signal or without', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve(1), undefined)).toBe(1);
    expect(await untilAborted(Promise.resolve(2), signal)).toBe(2);
    await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });

  it('rejects with the reason of a signal that is aborted before or meanwhile', async () => {
    const never = new Promise<never>(() => undefined);
    const stop = new AbortController();
    const waiting = untilAborted(never, stop.signal);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(untilAborted(never, stop.signal)).rejects.toThrow('enough');
  });
});
