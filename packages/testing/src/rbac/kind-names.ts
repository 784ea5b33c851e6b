import { type ControllerPlan, groupResourceOf } from '@evenkeel/core';
import { declaredKindNames, type KindNames } from '@evenkeel/core/rbac';
import { builtinGroups } from '@evenkeel/kinds/discovery';

/** Names kinds by the classes in an operator's declarations, and built-in kinds by their own names. */
export function kindNames(plans: readonly ControllerPlan[]): KindNames {
  const declared = declaredKindNames(plans);
  return (group, plural) => declared(group, plural) ?? builtinNames().get(groupResourceOf({ group, plural }));
}

/** Returns the plural of the kind in an owner reference; undefined if neither declarations nor built-in kinds have it. */
export function pluralOfKind(plans: readonly ControllerPlan[], group: string, kind: string): string | undefined {
  const planned = plans.flatMap((plan) => [plan, ...plan.owns, ...plan.watches]);
  const declared = planned.find(({ resource }) => resource.group === group && resource.kind === kind);
  if (declared !== undefined) return declared.resource.plural;
  const versions = builtinGroups.find(({ name }) => name === group)?.versions ?? [];
  return versions.flatMap(({ resources }) => resources).find((resource) => resource.kind === kind)?.resource;
}

let names: ReadonlyMap<string, string> | undefined;

function builtinNames(): ReadonlyMap<string, string> {
  names ??= new Map(
    builtinGroups.flatMap(({ name: group, versions }) =>
      versions.flatMap(({ resources }) =>
        resources.map(({ resource, kind }) => [groupResourceOf({ group, plural: resource }), kind] as const),
      ),
    ),
  );
  return names;
}
