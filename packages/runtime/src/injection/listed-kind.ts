import type { ConcreteClass, ControllerPlan, PlannedKind } from '@evenkeel/core';
import { declarationsOf, EvenkeelError, functionControllerOf, resolveWatched, wordOf } from '@evenkeel/core';
import type { ListerRequest } from './injection.ts';

/** The kind that a lister reads: the plan, and its reconciled kind or a kind that it owns or watches. */
export interface ListedKind {
  readonly plan: ControllerPlan;
  readonly of: PlannedKind;
}

/**
 * Returns the declaration whose cache a lister reads. The controller's own declarations come before those of
 * others. Throws `kind-not-cached` if there is none.
 */
export function listedKind(
  { target, asked, kind: reference }: ListerRequest,
  plans: readonly ControllerPlan[],
): ListedKind {
  const wanted = (reference as unknown) === undefined ? undefined : resolveWatched(reference);
  if (wanted?.kind === undefined) {
    throw new EvenkeelError(
      'invalid-option',
      `${asked}: the kind is undefined; pass a function instead, such as () => TheClass`,
    );
  }
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
 * controller without a plan may cache the kind once its mistakes are fixed.
 */
export function listerCheck(
  controllers: readonly ConcreteClass[],
  plans: readonly ControllerPlan[],
): (request: ListerRequest) => void {
  const invalid = controllers.filter((type) => !plans.some(({ controllerClass }) => controllerClass === type));
  return (request) => {
    if (!invalid.some((type) => mayList(type, request))) listedKind(request, plans);
  };
}

/** Whether a controller without a plan, because of another mistake, may cache the kind. */
function mayList(controllerClass: ConcreteClass, { kind: reference }: ListerRequest): boolean {
  const { controller, owns, watches } = declarationsOf(controllerClass);
  return [controller, ...owns, ...watches].some((declared) => {
    try {
      return declared !== undefined && resolveWatched(declared.kind).kind === resolveWatched(reference).kind;
    } catch {
      return true;
    }
  });
}
