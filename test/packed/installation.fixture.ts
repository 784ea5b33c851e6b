import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

/** A dependency of a project, as in its lockfile. */
interface LockedPackage {
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** An empty project in a temporary folder outside of this repository, with packages from tarballs and the registry. */
export class Installation {
  readonly folder: string;
  readonly #locked: ReadonlyMap<string, LockedPackage>;

  private constructor(folder: string, locked: ReadonlyMap<string, LockedPackage>) {
    this.folder = folder;
    this.#locked = locked;
  }

  /**
   * Installs `dependencies` with `--omit=dev`, as a user would. Packages of `tarballs` come from their files, because
   * these versions are in no registry.
   */
  static async create(
    folder: string,
    dependencies: Readonly<Record<string, string>>,
    tarballs: Readonly<Record<string, string>> = {},
  ): Promise<Installation> {
    await mkdir(folder, { recursive: true });
    const manifest = { name: 'project', private: true, type: 'module', dependencies, overrides: tarballs };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2));
    // No package of ours has an install script, and users may forbid those of others.
    const options = [
      '--omit=dev',
      '--ignore-scripts',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    await execute('npm', ['install', ...options], folder);
    const lockfile = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
    // An optional dependency of another platform is only in the lockfile.
    const installed = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
    const paths = Object.keys(installed.packages);
    return new Installation(folder, new Map(paths.map((path) => [path, lockfile.packages[path]])));
  }

  /** Returns the names of all installed packages, each with its dependents. One platform build represents all. */
  get packages(): ReadonlyMap<string, readonly string[]> {
    const names = [...this.#locked.keys()].map(nameOf);
    const askers = (name: string): string[] =>
      [...this.#locked]
        .filter(([, { dependencies, optionalDependencies, peerDependencies }]) =>
          Object.hasOwn({ ...dependencies, ...optionalDependencies, ...peerDependencies }, name),
        )
        .map(([path]) => anyPlatform(nameOf(path)));
    return new Map(names.toSorted().map((name) => [anyPlatform(name), [...new Set(askers(name))].toSorted()]));
  }

  get withInstallScript(): readonly string[] {
    return [...this.#locked].filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) await writeFile(join(this.folder, name), text);
  }

  /** Runs a script of package.json with the Node of these tests, and returns its output; throws with the output if it fails. */
  async script(name: string): Promise<string> {
    return execute('npm', ['run', name], this.folder, {
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      NO_COLOR: '1',
    });
  }

  /** Runs a program in the project and returns its output; throws with the output if it fails. */
  async run(command: string, ...commandArguments: readonly string[]): Promise<string> {
    return execute(command, commandArguments, this.folder);
  }
}

/** Whether npm's registry responds. If `CI` or `EVENKEEL_REQUIRE_REGISTRY` is set, a missing response is an error. */
export async function registryAnswers(): Promise<boolean> {
  try {
    await execute('npm', ['view', 'reflect-metadata', 'version', '--fetch-retries=1', '--fetch-timeout=10000'], '.');
    return true;
  } catch (error) {
    if (process.env['CI'] || process.env['EVENKEEL_REQUIRE_REGISTRY']) throw error;
    return false;
  }
}

/** Runs a program and returns its output; throws with the output if it fails. */
export async function execute(
  command: string,
  commandArguments: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  // The settings of an npm that started this process belong to that npm, such as its prefix.
  const environment = Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_OPTIONS|INIT_CWD)/.test(name));
  try {
    const { stdout } = await execFileAsync(command, commandArguments, {
      cwd,
      env: { ...Object.fromEntries(environment), ...variables },
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${command} ${commandArguments.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function anyPlatform(name: string): string {
  return name.replace(/\/binding-(?:linux|darwin|win32|freebsd|android)-.*$/, '/binding-(platform)');
}
