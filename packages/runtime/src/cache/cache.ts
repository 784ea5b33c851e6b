import { type Client, fieldSelectorOf, labelSelectorOf } from '@evenkeel/client';
import {
  type Clock,
  EvenkeelError,
  groupResourceOf,
  type KindReference,
  type KubernetesObject,
  type Logger,
  type Metadata,
  type MetadataClass,
  type Random,
  resolveWatched,
  resourceOf,
  SilentLogger,
  SystemClock,
  SystemRandom,
  type WatchedReference,
} from '@evenkeel/core';
import type { CachedObject } from './cached-object.ts';
import { Informer, type InformerScope } from './informer.ts';
import type { Lister } from './lister.ts';

export interface CacheOptions {
  readonly client: Client;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: the system's. */
  readonly random?: Random;
  /** Default: silent. */
  readonly logger?: Logger;
}

/** Metadata alone of a kind, as its class or a thunk. */
type MetadataReference<T extends KubernetesObject> = MetadataClass<T> | (() => MetadataClass<T>);

/**
 * The informers of a program: one for each kind and scope, shared by whoever asks for it.
 *
 * Informers asked for before {@link start} begin with it, later ones at once. One class stands for a kind: a second one
 * for the same kind is refused with `duplicate-declaration`.
 */
export class Cache {
  readonly #options: Required<CacheOptions>;
  readonly #informers = new Map<string, Informer>();
  /** By kind, the class whose prototype its objects get. */
  readonly #classes = new Map<string, { readonly name: string }>();
  #signal: AbortSignal | undefined;
  readonly #stopped: Promise<void>[] = [];

  constructor(options: CacheOptions) {
    this.#options = {
      client: options.client,
      clock: options.clock ?? new SystemClock(),
      random: options.random ?? new SystemRandom(),
      logger: options.logger ?? new SilentLogger(),
    };
  }

  /** The informer of a kind in a scope, made when it is first asked for. */
  informer<T extends KubernetesObject>(watched: KindReference<T>, scope?: InformerScope): Informer<T>;
  informer<T extends KubernetesObject>(watched: MetadataReference<T>, scope?: InformerScope): Informer<Metadata<T>>;
  informer(watched: WatchedReference, scope?: InformerScope): Informer;
  informer(watched: WatchedReference, scope: InformerScope = {}): Informer {
    const { kind, metadataOnly } = resolveWatched(watched);
    const resource = resourceOf(kind);
    const served = `${groupResourceOf(resource)}/${resource.version}`;
    const known = this.#classes.get(served);
    if (known !== undefined && known !== kind) {
      throw new EvenkeelError(
        'duplicate-declaration',
        `the classes ${known.name} and ${kind.name} both stand for ${served}; use one of them throughout`,
      );
    }
    this.#classes.set(served, kind);
    const namespaces =
      resource.namespaced && scope.namespaces !== undefined ? [...new Set(scope.namespaces)].sort() : undefined;
    const normalised: InformerScope = { ...scope, namespaces };
    const identity = JSON.stringify([
      served,
      metadataOnly,
      namespaces ?? null,
      labelSelectorOf(scope.labels) ?? null,
      fieldSelectorOf(scope.fields) ?? null,
    ]);
    const existing = this.#informers.get(identity);
    if (existing !== undefined) return existing;
    const prototype = metadataOnly ? undefined : (kind.prototype as object);
    const informer = new Informer({ ...this.#options, resource, metadataOnly, prototype, scope: normalised });
    this.#informers.set(identity, informer);
    if (this.#signal !== undefined) this.#stopped.push(informer.start(this.#signal));
    return informer;
  }

  /** The lister of the informer of a kind in a scope. */
  lister<T extends KubernetesObject>(watched: KindReference<T>, scope?: InformerScope): Lister<T>;
  lister<T extends KubernetesObject>(watched: MetadataReference<T>, scope?: InformerScope): Lister<Metadata<T>>;
  lister(watched: WatchedReference, scope?: InformerScope): Lister<CachedObject>;
  lister(watched: WatchedReference, scope?: InformerScope): Lister<CachedObject> {
    return this.informer(watched, scope).lister;
  }

  /** In the order in which they were asked for. */
  get informers(): readonly Informer[] {
    return [...this.#informers.values()];
  }

  /** Starts the informers; they run until the signal is aborted. A second call changes nothing. */
  start(signal: AbortSignal): void {
    if (this.#signal !== undefined) return;
    this.#signal = signal;
    for (const informer of this.#informers.values()) this.#stopped.push(informer.start(signal));
  }

  /** Resolves when every informer there is now has synced; rejects with the signal's reason. */
  async waitForSync(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.informers.map((informer) => informer.waitForSync(signal)));
  }

  /** Resolves when the signal was aborted and nothing runs any more. */
  async stopped(): Promise<void> {
    await Promise.all(this.#stopped);
  }
}
