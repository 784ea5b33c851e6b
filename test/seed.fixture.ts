/**
 * The seed of every random test. It is the same in each run, so that results are reproducible. `EVENKEEL_SEED=7` uses
 * another seed, `EVENKEEL_SEED=random` a different one each time.
 */
export const seed = seedFrom(process.env['EVENKEEL_SEED'] ?? '20261121');

function seedFrom(text: string): number {
  if (text === 'random') return Date.now() % 1_000_000;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`EVENKEEL_SEED is ${JSON.stringify(text)}; set a number of at most 9 digits, or random`);
}
