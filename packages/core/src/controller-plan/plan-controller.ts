import { isDns1123Subdomain } from '@evenkeel/apimachinery/name-form';
import type { KindClass } from '../api-resource.ts';
import { type AnyClass, declarationsOf } from '../decorators/class-declarations.ts';
import { planRbac } from '../rbac/plan-rbac.ts';
import type { ControllerMistake } from './controller-mistake.ts';
import type { ConcreteClass, ControllerPlan } from './controller-plan.ts';
import { DeclarationReader } from './declaration-reader.ts';
import { planIndexes, planOwned, planWatches } from './plan-kinds.ts';
import { planFinalizers, planPeriodMs, planReconcile } from './plan-methods.ts';

/** Reads and checks the declarations of one class. Undefined where that class has a mistake, which is added to the others. */
export function planController(controllerClass: AnyClass, mistakes: ControllerMistake[]): ControllerPlan | undefined {
  const reader = new DeclarationReader(controllerClass, mistakes);
  const { controller, channels } = reader.declarations;
  if (controller === undefined) {
    reportMissingController(reader);
    // What else is wrong with it is told too.
    if (reader.declarations.reconciles.length > 0) planReconcile(reader, undefined);
    planOwned(reader, undefined);
    planWatches(reader);
    planFinalizers(reader);
    planPeriodMs(reader);
    planRbac(controllerClass, ({ code, message, method }) => reader.report(code, message, method));
    return undefined;
  }
  const options = ['kind', 'name', 'predicates', 'acrossNamespaces', 'adopt', 'wholeCluster'];
  reader.checkOptions(reader.say('Controller'), controller, options);
  const predicates = reader.predicates(reader.say('Controller'), controller.predicates);
  const primary = reader.kind(reader.say('Controller'), controller.kind);
  const name = controller.name ?? primary?.resource.kind.toLowerCase() ?? '';
  if (primary !== undefined) checkName(reader, name);
  const reconcile = planReconcile(reader, primary);
  const owns = planOwned(reader, primary);
  const watches = planWatches(reader);
  const indexes = planIndexes(reader, primary, [...owns, ...watches]);
  const finalizers = planFinalizers(reader);
  const periodMs = planPeriodMs(reader);
  const rbac = planRbac(controllerClass, ({ code, message, method }) => reader.report(code, message, method));
  if (!reader.isSound || primary === undefined || reconcile === undefined) return undefined;
  return {
    kind: primary.kind,
    resource: primary.resource,
    controllerClass: controllerClass as ConcreteClass,
    name,
    hasStatus: hasStatus(primary.kind),
    predicates,
    acrossNamespaces: controller.acrossNamespaces === true,
    adopt: controller.adopt === true,
    wholeCluster: controller.wholeCluster === true,
    owns,
    watches,
    indexes,
    finalizers,
    rbac,
    channels: channels.map(({ method }) => method),
    periodMs,
    ...reconcile,
  };
}

function reportMissingController(reader: DeclarationReader): void {
  const { owns, watches, finalizers, channels, reconciles } = reader.declarations;
  const declared = { Owns: owns, Watches: watches, Finalizer: finalizers, Channel: channels, Reconcile: reconciles };
  const [decorator] = Object.entries(declared).find(([, list]) => list.length > 0) ?? [];
  const found = decorator && `@${decorator}`;
  reader.report(
    'missing-controller',
    found === undefined
      ? 'it is listed as a controller, but the class has no @Controller; add @Controller(YourKind) above it'
      : `${found} found, but the class has no @Controller; add @Controller(YourKind) above it`,
  );
}

/** A label's value, which the name becomes on every child, and the part of `reportingController` after a slash. */
function checkName(reader: DeclarationReader, name: string): void {
  if (name.length <= 63 && isDns1123Subdomain(name)) return;
  reader.report(
    'invalid-option',
    `"${name}" cannot be a controller's name; use at most 63 lower-case letters, digits, "-" and "."`,
  );
}

/** A built-in kind is taken to have one; a custom one says so. */
function hasStatus(kind: KindClass): boolean {
  const { customResource, properties } = declarationsOf(kind);
  if (customResource === undefined) return true;
  return [...properties.values()].flat().some((property) => property.says === 'status');
}
