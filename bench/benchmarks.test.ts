import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../test/imports.fixture.ts';
import { median } from './benchmark.ts';
import { benchmarks } from './benchmarks.ts';

// Benchmarks measure built code. `npm test` builds first; a direct run of jest may not.
const isBuilt = existsSync(join(root, 'packages/cli/dist/main.js'));
if (!isBuilt) console.log('skipped: the packages are not built; run npm run build');

(isBuilt ? describe : describe.skip)('benchmarks', () => {
  it.each(benchmarks.map((benchmark) => [benchmark.name, benchmark] as const))(
    '%s runs at its small size and returns figures',
    async (_name, benchmark) => {
      const figures = await benchmark.run('small');
      expect(figures.length).toBeGreaterThan(0);
      for (const { measure, value, unit, bar } of figures) {
        // The number of requests does not depend on the speed of the machine.
        const isCounted = unit === 'writes' || unit === 'requests';
        if (isCounted && bar !== undefined) expect({ measure, value }).toEqual({ measure, value: bar });
        else expect({ measure, positive: value > 0 }).toEqual({ measure, positive: true });
      }
    },
  );
});

describe('median', () => {
  it('is not changed by one slow run', () => {
    expect(median([5, 4, 1000, 6, 5])).toBe(5);
  });
});
