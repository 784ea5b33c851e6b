// Imports nothing of this package, like fork-program.ts.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ProgramFile {
  readonly path: string;
  /** The options of Node that it needs. */
  readonly execArgv: readonly string[];
}

/**
 * Returns the file of a program of this package.
 *
 * @param program the URL of its module without the extension: built, or as TypeScript whose types Node strips.
 */
export function programFile(program: URL): ProgramFile {
  // In the same form as this module.
  const extension = extname(new URL(import.meta.url).pathname);
  return {
    path: `${fileURLToPath(program)}${extension}`,
    execArgv: extension === '.ts' ? ['--conditions=evenkeel-source'] : [],
  };
}
