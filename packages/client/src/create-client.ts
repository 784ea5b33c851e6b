import { jsonEscape, notInYaml } from '@evenkeel/apimachinery/json-escape';
import {
  type ApiResource,
  apiVersionOf,
  type Clock,
  EvenkeelError,
  isGone,
  type KubernetesObject,
  type Logger,
  SilentLogger,
  SystemClock,
  type Transport,
  type TransportResponse,
} from '@evenkeel/core';
import type { ApiRequest } from './api-request.ts';
import {
  type ApplyConfigurationOf,
  Client,
  type DeleteCollectionOptions,
  type DeleteOptions,
  type GetOptions,
  type KeyLike,
  type ListOptions,
  type NewObjectOf,
  type ObjectBody,
  type ObjectList,
  type WatchOptions,
} from './client.ts';
import type { Interceptor } from './interceptor.ts';
import { keyOf } from './key.ts';
import { LineSplitter } from './line-splitter.ts';
import type { LogOptions } from './log-options.ts';
import { encodePatch, type Patch } from './patch.ts';
import { podResource } from './pod-resource.ts';
import { type RejectionExplainer, rejectionInStream, unreadable } from './rejection.ts';
import type { RequestObserver } from './request-observation.ts';
import type { ApplyOptions, WriteOptions } from './request-options.ts';
import { RequestPipeline } from './request-pipeline.ts';
import {
  type ObjectOf,
  type RequestedKind,
  type ResolvedKind,
  resolveRequestedKind,
  type WrittenObject,
} from './requested-kind.ts';
import { readBody } from './response-body.ts';
import { fieldSelectorOf, labelSelectorOf } from './selector.ts';
import { ServerWarnings } from './server-warnings.ts';
import type { Subresource, SubresourceObject } from './subresource.ts';
import type { WatchEvent } from './watch-event.ts';

/** The options of {@link createClient}. */
export interface ClientOptions {
  /** The owner of written fields; an apply requires one. Default: the server uses the first word of the user agent. */
  fieldManager?: string;
  /** Default `evenkeel`. */
  userAgent?: string;
  /** Default: the system's. */
  clock?: Clock;
  /** Logs each server warning with its request, once for each kind and verb. Default: no log. */
  logger?: Logger;
  interceptors?: readonly Interceptor[];
  observers?: readonly RequestObserver[];
  /** Adds details to error responses that only the program knows. Default: only the server's message. */
  explain?: RejectionExplainer;
}

/** The page size of a list without a limit, as in client-go's pager. */
const pageSize = 500;

/** Creates a client for a transport. It opens nothing by itself; the caller closes the transport. */
export function createClient(transport: Transport, options: ClientOptions = {}): Client {
  return new TransportClient(transport, options);
}

class TransportClient extends Client {
  readonly #pipeline: RequestPipeline;
  readonly #fieldManager: string | undefined;

