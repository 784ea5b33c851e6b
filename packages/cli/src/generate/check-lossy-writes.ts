import { type AnyClass, type ControllerPlan, wordOf } from '@evenkeel/core';
import { planRbac } from '@evenkeel/core/rbac';
import type { WebhookPlan } from '@evenkeel/core/webhook';
import type { InjectionMistake } from '@evenkeel/runtime';
import type { LossyWrites } from '@evenkeel/schema';

/** The declarations of an operator that write objects. */
export interface DeclaredWriters {
  readonly controllers: readonly ControllerPlan[];
  readonly webhooks: readonly WebhookPlan[];
  /** Services and runnables, which write with the permissions of their `@Rbac`s. */
  readonly services: readonly AnyClass[];
}

/** The number of fields that a message lists. */
const listedFields = 6;

/** The verbs that change stored objects. A created object has only what its writer knows. */
const changing: ReadonlySet<string> = new Set(['update', 'patch']);

/**
 * Reports declarations by which an operator writes through a version whose writes drop fields. Watches and listers only read, and a
 * validating webhook changes nothing.
 */
export function lossyWriteMistakes(
  { controllers, webhooks, services }: DeclaredWriters,
  lossyWrites: readonly LossyWrites[],
): readonly InjectionMistake[] {
  const mistakes: InjectionMistake[] = [];
  const report = (
    target: AnyClass,
    { group, plural, version }: WrittenResource,
    writer: (lossy: LossyWrites) => string | undefined,
  ): void => {
    const lossy = lossyWrites.find(
      (each) => each.group === group && each.plural === plural && each.version === version,
    );
    const writes = lossy === undefined ? undefined : writer(lossy);
    if (lossy === undefined || writes === undefined) return;
    const problem = `${writes} drop ${fieldsText(lossy)} from every object; ${fixOf(lossy)}`;
    mistakes.push({ code: 'lossy-writes', target, method: undefined, problem });
  };
  for (const { controllerClass, resource, owns } of controllers) {
    report(controllerClass, resource, ({ version, kind }) => `it reconciles ${version} of ${kind}; its own writes`);
    for (const child of owns) {
      const declaration = `${wordOf(controllerClass, 'Owns')}(${child.kind.name})`;
      report(controllerClass, child.resource, ({ version }) => `${declaration} applies ${version}; these writes`);
    }
  }
  for (const { webhookClass, resource, type, selection } of webhooks) {
    if (type === 'validating' || selection.matchPolicy === 'Exact') continue;
    // Without a conversion, the API server drops nothing before and after the call.
    report(webhookClass, resource, ({ isConverted, version, storage }) =>
      isConverted ? `it changes objects of ${storage.version} in ${version}; these changes` : undefined,
    );
  }
  const rules = [
    ...controllers.map(({ controllerClass: target, rbac }) => ({ target, rbac })),
    ...webhooks.map(({ webhookClass: target, rbac }) => ({ target, rbac })),
    ...services.map((target) => ({ target, rbac: planRbac(target, () => undefined) })),
  ];
  for (const { target, rbac } of rules) {
    for (const { target: written, verbs, subresource } of rbac) {
      const changes = verbs.filter((verb) => changing.has(verb));
      // Nothing is written through it.
      if ('path' in written || changes.length === 0 || subresource === 'finalizers') continue;
      const declaration = (name: string): string => `${wordOf(target, 'Rbac')}(${name}, ['${changes.join("', '")}'])`;
      report(target, written, ({ version, className }) => `${declaration(className)} is for ${version}; these writes`);
    }
  }
  return mistakes;
}

interface WrittenResource {
  readonly group: string;
  readonly plural: string;
  /** Undefined if the declaration names no class. */
  readonly version?: string;
}

function fieldsText({ fields }: LossyWrites): string {
  const more = fields.length > listedFields ? ` and ${fields.length - listedFields} more fields` : '';
  return `${fields.slice(0, listedFields).join(', ')}${more}`;
}

function fixOf({ storage: { className, version, served } }: LossyWrites): string {
  const serve = served ? '' : `set served: true for ${version} and `;
  return `${serve}use ${className} (${version}) instead`;
}
