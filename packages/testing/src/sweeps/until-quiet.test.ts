import { untilQuiet } from './until-quiet.ts';

describe('untilQuiet', () => {
  /** Waits until what the looks find is quiet for 20 ms, and gives how many looks there were after the first. */
  async function looksAt(found: readonly (number | false)[], longestMs?: number): Promise<number> {
    let looks = -1;
    const asked: number[] = [];
    const clock = { sleep: async (ms: number) => void asked.push(ms) };
    await untilQuiet(() => found[++looks] ?? found.at(-1) ?? false, clock, 20, longestMs);
    expect(asked).toEqual(asked.map(() => 5));
    return looks;
  }

  it('looks as often as fits into the time, so that a stall of the process is no silence', async () => {
    expect(await looksAt([0])).toBe(4);
  });

  it('begins anew where something has happened, and goes on while something is under way', async () => {
    expect(await looksAt([0, 0, 0, 1])).toBe(7);
    expect(await looksAt([0, false, false, 1])).toBe(7);
    expect(await looksAt([false, false, 0])).toBe(6);
  });

  it('ends after the longest time where it is never quiet', async () => {
    expect(
      await looksAt(
        Array.from({ length: 100 }, (_, at) => at),
        200,
      ),
    ).toBe(40);
  });
});
