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
import type { Informer, InformerScope, WatchState } from './informer.ts';
import { InformerView } from './informer-view.ts';
import type { Lister } from './lister.ts';
import type { ObjectTransform } from './object-decoder.ts';
import { Projection } from './projection.ts';
import { ReflectedInformer } from './reflected-informer.ts';
import { RefusedWatches } from './refused-watches.ts';
import { checkNamespaces, covers, resolveScope } from './scope.ts';

export interface CacheOptions {
  readonly client: Client;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: the system's. */
  readonly random?: Random;
  /** Default: silent. */
  readonly logger?: Logger;
  /** What is said of single kinds, beside what those say who ask for them. Default: nothing. */
  readonly kinds?: readonly KindCacheOptions[];
}

/**
 * How the objects of one kind are cached. Each part of the scope stands in for what an {@link InformerScope} leaves out, so
 * that nobody gets a whole cluster by asking for nothing.
 */
export interface KindCacheOptions<T extends KubernetesObject = KubernetesObject> extends InformerScope {
  readonly kind: KindReference<T>;
  /**
   * The fields that are kept, such as `spec.replicas`, beside apiVersion, kind and metadata; a path through a list means
   * each of its elements. The others are dropped before the object is stored, for everyone. Default: all.
   */
  readonly keep?: readonly string[];
  /** An {@link ObjectTransform}. Runs on each object before it is stored, after `keep`. */
  transform?(object: T): T;
}

/** What a cache holds of one kind in one form. */
export interface CacheUsage {
  /** `deployments.apps`. */
  readonly resource: string;
  readonly metadataOnly: boolean;
  readonly objects: number;
  /** About so much memory: their number times the mean length of their JSON as it is kept. */
  readonly bytes: number;
  /** The watches that fill it. */
  readonly watches: readonly WatchState[];
}

/** Metadata alone of a kind, as its class or a thunk. */
type MetadataReference<T extends KubernetesObject> = MetadataClass<T> | (() => MetadataClass<T>);

/** The informers of one kind. */
interface CachedKind {
  readonly resource: ApiResource;
  /** Whose prototype the objects get. */
  readonly kind: KindClass<KubernetesObject>;
  /** By scope, as they were asked for. */
  readonly views: Map<string, InformerView>;
  /** What fills them, since the start. */
  readonly informers: ReflectedInformer[];
  /** Whose applies are remembered beside the objects. */
  readonly managers: Set<string>;
}

/**
 * The informers of a program. A kind is watched as seldom as it can be: whoever asks for a part of what another asks for is
 * given a view of that one's store, and two scopes of which neither holds the other share the objects that are in both.
 *
 * Informers asked for before {@link start} begin with it, later ones at once: one that asks for more than those there are
 * has watches of its own beside theirs. One class stands for a kind: a second one for the same kind is refused with
 * `duplicate-declaration`.
 */
export class Cache {
  readonly #options: Required<Omit<CacheOptions, 'kinds'>>;
  readonly #kindOptions = new Map<
    KindClass<KubernetesObject>,
    KindCacheOptions & { projection: Projection | undefined }
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
      checkNamespaces(kindOptions.namespaces, `cache: namespaces of ${resolveKind(kindOptions.kind).name}`);
      const projection = kindOptions.keep === undefined ? undefined : new Projection(kindOptions.keep);
      this.#kindOptions.set(resolveKind(kindOptions.kind), { ...kindOptions, projection });
    }
  }

  /** The informer of a kind in a scope, made when it is first asked for. */
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

  /** The lister of the informer of a kind in a scope. */
  lister<T extends KubernetesObject>(watched: KindReference<T>, scope?: InformerScope): Lister<T>;
  lister<T extends KubernetesObject>(watched: MetadataReference<T>, scope?: InformerScope): Lister<Metadata<T>>;
  lister(watched: WatchedReference, scope?: InformerScope): Lister<CachedObject>;
  lister(watched: WatchedReference, scope?: InformerScope): Lister<CachedObject> {
    return this.informer(watched, scope).lister;
  }

  /**
   * Keeps beside the objects of a kind what a field manager owns of them by its applies, for {@link appliedFieldsOf}. To be
   * called before {@link start}: objects that have come already are not looked at again.
   */
  keepAppliedFields(kind: KindReference, manager: string): void {
    this.#kindOf(resolveKind(kind)).managers.add(manager);
  }

  /**
   * Throws `invalid-option` where what was said of a kind drops or changes fields of which `writer` computes its writes.
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

  /** As they were asked for, one for each scope. */
  get informers(): readonly Informer[] {
    return [...this.#kinds.values()].flatMap(({ views }) => [...views.values()]);
  }

  /** Those of a kind, in whatever version. */
  informersOf(resource: ApiResource): readonly Informer[] {
    const informers: Informer[] = [];
    for (const { resource: own, views } of this.#kinds.values()) {
      if (own.plural === resource.plural && own.group === resource.group) informers.push(...views.values());
    }
    return informers;
  }

  /** What it holds, by kind and form. */
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

  /** How many scopes are watched, each of them once for each of its namespaces. */
  get watchedScopes(): number {
    return [...this.#kinds.values()].reduce((sum, { informers }) => sum + informers.length, 0);
  }

  /** Starts the informers; they run until the signal is aborted. A second call changes nothing. */
  start(signal: AbortSignal): void {
    if (this.#signal !== undefined) return;
    this.#signal = signal;
    for (const cached of this.#kinds.values()) this.#attach(cached, [...cached.views.values()], signal);
  }

  /** Resolves when every informer there is now has synced; rejects with the signal's reason. */
  async waitForSync(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.informers.map((informer) => informer.waitForSync(signal)));
  }

  /** Resolves when the signal was aborted and nothing runs any more. */
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

  /** Gives each view the informer that covers it; one that none covers gets its own. */
  #attach(
    { resource, kind, informers, managers }: CachedKind,
    views: readonly InformerView[],
    signal: AbortSignal,
  ): void {
    const uncovered = views.filter(
      ({ resolved }) => !views.some((other) => other.resolved !== resolved && covers(other.resolved, resolved)),
    );
    const kindOptions = this.#kindOptions.get(kind);
    const projection = kindOptions?.projection;
    const transform: ObjectTransform | undefined = kindOptions?.transform?.bind(kindOptions);
    for (const { resolved } of uncovered) {
      if (informers.some((informer) => covers(informer.resolved, resolved))) continue;
      const informer = new ReflectedInformer({
        ...this.#options,
        resource,
        prototype: resolved.metadataOnly ? undefined : (kind.prototype as object),
        scope: resolved,
        decoding: { managers, projection, transform },
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

/** Whether what is said of a kind keeps all of its objects in all namespaces from being held whole. */
export function narrowsKind(kinds: readonly KindCacheOptions[], kind: KindClass): boolean {
  const said = kinds.findLast((options) => resolveKind(options.kind) === kind);
  if (said === undefined) return false;
  const { namespaces, labels, fields, keep } = said;
  return namespaces !== undefined || !isUnsaid(labels) || !isUnsaid(fields) || keep !== undefined;
}

/** A selector that was left out. The empty text is one that says: all. */
function isUnsaid(selector: LabelFilter | FieldFilter | undefined): boolean {
  return selector === undefined || (typeof selector === 'object' && Object.keys(selector).length === 0);
}
