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
import type { ApplyOptions, RequestOptions, WriteOptions } from './request-options.ts';
import type { ObjectOf, RequestedKind, UnstructuredObject, WrittenObject } from './requested-kind.ts';
import type { FieldFilter, LabelFilter } from './selector.ts';
import type { Subresource } from './subresource.ts';
import type { WatchEvent } from './watch-event.ts';

/** The key of an object: an ObjectKey, `'namespace/name'`, or `'name'` for a cluster-scoped kind. */
export type KeyLike = ObjectKey | string;

/** The options of {@link Client.get}. */
export interface GetOptions extends RequestOptions {
  /** `'0'` allows any version that the server has cached. Default: the latest version. */
  resourceVersion?: string;
}

/** The options of {@link Client.list}. */
export interface ListOptions extends RequestOptions {
  /** Default: all namespaces. */
  namespace?: string | undefined;
  labels?: LabelFilter | undefined;
  fields?: FieldFilter | undefined;
  /** The maximum number of objects in a response. Default: all objects, fetched in pages of 500. */
  limit?: number;
  /** The `continue` of the previous page; only with `limit`. */
  continue?: string;
  resourceVersion?: string;
  resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

/** The options of {@link Client.watch}. */
export interface WatchOptions extends RequestOptions {
  namespace?: string | undefined;
  labels?: LabelFilter | undefined;
  fields?: FieldFilter | undefined;
  /** Starts with events after this version. Default: existing objects as `ADDED`, then changes. */
  resourceVersion?: string;
  /** Whether to send `BOOKMARK` events, about once a minute. Default: true. */
  bookmarks?: boolean;
  /** The server ends the watch after this time. Default: the server's, 30 to 60 minutes. */
  timeoutSeconds?: number;
}

/** The options of {@link Client.delete}. */
export interface DeleteOptions extends RequestOptions {
  /** Fails with a conflict if the object does not have this uid or version. */
  preconditions?: { uid?: string; resourceVersion?: string };
  /** What happens to owned objects. Default: the kind's, which is `Background` for nearly all kinds. */
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  gracePeriodSeconds?: number;
  dryRun?: boolean;
}

/** The options of {@link Client.deleteCollection}. */
export interface DeleteCollectionOptions extends DeleteOptions {
  /** Required for a namespaced kind. */
  namespace?: string | undefined;
  labels?: LabelFilter | undefined;
  fields?: FieldFilter | undefined;
}

/** The objects of a list, or of one page of it. */
export interface ObjectList<T> {
  readonly items: T[];
  /** The version of the list; a watch continues from it. */
  readonly resourceVersion: string;
  /** Set if there are more objects: pass it as `continue` of the next list. */
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** The body of an update: the object without the fields that the server sets. */
export type ObjectBody<T> = Omit<T, 'apiVersion' | 'kind' | 'metadata' | 'status'> & {
  apiVersion?: string;
  kind?: string;
  metadata: Partial<ObjectMeta>;
  status?: unknown;
};

/**
 * The body of a creation for a kind: an object without the fields that the server sets. Any field may be missing, at any
 * depth, because the compiler does not know which of them have defaults; the server rejects an object without a required one.
 */
export type NewObjectOf<K extends RequestedKind> = Omit<ApplyConfigurationOf<K>, 'metadata'> & {
  metadata: Partial<ObjectMeta>;
};

/**
 * Sends requests to one API server, typed by class. Every call goes to the server; there is no cache.
 *
 * Returned objects are the JSON of the response with the prototype of the class. They belong to the caller.
 * `apiVersion` and `kind` of objects to write may be missing; the client adds them. An error response rejects with a
 * `StatusError` whose message starts with the request. Without a response, the promise rejects with the `EvenkeelError`
 * `cluster-unreachable`. The stacks of both contain the call in your code if it was awaited. After an abort, the promise
 * rejects with the signal's reason.
 *
 * Responses 429 and 503 with Retry-After are retried after that time, at most 10 times, because the server has not
 * started the request. A read is also retried after any other 5xx with Retry-After, and after a broken connection.
 * Nothing else is sent twice.
 *
 * This is a class so that constructors can use it as a parameter type for injection. Safe for any number of concurrent
 * calls.
 */
export abstract class Client {
  abstract get<K extends RequestedKind>(kind: K, key: KeyLike, options?: GetOptions): Promise<ObjectOf<K>>;

  /** Without `limit`, reads all pages. The list is of one version, even if it took several requests. */
  abstract list<K extends RequestedKind>(kind: K, options?: ListOptions): Promise<ObjectList<ObjectOf<K>>>;

  /**
   * Watches once, until the server ends it, the signal is aborted, or the loop is left. Does not reconnect. Most
   * programs should use an informer.
   */
  abstract watch<K extends RequestedKind>(kind: K, options?: WatchOptions): AsyncIterable<WatchEvent<ObjectOf<K>>>;

  abstract create<K extends RequestedKind>(
    kind: K,
    object: NewObjectOf<K>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>>;

  /** Replaces the object. Fails with a conflict if its resourceVersion is set and not the latest. */
  abstract update<K extends RequestedKind>(
    kind: K,
    object: ObjectBody<ObjectOf<K>>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>>;

  abstract patch<K extends RequestedKind>(
    kind: K,
    key: KeyLike,
    patch: Patch<WrittenObject<K>>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>>;

  /** Server-side apply: creates the object, or changes the fields that this field manager owns. */
  abstract apply<K extends RequestedKind>(
    kind: K,
    configuration: ApplyConfigurationOf<K>,
    options?: ApplyOptions,
  ): Promise<ObjectOf<K>>;

  /** Resolves to the object if the response includes it, as while finalizers delay the deletion. */
  abstract delete<K extends RequestedKind>(
    kind: K,
    key: KeyLike,
    options?: DeleteOptions,
  ): Promise<ObjectOf<K> | undefined>;

  abstract deleteCollection(kind: RequestedKind, options?: DeleteCollectionOptions): Promise<void>;

  /** The requests of a subresource of one object: `status`, `scale`, `eviction`, ... */
  abstract subresource<K extends RequestedKind, N extends string>(kind: K, key: KeyLike, name: N): Subresource<K, N>;

  /**
   * Yields the lines of a container's log, without their newlines, as they arrive. Ends with the log; with `follow`,
   * when the container stops, the signal is aborted, or the loop is left.
   */
  abstract logs(pod: KeyLike, options?: LogOptions): AsyncIterable<string>;

  /**
   * Sends one request with this client's credentials, retries and observers, and returns the unread response. All other
   * methods use it. An error response rejects as in all methods.
   */
  abstract send(request: ApiRequest): Promise<TransportResponse>;
}

/** The parameter of a server-side apply for a kind; `apiVersion` and `kind` may be missing. */
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
