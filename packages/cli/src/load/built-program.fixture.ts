import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../../../test/imports.fixture.ts';
import type { ProgramFile } from './program-file.ts';

/** Replaces `programFile` in tests: a program starts in a third of the time if it is the one that `npm test` has built. */
export function programFile(program: URL): ProgramFile {
  return { path: join(root, 'packages/cli/dist', `${basename(fileURLToPath(program))}.js`), execArgv: [] };
}
