import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './imports.fixture.ts';

/** Shows how to use Vitest in a separate project, and is no operator of its own. */
const vitest = 'vitest';

/** Their tests import fixtures of this repository, so conformance.config.ts runs them, and they cannot be copied. */
const ofRepository = ['cronjob', 'etcd-cluster', 'nginx'];

/** The names of the examples that have the common form. */
export const examples: readonly string[] = readdirSync(join(root, 'examples')).filter(
  (name) => ![vitest, ...ofRepository].includes(name),
);
