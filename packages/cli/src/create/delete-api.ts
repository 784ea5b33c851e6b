import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import { nodesIn } from '../edit/source-module.ts';
import { type DeclaredKind, findKind } from './find-kind.ts';
import type { ProjectEdit } from './project-edit.ts';
import { calleeOf } from './project-sources.ts';
import { sampleOf } from './sample-file.ts';

export interface DeleteApiOptions {
  readonly group?: string;
  readonly force?: boolean;
}

/**
 * Plans the removal of a kind, or of one of its versions: its classes, controllers, webhooks, tests, samples and list entries. Throws
 * `kind-still-used` with everything that must be changed first, and `uncommitted-changes`.
 */
export function deleteApi(edit: ProjectEdit, name: string, options: DeleteApiOptions): void {
  const [kindName = '', version, ...rest] = name.split('/');
  if (rest.length > 0) throw new EvenkeelError('invalid-option', `${name}: invalid name; write KIND or KIND/VERSION`);
  const kind = findKind(edit.project, kindName, options.group);
  new Deletion(edit, versionsOf(kind, version)).plan(options.force === true);
}

/** The kind, with only the versions to delete. */
function versionsOf(kind: DeclaredKind, version: string | undefined): DeclaredKind & { readonly isWhole: boolean } {
  if (version === undefined) return { ...kind, isWhole: true };
  const versions = kind.versions.filter((each) => each.version === version);
  if (versions.length > 0) return { ...kind, versions, isWhole: versions.length === kind.versions.length };
  const known = kind.versions.map((each) => each.version).join(', ');
  throw new EvenkeelError('invalid-option', `${kind.kind} has no version ${version}; it has ${known}`);
}

class Deletion {
  readonly #edit: ProjectEdit;
  readonly #kind: DeclaredKind & { readonly isWhole: boolean };
  /** The paths of modules that are deleted. */
  readonly #modules = new Set<string>();
  readonly #names = new Set<string>();
  /** The places that the user must change first. */
  readonly #obstacles: string[] = [];

  constructor(edit: ProjectEdit, kind: DeclaredKind & { readonly isWhole: boolean }) {
    this.#edit = edit;
    this.#kind = kind;
  }

