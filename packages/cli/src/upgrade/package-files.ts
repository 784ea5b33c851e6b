import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import { FileChanges } from '../edit/file-changes.ts';
import { type Interruption, packageManagerProgram, runProgram } from '../package-manager/run-program.ts';
import type { Workspace } from '../package-manager/workspace.ts';
import {
  type FrameworkDependency,
  frameworkDependencies,
  installedVersion,
  withVersion,
} from './framework-dependencies.ts';
import { completeVersion } from './framework-version.ts';

interface PackageFile {
  readonly folder: string;
  readonly path: string;
  readonly shown: string;
  readonly text: string;
  readonly dependencies: readonly FrameworkDependency[];
}

/** The package.json files of a workspace that name the framework, and its lockfile. */
export class PackageFiles {
  readonly #workspace: Workspace;
  readonly #files: readonly PackageFile[];
  readonly #changes = new FileChanges();
  /** The contents before, by the paths; undefined for a file that did not exist. */
  readonly #before: ReadonlyMap<string, Buffer | undefined>;

  /**
   * Throws `framework-not-declared` if no package.json has the framework.
   *
   * @param from messages show paths relative to this folder.
   */
  constructor(workspace: Workspace, from: string) {
    const files = workspace.folders.map((folder) => {
      const path = join(folder, 'package.json');
      const shown = relative(from, path).replaceAll('\\', '/');
      const text = existsSync(path) ? readFileSync(path, 'utf8').replace(/^\uFEFF/, '') : '{}';
      return { folder, path, shown, text, dependencies: frameworkDependencies(text, shown) };
    });
    this.#workspace = workspace;
    this.#files = files.filter(({ dependencies }) => dependencies.length > 0);
    if (this.#files.length === 0) {
      throw new EvenkeelError(
        'framework-not-declared',
        `${files.map(({ shown }) => shown).join(', ')}: no dependency is a package of evenkeel; run the command in the folder of your project`,
      );
    }
    const locks = workspace.manager.lockfiles.map((name) => join(workspace.root, name));
    const paths = [...this.#files.map(({ path }) => path), ...locks];
    this.#before = new Map(paths.map((path) => [path, existsSync(path) ? readFileSync(path) : undefined]));
  }

  /** The folders of the packages. */
  folders(): string[] {
    return this.#files.map(({ folder }) => folder);
  }

  /**
   * Returns the version of the framework: the installed one, or the one in package.json if none is installed. Throws
   * `framework-versions-differ` if there are several, or one that is not in a registry.
   */
  currentVersion(): string {
    const found = new Map<string, string[]>();
    for (const { folder, shown, dependencies } of this.#files) {
      for (const { name, range, section, version: declared, prefix } of dependencies) {
        // A library may support several versions.
        if (prefix === undefined && section === 'peerDependencies') continue;
        if (prefix === undefined) {
          throw new EvenkeelError(
            'framework-versions-differ',
            `${shown}: "${name}": "${range}" is not a version; write the version of the other packages of evenkeel, such as "^0.1.0"`,
          );
        }
        const version = completeVersion(installedVersion(folder, name) ?? '') ?? declared ?? '';
        found.set(version, [...(found.get(version) ?? []), `${name} (${shown})`]);
      }
    }
    const [first, ...others] = found.keys();
    if (first !== undefined && others.length === 0) return first;
    const all = [...found].map(([version, names]) => `${version} of ${names.join(', ')}`).join('; ');
    throw new EvenkeelError(
      'framework-versions-differ',
      `the project has several versions of evenkeel: ${all}; set the same version for all packages, install them, and run the command again`,
    );
  }

  /** Plans another version in each package.json. */
  plan(version: string): void {
    for (const { path, text, dependencies } of this.#files) {
      const mark = this.#changes.read(path)?.startsWith('\uFEFF') === true ? '\uFEFF' : '';
      this.#changes.set(path, `${mark}${withVersion(text, dependencies, version)}`);
    }
  }

  /** The packages whose version is planned to change. */
  changed(): { path: string; names: string[] }[] {
    return this.#files.map(({ shown, dependencies }) => ({
      path: shown,
      names: [...new Set(dependencies.filter(({ prefix }) => prefix !== undefined).map(({ name }) => name))],
    }));
  }

  diff(folder: string): string {
    return this.#changes.diff(folder);
  }

  /** Writes the plan and installs the packages. Throws `upgrade-failed`. After an error, {@link restore} undoes the changes. */
  async install(interruption: Interruption): Promise<void> {
    const { root, manager } = this.#workspace;
    await this.#changes.write(root);
    const { name, install, variables = {} } = manager;
    const { exitCode } = await runProgram(root, packageManagerProgram(name), install, { variables, interruption });
    if (exitCode === 0) return;
    const why =
      exitCode === 127
        ? `${name} was not found, but the project has its lockfile`
        : `${name} install failed, see above`;
    throw new EvenkeelError('upgrade-failed', why);
  }

  /** Restores each package.json and the lockfile. Returns their names. */
  restore(): string {
    for (const [path, content] of this.#before) {
      if (content === undefined) rmSync(path, { force: true });
      else if (!existsSync(path) || !readFileSync(path).equals(content)) writeFileSync(path, content);
    }
    const locks = [...this.#before].flatMap(([path, content]) => {
      const isLock = !this.#files.some((file) => file.path === path);
      return isLock && content !== undefined ? [relative(this.#workspace.root, path)] : [];
    });
    const names = [...this.#files.map(({ shown }) => shown), ...locks];
    return `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'}`;
  }
}
