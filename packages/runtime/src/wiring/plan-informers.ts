import { type ControllerPlan, Metadata, type PlannedIndex, type PlannedOwned, type PlannedWatch } from '@evenkeel/core';
import type { Cache } from '../cache/cache.ts';
import type { Informer } from '../cache/informer.ts';
import type { ListerRequest } from '../injection/injection.ts';
import { listedKind } from '../injection/listed-kind.ts';
import { controllerLabel } from '../reconcile/apply-child.ts';
import type { NamespaceFence } from '../reconcile/namespace-fence.ts';
import { RunLister } from '../reconcile/run-lister.ts';
import type { WriteRecorder } from '../reconcile/write-recorder.ts';

/** The informers that a plan needs. */
export interface PlanInformers {
  readonly primary: Informer;
  readonly owned: ReadonlyMap<PlannedOwned, Informer>;
  readonly watched: ReadonlyMap<PlannedWatch, Informer>;
}

/** Takes the informers of a plan from the manager's cache, which shares equal informers. */
export function informersOf(
  plan: ControllerPlan,
  cache: Cache,
  namespaces: readonly string[] | undefined,
): PlanInformers {
  for (const { kind } of [plan, ...plan.owns]) cache.requireWhole(kind, plan.controllerClass.name);
  for (const { kind } of plan.owns) cache.keepAppliedFields(kind, plan.name);
  return {
    primary: cache.informer(plan.kind, { namespaces }) as Informer,
    owned: new Map(
      plan.owns.map((owned) => [
        owned,
        cache.informer(owned.kind, { namespaces, labels: { [controllerLabel]: plan.name } }) as Informer,
      ]),
    ),
    watched: new Map(
      plan.watches.map((watch) => {
        const scope = { namespaces, labels: watch.labels, fields: watch.fields };
        const informer = watch.metadataOnly
          ? cache.informer(Metadata(watch.kind), scope)
          : cache.informer(watch.kind, scope);
        return [watch, informer as Informer];
      }),
    ),
  };
}

/** The lister for a parameter. It reads the informer of a plan's declaration, with the scope of that informer. */
export function listerFor(
  request: ListerRequest,
  wired: readonly { readonly plan: ControllerPlan; readonly informers: PlanInformers }[],
  writeRecorder: WriteRecorder,
  fence: NamespaceFence,
): RunLister {
  const { plan, of } = listedKind(
    request,
    wired.map((one) => one.plan),
  );
  const { primary, owned, watched } = wired.find((one) => one.plan === plan)?.informers ?? {};
  const informer = of === plan ? primary : (owned?.get(of as PlannedOwned) ?? watched?.get(of as PlannedWatch));
  if (informer === undefined) throw new Error('bug: a plan has no informer of what it declares');
  return new RunLister(informer, writeRecorder, fence);
}

/** The informer whose objects an index contains. Planning has checked that it exists. */
export function indexedInformer(plan: ControllerPlan, informers: PlanInformers, index: PlannedIndex): Informer {
  const found =
    [...informers.owned].find(([{ kind }]) => kind === index.kind && !index.metadataOnly) ??
    [...informers.watched].find(
      ([{ kind, metadataOnly }]) => kind === index.kind && metadataOnly === index.metadataOnly,
    );
  return plan.kind === index.kind || found === undefined ? informers.primary : found[1];
}