  constructor(transport: Transport, options: ClientOptions) {
    super();
    const logger = options.logger ?? new SilentLogger();
    this.#fieldManager = options.fieldManager;
    this.#pipeline = new RequestPipeline({
      transport,
      clock: options.clock ?? new SystemClock(),
      logger,
      warnings: new ServerWarnings(logger),
      interceptors: options.interceptors ?? [],
      observers: options.observers ?? [],
      userAgent: options.userAgent ?? 'evenkeel',
      explain: options.explain,
    });
  }

  get<K extends RequestedKind>(kind: K, key: KeyLike, options: GetOptions = {}): Promise<ObjectOf<K>> {
    const query = { resourceVersion: options.resourceVersion };
    return this.#one(kind, { verb: 'get', ...named(key), query, signal: options.signal });
  }

  async list<K extends RequestedKind>(kind: K, options: ListOptions = {}): Promise<ObjectList<ObjectOf<K>>> {
    if (options.limit !== undefined) return this.#page(kind, options);
    const items: ObjectOf<K>[] = [];
    let continueWith: string | undefined;
    for (;;) {
      const page = await this.#page(kind, { ...options, limit: pageSize, continue: continueWith }).catch(
        (error: unknown) => {
          // The pages' version was compacted: request one whole list instead, as client-go's pager does.
          if (continueWith !== undefined && isGone(error)) return undefined;
          throw error;
        },
      );
      if (page === undefined) return this.#page(kind, { ...options, limit: undefined });
      // Pushed one by one, because spreading a large page would overflow the stack.
      for (const item of page.items) items.push(item);
      if (page.continue === undefined) return { items, resourceVersion: page.resourceVersion };
      continueWith = page.continue;
    }
  }

  async #page<K extends RequestedKind>(
    kind: K,
    options: Omit<ListOptions, 'limit' | 'continue'> & { limit?: number | undefined; continue?: string | undefined },
  ): Promise<ObjectList<ObjectOf<K>>> {
    const resolved = resolveRequestedKind(kind);
    const request: ApiRequest = {
      verb: 'list',
      resource: resolved.resource,
      namespace: options.namespace,
      query: {
        ...selectorsOf(options),
        limit: options.limit,
        continue: options.continue,
        resourceVersion: options.continue === undefined ? options.resourceVersion : undefined,
        resourceVersionMatch: options.continue === undefined ? options.resourceVersionMatch : undefined,
      },
      accept: acceptOf(resolved, 'PartialObjectMetadataList'),
      signal: options.signal,
    };
    return this.#pipeline.run(request, async (response) => {
      const list = (await parseBody(request, response)) as ListAnswer;
      const items = (list.items ?? []).map((item) => completed(resolved, item) as ObjectOf<K>);
      const { resourceVersion = '', continue: more, remainingItemCount } = list.metadata ?? {};
      const page: ObjectList<ObjectOf<K>> = {
        items,
        resourceVersion,
        ...(more === undefined || more === '' ? {} : { continue: more }),
        ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
      };
      return { value: page };
    });
  }

  async *watch<K extends RequestedKind>(
    kind: K,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<ObjectOf<K>>, void, undefined> {
    const resolved = resolveRequestedKind(kind);
    const request: ApiRequest = {
      verb: 'watch',
      resource: resolved.resource,
      namespace: options.namespace,
      query: {
        watch: true,
        ...selectorsOf(options),
        resourceVersion: options.resourceVersion,
        allowWatchBookmarks: options.bookmarks === false ? undefined : true,
        timeoutSeconds: options.timeoutSeconds,
      },
      accept: acceptOf(resolved, 'PartialObjectMetadata'),
      signal: options.signal,
    };
    const response = await this.send(request);
    const splitter = new LineSplitter();
    for await (const chunk of response.body) {
      for (const line of splitter.push(chunk)) {
        const event = parseJson(request, response, line.toString('utf8')) as { type: string; object: KubernetesObject };
        if (event.type === 'ERROR') throw rejectionInStream(request, event.object);
        if (event.type === 'BOOKMARK') yield { type: event.type, object: event.object };
        else {
          const type = event.type as 'ADDED' | 'MODIFIED' | 'DELETED';
          yield { type, object: completed(resolved, event.object) as ObjectOf<K> };
        }
      }
    }
  }

  create<K extends RequestedKind>(kind: K, object: NewObjectOf<K>, options: WriteOptions = {}): Promise<ObjectOf<K>> {
    return this.#write(kind, 'create', object, options);
  }

  update<K extends RequestedKind>(
    kind: K,
    object: ObjectBody<ObjectOf<K>>,
    options: WriteOptions = {},
  ): Promise<ObjectOf<K>> {
    return this.#write(kind, 'update', object, options);
  }

  patch<K extends RequestedKind>(
    kind: K,
    key: KeyLike,
    patch: Patch<WrittenObject<K>>,
    options: WriteOptions = {},
  ): Promise<ObjectOf<K>> {
    return this.#one(kind, this.#patchRequest(named(key), patch, options));
  }

  async apply<K extends RequestedKind>(
    kind: K,
    configuration: ApplyConfigurationOf<K>,
    options: ApplyOptions = {},
  ): Promise<ObjectOf<K>> {
    const { resource } = resolveRequestedKind(kind);
    const body = withKind(resource, configuration);
    const target = nameOf(body as ObjectBody<unknown>);
    return await this.#one(kind, this.#applyRequest(target, body, options));
  }

  async delete<K extends RequestedKind>(
    kind: K,
    key: KeyLike,
    options: DeleteOptions = {},
  ): Promise<ObjectOf<K> | undefined> {
    const answer = await this.#one(kind, { verb: 'delete', ...named(key), ...deletion(options) });
    return (answer as { kind?: unknown }).kind === 'Status' ? undefined : answer;
  }

  async deleteCollection(kind: RequestedKind, options: DeleteCollectionOptions = {}): Promise<void> {
    const { resource } = resolveRequestedKind(kind);
    const resolved: ResolvedKind = { resource, metadataOnly: true, prototype: undefined };
    const request: ApiRequest = {
      verb: 'deletecollection',
      resource,
      namespace: options.namespace,
      query: selectorsOf(options),
      // Observers need to know which objects were deleted, and only metadata is needed for that. An aggregated server
      // may support only JSON.
      accept: `${acceptOf(resolved, 'PartialObjectMetadataList')},application/json`,
      ...deletion(options),
    };
    await this.#pipeline.run(request, async (response) => {
      const { items } = (await parseBody(request, response)) as { items?: KubernetesObject[] };
      if (!Array.isArray(items)) return { value: undefined };
      return { value: undefined, deleted: items.map((item) => completed(resolved, item)) };
    });
  }

  subresource<K extends RequestedKind, N extends string>(kind: K, key: KeyLike, name: N): Subresource<K, N> {
    type Answer = SubresourceObject<K, N>;
    const { resource, metadataOnly } = resolveRequestedKind(kind);
    // Other subresources may be of other kinds, whose metadata alone would be useless.
    const returned: RequestedKind = name === 'status' || !metadataOnly ? kind : resource;
    const bodyOf = (object: object): object => (name === 'status' ? withKind(resource, object) : object);
    const target = { ...named(key), subresource: name };
    const send = (request: Omit<ApiRequest, 'resource'>): Promise<Answer> =>
      this.#one(returned, request) as Promise<unknown> as Promise<Answer>;
    const write = (verb: 'create' | 'update', object: object, options: WriteOptions = {}): Promise<Answer> => {
      return send({ verb, ...target, ...this.#writing(options), ...json(bodyOf(object)) });
    };
    return {
      get: (options = {}) => send({ verb: 'get', ...target, signal: options.signal }),
      create: (object, options) => write('create', object, options),
      update: (object, options) => write('update', object, options),
      patch: (patch, options = {}) => send(this.#patchRequest(target, patch, options)),
      apply: async (configuration, options = {}) =>
        await send(this.#applyRequest(target, bodyOf(configuration), options)),
    };
  }

  async *logs(pod: KeyLike, options: LogOptions = {}): AsyncGenerator<string, void, undefined> {
    const { signal, ...query } = options;
    const request: ApiRequest = {
      verb: 'get',
      resource: podResource,
      ...named(pod),
      subresource: 'log',
      query: { ...query },
      accept: '*/*',
      signal,
    };
    const response = await this.send(request);
    const splitter = new LineSplitter({ keepEmpty: true });
    for await (const chunk of response.body) {
      for (const line of splitter.push(chunk)) yield line.toString('utf8');
    }
    const rest = splitter.rest();
    if (rest !== undefined) yield rest.toString('utf8');
  }

  send(request: ApiRequest): Promise<TransportResponse> {
    return this.#pipeline.run(request, async (response) => ({ value: response }));
  }

  #write<K extends RequestedKind>(
    kind: K,
    verb: 'create' | 'update',
    object: ObjectBody<ObjectOf<K>> | NewObjectOf<K>,
    options: WriteOptions,
  ): Promise<ObjectOf<K>> {
    const { resource } = resolveRequestedKind(kind);
    const body = json(withKind(resource, object));
    return this.#one(kind, { verb, ...nameOf(object), ...this.#writing(options), ...body });
  }

  /** Sends a request whose response is one object. */
  async #one<K extends RequestedKind>(kind: K, partial: Omit<ApiRequest, 'resource'>): Promise<ObjectOf<K>> {
    const resolved = resolveRequestedKind(kind);
    const accept = acceptOf(resolved, 'PartialObjectMetadata');
    const request: ApiRequest = { ...partial, resource: resolved.resource, accept };
    return this.#pipeline.run(request, async (response) => {
      const answer = (await parseBody(request, response)) as KubernetesObject;
      if (answer.kind === 'Status') return { value: answer as ObjectOf<K> };
      const { subresource } = request;
      const isOfKind = subresource === undefined || subresource === 'status' || answer.kind === resolved.resource.kind;
      const object = isOfKind ? completed(resolved, answer) : answer;
      // A Scale has the uid and version of the object that it scales. Objects of other kinds are not stored.
      const isObserved = isOfKind || subresource === 'scale';
      return { value: object as ObjectOf<K>, ...(isObserved ? { object } : {}) };
    });
  }

  #writing(options: WriteOptions): Pick<ApiRequest, 'query' | 'signal'> {
    return {
      query: {
        dryRun: options.dryRun === true ? 'All' : undefined,
        fieldManager: options.fieldManager ?? this.#fieldManager,
        fieldValidation: options.fieldValidation,
      },
      signal: options.signal,
    };
  }

  #patchRequest(target: Target, patch: Patch, options: WriteOptions): Omit<ApiRequest, 'resource'> {
    return { verb: 'patch', ...target, ...this.#writing(options), ...encodePatch(patch) };
  }

  #applyRequest(target: Target, body: object, options: ApplyOptions): Omit<ApiRequest, 'resource'> {
    const { query, signal } = this.#writing(options);
    if (query?.['fieldManager'] === undefined) {
      throw new EvenkeelError(
        'invalid-option',
        `apply ${target.name}: missing fieldManager, which owns the applied fields; pass one to the call or to createClient()`,
      );
    }
    return {
      verb: 'apply',
      ...target,
      query: { ...query, force: options.force === true ? true : undefined },
      signal,
      // JSON is also YAML, except for the characters that are escaped.
      contentType: 'application/apply-patch+yaml',
      body: JSON.stringify(body).replace(notInYaml, jsonEscape),
    };
  }
}

