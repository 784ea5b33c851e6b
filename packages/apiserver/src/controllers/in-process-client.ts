import type { GroupVersionKind } from '@evenkeel/core';
import { copyJson, type JsonObject } from '../apimachinery/index.ts';
import type { KindCatalog } from '../catalog/kind-catalog.ts';
import { type ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { DeleteOptions } from '../kind/strategy.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { deleteObject } from '../registry/delete-object.ts';
import type { ObjectRegistry } from '../registry/object-registry.ts';
import type { WriteRequest } from '../registry/write-request.ts';
import type { RequestContext } from '../request/request-context.ts';
import { requestInfoOf } from '../request/request-info.ts';
import type { UserInfo } from '../request/user-info.ts';
import { notFound, pathNotFound } from '../status/refusal.ts';
import type { DelayedEvents } from '../store/delayed-events.ts';
import type { StoreEvent } from '../store/store-event.ts';
import type {
  KindSchema,
  ServerClient,
  ServerResource,
  ServerResourceInfo,
  StoredEvent,
  WriteOptions,
} from './server-client.ts';
import type { SyncTurns } from './sync-turns.ts';

const neverAborted = new AbortController().signal;

/** A {@link ServerClient} that calls the registry directly: objects are never encoded. */
export class InProcessClient implements ServerClient {
  readonly #catalog: KindCatalog;
  readonly #registry: ObjectRegistry;
  readonly #events: Pick<DelayedEvents, 'list' | 'subscribe'>;
  readonly #user: UserInfo;
  readonly #manager: string;
  readonly #turns: Pick<SyncTurns, 'room'>;
  readonly #kinds = new Map<string, string>();
  #closed = false;

  constructor(options: {
    catalog: KindCatalog;
    registry: ObjectRegistry;
    events: Pick<DelayedEvents, 'list' | 'subscribe'>;
    user: UserInfo;
    manager: string;
    /** The turns that limit writes: each write waits for room. */
    turns: Pick<SyncTurns, 'room'>;
  }) {
    this.#catalog = options.catalog;
    this.#registry = options.registry;
    this.#events = options.events;
    this.#user = options.user;
    this.#manager = options.manager;
    this.#turns = options.turns;
  }

  /** Rejects all further writes. */
  close(): void {
    this.#closed = true;
  }

  get<T extends object = ApiObject>(
    resource: ServerResource,
    namespace: string | undefined,
    name: string,
  ): T | undefined {
    return this.#registry.store.get(this.#storageKey(resource), namespace ?? '', name)?.object as T | undefined;
  }

  list<T extends object = ApiObject>(resource: ServerResource, namespace?: string): readonly T[] {
    const stored = this.#registry.store.resource(this.#storageKey(resource)).list(namespace ?? '');
    return stored.map(({ object }) => object as unknown as T);
  }

  watch<T extends object = ApiObject>(resource: ServerResource, listener: (event: StoredEvent<T>) => void): () => void {
    const storageKey = this.#storageKey(resource);
    const queue = new EventQueue<T>(listener);
    for (const { object } of this.#events.list(storageKey)) {
      queue.add({ type: 'ADDED', resource, object: object as unknown as T });
    }
    const unsubscribe = this.#events.subscribe(storageKey, (_, event) => queue.add(storedEvent<T>(resource, event)));
    return () => {
      unsubscribe();
      queue.stop();
    };
  }

  watchAll(listener: (event: StoredEvent) => void): () => void {
    const queue = new EventQueue<ApiObject>(listener);
    for (const [key] of this.#registry.store.resources()) {
      for (const { object } of this.#events.list(key)) {
        queue.add({ type: 'ADDED', resource: resourceOfKey(key), object });
      }
    }
    const unsubscribe = this.#events.subscribe(undefined, (key, event) =>
      queue.add(storedEvent(resourceOfKey(key), event)),
    );
    return () => {
      unsubscribe();
      queue.stop();
    };
  }

  async create<T extends object = ApiObject>(
    resource: ServerResource,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    const wanted = copyJson(object) as unknown as ApiObject;
    const { namespace = '', name = '' } = wanted.metadata;
    const request = await this.#request(resource, namespace, options.subresource === undefined ? '' : name, options);
    if (options.subresource !== undefined) return this.#act<T>(request, wanted);
    const decoded = request.codec.decode(wanted).object;
    return (await this.#registry.create(request, decoded)).object as unknown as T;
  }

  async update<T extends object = ApiObject>(
    resource: ServerResource,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    const { namespace = '', name } = (object as unknown as ApiObject).metadata;
    const request = await this.#request(resource, namespace, name, options);
    const wanted = request.codec.decode(copyJson(object) as unknown as JsonObject).object;
    return (await this.#registry.update(request, () => copyJson(wanted))).object as unknown as T;
  }

  updateStatus<T extends object = ApiObject>(resource: ServerResource, object: T): Promise<T> {
    return this.update(resource, object, { subresource: 'status' });
  }

  async patch<T extends object = ApiObject>(
    resource: ServerResource,
    namespace: string | undefined,
    name: string,
    patch: object,
    options: WriteOptions = {},
  ): Promise<T> {
    const request = await this.#request(resource, namespace ?? '', name, options);
    const result = await this.#registry.update(request, (current) => {
      if (current === undefined) throw notFound(request.kind.names, name);
      const patched = applyMergePatch(current as unknown as JsonObject, patch);
      return request.codec.decode(copyJson(patched)).object;
    });
    return result.object as unknown as T;
  }

  async delete(
    resource: ServerResource,
    namespace: string | undefined,
    name: string,
    options: DeleteOptions = {},
  ): Promise<void> {
    const request = await this.#request(resource, namespace ?? '', name, {});
    try {
      await deleteObject(this.#registry, request, options);
    } catch (error) {
      if ((error as { reason?: string }).reason !== 'NotFound') throw error;
    }
  }

  resources(): readonly ServerResourceInfo[] {
    return [...this.#catalog.stored()].filter(({ names }) => names.verbs.includes('delete')).map(infoOf);
  }

  async schemasOf({ group, version, plural }: { group: string; version: string; plural: string }) {
    const groups = group === '' ? this.#catalog.apiGroups().map(({ name }) => name) : [group];
    const kinds = groups.flatMap((name) => this.#catalog.find(name, version, plural) ?? []);
    return Promise.all(kinds.map(schemaOfKind));
  }

  async schemaOf({ group, version, kind }: GroupVersionKind): Promise<KindSchema | undefined> {
    const found = this.#catalog.findKind(group, version, kind);
    return found === undefined ? undefined : schemaOfKind(found);
  }

  resourceOf(apiVersion: string, kind: string): ServerResourceInfo | undefined {
    const slash = apiVersion.indexOf('/');
    const group = slash < 0 ? '' : apiVersion.slice(0, slash);
    const found = this.#catalog.findKind(group, apiVersion.slice(slash + 1), kind);
    return found === undefined ? undefined : infoOf(found);
  }

  async #act<T extends object>(request: WriteRequest, body: ApiObject): Promise<T> {
    const { kind, name, namespace, subresource } = request;
    if (subresource?.rules.type !== 'action') throw pathNotFound();
    const stored = this.#registry.store.get(kind.storageKey, namespace, name);
    if (stored === undefined) throw notFound(kind.names, name);
    const path = `/api/v1/namespaces/${namespace}/${kind.names.plural}/${name}/${subresource.name}`;
    const context: RequestContext = {
      user: this.#user,
      info: requestInfoOf('POST', path, new URLSearchParams()),
      query: new URLSearchParams(),
      headers: {},
      signal: neverAborted,
      localAddress: undefined,
      audit: undefined,
      clock: this.#registry.clock,
      random: this.#registry.random,
      warn: () => undefined,
    };
    const decode = (json: JsonObject): ApiObject => json as unknown as ApiObject;
    const admitted = await this.#registry.admitAction(request, body, decode);
    return (await subresource.rules.handle(context, () => stored.object, admitted)) as unknown as T;
  }

  async #request(
    resource: ServerResource,
    namespace: string,
    name: string,
    options: WriteOptions,
  ): Promise<WriteRequest> {
    const room = this.#turns.room();
    if (room !== undefined) await room;
    if (this.#closed) throw new Error('the controller has been stopped');
    const kind = this.#kind(resource);
    const rules = options.subresource === undefined ? undefined : kind.subresources.get(options.subresource);
    if (options.subresource !== undefined && rules === undefined) throw pathNotFound();
    const request: WriteRequest = {
      kind,
      codec: kind.loadedCodec ?? (await kind.codec()),
      user: this.#user,
      namespace: kind.names.namespaced ? namespace : '',
      name,
      ...(rules !== undefined && { subresource: { name: options.subresource ?? '', rules } }),
      manager: options.fieldManager ?? this.#manager,
      dryRun: false,
      warn: () => undefined,
    };
    if (this.#closed) throw new Error('the controller has been stopped');
    return request;
  }

  #kind({ group, plural }: ServerResource): KindDescription {
    const kind = this.#catalog.findResource(group, plural);
    if (kind === undefined) throw pathNotFound();
    return kind;
  }

  #storageKey({ group, plural }: ServerResource): string {
    const name = `${group}/${plural}`;
    let key = this.#kinds.get(name);
    if (key === undefined) {
      key = this.#catalog.findResource(group, plural)?.storageKey ?? name;
      this.#kinds.set(name, key);
    }
    return key;
  }
}

function infoOf({ names, storageKey }: KindDescription): ServerResourceInfo {
  const { version, kind, namespaced, verbs } = names;
  return { ...resourceOfKey(storageKey), version, kind, namespaced, verbs };
}

function resourceOfKey(storageKey: string): ServerResource {
  const slash = storageKey.indexOf('/');
  return { group: storageKey.slice(0, slash), plural: storageKey.slice(slash + 1) };
}

function storedEvent<T>(resource: ServerResource, { current, previous, deleted }: StoreEvent): StoredEvent<T> {
  const type = deleted ? 'DELETED' : previous === undefined ? 'ADDED' : 'MODIFIED';
  return {
    type,
    resource,
    object: current.object as T,
    ...(previous !== undefined && { old: previous.object as T }),
  };
}

/** Delivers events after the turn in which they occurred. */
class EventQueue<T> {
  readonly #listener: (event: StoredEvent<T>) => void;
  #events: StoredEvent<T>[] = [];
  #stopped = false;

  constructor(listener: (event: StoredEvent<T>) => void) {
    this.#listener = listener;
  }

  add(event: StoredEvent<T>): void {
    this.#events.push(event);
    if (this.#events.length === 1) queueMicrotask(() => this.#deliver());
  }

  stop(): void {
    this.#stopped = true;
    this.#events = [];
  }

  #deliver(): void {
    const events = this.#events;
    this.#events = [];
    for (const event of events) {
      if (this.#stopped) return;
      this.#listener(event);
    }
  }
}

async function schemaOfKind(description: KindDescription): Promise<KindSchema> {
  const { group, version, kind } = description.names;
  return { group, version, kind, schema: (await description.codec()).schema };
}
