import {
  type ApiRequest,
  type ApplyConfigurationOf,
  type ApplyOptions,
  Client,
  type DeleteCollectionOptions,
  type DeleteOptions,
  type GetOptions,
  isRead,
  type KeyLike,
  type ListOptions,
  type LogOptions,
  type NewObjectOf,
  type ObjectBody,
  type ObjectList,
  type ObjectOf,
  type Patch,
  type RequestedKind,
  type Subresource,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
  type WrittenObject,
} from '@evenkeel/client';
import { type ApiResource, isMetadataClass, ObjectKey, resourceOf, type TransportResponse } from '@evenkeel/core';
import { Pod } from '@evenkeel/kinds';
import { type Access, checkReach, type Place } from './namespace-fence.ts';
import type { RunReach } from './run-reach.ts';

export interface NamespacedClientOptions {
  readonly client: Client;
  readonly reach: RunReach;
}

/**
 * A client that is restricted to the namespace of a run. It can also read cluster-scoped objects and create reviews. A user
 * who may create an object in one namespace must not reach other namespaces through the operator. The restriction also holds
 * if the client is used outside of the run.
 */
export class NamespacedClient extends Client {
  readonly #reach: RunReach;
  readonly #client: Client;

  constructor({ client, reach }: NamespacedClientOptions) {
    super();
    this.#reach = reach;
    this.#client = client;
  }

  async get<K extends RequestedKind>(kind: K, key: KeyLike, options?: GetOptions): Promise<ObjectOf<K>> {
    this.#check('read', resourceOfKind(kind), keyOf(key));
    return this.#client.get(kind, key, options);
  }

  async list<K extends RequestedKind>(kind: K, options?: ListOptions): Promise<ObjectList<ObjectOf<K>>> {
    this.#check('read', resourceOfKind(kind), { namespace: options?.namespace });
    return this.#client.list(kind, options);
  }

  async *watch<K extends RequestedKind>(
    kind: K,
    options?: WatchOptions,
  ): AsyncGenerator<WatchEvent<ObjectOf<K>>, void, undefined> {
    this.#check('read', resourceOfKind(kind), { namespace: options?.namespace });
    yield* this.#client.watch(kind, options);
  }

  async create<K extends RequestedKind>(kind: K, object: NewObjectOf<K>, options?: WriteOptions): Promise<ObjectOf<K>> {
    this.#check('write', resourceOfKind(kind), object.metadata);
    return this.#client.create(kind, object, options);
  }

  async update<K extends RequestedKind>(
    kind: K,
    object: ObjectBody<ObjectOf<K>>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>> {
    this.#check('write', resourceOfKind(kind), object.metadata);
    return this.#client.update(kind, object, options);
  }

  async patch<K extends RequestedKind>(
    kind: K,
    key: KeyLike,
    patch: Patch<WrittenObject<K>>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>> {
    this.#check('write', resourceOfKind(kind), keyOf(key));
    return this.#client.patch(kind, key, patch, options);
  }

  async apply<K extends RequestedKind>(
    kind: K,
    configuration: ApplyConfigurationOf<K>,
    options?: ApplyOptions,
  ): Promise<ObjectOf<K>> {
    this.#check('write', resourceOfKind(kind), (configuration as { metadata?: Place }).metadata ?? {});
    return this.#client.apply(kind, configuration, options);
  }

  async delete<K extends RequestedKind>(
    kind: K,
    key: KeyLike,
    options?: DeleteOptions,
  ): Promise<ObjectOf<K> | undefined> {
    this.#check('write', resourceOfKind(kind), keyOf(key));
    return this.#client.delete(kind, key, options);
  }

  async deleteCollection(kind: RequestedKind, options?: DeleteCollectionOptions): Promise<void> {
    this.#check('write', resourceOfKind(kind), { namespace: options?.namespace });
    return this.#client.deleteCollection(kind, options);
  }

  subresource<K extends RequestedKind, N extends string>(kind: K, key: KeyLike, name: N): Subresource<K, N> {
    const inner = this.#client.subresource(kind, key, name);
    const check = (access: Access): void => this.#check(access, resourceOfKind(kind), keyOf(key));
    return {
      get: async (options) => {
        check('read');
        return inner.get(options);
      },
      create: async (object, options) => {
        check('write');
        return inner.create(object, options);
      },
      update: async (object, options) => {
        check('write');
        return inner.update(object, options);
      },
      patch: async (patch, options) => {
        check('write');
        return inner.patch(patch, options);
      },
      apply: async (configuration, options) => {
        check('write');
        return inner.apply(configuration, options);
      },
    };
  }

  async *logs(pod: KeyLike, options?: LogOptions): AsyncGenerator<string, void, undefined> {
    this.#check('read', resourceOfKind(Pod), keyOf(pod));
    yield* this.#client.logs(pod, options);
  }

  async send(request: ApiRequest): Promise<TransportResponse> {
    this.#check(isRead(request.verb) ? 'read' : 'write', request.resource, request);
    return this.#client.send(request);
  }

  #check(access: Access, resource: ApiResource, place: Place): void {
    checkReach(this.#reach, 'context.client', access, resource, place);
  }
}

function resourceOfKind(kind: RequestedKind): ApiResource {
  if (isMetadataClass(kind)) return resourceOf(kind.metadataOf);
  return typeof kind === 'function' ? resourceOf(kind) : kind;
}

function keyOf(key: KeyLike): ObjectKey {
  return typeof key === 'string' ? ObjectKey.parse(key) : key;
}
