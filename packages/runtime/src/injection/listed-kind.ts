import type { ConcreteClass, ControllerPlan, PlannedKind } from '@evenkeel/core';
import {
  declarationsOf,
  EvenkeelError,
  functionControllerOf,
  type ListerDeclaration,
  placeOf,
  resolveWatched,
  wordOf,
} from '@evenkeel/core';
import { parameterName } from './constructor-parameters.ts';

/** What a lister shows: of which plan, and whether its own kind or one that it owns or watches. */
export interface ListedKind {
  readonly plan: ControllerPlan;
  readonly of: PlannedKind;
}

/**
 * The declaration that has what a `@ListerOf` parameter asks for in a cache; a controller's own come before those of others.
 * Throws `kind-not-cached` where there is none.
 */
export function listedKind(
  target: ConcreteClass,
  { kind: reference, parameter }: ListerDeclaration,
  plans: readonly ControllerPlan[],
): ListedKind {
  const asked =
    functionControllerOf(target) === undefined
      ? `@ListerOf at parameter ${parameter + 1}`
      : parameterName(target, parameter);
  const where = `${target.name}${placeOf(target)}: ${asked}`;
  const wanted = (reference as unknown) === undefined ? undefined : resolveWatched(reference);
  if (wanted?.kind === undefined) {
    throw new EvenkeelError(
      'invalid-option',
      `${where} was given undefined; give a thunk instead, such as () => TheClass`,
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
  throw new EvenkeelError(
    'kind-not-cached',
    metadataIsCached
      ? `${where} asks for whole ${name} objects, of which only the metadata is watched; write ${functionControllerOf(target) === undefined ? '@ListerOf' : 'listerOf'}(Metadata(${name})), or read them with the Client`
      : `${where} asks for ${name}, which no controller reconciles, owns or watches; add ${wordOf(target, 'Owns')} or ${wordOf(target, 'Watches')} for it, or read it with the Client`,
  );
}

/**
 * What checks a `@ListerOf` parameter before anything is made: throws as {@link listedKind} does, unless a controller that has
 * no plan may have the kind in a cache once it is mended.
 */
export function listerCheck(
  controllers: readonly ConcreteClass[],
  plans: readonly ControllerPlan[],
): (target: ConcreteClass, declaration: ListerDeclaration) => void {
  const unsound = controllers.filter((type) => !plans.some(({ controllerClass }) => controllerClass === type));
  return (target, declaration) => {
    if (!unsound.some((type) => mayList(type, declaration))) listedKind(target, declaration, plans);
  };
}

/** Whether a controller that has no plan, because something else is wrong with it, may have the kind in a cache. */
function mayList(controllerClass: ConcreteClass, { kind: reference }: ListerDeclaration): boolean {
  const { controller, owns, watches } = declarationsOf(controllerClass);
  return [controller, ...owns, ...watches].some((declared) => {
    try {
      return declared !== undefined && resolveWatched(declared.kind).kind === resolveWatched(reference).kind;
    } catch {
      return true;
    }
  });
}