interface Target {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource?: string;
}

interface ListAnswer {
  readonly metadata?: { resourceVersion?: string; continue?: string; remainingItemCount?: number };
  readonly items?: KubernetesObject[] | null;
}

function named(key: KeyLike): Target {
  const { namespace, name } = keyOf(key);
  return { namespace, name };
}

function nameOf(object: Pick<ObjectBody<unknown>, 'metadata'>): Target {
  return { namespace: object.metadata.namespace, name: object.metadata.name };
}

/** Adds apiVersion and kind to an object if they are missing. */
function withKind(resource: ApiResource, object: object): object {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
}

function json(body: object): Pick<ApiRequest, 'contentType' | 'body'> {
  return { contentType: 'application/json', body: JSON.stringify(body) };
}

function deletion(options: DeleteOptions): Pick<ApiRequest, 'contentType' | 'body' | 'signal'> {
  const { preconditions, propagationPolicy, gracePeriodSeconds, dryRun, signal } = options;
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions,
    propagationPolicy,
    gracePeriodSeconds,
    dryRun: dryRun === true ? ['All'] : undefined,
  };
  return { ...json(body), signal };
}

function selectorsOf(options: Pick<ListOptions, 'labels' | 'fields'>): NonNullable<ApiRequest['query']> {
  return { labelSelector: labelSelectorOf(options.labels), fieldSelector: fieldSelectorOf(options.fields) };
}

/** Returns the `Accept` header, which requests only metadata if desired. */
export function acceptOf(
  { metadataOnly }: Pick<ResolvedKind, 'metadataOnly'>,
  as: 'PartialObjectMetadata' | 'PartialObjectMetadataList',
): string {
  return metadataOnly ? `application/json;as=${as};g=meta.k8s.io;v=v1` : 'application/json';
}

/** Sets the prototype of the class, and apiVersion and kind, which lists omit and metadata responses replace. */
function completed(resolved: ResolvedKind, object: KubernetesObject): KubernetesObject {
  object.apiVersion = apiVersionOf(resolved.resource);
  object.kind = resolved.resource.kind;
  if (resolved.prototype !== undefined) Object.setPrototypeOf(object, resolved.prototype);
  return object;
}

async function parseBody(request: ApiRequest, response: TransportResponse): Promise<unknown> {
  return parseJson(request, response, (await readBody(response)).toString('utf8'));
}

function parseJson(request: ApiRequest, response: TransportResponse, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw unreadable(request, response, text);
}
