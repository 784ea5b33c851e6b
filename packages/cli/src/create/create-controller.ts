import { join, relative } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import { exampleObjects } from '../scaffold/example-objects.ts';
import {
  type HandledKind,
  type HandlerPlan,
  loggingController,
  loggingControllerTest,
} from '../scaffold/handler-files.ts';
import { controllerNameOf } from '../scaffold/kind-files.ts';
import { fileNameOf } from '../scaffold/project-plan.ts';
import { builtInKind } from './built-in-kind.ts';
import { findKind, mainVersionOf } from './find-kind.ts';
import type { ProjectEdit } from './project-edit.ts';
import { sampleOf } from './sample-file.ts';

export interface HandlerOptions {
  readonly group?: string;
  /** A built-in kind, such as `apps/v1/Deployment`. */
  readonly for?: string;
  readonly functions?: boolean;
}

/** A kind for which a controller or a webhook is created. */
export interface ChosenKind {
  readonly handled: HandledKind;
  /** Undefined for a built-in kind. */
  readonly group: string | undefined;
  /** The fields of a valid object; undefined if none is known. */
  readonly example: object | undefined;
}

/** Plans a controller for a kind of the project or a built-in kind. Throws `invalid-option` and `edit-refused`. */
export async function createController(
  edit: ProjectEdit,
  kind: string | undefined,
  options: HandlerOptions,
): Promise<void> {
  const { project, lists, files } = edit;
  const { handled, example } = await chosenKind(edit, kind, options);
  if (options.for === 'v1/Secret') {
    throw new EvenkeelError(
      'edit-refused',
      'a controller of Secrets keeps every Secret that it may read in memory; write it yourself with the restriction that you need, as in docs/watch-others.md',
    );
  }
  const existing = project
    .handlers()
    .find((each) => each.is === 'controller' && each.kind !== undefined && isSame(edit, each, handled));
  if (existing !== undefined) {
    throw new EvenkeelError(
      'invalid-option',
      `${handled.kind} already has the controller ${existing.name} (${project.shown(existing.path)}:${existing.line}); change that one`,
    );
  }
  const folder = files.folders.controllers;
  const file = fileNameOf(handled.kind);
  const plan: HandlerPlan = {
    handled,
    controllers: files.controllers(options.functions),
    testRunner: files.testRunner ?? '@jest/globals',
    module: join(folder, `${file}.controller.ts`),
    test: join(folder, `${file}.controller.test.ts`),
  };
  files.createModule(plan.module, loggingController(plan));
  if (files.testRunner === undefined) edit.noticeMissingTest();
  else if (example !== undefined) files.createModule(plan.test, loggingControllerTest(plan, example));
  else
    edit.notices.push(
      `no test was created, because evenkeel has no example of a valid ${handled.kind}; write a test as in docs/testing.md`,
    );
  lists.addName('controllers', controllerNameOf(handled.kind, plan), join(project.folder, plan.module));
}

function isSame(
  { project }: ProjectEdit,
  { path, kind = '' }: { readonly path: string; readonly kind: string | undefined },
  handled: HandledKind,
): boolean {
  const origin = project.origin(path, kind);
  if (handled.path === undefined) return origin === undefined && kind === handled.name;
  return origin?.name === handled.name && origin.path === join(project.folder, handled.path);
}

/** The kind that the user chose. Throws `invalid-option` for an unknown one. */
export async function chosenKind(
  { project, lists }: ProjectEdit,
  kind: string | undefined,
  options: HandlerOptions,
): Promise<ChosenKind> {
  if ((kind === undefined) === (options.for === undefined)) {
    throw new EvenkeelError(
      'invalid-option',
      'pass either a kind of the project, or a built-in kind with --for, such as --for apps/v1/Deployment',
    );
  }
  if (kind === undefined) {
    const name = await builtInKind(options.for ?? '');
    return {
      handled: { kind: name, name, path: undefined },
      group: undefined,
      example: exampleObjects[options.for ?? ''],
    };
  }
  const found = findKind(project, kind, options.group);
  const main = mainVersionOf(project, found);
  const path = relative(project.folder, main.path).replaceAll('\\', '/');
  const sample = lists
    .entries('samples')
    .flatMap((entry) => sampleOf(project, join(project.folder, entry), found) ?? [])
    .find(({ object }) => object['apiVersion'] === `${found.group}/${main.version}`);
  const { apiVersion: _v, kind: _k, metadata: _m, status: _s, ...example } = sample?.object ?? {};
  return {
    handled: { kind, name: main.name, path },
    group: found.group,
    example: sample === undefined ? undefined : example,
  };
}
