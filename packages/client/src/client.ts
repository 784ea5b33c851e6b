import type {
  KindClass,
  KubernetesObject,
  Metadata,
  MetadataClass,
  ObjectKey,
  ObjectMeta,
  TransportResponse,
} from '@evenkeel/core';
import type { ApplyConfiguration } from '@evenkeel/kinds';
import type { ApiRequest } from './api-request.ts';
import type { LogOptions } from './log-options.ts';
import type { Patch } from './patch.ts';
import type { ObjectOf, RequestedKind, UnstructuredObject } from './requested-kind.ts';
import type { FieldFilter, LabelFilter } from './selector.ts';
import type { Subresource } from './subresource.ts';
import type { WatchEvent } from './watch-event.ts';

/** One object: a key, or `'namespace/name'`, or `'name'` for a cluster-scoped kind. */
export type KeyLike = ObjectKey | string;

export interface RequestOptions {
  /** Aborts the request; the call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface GetOptions extends RequestOptions {
  /** `'0'` takes whatever the server has cached. Default: the latest. */
  resourceVersion?: string;
}

export interface ListOptions extends RequestOptions {
  /** Default: all namespaces. */
  namespace?: string | undefined;
  labels?: LabelFilter | undefined;
  fields?: FieldFilter | undefined;
  /** How many objects one answer may hold. Default: everything, fetched in pages of 500. */
  limit?: number;
  /** What the page before gave; only with `limit`. */
  continue?: string;
  resourceVersion?: string;
  resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

export interface WatchOptions extends RequestOptions {
  namespace?: string | undefined;
  labels?: LabelFilter | undefined;
  fields?: FieldFilter | undefined;
  /** Events after this version. Default: the objects that are there as `ADDED`, then what changes. */
  resourceVersion?: string;
  /** Default true: `BOOKMARK` events come about once a minute. */
  bookmarks?: boolean;
  /** After this the server ends the watch. Default: the server's, 30 to 60 minutes. */
  timeoutSeconds?: number;
}

export interface WriteOptions extends RequestOptions {
  /** True: everything is checked, nothing is stored. */
  dryRun?: boolean;
  /** What happens to unknown and duplicate fields. Default: the server's, which is `Warn`; an apply is always strict. */
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  /** Default: the client's own. */
  fieldManager?: string;
}

export interface ApplyOptions extends WriteOptions {
  /** Take over fields that other managers own instead of refusing with a conflict. Default false. */
  force?: boolean;
}

export interface DeleteOptions extends RequestOptions {
  /** Refuses with a conflict where the object is not, or no longer, this one. */
  preconditions?: { uid?: string; resourceVersion?: string };
  /** What happens to objects this one owns. Default: the kind's, which is `Background` for nearly all. */
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  gracePeriodSeconds?: number;
  dryRun?: boolean;
}

export interface DeleteCollectionOptions extends DeleteOptions {
  /** A namespaced kind needs one. */
  namespace?: string | undefined;
  labels?: LabelFilter | undefined;
  fields?: FieldFilter | undefined;
}

export interface ObjectList<T> {
  readonly items: T[];
  /** The version the list is of; a watch continues from it. */
  readonly resourceVersion: string;
  /** Present where there is more: ask again with it. */
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** What is created or written: the object without the fields that the server fills in. */
export type ObjectBody<T> = Omit<T, 'apiVersion' | 'kind' | 'metadata' | 'status'> & {
  apiVersion?: string;
  kind?: string;
  metadata: Partial<ObjectMeta>;
  status?: unknown;
};

/**
 * Requests to one API server, typed by class. Every call goes to the server; caches are another matter.
 *
 * Objects are the JSON on the wire, with the class's prototype on them; they are the caller's own. `apiVersion` and
 * `kind` are filled in where an object to be written lacks them. A refusal rejects with a `StatusError` whose message
 * begins with what was asked; where no answer came, the promise rejects with the `EvenkeelError`
 * `cluster-unreachable`; where the signal was aborted, with its reason.
 *
 * Answers of 429 and 503 that carry Retry-After are retried after that time, 10 times at most, because with them the
 * server says that it did not begin. A read is also retried after any other 5xx with Retry-After, and where its connection
 * broke. Nothing else is ever sent twice.
 *
 * A class, so that it can stand in a constructor's signature and be injected. Safe for any number of calls at once.
 */
export abstract class Client {
  abstract get<K extends RequestedKind>(kind: K, key: KeyLike, options?: GetOptions): Promise<ObjectOf<K>>;

  /** Without `limit` it reads all pages; the list is then of one version, also when it took several requests. */
  abstract list<K extends RequestedKind>(kind: K, options?: ListOptions): Promise<ObjectList<ObjectOf<K>>>;

  /**
   * One watch, until the server ends it, the signal is aborted, or the loop is left: no reconnection. An informer is
   * what most programs want.
   */
  abstract watch<K extends RequestedKind>(kind: K, options?: WatchOptions): AsyncIterable<WatchEvent<ObjectOf<K>>>;

  abstract create<K extends RequestedKind>(
    kind: K,
    object: ObjectBody<ObjectOf<K>>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>>;

  /** Replaces the object. Refused with a conflict where its resourceVersion is given and no longer the latest. */
  abstract update<K extends RequestedKind>(
    kind: K,
    object: ObjectBody<ObjectOf<K>>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>>;

  abstract patch<K extends RequestedKind>(
    kind: K,
    key: KeyLike,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>>;

  /** Server-side apply: creates the object, or changes what this field manager owns of it. */
  abstract apply<K extends RequestedKind>(
    kind: K,
    configuration: ApplyConfigurationOf<K>,
    options?: ApplyOptions,
  ): Promise<ObjectOf<K>>;

  /** Resolves to the object where the server answers with one, as it does while finalizers hold it. */
  abstract delete<K extends RequestedKind>(
    kind: K,
    key: KeyLike,
    options?: DeleteOptions,
  ): Promise<ObjectOf<K> | undefined>;

  abstract deleteCollection(kind: RequestedKind, options?: DeleteCollectionOptions): Promise<void>;

  /** `status`, `scale`, `eviction`, ...: what hangs below one object. */
  abstract subresource<K extends RequestedKind, N extends string>(kind: K, key: KeyLike, name: N): Subresource<K, N>;

  /**
   * The lines of a container's log, without their newlines, as they come. Ends with the log; with `follow`, when the
   * container ends, the signal is aborted, or the loop is left.
   */
  abstract logs(pod: KeyLike, options?: LogOptions): AsyncIterable<string>;

  /**
   * What all of the above is made of: one request with this client's credentials, retries and observers, its answer
   * unread. A refusal rejects as it does everywhere.
   */
  abstract send(request: ApiRequest): Promise<TransportResponse>;
}

/** What server-side apply takes for a kind; `apiVersion` and `kind` may be left out. */
export type ApplyConfigurationOf<K extends RequestedKind> =
  K extends KindClass<infer T>
    ? ApplyBody<T>
    : K extends MetadataClass<infer T>
      ? ApplyBody<Metadata<T>>
      : ApplyBody<UnstructuredObject>;

type ApplyBody<T extends KubernetesObject> = Omit<ApplyConfiguration<T>, 'apiVersion' | 'kind'> & {
  apiVersion?: string;
  kind?: string;
};
