import { join } from 'node:path';
import {
  type HandlerPlan,
  type WebhookType,
  webhookFileOf,
  webhookModule,
  webhookNameOf,
  webhookTest,
} from '../scaffold/handler-files.ts';
import { chosenKind, type HandlerOptions } from './create-controller.ts';
import type { ProjectEdit } from './project-edit.ts';

export interface CreateWebhookOptions extends HandlerOptions {
  readonly validating?: boolean;
  readonly mutating?: boolean;
}

/** Plans a webhook with its test for each type; without types, one that validates. Throws `invalid-option` and `edit-refused`. */
export async function createWebhook(
  edit: ProjectEdit,
  kind: string | undefined,
  options: CreateWebhookOptions,
): Promise<void> {
  const { project, lists, files } = edit;
  const { handled, group } = await chosenKind(edit, kind, options);
  // The domain of the annotation in the example.
  const [first] = project.versions().flatMap((version) => version.group ?? []);
  const domain = group ?? first ?? 'example.com';
  const types: WebhookType[] = [
    ...(options.mutating === true ? ['mutating' as const] : []),
    ...(options.validating === true || options.mutating !== true ? ['validating' as const] : []),
  ];
  if (files.testRunner === undefined) edit.noticeMissingTest();
  for (const type of types) {
    const file = join(files.folders.controllers, webhookFileOf(handled.kind, type));
    const plan: HandlerPlan = {
      handled,
      controllers: files.controllers(options.functions),
      testRunner: files.testRunner ?? '@jest/globals',
      module: `${file}.ts`,
      test: `${file}.test.ts`,
    };
    files.createModule(plan.module, webhookModule(type, plan, domain));
    if (files.testRunner !== undefined) files.createModule(plan.test, webhookTest(type, plan, domain));
    lists.addName('webhooks', webhookNameOf(handled.kind, type, plan), join(project.folder, plan.module));
  }
}
