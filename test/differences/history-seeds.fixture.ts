import { execFileSync } from 'node:child_process';
import { root } from '../imports.fixture.ts';
import { seed } from '../seed.fixture.ts';

/**
 * The number of histories, which `npm run differences` sets. Default: 0, because there still are differences, so that fresh
 * histories would fail for changes that did not cause them.
 */
export const historyCount = Number(process.env['EVENKEEL_HISTORIES'] ?? 0);

/** The seed of the first history: `EVENKEEL_SEED`, or one of the commit, so that each commit has new ones. */
export const firstSeed = process.env['EVENKEEL_SEED'] === undefined ? seedOfCommit() : seed;

function seedOfCommit(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    return Number.parseInt(commit.slice(0, 7), 16);
  } catch {
    return seed;
  }
}
