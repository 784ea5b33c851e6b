import type { BuiltinResource, BuiltinSubresource } from '@evenkeel/kinds/discovery';
import { definitionStrategy } from '../customresource/definition-strategy.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { KindDescription, ResourceNames } from '../kind/kind-description.ts';
import { loadOnce } from '../kind/load-once.ts';
import type { ObjectCodec } from '../kind/object-codec.ts';
import type { Strategy } from '../kind/strategy.ts';
import type { ActionSubresource, Subresource } from '../kind/subresource.ts';
import { autoscalerCodec } from './autoscaler-codec.ts';
import { autoscalerStrategy } from './autoscaler-strategy.ts';
import { loadStrategy } from './built-in-strategies.ts';
import { builtinCodec } from './builtin-codec.ts';
import { coreEventOf, eventsEventOf } from './event-conversion.ts';

/** The behavior of built-in kinds that their description in discovery does not contain. */
export interface BuiltinActions {
  /** Subresources that perform an action, and kinds that are not stored: `pods/eviction`, `tokenreviews`. */
  readonly subresources: ReadonlyMap<string, Pick<ActionSubresource, 'handle' | 'default'>>;
  readonly reviews: ReadonlyMap<string, NonNullable<KindDescription['review']>>;
}

/** Describes a built-in kind in one version. */
export function describeBuiltin(
  group: string,
  version: string,
  resource: BuiltinResource,
  actions: BuiltinActions,
): KindDescription {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const groupKind = { group, kind: resource.kind };
  let loaded: { readonly strategy: Strategy; readonly codec: ObjectCodec } | undefined;
  const loadedStrategy = (): Strategy => {
    if (loaded === undefined) throw new Error(`${apiVersion} ${resource.kind}: strategy asked for before the codec`);
    return loaded.strategy;
  };
  const subresources = subresourcesOf(group, version, resource, loadedStrategy, actions);
  const review = actions.reviews.get(groupResource(group, resource.resource));
  const codec = loadOnce(async () => {
    const strategy = await strategyOf(groupKind);
    const ownCodec = await builtinCodec(apiVersion, resource, strategy);
    loaded = { strategy, codec: await convertingCodec(groupKind, ownCodec, strategy) };
    return loaded.codec;
  });
  const deprecationWarning = deprecationWarnings.get(`${apiVersion} ${resource.kind}`);
  return {
    names: namesOf(group, version, resource),
    custom: false,
    storageKey: storageKeyOf(group, resource.resource),
    get strategy() {
      return loadedStrategy();
    },
    subresources,
    returnsDeletedObject: resource.returnsDeletedObject === true,
    ...(review !== undefined && { review }),
    ...(deprecationWarning !== undefined && { deprecationWarning }),
    get loadedCodec() {
      return loaded?.codec;
    },
    codec,
    async printer() {
      const { printerFor } = await import('../table/built-in-printers.ts');
      return printerFor(groupKind);
    },
  };
}

/** `apis.LifecycleDeprecated` of upstream's types. */
const deprecationWarnings = new Map([
  ['v1 ComponentStatus', 'v1 ComponentStatus is deprecated in v1.19+'],
  ['v1 Endpoints', 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
]);

function namesOf(group: string, version: string, resource: BuiltinResource): ResourceNames {
  return {
    group,
    version,
    kind: resource.kind,
    listKind: resource.listKind ?? `${resource.kind}List`,
    plural: resource.resource,
    singular: resource.singular,
    namespaced: resource.namespaced,
    verbs: resource.verbs,
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    ...(resource.storageVersionHash !== undefined && { storageVersionHash: resource.storageVersionHash }),
  };
}

/** Returns the storage key. A kind that exists in two groups is stored under the older group. */
function storageKeyOf(group: string, plural: string): string {
  return group === 'events.k8s.io' ? `/${plural}` : `${group}/${plural}`;
}

function groupResource(group: string, plural: string): string {
  return group === '' ? plural : `${plural}.${group}`;
}

const namespaceDeletion: Strategy = {
  otherFinalizers: (object) => (object['spec'] as { finalizers?: string[] } | undefined)?.finalizers ?? [],
  markDeleting(object) {
    object['status'] = { ...(object['status'] as object), phase: 'Terminating' };
    delete object.metadata.deletionGracePeriodSeconds;
  },
};

async function strategyOf(groupKind: { group: string; kind: string }): Promise<Strategy> {
  if (groupKind.group === 'apiextensions.k8s.io') return definitionStrategy;
  const strategy = (await loadStrategy(groupKind)) ?? {};
  if (groupKind.kind === 'HorizontalPodAutoscaler') return autoscalerStrategy(strategy);
  return groupKind.group === '' && groupKind.kind === 'Namespace' ? { ...strategy, ...namespaceDeletion } : strategy;
}

const partNames = new Set(['status', 'finalize', 'approval', 'ephemeralcontainers', 'resize']);

function subresourcesOf(
  group: string,
  version: string,
  resource: BuiltinResource,
  loadedStrategy: () => Strategy,
  actions: BuiltinActions,
): ReadonlyMap<string, Subresource> {
  const subresources = new Map<string, Subresource>();
  for (const subresource of resource.subresources ?? []) {
    const name = subresource.subresource;
    const { verbs } = subresource;
    const kind = kindOf(group, version, subresource);
    if (name === 'scale') {
      subresources.set(name, {
        type: 'scale',
        verbs,
        kind,
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.spec.selector',
      });
    } else if (partNames.has(name)) {
      subresources.set(name, {
        type: 'part',
        verbs,
        get strategy() {
          return loadedStrategy().subresources?.[name] ?? {};
        },
      });
    } else if (subresource.connect === true) {
      subresources.set(name, { type: 'connect', verbs, kind, parameters: subresource.queryParameters ?? {} });
    } else {
      const action = actions.subresources.get(`${groupResource(group, resource.resource)}/${name}`);
      if (action !== undefined) subresources.set(name, { type: 'action', verbs, kind, ...action });
    }
  }
  return subresources;
}

function kindOf(group: string, version: string, subresource: BuiltinSubresource) {
  return {
    group: subresource.group ?? group,
    version: subresource.version ?? version,
    kind: subresource.kind,
  };
}

/** The codec of a kind whose stored form may have other fields. */
async function convertingCodec(
  { group, kind }: { group: string; kind: string },
  codec: ObjectCodec,
  strategy: Strategy,
): Promise<ObjectCodec> {
  if (group === 'events.k8s.io') return eventsCodec(codec);
  if (group === 'autoscaling' && kind === 'HorizontalPodAutoscaler') return autoscalerCodec(codec, strategy);
  return codec;
}

function eventsCodec(codec: ObjectCodec): ObjectCodec {
  return {
    schema: codec.schema,
    empty: codec.empty,
    decode: (json) => codec.decode(json),
    decodeApplied: (json) => codec.decodeApplied(json),
    validate: (...object) => codec.validate(...object),
    fromStorage: (stored: ApiObject) => eventsEventOf(stored),
    toStorage: (object: ApiObject) => coreEventOf(object),
    withVersions: (run) => codec.withVersions(run),
  };
}
