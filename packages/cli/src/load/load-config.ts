import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { didYouMean, EvenkeelError } from '@evenkeel/core';
import type { EvenkeelConfig } from '../config.ts';

/** A configuration with its defaults, and its paths made absolute. */
export interface LoadedConfig {
  /** The folder of the configuration file. */
  readonly folder: string;
  /** URLs of files that exist. */
  readonly apis: readonly string[];
  readonly controllers: readonly string[];
  readonly output: string;
}

const fileNames = ['evenkeel.config.ts', 'evenkeel.config.mts', 'evenkeel.config.js', 'evenkeel.config.mjs'];

/** The configuration file of a folder. Throws `invalid-config` where there is none. */
export function findConfig(folder: string): string {
  const found = fileNames.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new EvenkeelError(
    'invalid-config',
    `no evenkeel.config.ts in ${folder}; run the command in the folder of your project, or name the file with --config`,
  );
}

const options: readonly string[] = ['apis', 'controllers', 'output'] satisfies readonly (keyof EvenkeelConfig)[];

/** Checks what a configuration module exports by default. */
export function checkConfig(path: string, exported: unknown): LoadedConfig {
  const fail = (message: string) => new EvenkeelError('invalid-config', `${path}: ${message}`);
  if (typeof exported !== 'object' || exported === null) {
    throw fail('it has no default export; write "export default defineConfig({ apis: [...] })"');
  }
  for (const option of Object.keys(exported)) {
    if (options.includes(option)) continue;
    throw fail(`unknown option "${option}"${didYouMean(option, options) || `; it takes ${options.join(', ')}`}`);
  }
  const { apis, controllers = [], output = 'config' } = exported as Readonly<Record<string, unknown>>;
  const folder = dirname(path);
  const modules = (option: string, value: unknown) => {
    if (!Array.isArray(value)) throw fail(`${option} must be a list of modules, such as ['./src/nginx.ts']`);
    return value.map((entry: unknown) => {
      if (typeof entry !== 'string')
        throw fail(`${option} must be a list of paths; it contains ${JSON.stringify(entry)}`);
      const file = resolve(folder, entry);
      if (!existsSync(file))
        throw fail(`${option} names ${entry}, which does not exist; paths are relative to the file`);
      // The loader resolves links too, and a module under two URLs would be two modules.
      return pathToFileURL(realpathSync(file)).href;
    });
  };
  if (typeof output !== 'string' || output === '') throw fail('output must be the path of a folder');
  return {
    folder,
    apis: modules('apis', apis),
    controllers: modules('controllers', controllers),
    output: resolve(folder, output),
  };
}
