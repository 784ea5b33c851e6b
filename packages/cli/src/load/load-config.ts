import { existsSync, globSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { didYouMean, EvenkeelError } from '@evenkeel/core';
import type { GenerationOptions, ValidatorGroups } from '@evenkeel/schema';
import type { BundleConfig, DeploymentConfig, EvenkeelConfig, ImageConfig } from '../config.ts';
import { checkDeclared } from './declared-in-config.ts';
import { loadBundleConfig } from './load-bundle-config.ts';
import { loadDeployment } from './load-deployment-config.ts';
import { loadImage } from './load-image-config.ts';

/** A configuration with its defaults and absolute paths. */
export interface LoadedConfig {
  /** The folder of the configuration file. */
  readonly folder: string;
  /** URLs of files that exist, each once. */
  readonly apis: readonly string[];
  /** The URLs of `apis` that only patterns match, so that the user has not said what the modules export. */
  readonly matched: ReadonlySet<string>;
  /** The URL of the module with the operator's declaration, which exists; undefined for a project without operator. */
  readonly operator: string | undefined;
  /** Paths of files that exist. */
  readonly samples: readonly string[];
  readonly output: string;
  /** The folder with the CRDs of the last release, which exists; undefined if none is configured. */
  readonly released: string | undefined;
  /** The path of the module with the fields of all kinds; undefined if none is written. */
  readonly fields: string | undefined;
  /** The path of the module with the tests of conversions; undefined if none is written. */
  readonly conversionTest: string | undefined;
  /** The path of the file with all manifests; undefined if none is written. */
  readonly installer: string | undefined;
  /** The path of the folder with the Helm chart; undefined if none is written. */
  readonly chart: string | undefined;
  /** The settings of the operator's deployment; undefined if only the CRDs are generated. */
  readonly deployment: DeploymentConfig | undefined;
  /** The inputs of images. */
  readonly image: ImageConfig;
  /** What a bundle says; required members may be missing. Undefined if none is configured. */
  readonly bundle: Partial<BundleConfig> | undefined;
  /** Options for generating CRDs. */
  readonly generation: Pick<GenerationOptions, 'validator' | 'maxDescriptionLength' | 'maxDefinitionBytes'>;
}

const fileNames = ['evenkeel.config.ts', 'evenkeel.config.mts', 'evenkeel.config.js', 'evenkeel.config.mjs'];

/** Returns the path of the configuration in a folder, or of `named`. Throws `invalid-config` if it does not exist. */
export function findConfig(folder: string, named?: string): string {
  if (named !== undefined) {
    const path = resolve(folder, named);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return checkedName(path, folder);
    throw new EvenkeelError(
      'invalid-config',
      `--config ${relative(folder, path)}: the file does not exist; pass the path of the configuration`,
    );
  }
  const found = configIn(folder);
  if (found !== undefined) return found;
  throw new EvenkeelError(
    'invalid-config',
    `no evenkeel.config.ts in ${folder}; run the command in the folder of your project, or pass --config FILE`,
  );
}

/** Returns the path of the configuration in a folder; undefined if there is none. */
export function configIn(folder: string): string | undefined {
  return fileNames.map((name) => join(folder, name)).find((path) => existsSync(path));
}

function checkedName(path: string, folder: string): string {
  if (/\.(?:m?ts|[cm]?js)$/.test(path)) return path;
  throw new EvenkeelError(
    'invalid-config',
    `--config ${relative(folder, path)}: not a module; pass a file that ends with .ts or .js`,
  );
}

const options: readonly string[] = [
  'apis',
  'operator',
  'samples',
  'output',
  'released',
  'fields',
  'conversionTest',
  'installer',
  'chart',
  'deployment',
  'image',
  'bundle',
  'validator',
  'maxDescriptionLength',
  'maxDefinitionBytes',
] satisfies readonly (keyof EvenkeelConfig)[];

const validatorOptions: readonly string[] = [
  'groups',
  'always',
  'strictGroups',
] satisfies readonly (keyof ValidatorGroups)[];

/**
 * Checks the default export of a configuration module. Throws one `invalid-config` with all mistakes, or
 * `operator-not-declared` for a configuration that declares the operator itself.
 *
 * @param from messages show file paths relative to this folder.
 */
export function checkConfig(path: string, exported: unknown, from: string): LoadedConfig {
  const check = new ConfigCheck(path, relative(from, path));
  const config = check.config(exported);
  check.throwOnProblems();
  return config;
}

class ConfigCheck {
  /** The path of the file for messages. */
  readonly #shown: string;
  readonly #folder: string;
  readonly #problems: string[] = [];

  constructor(path: string, shown: string) {
    this.#shown = shown;
    this.#folder = dirname(path);
  }

  throwOnProblems(): void {
    if (this.#problems.length === 0) return;
    const text = this.#problems.map((problem) => `${this.#shown}: ${problem}`).join('\n');
    throw new EvenkeelError('invalid-config', text);
  }

  config(exported: unknown): LoadedConfig {
    if (!isJsonObject(exported)) {
      this.#problems.push('missing default export; write "export default defineConfig({ apis: [...] })"');
      this.throwOnProblems();
    }
    const given = exported as Readonly<Record<string, unknown>>;
    checkDeclared(given, this.#folder, this.#shown);
    this.#checkNames('', given, options);
    const matched = new Set<string>();
    const output = given['output'] ?? 'config';
    if (typeof output !== 'string' || output === '') this.#problems.push('output must be the path of a folder');
    // If it is missing, an "unknown option" may already explain why.
    const apis = given['apis'] ?? (this.#problems.length > 0 ? [] : undefined);
    const urls = this.#modules('apis', apis, './src/nginx.ts', matched);
    const operator = this.#operator(given['operator']);
    const fields = this.#module('fields', given['fields'], './src/fields.ts');
    const conversionTest = this.#module('conversionTest', given['conversionTest'], './src/conversion.test.ts');
    const modules = { apis: urls, operator: operator === undefined ? [] : [operator] };
    if (fields !== undefined) this.#checkNoSource('fields', fields, modules, matched);
    if (conversionTest !== undefined) this.#checkNoSource('conversionTest', conversionTest, modules, matched);
    return {
      folder: this.#folder,
      apis: urls,
      matched,
      operator,
      samples: this.#paths('samples', given['samples'] ?? [], './config/samples/nginx.yaml').flatMap(
        (entry) => this.#file('samples', entry) ?? [],
      ),
      output: resolve(this.#folder, String(output)),
      released: this.#released(given['released']),
      fields,
      conversionTest,
      installer: this.#installer(given['installer']),
      chart: this.#chart(given['chart'], given['deployment'], String(output)),
      deployment: loadDeployment(given['deployment'], this.#folder, (problem) => this.#problems.push(problem)),
      image: loadImage(given['image'], (problem) => this.#problems.push(problem)),
      bundle: loadBundleConfig(given['bundle'], (problem) => this.#problems.push(problem)),
      generation: {
        validator: this.#validator(given['validator'] ?? {}),
        maxDescriptionLength: this.#limit('maxDescriptionLength', given['maxDescriptionLength']),
        maxDefinitionBytes: this.#limit('maxDefinitionBytes', given['maxDefinitionBytes']),
      },
    };
  }

  #checkNames(prefix: string, given: object, known: readonly string[]): void {
    for (const option of Object.keys(given)) {
      if (known.includes(option)) continue;
      const fix = didYouMean(option, known) || `; use one of ${known.join(', ')}`;
      this.#problems.push(`unknown option "${prefix}${option}"${fix}`);
    }
  }

  #paths(option: string, value: unknown, example: string): readonly string[] {
    if (!Array.isArray(value)) {
      this.#problems.push(`${option} must be a list of files, such as ['${example}']`);
      return [];
    }
    return value.filter((entry: unknown): entry is string => {
      if (typeof entry === 'string' && entry !== '') return true;
      this.#problems.push(`${option}: ${JSON.stringify(entry)} is not a path; list only paths`);
      return false;
    });
  }

  #modules(option: string, value: unknown, example: string, matched: Set<string>): readonly string[] {
    const urls = new Map<string, boolean>();
    for (const entry of this.#paths(option, value, example)) {
      const isPattern = /[*?{[]/.test(entry) && !existsSync(resolve(this.#folder, entry));
      const files = isPattern ? this.#matches(option, entry) : [this.#file(option, entry) ?? []].flat();
      for (const file of files) {
        const url = urlOf(file);
        urls.set(url, (urls.get(url) ?? true) && isPattern);
      }
    }
    for (const [url, onlyMatched] of urls) if (onlyMatched) matched.add(url);
    return [...urls.keys()];
  }

  #operator(value: unknown): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value !== '') {
      const file = this.#file('operator', value);
      return file === undefined ? undefined : urlOf(file);
    }
    this.#problems.push("operator must be the path of the module that exports it, such as './src/operator.ts'");
    return undefined;
  }

  #matches(option: string, pattern: string): string[] {
    const found = globSync(pattern, {
      cwd: this.#folder,
      exclude: (name) => basename(name) === 'node_modules',
    })
      .map((name) => resolve(this.#folder, name))
      .filter((file) => /\.m?[jt]s$/.test(file) && !/\.(d|test)\.m?[jt]s$/.test(file) && statSync(file).isFile())
      .sort();
    if (found.length === 0) this.#problems.push(`${option}: no module matches ${pattern}`);
    return found;
  }

  #file(option: string, entry: string): string | undefined {
    const file = resolve(this.#folder, entry);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isFile() === true) return file;
    this.#problems.push(
      found === undefined
        ? `${option}: ${entry} does not exist; write a path relative to the configuration`
        : `${option}: ${entry} is not a file; ${option === 'operator' ? 'write the path of a module' : `for all modules in a folder, write ${entry.replace(/\/$/, '')}/*.ts`}`,
    );
    return undefined;
  }

  #released(value: unknown): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || value === '') {
      this.#problems.push("released must be the path of a folder, such as './config/released'");
      return undefined;
    }
    const folder = resolve(this.#folder, value);
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
    this.#problems.push(
      `released: ${value} is not a folder; copy the CRDs of your last release there, or remove the option`,
    );
    return undefined;
  }

  #installer(value: unknown): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value === 'string' && /[^/]\.ya?ml$/.test(value)) return resolve(this.#folder, value);
    this.#problems.push("installer must be the path of a YAML file to write, such as './dist/install.yaml'");
    return undefined;
  }

  #chart(value: unknown, deployment: unknown, output: string): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || value === '') {
      this.#problems.push("chart must be the path of a folder, such as './chart'");
      return undefined;
    }
    const folder = resolve(this.#folder, value);
    if (deployment === false)
      this.#problems.push('chart is set, but deployment is false, so there is nothing to install; remove one of them');
    // The output folder's kustomization and CRDs would be files of the chart.
    if (folder === this.#folder || !relative(folder, resolve(this.#folder, output)).startsWith('..'))
      this.#problems.push(`chart: ${value} contains other files; set a separate folder, such as './chart'`);
    return folder;
  }

  #module(option: string, value: unknown, example: string): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value === 'string' && /[^/]\.m?ts$/.test(value) && !/\.d\.m?ts$/.test(value))
      return resolve(this.#folder, value);
    this.#problems.push(`${option} must be the path of a TypeScript module to write, such as '${example}'`);
    return undefined;
  }

  /** A module that only a pattern matches may be the module that `generate` wrote before. */
  #checkNoSource(
    option: string,
    path: string,
    modules: Readonly<Record<string, readonly string[]>>,
    matched: ReadonlySet<string>,
  ): void {
    if (!existsSync(path)) return;
    const url = urlOf(path);
    const [source] = Object.entries(modules).find(([, urls]) => urls.includes(url)) ?? [];
    if (source === undefined || matched.has(url)) return;
    this.#problems.push(
      `${option}: generate would overwrite ${relative(this.#folder, path)}, which is a module of ${source}; set a new file, such as ./src/${option === 'fields' ? 'fields' : 'conversion.test'}.ts`,
    );
  }

  #limit(option: string, value: unknown): number | undefined {
    if (value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)) return value;
    this.#problems.push(`${option} must be an integer of at least 0`);
    return undefined;
  }

  #validator(value: unknown): ValidatorGroups {
    if (!isJsonObject(value)) {
      this.#problems.push("validator must be an object, such as { groups: ['create'] }");
      return {};
    }
    this.#checkNames('validator.', value, validatorOptions);
    const { groups, always, strictGroups } = value;
    const isGroups = Array.isArray(groups) && groups.every((group) => typeof group === 'string');
    if (groups !== undefined && !isGroups) this.#problems.push('validator.groups must be a list of group names');
    for (const [name, flag] of Object.entries({ always, strictGroups })) {
      if (flag !== undefined && typeof flag !== 'boolean')
        this.#problems.push(`validator.${name} must be true or false`);
    }
    return {
      ...(isGroups ? { groups: groups as string[] } : {}),
      ...(typeof always === 'boolean' ? { always } : {}),
      ...(typeof strictGroups === 'boolean' ? { strictGroups } : {}),
    };
  }
}

/** A file with two names (by links or folders) would be two modules for Node's loader. */
function urlOf(file: string): string {
  return pathToFileURL(realpathSync(file)).href;
}
