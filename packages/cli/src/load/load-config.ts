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
  readonly services: readonly string[];
  /** Paths of files that exist. */
  readonly samples: readonly string[];
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

const options: readonly string[] = [
  'apis',
  'controllers',
  'services',
  'samples',
  'output',
] satisfies readonly (keyof EvenkeelConfig)[];

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
  const {
    apis,
    controllers = [],
    services = [],
    samples = [],
    output = 'config',
  } = exported as Readonly<Record<string, unknown>>;
  const folder = dirname(path);
  const files = (option: string, value: unknown, example: string) => {
    if (!Array.isArray(value)) throw fail(`${option} must be a list of files, such as ['${example}']`);
    return value.map((entry: unknown) => {
      if (typeof entry !== 'string')
        throw fail(`${option} must be a list of paths; it contains ${JSON.stringify(entry)}`);
      const file = resolve(folder, entry);
      if (!existsSync(file))
        throw fail(`${option} names ${entry}, which does not exist; paths are relative to the file`);
      return realpathSync(file);
    });
  };
  // The loader resolves links too, and a module under two URLs would be two modules.
  const modules = (option: string, value: unknown) =>
    files(option, value, './src/nginx.ts').map((file) => pathToFileURL(file).href);
  if (typeof output !== 'string' || output === '') throw fail('output must be the path of a folder');
  return {
    folder,
    apis: modules('apis', apis),
    controllers: modules('controllers', controllers),
    services: modules('services', services),
    samples: files('samples', samples, './config/samples/nginx.yaml'),
    output: resolve(folder, output),
  };
}
