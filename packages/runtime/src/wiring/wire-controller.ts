import type { ControllerPlan, KubernetesObject, ObjectKey } from '@evenkeel/core';
import { indexFunction } from '../cache/index-function.ts';
import { reportLoop, reportRefusal } from '../controller/run-events.ts';
import { RunningController } from '../controller/running-controller.ts';
import { InstanceMethods } from '../injection/instance-methods.ts';
import { failuresOf } from '../log/failure-count.ts';
import { controllerKeys } from '../reconcile/reconcile-keys.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';
import { Workqueue } from '../workqueue/workqueue.ts';
import { indexedInformer, type PlanInformers } from './plan-informers.ts';
import { type ReconcilerParts, wireReconciler } from './wire-reconciler.ts';
import { type SourceParts, wireSources } from './wire-sources.ts';

export interface ControllerParts extends ReconcilerParts, SourceParts {
  /** Whether to log each run. */
  readonly logsRuns: boolean;
  /** Called after each run. */
  readonly observer: ((run: ReconcileRun) => void) | undefined;
}

/** Creates the running controller of a plan, which calls the methods of the user's instance. */
export function wireController(
  plan: ControllerPlan,
  instance: object,
  informers: PlanInformers,
  given: ControllerParts,
): RunningController {
  const { name, resource, maxConcurrent, timeoutMs } = plan;
  const { clock, recorder, writeRecorder, logsRuns, observer, measured } = given;
  const logger = given.logger.child(controllerKeys(name, resource));
  const parts = { ...given, logger };
  const methods = new InstanceMethods(instance, plan.controllerClass);
  for (const index of plan.indexes) {
    const member = methods.memberOf(index.method);
    const failed = failuresOf(member, 'an index function failed; the index does not contain the object', logger);
    const valuesOf = indexFunction(member, methods.bound(index.method), failed);
    indexedInformer(plan, informers, index).addIndex(index.name, valuesOf);
  }
  const cached = (key: ObjectKey): KubernetesObject | undefined =>
    informers.primary.lister.get(key) as KubernetesObject | undefined;
  return new RunningController({
    name,
    resource,
    sources: wireSources(plan, methods, informers, parts),
    reconciler: wireReconciler(plan, methods, informers, parts),
    queue: new Workqueue(measured === undefined ? { clock } : { clock, observer: measured.queue }),
    maxConcurrent,
    timeoutMs,
    writeRecorder,
    clock,
    logger,
    logsRuns,
    observer: (run) => {
      reportRefusal(run, cached(run.key), recorder);
      observer?.(run);
    },
    loopFound: (key, finding) => reportLoop(finding, cached(key), recorder),
  });
}
