import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { GeneratedFile } from '../manifests/generated-file.ts';
import type { ReportedFinding } from './generation.ts';

/**
 * Reports that a file which `generate` did not write is in the way, with the line of the configuration that leads to
 * it.
 *
 * @param folder messages show file paths relative to this folder.
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
  const isFile = option === 'fields' || option === 'conversionTest' || option === 'installer';
  const replacement = isFile ? `file with "${option}"` : `folder with "${option === 'chart' ? option : 'output'}"`;
  const message = `${option}: generate would overwrite ${relative(folder, path)}, which it did not write (it does not start with the mark of "evenkeel generate"); move or delete that file, or set another ${replacement}`;
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
 * Returns the first of these options that the configuration sets, with its line. It searches the text, because a
 * configuration may be computed; the result is only used in messages.
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
