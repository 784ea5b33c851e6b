/**
 * The seed of every random test: the same in each run, so that one that has passed passes again, and what failed fails
 * again. `EVENKEEL_SEED=7` tries another, `EVENKEEL_SEED=random` another one each time.
 */
export const seed = seedFrom(process.env['EVENKEEL_SEED'] ?? '20261121');

function seedFrom(text: string): number {
  if (text === 'random') return Date.now() % 1_000_000;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`EVENKEEL_SEED is ${JSON.stringify(text)}; give a number of at most 9 digits, or random`);
}
