import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GeneratedFile } from './generation.ts';

export interface OutputFile extends GeneratedFile {
  readonly path: string;
  readonly state: 'current' | 'stale' | 'missing';
}

/** Compares generated files with those on disk. */
export async function compareWithDisk(files: readonly GeneratedFile[], output: string): Promise<OutputFile[]> {
  return Promise.all(
    files.map(async (file) => {
      const path = join(output, file.name);
      const written = await textOf(path);
      const state = written === undefined ? 'missing' : written === file.text ? 'current' : 'stale';
      return { ...file, path, state };
    }),
  );
}

/** Writes what differs; a file that is current keeps its time of change. */
export async function writeChanged(files: readonly OutputFile[]): Promise<void> {
  for (const { path, text, state } of files) {
    if (state === 'current') continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
