import { untilQuiet } from './until-quiet.ts';

describe('untilQuiet', () => {
  /** Waits until the values are unchanged for 20 ms, and returns the number of checks after the first. */
  async function looksAt(found: readonly (number | false)[], longestMs?: number): Promise<number> {
    let looks = -1;
    const sleeps: number[] = [];
    const clock = { sleep: async (ms: number) => void sleeps.push(ms) };
    await untilQuiet(() => found[++looks] ?? found.at(-1) ?? false, clock, 20, longestMs);
    expect(sleeps).toEqual(sleeps.map(() => 5));
    return looks;
  }

  it('counts checks, so that a stalled process does not count as quiet', async () => {
    expect(await looksAt([0])).toBe(4);
  });

  it('restarts after a change, and continues while work is in progress', async () => {
    expect(await looksAt([0, 0, 0, 1])).toBe(7);
    expect(await looksAt([0, false, false, 1])).toBe(7);
    expect(await looksAt([false, false, 0])).toBe(6);
  });

  it('ends after the maximum time if it is never quiet', async () => {
    expect(
      await looksAt(
        Array.from({ length: 100 }, (_, at) => at),
        200,
      ),
    ).toBe(40);
  });
});
