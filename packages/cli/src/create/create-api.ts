import { join } from 'node:path';
import { EvenkeelError, pluralOf } from '@evenkeel/core';
import { controllerNameOf, firstVersion, type KindPlan, kindFiles, kindPaths } from '../scaffold/kind-files.ts';
import { fileNameOf, mistakesOfGroup, mistakesOfKinds } from '../scaffold/project-plan.ts';
import type { ProjectEdit } from './project-edit.ts';

export interface CreateApiOptions {
  readonly group?: string;
  readonly version?: string;
  readonly functions?: boolean;
  readonly controller: boolean;
}

/** Plans a kind: its class, a controller with a test, and a sample. Throws `invalid-option` and `edit-refused`. */
export function createApi(edit: ProjectEdit, kind: string, options: CreateApiOptions): void {
  const { project, lists, files } = edit;
  const group = options.group ?? groupOf(edit);
  const version = options.version ?? firstVersion;
  const mistakes = [...mistakesOfGroup(group), ...mistakesOfKinds([kind]), ...mistakesOfVersion(version)];
  if (mistakes.length > 0) throw new EvenkeelError('invalid-option', mistakes.join('\n'));
  rejectSimilar(edit, kind, group);
  const runner = files.testRunner;
  const plan: KindPlan = {
    group,
    version,
    controllers: files.controllers(options.functions),
    folders: files.folders,
    testRunner: runner ?? '@jest/globals',
  };
  const paths = kindPaths(kind, plan);
  const contents = kindFiles(kind, plan);
  files.createModule(paths.api, contents[paths.api] ?? '');
  if (options.controller) {
    files.createModule(paths.controller, contents[paths.controller] ?? '');
    if (runner !== undefined) files.createModule(paths.test, contents[paths.test] ?? '');
    else edit.noticeMissingTest();
  }
  project.create(join(project.folder, paths.sample), contents[paths.sample] ?? '');
  lists.addFile('apis', join(project.folder, paths.api));
  lists.addFile('samples', join(project.folder, paths.sample));
  if (options.controller)
    lists.addName('controllers', controllerNameOf(kind, plan), join(project.folder, paths.controller));
}

/** The group of all kinds of the project. */
function groupOf({ project }: ProjectEdit): string {
  const groups = [...new Set(project.versions().flatMap(({ group }) => group ?? []))];
  const [only] = groups;
  if (only !== undefined && groups.length === 1) return only;
  const why =
    groups.length === 0 ? 'the project has no kind with a group' : `the project has the groups ${groups.join(', ')}`;
  throw new EvenkeelError('invalid-option', `the API group is missing, because ${why}; pass --group`);
}

/** Yields each mistake in a version, with the fix. */
export function* mistakesOfVersion(version: string): Generator<string> {
  if (/^v[1-9]\d{0,9}(?:(?:alpha|beta)[1-9]\d{0,9})?$/.test(version)) return;
  yield `the version ${JSON.stringify(version)} is invalid; use a version such as v1alpha1, v1beta1 or v1`;
}

function rejectSimilar({ project }: ProjectEdit, kind: string, group: string): void {
  for (const other of project.versions()) {
    const place = `${project.shown(other.path)}:${other.line}`;
    if (other.kind === kind && other.group === group) {
      throw new EvenkeelError(
        'invalid-option',
        `the kind ${kind} already exists (${place}); to add a version, run evenkeel create version ${kind} VERSION`,
      );
    }
    const isSimilar =
      fileNameOf(other.kind) === fileNameOf(kind) || pluralOf(other.kind) === pluralOf(kind) || other.name === kind;
    if (!isSimilar) continue;
    throw new EvenkeelError(
      'invalid-option',
      `the kinds ${other.kind} (${place}) and ${kind} are too similar, so that their files or resources would have the same name; choose another name`,
    );
  }
}
