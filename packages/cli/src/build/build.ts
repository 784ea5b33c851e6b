import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import type { ImageReport } from '../image/build-image.ts';
import { checkImageOptions, type ImageOptions } from '../image/image-options.ts';
import { ProgressLines } from '../progress-lines.ts';
import type { Terminal } from '../terminal.ts';
import { bundle } from './bundle.ts';

export interface BuildOptions extends ImageOptions {
  readonly output: string;
  readonly json?: boolean;
}

/** What a build made, for programs. Paths are relative to the working folder. */
interface BuildReport {
  /** The version of this format. */
  readonly version: 1;
  readonly ok: true;
  readonly bundle: { readonly file: string; readonly bytes: number };
  readonly image?: ImageReport;
}

/**
 * Bundles a module and all that it imports into one file with a source map, and makes an image or a Dockerfile of it if the
 * options ask for one. Resolves to the exit code. Throws `bundle-failed` with all mistakes of the sources; nothing is written then.
 */
export async function build(main: string, options: BuildOptions, terminal: Terminal): Promise<number> {
  const progress = new ProgressLines(terminal);
  try {
    const report = await built(main, options, terminal, progress.onProgress);
    if (options.json === true) terminal.out(JSON.stringify(report, null, 2));
    return 0;
  } catch (error) {
    if (options.json !== true || !(error instanceof EvenkeelError)) throw error;
    terminal.out(
      JSON.stringify({ version: 1, ok: false, error: { code: error.code, message: error.message } }, null, 2),
    );
    return 1;
  } finally {
    progress.stop();
  }
}

async function built(
  main: string,
  options: BuildOptions,
  terminal: Terminal,
  progress: (doing: string) => void,
): Promise<BuildReport> {
  const { folder } = terminal;
  // The output of a program or a Dockerfile is the only one on stdout.
  const tell = (line: string): void => {
    if (options.dockerfile === '-') terminal.err(line);
    else if (options.json !== true) terminal.out(line);
  };
  const wanted = checkImageOptions(options);
  progress('bundling');
  const file = resolve(folder, options.output);
  const { files, modules } = await bundle(main, file, folder);
  await mkdir(dirname(file), { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(dirname(file), name), content);
  const bytes = Object.values(files)[0]?.length ?? 0;
  const shown = relative(folder, file);
  tell(`${shown} written: ${Math.ceil(bytes / 1000).toLocaleString('en')} KB`);
  const report: BuildReport = { version: 1, ok: true, bundle: { file: shown, bytes } };
  if (!wanted.image && !wanted.dockerfile) return report;
  const { buildImage } = await import('../image/build-image.ts');
  const image = await buildImage({ files, modules, file, main: resolve(folder, main) }, options, {
    folder,
    env: process.env,
    tell,
    progress,
    print: (text) => terminal.out(text),
  });
  return { ...report, image };
}
