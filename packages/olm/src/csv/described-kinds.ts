import { type ApiResource, apiVersionOf, type ControllerPlan } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { builtinGroups } from '@evenkeel/kinds/discovery';
import type { StructuralSchema } from '@evenkeel/schema';
import { type DescribedPart, type Descriptor, descriptorsOf, wordsOf } from './descriptors.ts';

/** What a project says about one of its kinds, beside its class. Overrides what follows from the class. */
export interface KindDescription {
  /** Default: the words of the kind. */
  readonly displayName?: string;
  /** Default: the description of the class. */
  readonly description?: string;
  /** Descriptors by their paths. Each replaces the members that it sets; one of another path is added. */
  readonly spec?: Readonly<Record<string, DescriptorOverride>>;
  /** The same for the status. */
  readonly status?: Readonly<Record<string, DescriptorOverride>>;
  /** What users can do with an object, by the paths of fields. */
  readonly actions?: Readonly<Record<string, DescriptorOverride>>;
}

/** The members of a descriptor that a project sets. */
export interface DescriptorOverride {
  readonly displayName?: string;
  readonly description?: string;
  /** Such as `urn:alm:descriptor:com.tectonic.ui:advanced`. */
  readonly xDescriptors?: readonly string[];
}

/** A kind in `spec.customresourcedefinitions`. */
export interface WrittenKind {
  readonly name: string;
  readonly version: string;
  readonly kind: string;
  readonly displayName: string;
  readonly description?: string;
  readonly resources?: readonly { readonly kind: string; readonly name: string; readonly version: string }[];
  readonly specDescriptors?: readonly Descriptor[];
  readonly statusDescriptors?: readonly Descriptor[];
  readonly actionDescriptors?: readonly Descriptor[];
}

/**
 * Returns the kinds that an operator owns: each served version of each CRD, with the kinds that its controllers create.
 *
 * @param descriptions by kind.
 */
export function ownedKinds(
  definitions: readonly CustomResourceDefinition[],
  plans: readonly ControllerPlan[],
  descriptions: Readonly<Record<string, KindDescription>>,
): WrittenKind[] {
  return definitions.flatMap(({ metadata: { name }, spec: { group, names, versions } }) => {
    const given = descriptions[names.kind] ?? {};
    const resources = childrenOf(
      plans.filter(({ resource }) => resource.group === group && resource.kind === names.kind),
    );
    return versions
      .filter(({ served }) => served)
      .map((version): WrittenKind => {
        const schema = (version.schema?.openAPIV3Schema ?? {}) as StructuralSchema;
        const { scale } = version.subresources ?? {};
        const described = (part: DescribedPart, replicasPath: string | undefined): Descriptor[] =>
          overridden(
            descriptorsOf(part, schema.properties?.[part] ?? {}, replicasPath?.replace(`.${part}.`, '')),
            given[part],
          );
        return {
          ...{ name, version: version.name, kind: names.kind, displayName: given.displayName ?? wordsOf(names.kind) },
          ...members({ description: given.description ?? schema.description }),
          ...members({
            resources,
            specDescriptors: described('spec', scale?.specReplicasPath),
            statusDescriptors: described('status', scale?.statusReplicasPath),
            actionDescriptors: overridden([], given.actions),
          }),
        };
      });
  });
}

/**
 * Returns the kinds that the controllers of an operator read or write, and that other operators provide.
 *
 * @param descriptions by kind.
 */
export function requiredKinds(
  plans: readonly ControllerPlan[],
  owned: readonly Pick<WrittenKind, 'name'>[],
  descriptions: Readonly<Record<string, KindDescription>>,
): WrittenKind[] {
  const foreign = plans
    .flatMap(({ cached }) => cached.map(({ resource }) => resource))
    .filter((resource) => !isBuiltIn(resource) && !owned.some(({ name }) => name === nameOf(resource)));
  return distinct(foreign, (resource) => `${nameOf(resource)} ${resource.version}`).map((resource) => {
    const { displayName = wordsOf(resource.kind), description } = descriptions[resource.kind] ?? {};
    const { kind, version } = resource;
    const users = plans.filter(({ cached }) => cached.some((each) => each.resource.kind === kind));
    const readers = users.map(({ resource: reconciled }) => reconciled.kind).join(', ');
    return {
      ...{ name: nameOf(resource), version, kind, displayName },
      description: description ?? `A ${kind} of another operator, which the controller of ${readers} uses.`,
    };
  });
}

function childrenOf(plans: readonly ControllerPlan[]): NonNullable<WrittenKind['resources']> {
  const children = plans.flatMap(({ owns }) => owns.map(({ resource }) => resource));
  return distinct(children, nameOf)
    .map((resource) => ({
      kind: resource.kind,
      name: isBuiltIn(resource) ? '' : nameOf(resource),
      version: resource.version,
    }))
    .sort((left, right) => (left.kind < right.kind ? -1 : 1));
}

function overridden(
  derived: readonly Descriptor[],
  overrides: Readonly<Record<string, DescriptorOverride>> = {},
): Descriptor[] {
  const added = Object.keys(overrides)
    .filter((path) => !derived.some((each) => each.path === path))
    .map((path): Descriptor => ({ path, displayName: wordsOf(path) }));
  return [...derived, ...added].map((descriptor) => {
    const { xDescriptors, ...given } = overrides[descriptor.path] ?? {};
    return { ...descriptor, ...given, ...(xDescriptors === undefined ? {} : { 'x-descriptors': xDescriptors }) };
  });
}

function isBuiltIn(resource: Pick<ApiResource, 'group' | 'version' | 'plural'>): boolean {
  return builtinGroups.some(
    ({ name, versions }) =>
      name === resource.group &&
      versions.some(({ resources }) => resources.some(({ resource: plural }) => plural === resource.plural)),
  );
}

/** The name of the CRD of a resource. */
function nameOf({ group, plural, version }: ApiResource): string {
  return group === '' ? `${plural} ${apiVersionOf({ group, version })}` : `${plural}.${group}`;
}

function distinct<T>(all: readonly T[], keyOf: (each: T) => string): T[] {
  return [...new Map(all.map((each) => [keyOf(each), each])).values()];
}

/** The members that are neither undefined nor empty lists. */
function members<T extends object>(all: T): Partial<T> {
  const kept = Object.entries(all).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(kept) as Partial<T>;
}
