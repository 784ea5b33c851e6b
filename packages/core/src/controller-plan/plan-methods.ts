import { isQualifiedName } from '@evenkeel/apimachinery/name-form';
import { functionControllerOf } from '../function-controller.ts';
import type { ControllerPlan, PlannedFinalizer, PlannedKind } from './controller-plan.ts';
import type { DeclarationReader } from './declaration-reader.ts';

/** What `@Reconcile` says. */
export function planReconcile(
  reader: DeclarationReader,
  primary: PlannedKind | undefined,
): Pick<ControllerPlan, 'reconcileMethod' | 'maxConcurrent' | 'timeoutMs'> | undefined {
  const [reconcile, ...others] = reader.declarations.reconciles;
  const kind = primary?.resource.kind ?? 'kind';
  if (reconcile === undefined) {
    reader.report(
      'controller-without-reconcile',
      `@Controller(${primary?.kind.name ?? ''}) found, but no method has @Reconcile; add @Reconcile() above the method that reconciles a ${kind}`,
    );
    return undefined;
  }
  if (others.length > 0) {
    const methods = reader.declarations.reconciles.map(({ method }) => method);
    reader.report(
      'controller-without-reconcile',
      `@Reconcile stands on ${methods.join(' and ')}; keep it on one method, the others can be called from there`,
    );
  }
  const { method, maxConcurrent = 1, timeout } = reconcile;
  reader.checkOptions(`${reader.say('Reconcile')} on ${method}`, reconcile, ['method', 'maxConcurrent', 'timeout']);
  if (!Number.isInteger(maxConcurrent) || maxConcurrent < 1) {
    reader.report(
      'invalid-option',
      `maxConcurrent of ${reader.say('Reconcile')} is ${maxConcurrent}; give a whole number from 1`,
      method,
    );
  }
  const timeoutMs =
    timeout === undefined ? undefined : reader.durationMs(`timeout of ${reader.say('Reconcile')}`, timeout, method);
  if (timeoutMs === 0) {
    reader.report(
      'invalid-option',
      `timeout of ${reader.say('Reconcile')} is 0; give more than nothing, or leave it out`,
      method,
    );
  }
  return { reconcileMethod: method, maxConcurrent, timeoutMs };
}

/** What `@Every` says. */
export function planPeriodMs(reader: DeclarationReader): number | undefined {
  const [every, ...others] = reader.declarations.periods;
  if (every === undefined) return undefined;
  const { method, period } = every;
  const isReconcile = reader.declarations.reconciles.some((reconcile) => reconcile.method === method);
  if (others.length > 0 || !isReconcile) {
    const methods = reader.declarations.periods.map((declaration) => declaration.method).join(' and ');
    reader.report(
      'invalid-option',
      functionControllerOf(reader.controllerClass) === undefined
        ? `@Every stands on ${methods}; put it above the method with @Reconcile, once`
        : 'it says .every more than once; keep one of them',
    );
  }
  const periodMs = reader.durationMs(reader.say('Every'), period, method);
  if (periodMs === undefined || periodMs >= shortestPeriodMs) return periodMs;
  reader.report('invalid-option', `the period of ${reader.say('Every')} is ${period}; give at least a second`, method);
  return undefined;
}

/** What is shorter is a mistake of units. */
const shortestPeriodMs = 1000;

/** What `@Finalizer` says, in the order in which they run. */
export function planFinalizers(reader: DeclarationReader): PlannedFinalizer[] {
  const { finalizers } = reader.declarations;
  const methods = new Map<string, string>();
  for (const finalizer of finalizers) {
    const { name, method, order = 0 } = finalizer;
    reader.checkOptions(`${reader.say('Finalizer')} on ${method}`, finalizer, ['name', 'method', 'order']);
    if (!isFinalizerName(name)) {
      reader.report(
        'invalid-option',
        `${JSON.stringify(name)} cannot be a finalizer's name; give a domain of yours and a name of at most 63 letters, digits, "-", "_" and ".", such as "example.com/dns-record"`,
        method,
      );
    }
    if (!Number.isFinite(order)) {
      reader.report('invalid-option', `order of ${reader.say('Finalizer')} is ${String(order)}; give a number`, method);
    }
    const other = methods.get(name);
    if (other !== undefined) {
      reader.report(
        'duplicate-declaration',
        `${reader.say('Finalizer')}("${name}") stands on ${other} and ${method}; give each finalizer a name of its own`,
      );
    }
    methods.set(name, method);
  }
  return finalizers.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)).map(({ name, method }) => ({ name, method }));
}

/**
 * A qualified name with its domain (apimachinery, `validation.IsQualifiedName`). The server lets some names without a domain
 * pass; those are Kubernetes' own.
 */
function isFinalizerName(name: string): boolean {
  return String(name).includes('/') && isQualifiedName(String(name));
}
