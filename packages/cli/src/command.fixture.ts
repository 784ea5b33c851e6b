import { join } from 'node:path';
import { root } from '../../../test/imports.fixture.ts';

/**
 * The arguments with which Node starts the command `evenkeel`, as `npm test` has built it. From the sources, a process takes
 * three times as long.
 */
export const command: readonly string[] = ['--no-warnings', join(root, 'packages/cli/dist/main.js')];
