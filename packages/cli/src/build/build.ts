import { writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { createFolder } from '../create-folder.ts';
import type { ImageReport } from '../image/build-image.ts';
import { checkImageOptions, type ImageOptions } from '../image/image-options.ts';
import { ProgressLines } from '../progress-lines.ts';
import { withProjectLock } from '../project-lock.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { bundle } from './bundle.ts';

export interface BuildOptions extends ImageOptions {
  readonly outfile: string;
}

/** The result of a build, for programs. Paths are relative to the working folder. */
interface BuildReport {
  readonly bundle: { readonly file: string; readonly bytes: number };
  readonly image?: ImageReport;
  /** The content of the Dockerfile, if the command printed it. */
  readonly dockerfile?: string;
}

/**
 * Bundles a module and all its imports into one file with a source map, and makes an image or a Dockerfile of it if the
 * options ask for one. Resolves to the exit code. Throws `bundle-failed` with all mistakes of the sources; nothing is written then.
 */
export async function build(main: string, options: BuildOptions, terminal: CommandTerminal): Promise<number> {
  const progress = new ProgressLines(terminal);
  try {
    const lock = { folder: terminal.folder, command: 'build', terminal };
    await withProjectLock(lock, () => makeAll(main, options, terminal, progress.onProgress));
    return 0;
  } finally {
    progress.stop();
  }
}

async function makeAll(
  main: string,
  options: BuildOptions,
  terminal: CommandTerminal,
  progress: (doing: string) => void,
): Promise<void> {
  const { folder } = terminal;
  // If the Dockerfile is printed, stdout contains nothing else.
  const tell = (line: string): void => {
    if (options.dockerfile === '-' && !terminal.isJson) terminal.err(line);
    else terminal.out(line);
  };
  const wanted = checkImageOptions(options);
  progress('bundling');
  const file = resolve(folder, options.outfile);
  const { files, modules } = await bundle(main, file, folder);
  await createFolder(dirname(file));
  for (const [name, content] of Object.entries(files)) await writeFile(join(dirname(file), name), content);
  const bytes = Object.values(files)[0]?.length ?? 0;
  const shown = relative(folder, file);
  tell(`${shown} written: ${Math.ceil(bytes / 1000).toLocaleString('en')} KB`);
  const add = (members: Partial<BuildReport>): void => terminal.add(members);
  add({ bundle: { file: shown, bytes } });
  if (!wanted.image && !wanted.dockerfile) return;
  const { buildImage } = await import('../image/build-image.ts');
  const image = await buildImage({ files, modules, file, main: resolve(folder, main) }, options, {
    folder,
    env: process.env,
    tell,
    progress,
    print: (text) => {
      add({ dockerfile: text });
      terminal.out(text);
    },
  });
  add({ image });
}
