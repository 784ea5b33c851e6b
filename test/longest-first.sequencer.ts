import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sequencer from '@jest/test-sequencer';
import { root } from './imports.fixture.ts';

// Its types are those of the CommonJS module next to the imported one.
const DefaultSequencer = sequencer as unknown as typeof sequencer.default;
type Tests = Parameters<InstanceType<typeof DefaultSequencer>['sort']>[0];

/** The slowest tests, slowest first. If one of these started last, all other workers would wait for it. */
const longest = [
  'packages/runtime/src/cache/faults.contract.test.ts',
  'packages/schema/src/constraints/constraint-cases.test.ts',
  'test/kubectl/kubectl-session.server.test.ts',
  'test/operator-faults/growth.contract.test.ts',
  'test/kubectl/controller-session.server.test.ts',
  'examples/cronjob/src/cron-job.test.ts',
  'test/operator-faults/processes.contract.test.ts',
  'packages/runtime/src/manager/run-manager.test.ts',
  'test/operators/degraded.contract.test.ts',
  'packages/cli/src/load/load-failure.test.ts',
  'bench/benchmarks.test.ts',
  'test/start.contract.test.ts',
  'test/operator-faults/sweeps.contract.test.ts',
  'test/operator-faults/leases-and-events.contract.test.ts',
  'packages/schema/src/evaluate/custom-resource/random-objects.server.test.ts',
  'packages/apiserver/src/pipeline.server.test.ts',
  'packages/cli/src/commands/generate.test.ts',
  'examples/nginx/src/nginx.test.ts',
  'packages/schema/src/evaluate/custom-resource/hostile.test.ts',
  'test/operator-faults/server-restart.contract.test.ts',
  'packages/apiserver/src/controllers/job/job.server.test.ts',
  'packages/runtime/src/election/leader-election.contract.test.ts',
  'test/guides.test.ts',
  'packages/cli/src/load/loading.test.ts',
  'packages/schema/src/evaluate/apiextensions/hostile.test.ts',
  'packages/runtime/src/cache/string-pool.test.ts',
].map((file) => join(root, file));

/**
 * Runs the known slow tests first, and the others as Jest does: by their last durations. On a fresh checkout, Jest
 * knows no durations and uses the length of the files.
 */
export default class LongestFirst extends DefaultSequencer {
  constructor(...parameters: ConstructorParameters<typeof DefaultSequencer>) {
    super(...parameters);
    const missing = longest.filter((file) => !existsSync(file));
    if (missing.length > 0) throw new Error(`longest-first.sequencer.ts lists missing tests: ${missing.join(', ')}`);
  }

  override async sort(tests: Tests): Promise<Tests> {
    const place = ({ path }: Tests[number]): number => {
      const index = longest.indexOf(path);
      return index === -1 ? longest.length : index;
    };
    return [...(await super.sort(tests))].sort((one, other) => place(one) - place(other));
  }
}
