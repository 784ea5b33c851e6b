import type { Client, FieldFilter, LabelFilter } from '@evenkeel/client';
import {
  type ApiResource,
  type Clock,
  EvenkeelError,
  groupResourceOf,
  type KindClass,
  type KindReference,
  type KubernetesObject,
  type Logger,
  type Metadata,
  type MetadataClass,
  type Random,
  resolveKind,
  resolveWatched,
  resourceOf,
  SilentLogger,
  SystemClock,
  SystemRandom,
  type WatchedReference,
} from '@evenkeel/core';
import type { CachedObject } from './cached-object.ts';
import { DroppedAnnotations } from './dropped-annotations.ts';
import type { Informer, WatchState } from './informer.ts';
import type { InformerScope } from './informer-scope.ts';
import { InformerView } from './informer-view.ts';
import type { Lister } from './lister.ts';
import type { ObjectTransform } from './object-decoder.ts';
import { Projection } from './projection.ts';
import { ReflectedInformer } from './reflected-informer.ts';
import { RefusedWatches } from './refused-watches.ts';
import { checkNamespaces, covers, resolveScope } from './scope.ts';

export interface CacheOptions {
  readonly client: Client;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Default: the system's random numbers. */
  readonly random?: Random;
  /** Default: a logger that writes nothing. */
  readonly logger?: Logger;
  /** Options of single kinds, in addition to those of the code that requests them. Default: none. */
  readonly kinds?: readonly KindCacheOptions[];
}

/**
 * How the objects of one kind are cached. Each part of the scope is the default for an `InformerScope` that omits it, so
 * that a request without a scope does not cache the whole cluster.
 */
export interface KindCacheOptions<T extends KubernetesObject = KubernetesObject> extends InformerScope {
  readonly kind: KindReference<T>;
  /**
   * The fields to keep, such as `spec.replicas`, in addition to apiVersion, kind and metadata. A path through a list applies to
   * each element. All other fields are dropped before the object is stored, for all readers. Default: all fields.
   */
  readonly keep?: readonly string[];
  /**
   * The annotations to drop before an object is stored: keys, or `example.com/*` for all keys with that prefix. Others may add
   * annotations of up to 256 KiB to each object, for example `kubectl.kubernetes.io/last-applied-configuration`. Annotations that
   * a controller of this process applies are kept, so this option is allowed for kinds that controllers write. Default: none.
   */
  readonly dropAnnotations?: readonly string[];
  /** A function that runs on each object before it is stored, after `keep`. */
  transform?(object: T): T;
}

/** What a cache contains of one kind in one form (whole objects or metadata). */
export interface CacheUsage {
  /** `deployments.apps`. */
  readonly resource: string;
  readonly metadataOnly: boolean;
  readonly objects: number;
  /** The approximate memory: the number of objects times the mean length of their JSON as it is kept. */
  readonly bytes: number;
  /** The watches of these objects. */
  readonly watches: readonly WatchState[];
}

/** A reference to the metadata of a kind, or a function that returns it. */
type MetadataReference<T extends KubernetesObject> = MetadataClass<T> | (() => MetadataClass<T>);

/** The informers of one kind. */
interface CachedKind {
  readonly resource: ApiResource;
  /** The class whose prototype the objects get. */
  readonly kind: KindClass<KubernetesObject>;
  /** The requested views, by scope. */
  readonly views: Map<string, InformerView>;
  /** The informers of the views, since the start. */
  readonly informers: ReflectedInformer[];
  /** The field managers whose applied fields are stored with the objects. */
  readonly managers: Set<string>;
}

/**
 * The informers of a program. The cache uses as few watches as possible: a scope that is part of another scope gets a view of
 * that scope's store, and two overlapping scopes share the objects that are in both.
 *
 * Informers that are requested before {@link start} start with it, later ones start at once. A later one whose scope no existing
 * informer covers has its own watches. A kind has one class; a second class of the same kind throws `duplicate-declaration`.
 */
export class Cache {
  readonly #options: Required<Omit<CacheOptions, 'kinds'>>;
  readonly #kindOptions = new Map<
    KindClass<KubernetesObject>,
    KindCacheOptions & { projection: Projection | undefined; dropped: DroppedAnnotations | undefined }
  >();
  readonly #kinds = new Map<string, CachedKind>();
  readonly #refused = new RefusedWatches();
  #signal: AbortSignal | undefined;
  readonly #stopped: Promise<void>[] = [];

