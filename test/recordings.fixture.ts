import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './imports.fixture.ts';

/** OpenAPI and discovery documents of a real Kubernetes 1.36.3 server. */
export const recordings = join(root, '..', 'shared', 'kubernetes', '1.36.3');

/**
 * `describe` if the recordings are on this machine; otherwise skips the block and reports why. If CI requires the real
 * server, their absence is an error.
 */
export function describeWithRecordings(title: string, tests: () => void): void {
  if (existsSync(recordings)) {
    describe(title, tests);
    return;
  }
  if (process.env['EVENKEEL_REQUIRE_REAL_SERVER'] === '1')
    throw new Error(`no recordings of a real server at ${recordings}`);
  process.stdout.write(`skipped: ${title}: no recordings of a real server beside this checkout
`);
  describe.skip(title, tests);
}
