import { hasRealServer } from '../test/real-server.fixture.ts';
import { withBenchServer } from './bench-server.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { report } from './run-program.ts';

export const migrate: Benchmark = {
  name: 'migrate',
  goal: 'stored objects per second that a migration without a limit rewrites, and the memory that it needs',
  nonGoals: 'the waiting time after a change of the storage version, conversion by a webhook',
  run: async (size) => {
    const count = size === 'small' ? 50 : 5000;
    const which = size === 'full' && hasRealServer() ? 'real' : 'embedded';
    return withBenchServer(which, (kubeconfig) => {
      const { perSecond = Number.NaN, moreMiB = Number.NaN } = report([
        'bench/programs/migrate.mjs',
        kubeconfig,
        String(count),
      ]);
      const figures: Figure[] = [
        { measure: `${count} objects of 2 KB, ${which} server`, value: perSecond, unit: 'per second' },
      ];
      // The pages of a few objects may fit into memory that the process already has.
      if (size === 'full') figures.push({ measure: 'memory of the migration', value: moreMiB, unit: 'MiB', bar: 60 });
      return figures;
    });
  },
};
