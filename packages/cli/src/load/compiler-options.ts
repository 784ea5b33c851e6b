import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError } from '@evenkeel/core';
import type { SourceLocation } from '@evenkeel/schema';
import { type JsonWithComments, parseJsonWithComments } from './jsonc.ts';

/** The options with which TypeScript compiles a project, from its tsconfig.json and those that it extends. */
export class CompilerOptions {
  /** The path of the project's tsconfig.json. */
  readonly path: string;
  readonly #options: ReadonlyMap<string, SetOption>;
  readonly #here: SourceLocation;

  private constructor(path: string, options: ReadonlyMap<string, SetOption>, here: SourceLocation) {
    this.path = path;
    this.#options = options;
    this.#here = here;
  }

  /**
   * Reads the tsconfig.json of a folder, or of the first folder above it that has one, up to `root`. Returns undefined if there
   * is none, or if it only refers to several others (`references`), because only TypeScript knows which one includes a module.
   * Throws `invalid-config` with a location if a file cannot be read.
   */
  static read(folder: string, root: string): CompilerOptions | undefined {
    for (let at = folder; ; at = dirname(at)) {
      const path = join(at, 'tsconfig.json');
      if (existsSync(path)) return CompilerOptions.#of(path);
      if (at === root || at === dirname(at)) return undefined;
    }
  }

  static #of(path: string): CompilerOptions | undefined {
    const file = readFile(path);
    const { files, references } = file.value;
    if (Array.isArray(files) && files.length === 0 && Array.isArray(references)) {
      const [only, ...others] = references.map((reference) =>
        isJsonObject(reference) ? reference['path'] : undefined,
      );
      if (typeof only !== 'string' || others.length > 0) return undefined;
      const referred = resolve(dirname(path), only);
      return CompilerOptions.#of(isFile(referred) ? referred : join(referred, 'tsconfig.json'));
    }
    const line = file.json.lineOf('compilerOptions') ?? 1;
    return new CompilerOptions(path, optionsOf(path, file, []), { file: path, line });
  }

  /** Names of values are in lower case, as TypeScript compares them. */
  get(option: string): unknown {
    const value = this.#options.get(option)?.value;
    return typeof value === 'string' ? value.toLowerCase() : value;
  }

  /** Where the option is set; the `compilerOptions` of the project's own file if it is not set. */
  placeOf(option: string): SourceLocation {
    return this.#options.get(option)?.place ?? this.#here;
  }
}

/** A tsconfig file that cannot be read. */
export class UnreadableConfig extends Error {
  readonly place: SourceLocation;

  constructor(place: SourceLocation, message: string) {
    super(message);
    this.place = place;
  }
}

interface SetOption {
  readonly value: unknown;
  readonly place: SourceLocation;
}

interface ConfigFile {
  readonly json: JsonWithComments;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Later options override earlier ones: those of a file override those of the files that it extends. */
function optionsOf(path: string, { json, value }: ConfigFile, extendedBy: readonly string[]): Map<string, SetOption> {
  const options = new Map<string, SetOption>();
  const bases = Array.isArray(value['extends']) ? value['extends'] : [value['extends'] ?? []].flat();
  const place = { file: path, line: json.lineOf('extends') ?? 1 };
  for (const base of bases) {
    const found = typeof base === 'string' ? resolveBase(base, path) : undefined;
    if (found === undefined) {
      throw new UnreadableConfig(
        place,
        `it extends ${JSON.stringify(base)}, which does not exist; fix the path, or install the package`,
      );
    }
    // TypeScript reports a cycle.
    if (found === path || extendedBy.includes(found)) continue;
    for (const [name, option] of optionsOf(found, readFile(found), [...extendedBy, path])) options.set(name, option);
  }
  const own = value['compilerOptions'];
  for (const [name, set] of Object.entries(isJsonObject(own) ? own : {})) {
    const line = json.lineOf(name, 'compilerOptions') ?? 1;
    // null removes an inherited option.
    if (set === null) options.delete(name);
    else options.set(name, { value: set, place: { file: path, line } });
  }
  return options;
}

/** As TypeScript: a path with or without `.json`, otherwise a package. */
function resolveBase(base: string, from: string): string | undefined {
  if (isAbsolute(base) || /^\.\.?(\/|$)/.test(base)) {
    const path = resolve(dirname(from), base);
    return [path, `${path}.json`].find(isFile);
  }
  const require = createRequire(from);
  for (const name of [base, `${base}.json`, `${base}/tsconfig.json`]) {
    try {
      const found = require.resolve(name);
      if (found.endsWith('.json')) return found;
    } catch {
      // The next name may exist.
    }
  }
  return undefined;
}

function readFile(path: string): ConfigFile {
  try {
    const json = parseJsonWithComments(readFileSync(path, 'utf8'));
    return { json, value: isJsonObject(json.value) ? json.value : {} };
  } catch (error) {
    const { message } = error as Error;
    throw new UnreadableConfig(
      { file: path, line: 1 },
      error instanceof EvenkeelError ? message : `it cannot be read: ${message}; fix the file`,
    );
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
