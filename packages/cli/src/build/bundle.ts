import { existsSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import { type RolldownLog, rolldown, VERSION } from 'rolldown';

/** A module and all its imports, in one file. */
export interface Bundle {
  /** The program and its source map, in this order, by file name. */
  readonly files: Readonly<Record<string, Buffer>>;
  /** The ids of the modules with code in the bundle. */
  readonly modules: readonly string[];
}

/**
 * Bundles a module and all its imports into one file with a source map, and writes nothing. The same sources make the same
 * bytes. Throws `bundle-failed` with all mistakes of the sources.
 *
 * @param main the path of the module from `folder`.
 * @param file the path where the bundle will be, to which the source map is relative.
 */
export async function bundle(main: string, file: string, folder: string): Promise<Bundle> {
  const input = resolve(folder, main);
  if (!existsSync(input)) {
    throw new EvenkeelError(
      'bundle-failed',
      `${main} does not exist; pass the module that runs the operator: evenkeel build <main>`,
    );
  }
  const unresolved: RolldownLog[] = [];
  const made = await rolldown({
    input,
    cwd: folder,
    platform: 'node',
    tsconfig: true,
    // ES modules first: their unused code can be removed, such as most of class-validator.
    resolve: { mainFields: ['module', 'main'] },
    // Needed and loaded only if a kubeconfig has exec or auth-provider.
    external: ['@kubernetes/client-node'],
    onLog: (_level, log) => {
      // A dependency may import optional packages.
      if (log.code === 'UNRESOLVED_IMPORT' && !log.id?.includes('/node_modules/')) unresolved.push(log);
    },
  });
  try {
    const { output } = await made.generate({
      file,
      // One file, because the operator may be the only file of an image.
      codeSplitting: false,
      // Kinds, controllers and services are named after their classes.
      keepNames: true,
      sourcemap: true,
    });
    if (unresolved.length > 0) throw bundleFailed(unresolved, folder);
    const files = output.map((each) => [
      basename(each.fileName),
      Buffer.from(each.type === 'chunk' ? each.code : each.source),
    ]);
    // With a version, as the ids of other code that the bundler adds.
    const modules = Object.keys(output[0].modules).map((id) => id.replace('\0rolldown/', `\0rolldown@${VERSION}/`));
    return { files: Object.fromEntries(files), modules };
  } catch (error) {
    if (error instanceof EvenkeelError) throw error;
    const { errors = [error as RolldownLog] } = error as { readonly errors?: readonly RolldownLog[] };
    throw bundleFailed(errors, folder, error);
  } finally {
    await made.close();
  }
}

/** The error with a line for each mistake: its place, what is wrong, and the fix if it is known. */
function bundleFailed(logs: readonly RolldownLog[], folder: string, cause?: unknown): EvenkeelError {
  const lines = logs.map((log) => {
    const { file = log.id, line } = log.loc ?? {};
    const place = file === undefined ? '' : `${relative(folder, file)}${line === undefined ? '' : `:${line}`}: `;
    return `${place}${messageOf(log)}`;
  });
  return new EvenkeelError('bundle-failed', lines.join('\n'), { cause });
}

function messageOf({ code, message }: RolldownLog): string {
  // The rest is an excerpt of the source for a terminal.
  const [first = ''] = message.replace(/^\[\w+\] /, '').split('\n');
  if (code !== 'UNRESOLVED_IMPORT') return `${first}; fix the module`;
  const isFields = first.includes('fields.ts');
  return `${first}; ${isFields ? 'run evenkeel generate, which writes it' : 'correct the path, or install the package'}`;
}
