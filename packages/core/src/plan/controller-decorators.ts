import type { AnyClass } from '../declarations/class-reference.ts';
import type { ControllerDecorator } from '../declarations/controller-decorator.ts';
import { wordOf as wordOfDecorator } from '../declarations/function-controller.ts';
import { type ChannelStep, channel } from '../decorators/channel.ts';
import { controller } from '../decorators/controller.ts';
import { type EveryStep, every } from '../decorators/every.ts';
import { type FinalizerStep, finalizer } from '../decorators/finalizer.ts';
import { type IndexStep, index } from '../decorators/index-by.ts';
import { type OwnsStep, owns } from '../decorators/owns.ts';
import { type RbacStep, rbac } from '../decorators/rbac.ts';
import { reconcile } from '../decorators/reconcile.ts';
import { type WatchesStep, watches } from '../decorators/watches.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';

/**
 * The decorators of controllers. The planner reads them, and reports their mistakes, in this order. `@Index` must come after
 * the decorators that add kinds to the cache.
 */
export const controllerDecorators = [
  controller,
  reconcile,
  owns,
  watches,
  index,
  finalizer,
  every,
  channel,
  rbac,
] as const satisfies readonly ControllerDecorator[];

/**
 * The steps of `controllerFor()`, except `inject` and `reconcile`. TypeScript cannot derive generic methods from the list
 * above. Each decorator therefore exports the type of its step, and this interface extends it.
 *
 * `T` is the reconciled kind, `S` the last parameter of each function, and `Run` a function with the parameters of the
 * reconcile.
 */
export interface ControllerSteps<T extends KubernetesObject, S, Run>
  extends OwnsStep,
    RbacStep,
    WatchesStep<S>,
    FinalizerStep<Run>,
    IndexStep<T, S>,
    EveryStep,
    ChannelStep<S> {}

/** The names of the decorators of controllers: `Owns`, `Watches`, ... */
export type ControllerDecoratorName = (typeof controllerDecorators)[number]['name'];

/** Returns a decorator as the author of a controller wrote it: `@Owns` for a class, `.owns` for `controllerFor()`. */
export const wordOf: (target: AnyClass, decorator: ControllerDecoratorName | 'ListerOf') => string = wordOfDecorator;
