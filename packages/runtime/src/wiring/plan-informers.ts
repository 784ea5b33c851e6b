import {
  type ControllerPlan,
  Metadata,
  type PlannedIndex,
  type PlannedKind,
  type PlannedOwned,
  type PlannedWatch,
} from '@evenkeel/core';
import type { WebhookPlan } from '@evenkeel/core/webhook';
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

/** The informers of the listers of a webhook. */
export function webhookInformers(
  plan: WebhookPlan,
  cache: Cache,
  namespaces: readonly string[] | undefined,
): ReadonlyMap<PlannedKind, Informer> {
  return new Map(
    plan.cached.map((cached) => {
      const { kind, metadataOnly } = cached;
      const informer = metadataOnly
        ? cache.informer(Metadata(kind), { namespaces })
        : cache.informer(kind, { namespaces });
      return [cached, informer as Informer];
    }),
  );
}

/** A plan with the informers of the kinds that are cached for it. */
export interface WiredPlan<P> {
  readonly plan: P;
  readonly informers: P extends ControllerPlan ? PlanInformers : ReadonlyMap<PlannedKind, Informer>;
}

/** The lister for a parameter. It reads the informer of a plan's declaration, with the scope of that informer. */
export function listerFor(
  request: ListerRequest,
  controllers: readonly WiredPlan<ControllerPlan>[],
  webhooks: readonly WiredPlan<WebhookPlan>[],
  writeRecorder: WriteRecorder,
  fence: NamespaceFence,
): RunLister {
  const { plan, of } = listedKind(
    request,
    controllers.map((one) => one.plan),
    webhooks.map((one) => one.plan),
  );
  const { primary, owned, watched } = controllers.find((one) => one.plan === plan)?.informers ?? {};
  const informer =
    (of === plan ? primary : (owned?.get(of as PlannedOwned) ?? watched?.get(of as PlannedWatch))) ??
    webhooks.find((one) => one.plan === plan)?.informers.get(of);
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