  constructor(options: CacheOptions) {
    this.#options = {
      client: options.client,
      clock: options.clock ?? new SystemClock(),
      random: options.random ?? new SystemRandom(),
      logger: options.logger ?? new SilentLogger(),
    };
    for (const kindOptions of options.kinds ?? []) {
      const { keep, dropAnnotations, namespaces } = kindOptions;
      const kind = resolveKind(kindOptions.kind);
      checkNamespaces(namespaces, `cache: namespaces of ${kind.name}`);
      const projection = keep === undefined ? undefined : new Projection(keep);
      const dropped =
        dropAnnotations === undefined ? undefined : new DroppedAnnotations(dropAnnotations, `cache: ${kind.name}`);
      this.#kindOptions.set(kind, { ...kindOptions, projection, dropped });
    }
  }

  /** Returns the informer of a kind in a scope. It is created at the first request. */
  informer<T extends KubernetesObject>(watched: KindReference<T>, scope?: InformerScope): Informer<T>;
  informer<T extends KubernetesObject>(watched: MetadataReference<T>, scope?: InformerScope): Informer<Metadata<T>>;
  informer(watched: WatchedReference, scope?: InformerScope): Informer;
  informer(watched: WatchedReference, scope: InformerScope = {}): Informer {
    const { kind, metadataOnly } = resolveWatched(watched);
    const cached = this.#kindOf(kind);
    const { resource, views } = cached;
    const { namespaces, labels, fields } = this.#kindOptions.get(kind) ?? {};
    const completed = {
      namespaces: scope.namespaces ?? namespaces,
      labels: isUnsaid(scope.labels) ? labels : scope.labels,
      fields: isUnsaid(scope.fields) ? fields : scope.fields,
    };
    const resolved = resolveScope(resource, metadataOnly, completed);
    const identity = JSON.stringify(resolved);
    const existing = views.get(identity);
    if (existing !== undefined) return existing;
    const view = new InformerView({
      resource,
      resolved,
      scope: { ...completed, namespaces: resolved.namespaces },
      id: String(views.size),
    });
    views.set(identity, view);
    if (this.#signal !== undefined) this.#attach(cached, [view], this.#signal);
    return view;
  }

  /** Returns the lister of the informer of a kind in a scope. */
  lister<T extends KubernetesObject>(watched: KindReference<T>, scope?: InformerScope): Lister<T>;
  lister<T extends KubernetesObject>(watched: MetadataReference<T>, scope?: InformerScope): Lister<Metadata<T>>;
  lister(watched: WatchedReference, scope?: InformerScope): Lister<CachedObject>;
  lister(watched: WatchedReference, scope?: InformerScope): Lister<CachedObject> {
    return this.informer(watched, scope).lister;
  }

  /**
   * Stores with the objects of a kind what a field manager owns of them through its applies, for {@link appliedFieldsOf}. Must be
   * called before {@link start}, because it has no effect on objects that have already arrived.
   */
  keepAppliedFields(kind: KindReference, manager: string): void {
    this.#kindOf(resolveKind(kind)).managers.add(manager);
  }

  /**
   * Throws `invalid-option` if the options of a kind drop or change fields from which `writer` computes its writes.
   */
  requireWhole(reference: KindReference, writer: string): void {
    const kind = resolveKind(reference);
    const { projection, transform } = this.#kindOptions.get(kind) ?? {};
    if (projection === undefined && transform === undefined) return;
    throw new EvenkeelError(
      'invalid-option',
      `cache: ${kind.name} has ${projection === undefined ? 'transform' : 'keep'}, but ${writer} writes it and needs complete objects; remove that option for ${kind.name}`,
    );
  }

  /**
   * The option that leaves the cached objects of a kind incomplete; undefined if they are complete. An update (PUT) of such an
   * object would remove what is missing from the server.
   */
  incompleteBy(resource: ApiResource): 'keep' | 'transform' | 'dropAnnotations' | undefined {
    for (const [kind, { projection, transform, dropped }] of this.#kindOptions) {
      const { group, plural } = resourceOf(kind);
      if (group !== resource.group || plural !== resource.plural) continue;
      if (projection !== undefined) return 'keep';
      if (transform !== undefined) return 'transform';
      if (dropped !== undefined) return 'dropAnnotations';
    }
    return undefined;
  }

  /** The requested informers, one for each scope. */
  get informers(): readonly Informer[] {
    return [...this.#kinds.values()].flatMap(({ views }) => [...views.values()]);
  }

  /** Returns the informers of a kind, in any version. */
  informersOf(resource: ApiResource): readonly Informer[] {
    const informers: Informer[] = [];
    for (const { resource: own, views } of this.#kinds.values()) {
      if (own.plural === resource.plural && own.group === resource.group) informers.push(...views.values());
    }
    return informers;
  }

  /** What the cache contains, by kind and form. */
  get usage(): readonly CacheUsage[] {
    return [...this.#kinds.values()].flatMap(({ resource, informers }) =>
      informers.map(({ resolved, size, bytes, health }) => ({
        resource: groupResourceOf(resource),
        metadataOnly: resolved.metadataOnly,
        objects: size,
        bytes,
        watches: health.watches,
      })),
    );
  }

  /** The number of watches: one for each namespace of each watched scope. */
  get watchedScopes(): number {
    return [...this.#kinds.values()].reduce((sum, { informers }) => sum + informers.length, 0);
  }

  /** Starts the informers, which run until the signal is aborted. A second call has no effect. */
  start(signal: AbortSignal): void {
    if (this.#signal !== undefined) return;
    this.#signal = signal;
    for (const cached of this.#kinds.values()) this.#attach(cached, [...cached.views.values()], signal);
  }

  /** Resolves when all current informers have synced. Rejects with the signal's reason. */
  async waitForSync(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.informers.map((informer) => informer.waitForSync(signal)));
  }

  /** Resolves when the signal is aborted and all informers have stopped. */
  async stopped(): Promise<void> {
    await Promise.all(this.#stopped);
  }

  #kindOf(kind: KindClass<KubernetesObject>): CachedKind {
    const resource = resourceOf(kind);
    const served = `${groupResourceOf(resource)}/${resource.version}`;
    const known = this.#kinds.get(served);
    if (known === undefined) {
      const created: CachedKind = { resource, kind, views: new Map(), informers: [], managers: new Set() };
      this.#kinds.set(served, created);
      return created;
    }
    if (known.kind === kind) return known;
    throw new EvenkeelError(
      'duplicate-declaration',
      `the classes ${known.kind.name} and ${kind.name} are both for ${served}; use one of them everywhere`,
    );
  }

  /** Attaches each view to an informer that covers it, or to a new one if none does. */
  #attach(
    { resource, kind, informers, managers }: CachedKind,
    views: readonly InformerView[],
    signal: AbortSignal,
  ): void {
    const uncovered = views.filter(
      ({ resolved }) => !views.some((other) => other.resolved !== resolved && covers(other.resolved, resolved)),
    );
    const kindOptions = this.#kindOptions.get(kind);
    const { projection, dropped } = kindOptions ?? {};
    const transform: ObjectTransform | undefined = kindOptions?.transform?.bind(kindOptions);
    for (const { resolved } of uncovered) {
      if (informers.some((informer) => covers(informer.resolved, resolved))) continue;
      const informer = new ReflectedInformer({
        ...this.#options,
        resource,
        prototype: resolved.metadataOnly ? undefined : (kind.prototype as object),
        scope: resolved,
        decoding: { managers, projection, transform, dropped },
        siblings: informers,
        refused: this.#refused,
      });
      informers.push(informer);
      this.#stopped.push(informer.start(signal));
    }
    for (const view of views) {
      const informer = informers.find((candidate) => covers(candidate.resolved, view.resolved));
      if (informer !== undefined) view.attach(informer);
    }
  }
}

/** Reports whether the options of a kind prevent that all of its objects in all namespaces are cached completely. */
export function narrowsKind(kinds: readonly KindCacheOptions[], kind: KindClass): boolean {
  const said = kinds.findLast((options) => resolveKind(options.kind) === kind);
  if (said === undefined) return false;
  const { namespaces, labels, fields, keep } = said;
  return namespaces !== undefined || !isUnsaid(labels) || !isUnsaid(fields) || keep !== undefined;
}

/** Reports whether a selector was omitted. The empty string is a selector, which selects everything. */
function isUnsaid(selector: LabelFilter | FieldFilter | undefined): boolean {
  return selector === undefined || (typeof selector === 'object' && Object.keys(selector).length === 0);
}
