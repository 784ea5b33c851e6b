import type { Client } from '@evenkeel/client';
import type { Clock, ControllerPlan, KubernetesObject, ObjectKey, ObjectValidator } from '@evenkeel/core';
import type { EventRecorder } from '../event/event-recorder.ts';
import type { InstanceMethods } from '../injection/instance-methods.ts';
import type { RunScope } from '../injection/run-scope.ts';
import type { ControllerObserver } from '../metrics/controller-metrics.ts';
import { ChildApplier } from '../reconcile/apply-child.ts';
import { ChildClaimer } from '../reconcile/claim-children.ts';
import type { NamespaceFence } from '../reconcile/namespace-fence.ts';
import { objectReconciler } from '../reconcile/object-reconciler.ts';
import { ownedKindOf } from '../reconcile/owned-kind.ts';
import { ChildPruner } from '../reconcile/prune-children.ts';
import type { Reconciler } from '../reconcile/reconciler.ts';
import { ValidityCheck } from '../reconcile/validity-check.ts';
import type { WriteRecorder } from '../reconcile/write-recorder.ts';
import { declaresConditions } from './declared-conditions.ts';
import type { PlanInformers } from './plan-informers.ts';

export interface ReconcilerParts {
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly writeRecorder: WriteRecorder;
  readonly fence: NamespaceFence;
  readonly clock: Clock;
  readonly validator: ObjectValidator | undefined;
  readonly measured: ControllerObserver | undefined;
  /** Creates what the methods get in each run. */
  readonly runScope: RunScope;
}

/** Creates the reconciler that calls the user's methods of a plan. */
export function wireReconciler(
  plan: ControllerPlan,
  methods: InstanceMethods,
  informers: PlanInformers,
  { client, recorder, writeRecorder, fence, clock, validator, measured, runScope }: ReconcilerParts,
): Reconciler {
  const { lister } = informers.primary;
  const inRun = (method: string) => runScope.around(plan.controllerClass, method, methods.bound(method));
  const childParts = {
    controller: plan.name,
    ownerKind: plan.kind,
    owner: plan.resource,
    children: [...informers.owned].map(([owned, informer]) => ownedKindOf(owned, informer, writeRecorder)),
    client,
  };
  return objectReconciler({
    controller: plan.name,
    member: methods.memberOf(plan.reconcileMethod),
    kind: plan.kind,
    resource: plan.resource,
    hasStatus: plan.hasStatus,
    hasConditions: declaresConditions(plan.kind),
    validity: validator === undefined ? undefined : new ValidityCheck({ validator, recorder }),
    get: (key: ObjectKey) => lister.get(key) as KubernetesObject | undefined,
    reconcile: inRun(plan.reconcileMethod),
    finalizers: plan.finalizers.map(({ name, method }) => ({
      name,
      member: methods.memberOf(method),
      finalize: inRun(method),
    })),
    applier: new ChildApplier({ ...childParts, adopt: plan.adopt, unsent: measured?.applyUnsent }),
    pruner: new ChildPruner(childParts),
    claimer: new ChildClaimer(childParts),
    client,
    acrossNamespaces: plan.acrossNamespaces,
    fence,
    recorder,
    clock,
  });
}