  plan(force: boolean): void {
    const { project, lists } = this.#edit;
    this.#addVersions();
    if (this.#kind.isWhole) this.#addHandlers();
    this.#addTests();
    const samples = this.#samples();
    const deleted = new Set([...this.#modules, ...samples]);
    for (const path of deleted) project.changes.set(path, undefined);
    lists.removeNames(this.#names);
    lists.removeFiles('apis', this.#modules);
    lists.removeFiles('samples', new Set(samples));
    this.#findUses();
    if (this.#obstacles.length > 0) {
      const shown = this.#kind.isWhole ? this.#kind.kind : `${this.#kind.kind}/${this.#kind.versions[0]?.version}`;
      throw new EvenkeelError(
        'kind-still-used',
        [`${shown} is still used; change this first:`, ...this.#obstacles.map((line) => `    ${line}`)].join('\n'),
      );
    }
    if (!force) this.#rejectUncommitted([...deleted]);
    if (project.versions().length === 0) {
      this.#edit.notices.push('the project has no kind now; create one with evenkeel create api');
    }
  }

  #addVersions(): void {
    const { project } = this.#edit;
    const others = project.versions();
    for (const { path, name } of this.#kind.versions) {
      this.#modules.add(path);
      this.#names.add(name);
      for (const other of others) {
        const isDeleted = this.#kind.versions.some((each) => each.path === other.path && each.name === other.name);
        if (other.path === path && !isDeleted)
          this.#obstacle(path, other.line, `declares ${other.name} too; move it to its own module`);
      }
    }
    if (this.#kind.isWhole) return;
    for (const { path, line, name, storage } of this.#kind.versions) {
      if (storage === true)
        this.#obstacle(path, line, `${name} is the storage version; set storage: true in another version`);
    }
    const left = findKind(project, this.#kind.kind, this.#kind.group).versions.length - this.#kind.versions.length;
    if (left === 1) {
      this.#edit.notices.push(
        'the kind has one version now; before you release it, migrate stored objects with evenkeel migrate',
      );
    }
  }

  #addHandlers(): void {
    const { project } = this.#edit;
    const handlers = project.handlers();
    const isOfKind = ({ path, kind }: (typeof handlers)[number]): boolean => {
      const origin = kind === undefined ? undefined : project.origin(path, kind);
      return this.#kind.versions.some((each) => each.path === origin?.path && each.name === origin.name);
    };
    for (const handler of handlers.filter(isOfKind)) {
      const { path, name } = handler;
      this.#modules.add(path);
      this.#names.add(name);
    }
    for (const handler of handlers.filter((each) => this.#modules.has(each.path) && !isOfKind(each))) {
      this.#obstacle(handler.path, handler.line, `declares ${handler.name} too; move it to its own module`);
    }
    for (const path of this.#modules) {
      const module = project.module(path);
      const operator = [...nodesIn(module.program)].find(
        (node) => node.type === 'CallExpression' && calleeOf(module, node) === 'defineOperator',
      );
      if (operator !== undefined) {
        this.#obstacle(path, module.lineOf(operator.start), 'declares the operator too; move it to its own module');
      }
    }
  }

  /** Tests whose imports from the modules of kinds, handlers and the operator are all deleted. */
  #addTests(): void {
    const { project, lists } = this.#edit;
    const kept = new Set(
      [...project.versions(), ...project.handlers()].map(({ path }) => path).filter((path) => !this.#modules.has(path)),
    );
    if (lists.operator !== undefined) kept.add(lists.operator);
    const references = Map.groupBy(project.references(), ({ from }) => from);
    for (const [path, all] of references) {
      const isTest = /\.(?:test|spec)\.[cm]?[jt]sx?$/.test(path) && !lists.generated.has(path);
      const usesDeleted = all.some(({ to }) => this.#modules.has(to));
      const usesKept = all.some(({ to }) => kept.has(to) && !this.#modules.has(to));
      if (isTest && usesDeleted && !usesKept) this.#modules.add(path);
    }
  }

  #samples(): string[] {
    const { project, lists } = this.#edit;
    return lists.entries('samples').flatMap((entry) => {
      const path = join(project.folder, entry);
      const sample = sampleOf(project, path, this.#kind);
      if (sample === undefined) return [];
      if (sample.isAlone) return [path];
      this.#obstacle(
        path,
        undefined,
        `has other objects besides ${this.#kind.kind}; remove the documents of ${this.#kind.kind}`,
      );
      return [];
    });
  }

  /** Imports of deleted modules in the other modules. */
  #findUses(): void {
    const { project, lists } = this.#edit;
    for (const module of project.modules()) {
      if (module.mistake !== undefined) {
        this.#obstacle(module.path, module.mistake.line, `cannot be read: ${module.mistake.message}`);
      }
    }
    for (const { from, line, to, specifier } of project.references()) {
      if (!this.#modules.has(to) || lists.generated.has(from)) continue;
      this.#obstacle(from, line, `imports from ${specifier}; remove the import and what uses it`);
    }
  }

  #obstacle(path: string, line: number | undefined, text: string): void {
    const place = this.#edit.project.shown(path);
    this.#obstacles.push(line === undefined ? `${place} ${text}` : `${place}:${line} ${text}`);
  }

  /** Without a repository, git cannot restore anything, so nothing is checked. */
  #rejectUncommitted(paths: readonly string[]): void {
    const { project } = this.#edit;
    const options = ['status', '--porcelain', '-z', '--untracked-files=all', '--', ...paths];
    const { status, stdout } = spawnSync('git', options, { cwd: project.folder, encoding: 'utf8' });
    if (status !== 0 || stdout === '') return;
    const files = stdout.split('\0').flatMap((entry) => (entry === '' ? [] : entry.slice(3)));
    throw new EvenkeelError(
      'uncommitted-changes',
      `${files.sort().join(', ')}: ${files.length === 1 ? 'has' : 'have'} changes that git has not committed; commit them, or pass --force to delete them`,
    );
  }
}
