import { AsyncLocalStorage } from 'node:async_hooks';
import { copyJson } from '@evenkeel/apimachinery/json';
import { type ApiRequest, type Interceptor, isDryRun, isRead, type RequestObserver } from '@evenkeel/client';
import { type ApiResource, type KubernetesObject, type Metadata, ObjectKey } from '@evenkeel/core';
import { handOut } from '../cache/hand-out.ts';
import { changedPaths, patchedPaths } from './json-difference.ts';
import type { ObjectWrite } from './reconcile-run.ts';
import type { RunWrites, WrittenObject } from './run-writes.ts';
import type { WrittenCaches } from './written-caches.ts';

/**
 * Tells which run each write belongs to, however deep in the user's code the request is made. One for each manager: its
 * interceptor and observer go into the manager's client.
 */
export class WriteRecorder {
  readonly #runs = new AsyncLocalStorage<RunWrites>();
  readonly #caches: Pick<WrittenCaches, 'find' | 'seen' | 'allGone'>;
  readonly #before = new WeakMap<ApiRequest, KubernetesObject | Metadata>();

  constructor(caches: Pick<WrittenCaches, 'find' | 'seen' | 'allGone'>) {
    this.#caches = caches;
  }

  /** Calls `run`; the writes made on behalf of it, until it and all it started have ended, go to `writes`. */
  collect<T>(writes: RunWrites, run: () => T): T {
    return this.#runs.run(writes, run);
  }

  /** What the run that asks has written so far, also when it is over; undefined where none asks. */
  get current(): RunWrites | undefined {
    return this.#runs.getStore();
  }

  /**
   * Keeps what the cache has of an object that is about to be written: afterwards it may have the new version already. What
   * it has not seen yet is as the run itself has made it.
   */
  readonly interceptor: Interceptor = (request, next) => {
    const writes = this.#runs.getStore();
    if (writes !== undefined && isWriteOfObject(request) && !this.#before.has(request)) {
      const key = new ObjectKey(request.name, request.namespace);
      const before = this.#caches.find(request.resource, key) ?? writes.written(request.resource, String(key))?.object;
      if (before !== undefined) this.#before.set(request, before);
    }
    return next(request);
  };

  readonly observer: RequestObserver = ({ request, status, object, deleted = [], error }) => {
    const writes = this.#runs.getStore();
    if (writes === undefined || error !== undefined || isRead(request.verb) || isDryRun(request)) return;
    if (request.verb === 'deletecollection') {
      this.#addDeleted(writes, request.resource, deleted);
      return;
    }
    const name = request.name ?? object?.metadata.name;
    if (name === undefined) return;
    const before = this.#before.get(request);
    const { resourceVersion, uid = before?.metadata.uid } = object?.metadata ?? {};
    const write: ObjectWrite = {
      verb: request.verb as ObjectWrite['verb'],
      resource: request.resource,
      key: new ObjectKey(name, request.namespace),
      ...(request.subresource === undefined ? {} : { subresource: request.subresource }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(uid === undefined ? {} : { uid }),
      ...effectOf(request, status, before, object),
    };
    const seen = this.#caches.seen(write, before, object);
    writes.add(write, seen, seen === undefined ? undefined : writtenObject(request, write, object));
  };

  /** Each counts as if it had been deleted alone, but for what the run reads: whether it is gone already is not told. */
  #addDeleted(writes: RunWrites, resource: ApiResource, deleted: readonly Metadata[]): void {
    const last = deleted.length - 1;
    for (const [index, object] of deleted.entries()) {
      const { uid } = object.metadata;
      const write: ObjectWrite = {
        verb: 'delete',
        resource,
        key: ObjectKey.of(object),
        ...(uid === undefined ? {} : { uid }),
        effect: 'deleted',
        changed: [],
      };
      writes.add(write, index === last ? this.#caches.allGone(resource, deleted) : undefined);
    }
  }
}

function isWriteOfObject(request: ApiRequest): request is ApiRequest & { readonly name: string } {
  return !isRead(request.verb) && request.name !== undefined;
}

/** The answer as a cache will have it, and apart from the object that the caller was given and may change. */
function writtenObject(
  { accept }: ApiRequest,
  { verb, resource, uid, resourceVersion }: ObjectWrite,
  object: KubernetesObject | Metadata | undefined,
): WrittenObject | undefined {
  if (verb === 'delete' && !isStillThere(object)) return { object: undefined, uid, resourceVersion };
  // A subresource other than the status answers with an object of another kind, a request for metadata with a part.
  if (object === undefined || !isWhole(object, resource, accept)) return undefined;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  const copy = copyJson({ ...object, metadata });
  return { object: handOut(copy, Object.getPrototypeOf(object) as object), uid, resourceVersion };
}

function isWhole(
  object: KubernetesObject | Metadata,
  { kind }: ApiResource,
  accept: string | undefined,
): object is KubernetesObject {
  return object.kind === kind && !isPartial(accept);
}

function isPartial(accept: string | undefined): boolean {
  return accept?.includes('PartialObjectMetadata') === true;
}

/** Whether a deleted object stays for a while: for its finalizers, or for the time it has to end. */
function isStillThere(object: KubernetesObject | Metadata | undefined): boolean {
  if (object?.metadata.deletionTimestamp === undefined) return false;
  const { finalizers = [], deletionGracePeriodSeconds = 0 } = object.metadata;
  return finalizers.length > 0 || deletionGracePeriodSeconds > 0;
}

function effectOf(
  request: ApiRequest,
  status: number | undefined,
  before: KubernetesObject | Metadata | undefined,
  after: KubernetesObject | Metadata | undefined,
): Pick<ObjectWrite, 'effect' | 'changed'> {
  if (request.verb === 'delete') return { effect: 'deleted', changed: [] };
  if (status === 201 && request.subresource === undefined) return { effect: 'created', changed: [] };
  if (before === undefined || after === undefined) return { effect: 'changed', changed: [] };
  if (before.metadata.resourceVersion === after.metadata.resourceVersion) return { effect: 'unchanged', changed: [] };
  // A Scale: what it shows lies elsewhere in the object that it scales.
  if (after.kind !== request.resource.kind) return { effect: 'changed', changed: [] };
  const changed = pathsOf(request, before, after).filter((path) => !bookkeeping.has(path));
  return { effect: 'changed', changed: changed.slice(0, 8) };
}

function pathsOf(
  { accept, body = '', contentType }: ApiRequest,
  before: KubernetesObject | Metadata,
  after: KubernetesObject | Metadata,
): string[] {
  if (!isPartial(accept)) return changedPaths(before, after, 12);
  const inMetadata = changedPaths({ metadata: before.metadata }, { metadata: after.metadata }, 12);
  // What else has changed only the request can tell.
  if (contentType !== 'application/merge-patch+json') return inMetadata;
  const { metadata: _metadata, ...patch } = JSON.parse(body) as { readonly metadata?: unknown };
  return [...patchedPaths(before, patch, 12), ...inMetadata];
}

/** What every write moves. */
const bookkeeping = new Set(['metadata.resourceVersion', 'metadata.generation', 'metadata.managedFields']);
