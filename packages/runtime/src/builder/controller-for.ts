import {
  type ConcreteClass,
  Controller,
  type ControllerDecorator,
  type ControllerOptions,
  type ControllerSteps,
  controllerDecorators,
  type KindReference,
  type KubernetesObject,
  type PlainFunction,
  Reconcile,
  type ReconcileOptions,
  recordCall,
} from '@evenkeel/core';
import type { ReconcileContext } from '../reconcile/reconcile-context.ts';
import type { ReconcileResult } from '../reconcile/reconcile-result.ts';
import { builderWith, FunctionBuilder } from './function-builder.ts';
import type { Injected, InjectionRequests } from './injected.ts';

// biome-ignore lint/suspicious/noConfusingVoidType: the type of a function that returns nothing
type Outcome = ReconcileResult | undefined | void;

/** A function with the parameters of a reconcile method. */
type Run<T extends KubernetesObject, S> = (
  object: T,
  context: ReconcileContext,
  services: S,
) => Outcome | Promise<Outcome>;

/**
 * A builder that declares a controller with functions instead of decorators. Each step returns a new builder and does not
 * change this one. {@link reconcile} is the last step. Each function receives the services requested with {@link inject} (`S`)
 * as its last parameter.
 *
 * Messages and logs contain the names of functions, so use named functions.
 */
export interface ControllerBuilder<T extends KubernetesObject, S = unknown> extends ControllerSteps<T, S, Run<T, S>> {
  /**
   * Injects classes and tokens, including listed services, and listers ({@link listerOf}), as constructor parameters do. Calls add
   * up. The functions of `reconcile` and `finalizer` also receive values with the scope `run`; for other functions, reading one
   * throws `run-scoped-dependency`.
   */
  inject<R extends InjectionRequests>(requests: R): ControllerBuilder<T, S & Injected<R>>;
  /** The equivalent of `@Reconcile`. Returns the controller class, which you list in `controllers`. */
  reconcile(reconcile: Run<T, S>, options?: ReconcileOptions): ConcreteClass;
}

/**
 * Starts a controller of plain functions. It is the equivalent of `@Controller` above a class:
 *
 * ```ts
 * export const siteController = controllerFor(Site)
 *   .inject({ dns: Dns, maps: listerOf(ConfigMap) })
 *   .owns(ConfigMap)
 *   .finalizer('example.com/dns-record', (site, _context, { dns }) => dns.remove(site.spec.host))
 *   .reconcile(async function publish(site, context, { dns }) { ... }, { maxConcurrent: 4 });
 * ```
 *
 * The result is a class with the same declarations as a decorated class. Use it in the same places: in
 * `defineOperator({ controllers })`. Each manager creates one instance.
 */
export function controllerFor<T extends KubernetesObject>(
  kind: KindReference<T>,
  options: ControllerOptions<T> = {},
): ControllerBuilder<T> {
  return beginWith(Builder, kind, options, controllerFor);
}

/** Returns a {@link controllerFor} that has a step for each of these decorators. */
export function controllerForWith(decorators: readonly ControllerDecorator[]): typeof controllerFor {
  const WithSteps = builderWith(ReconcileBuilder, decorators);
  return function begin(kind, options = {}) {
    return beginWith(WithSteps, kind, options, begin);
  };
}

function beginWith<T extends KubernetesObject>(
  Steps: typeof ReconcileBuilder,
  kind: KindReference<T>,
  options: ControllerOptions<T>,
  called: PlainFunction,
): ControllerBuilder<T> {
  const beginning = {
    ...{ kind: kind as KindReference, name: options.name, starts: 'controllerFor', call: recordCall(called) },
    decorate: (made: ConcreteClass) => Controller(kind, options)(made),
  };
  return new Steps(beginning) as unknown as ControllerBuilder<T>;
}

class ReconcileBuilder extends FunctionBuilder {
  reconcile(reconcile: PlainFunction, options?: ReconcileOptions): ConcreteClass {
    return this.finish({ does: reconcile, unnamed: 'reconcile()', decorate: Reconcile(options) });
  }
}

const Builder = builderWith(ReconcileBuilder, controllerDecorators);
