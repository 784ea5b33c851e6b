import type { CachedKind, ConcreteClass, ControllerPlan, PlannedKind } from '@evenkeel/core';
import { declarationsOf, EvenkeelError, functionControllerOf, resolveWatched, wordOf } from '@evenkeel/core';
import type { WebhookPlan } from '@evenkeel/core/webhook';
import type { ListerRequest } from './injection.ts';

/** The kind that a lister reads: the plan of a controller or webhook, and one of the kinds that are cached for it. */
export interface ListedKind {
  readonly plan: ControllerPlan | WebhookPlan;
  readonly of: PlannedKind;
}

/**
 * Returns the declaration whose cache a lister reads. The own declarations of a controller or webhook come before those of
 * others. Throws `kind-not-cached` if there is none.
 */
export function listedKind(
  { target, asked, kind: reference }: ListerRequest,
  plans: readonly ControllerPlan[],
  webhooks: readonly WebhookPlan[] = [],
): ListedKind {
  const wanted = (reference as unknown) === undefined ? undefined : resolveWatched(reference);
  if (wanted?.kind === undefined) {
    throw new EvenkeelError(
      'invalid-option',
      `${asked}: the kind is undefined; pass a function instead, such as () => TheClass`,
    );
  }
  const isAsked = ({ kind, metadataOnly }: CachedKind): boolean =>
    kind === wanted.kind && metadataOnly === wanted.metadataOnly;
  const ofWebhooks = webhooks.flatMap((plan) => plan.cached.filter(isAsked).map((of) => ({ plan, of })));
  const own = ofWebhooks.find(({ plan }) => plan.webhookClass === target);
  if (own !== undefined) return own;
  const ordered = plans.toSorted((a, b) => Number(b.controllerClass === target) - Number(a.controllerClass === target));
  let metadataIsCached = false;
  for (const plan of ordered) {
    const whole = [plan, ...plan.owns].find(({ kind }) => kind === wanted.kind);
    if (whole !== undefined && !wanted.metadataOnly) return { plan, of: whole };
    for (const watch of plan.watches) {
      if (watch.kind !== wanted.kind) continue;
      if (watch.metadataOnly === wanted.metadataOnly) return { plan, of: watch };
      metadataIsCached ||= watch.metadataOnly;
    }
  }
  const [ofAnother] = ofWebhooks;
  if (ofAnother !== undefined) return ofAnother;
  const { name } = wanted.kind;
  const isDecorator = target !== undefined && functionControllerOf(target) === undefined;
  const word = (decorator: 'Owns' | 'Watches') => (target === undefined ? `@${decorator}` : wordOf(target, decorator));
  throw new EvenkeelError(
    'kind-not-cached',
    metadataIsCached
      ? `${asked} asks for whole ${name} objects, but only their metadata is watched; write ${isDecorator ? '@ListerOf' : 'listerOf'}(Metadata(${name})), or read the objects with the Client`
      : `${asked} asks for ${name}, which no controller reconciles, owns or watches; add ${word('Owns')} or ${word('Watches')} for it, or read it with the Client`,
  );
}

/**
 * Returns the check of a request for a lister, for use before anything is created. It throws like {@link listedKind}, unless a
 * class without a plan may cache the kind once its mistakes are fixed.
 *
 * @param classes the controllers and webhooks.
 */
export function listerCheck(
  classes: readonly ConcreteClass[],
  plans: readonly ControllerPlan[],
  webhooks: readonly WebhookPlan[] = [],
): (request: ListerRequest) => void {
  const planned = new Set<unknown>([
    ...plans.map(({ controllerClass }) => controllerClass),
    ...webhooks.map(({ webhookClass }) => webhookClass),
  ]);
  const invalid = classes.filter((type) => !planned.has(type));
  return (request) => {
    if (!invalid.some((type) => mayList(type, request))) listedKind(request, plans, webhooks);
  };
}

/** Whether a controller or webhook without a plan, because of another mistake, may cache the kind. */
function mayList(controllerClass: ConcreteClass, { kind: reference }: ListerRequest): boolean {
  const { controller, owns, watches, validatingWebhook, mutatingWebhook, listers } = declarationsOf(controllerClass);
  const isWebhook = validatingWebhook !== undefined || mutatingWebhook !== undefined;
  return [controller, ...owns, ...watches, ...(isWebhook ? listers : [])].some((declared) => {
    try {
      return declared !== undefined && resolveWatched(declared.kind).kind === resolveWatched(reference).kind;
    } catch {
      return true;
    }
  });
}
