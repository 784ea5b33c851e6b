import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { GeneratedFile, ReportedFinding } from './generation.ts';

/**
 * Says of a file that stands in the way of a generated one that it is somebody's own, and which line of the configuration
 * leads to it.
 *
 * @param folder files are named from here.
 */
export function foreignFile(
  path: string,
  options: GeneratedFile['options'],
  configPath: string,
  folder: string,
): ReportedFinding {
  const config = relative(folder, configPath);
  const found = firstGiven(options, configPath);
  const option = found?.option ?? options.at(-1);
  const mend = option === 'fields' ? 'file with "fields"' : 'folder with "output"';
  const message = `${option} leads to ${relative(folder, path)}, which generate did not make, for its first line does not say so; move or delete that file, or name another ${mend}`;
  const place = found === undefined ? config : `${config}:${found.line}`;
  return {
    level: 'error',
    code: 'output-not-written',
    className: '',
    location: { file: config, line: found?.line ?? 1 },
    message,
    text: `${place}: ${message}`,
  };
}

/**
 * The first of some options that the configuration gives, and where. Found by its text, for a configuration may compute all
 * it says; so it is only told, and nothing depends on it.
 */
function firstGiven(
  options: readonly string[],
  configPath: string,
): { readonly option: string; readonly line: number } | undefined {
  const lines = readFileSync(configPath, 'utf8').split('\n');
  for (const option of options) {
    const key = new RegExp(`(?:^|[{,\\s])['"]?${option}['"]?\\s*:`);
    const at = lines.findIndex((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && key.test(line));
    if (at >= 0) return { option, line: at + 1 };
  }
  return undefined;
}
