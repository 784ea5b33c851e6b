import { dirname, join, relative } from 'node:path';
import { restyled } from '../edit/code-style.ts';
import type { TestRunner } from '../generate/conversion-test.ts';
import { testRunnerOf } from '../generate/test-runner.ts';
import { nearestPackage } from '../load/nearest-package.ts';
import type { DeclaredLists } from './declared-lists.ts';
import type { ProjectSources } from './project-sources.ts';

/** Where new files of a project belong, and in which style they are written. */
export class NewFiles {
  readonly #project: ProjectSources;
  readonly #lists: DeclaredLists;

  constructor(project: ProjectSources, lists: DeclaredLists) {
    this.#project = project;
    this.#lists = lists;
  }

  /** The folders from that of the configuration, with slashes: those of the existing files, and by default those of a new project. */
  get folders(): { readonly apis: string; readonly controllers: string; readonly samples: string } {
    const { folder } = this.#project;
    const from = (path: string): string => relative(folder, dirname(path)).replaceAll('\\', '/');
    const [version] = this.#project.versions();
    const handlers = this.#project.handlers();
    const handler = handlers.find(({ is }) => is === 'controller') ?? handlers[0];
    const apis = version === undefined ? 'src' : from(version.path);
    const [sample] = this.#lists.entries('samples');
    return {
      apis,
      controllers: handler === undefined ? apis : from(handler.path),
      samples: sample === undefined ? 'samples' : from(join(folder, sample)),
    };
  }

  /** Whether the controllers of the project are functions or classes. */
  controllers(functions: boolean | undefined): 'classes' | 'functions' {
    const existing = this.#project.handlers();
    const areFunctions = existing.length > 0 && existing.every(({ form }) => form === 'functions');
    return (functions ?? areFunctions) ? 'functions' : 'classes';
  }

  /** The package with the functions of tests; undefined if the project has none, or does not have `@evenkeel/testing`. */
  get testRunner(): TestRunner | undefined {
    const { dependencies, devDependencies } = nearestPackage(this.#project.folder) ?? {};
    const listed = new Set([dependencies, devDependencies].flatMap((list) => Object.keys(list ?? {})));
    const isTested = ['vitest', 'jest', '@jest/globals'].some((name) => listed.has(name));
    return isTested && listed.has('@evenkeel/testing') ? testRunnerOf(this.#project.folder) : undefined;
  }

  /** Plans a module of our templates, in the style of the project. The path is from the folder of the configuration. */
  createModule(path: string, template: string): void {
    const absolute = join(this.#project.folder, path);
    this.#project.create(absolute, restyled(template, this.#project.styleOf(absolute)));
  }
}
