import { execFileSync } from 'node:child_process';
import { root } from '../imports.fixture.ts';
import { seed } from '../seed.fixture.ts';

/** The seeds of a run, and how long it may take. */
export interface HistorySeeds {
  readonly first: number;
  readonly count: number;
  /** Default: no limit. */
  readonly seconds?: number;
}

/**
 * Seeds without a difference, so that a difference comes from the change that is tested. Others are `npm run differences`. A change of
 * the generator needs other seeds.
 */
const known = { first: 203_110, count: 135 };
const secondsInCi = 180;

/**
 * The histories to run: as many as `EVENKEEL_HISTORIES` says, from `EVENKEEL_SEED` or a seed of the commit on. In CI, those of three
 * minutes from a known seed on that follows from the commit, so that each commit has other ones. Otherwise none.
 */
export const historySeeds: HistorySeeds = seedsOf(process.env);

function seedsOf({ EVENKEEL_HISTORIES: count, EVENKEEL_SEED: given, CI }: NodeJS.ProcessEnv): HistorySeeds {
  if (count !== undefined) return { first: given === undefined ? hashOfCommit() : seed, count: Number(count) };
  if (CI === undefined) return { first: seed, count: 0 };
  const offset = hashOfCommit() % Math.floor(known.count / 2);
  return { first: known.first + offset, count: known.count - offset, seconds: secondsInCi };
}

function hashOfCommit(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    return Number.parseInt(commit.slice(0, 7), 16);
  } catch {
    return seed;
  }
}
