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
 * Records the writes of each run, wherever the user's code sends the request. Each manager has one; its interceptor and its
 * observer are added to the manager's client.
 */
export class WriteRecorder {
  readonly #runs = new AsyncLocalStorage<RunWrites>();
  readonly #caches: Pick<WrittenCaches, 'find' | 'seen' | 'allGone'>;
  readonly #before = new WeakMap<ApiRequest, KubernetesObject | Metadata>();

  constructor(caches: Pick<WrittenCaches, 'find' | 'seen' | 'allGone'>) {
    this.#caches = caches;
  }

  /** Calls `run`. The writes of it and of everything that it starts are added to `writes`. */
  collect<T>(writes: RunWrites, run: () => T): T {
    return this.#runs.run(writes, run);
  }

  /** The writes of the calling run, also after its end. Undefined if the caller is not in a run. */
  get current(): RunWrites | undefined {
    return this.#runs.getStore();
  }

  /**
   * Keeps the cached object before a write, because the cache may have the new version when the response arrives. If the cache
   * has not received an earlier write of the run, that write is used instead.
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

  /** Records a deletion of each object. Listers of the run may still return them: the response does not show which are gone. */
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

/** Returns the object of the response in the form of a cached object. It is a copy, because the caller may change the original. */
function writtenObject(
  { accept }: ApiRequest,
  { verb, resource, uid, resourceVersion }: ObjectWrite,
  object: KubernetesObject | Metadata | undefined,
): WrittenObject | undefined {
  if (verb === 'delete' && !isStillThere(object)) return { object: undefined, uid, resourceVersion };
  // The response of a subresource other than status has another kind, and that of a metadata request is partial.
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

/** Whether a deleted object still exists, because of its finalizers or its grace period. */
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
  // A Scale has other paths than the object that it scales.
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
  // The response has only metadata, so other changed paths come from the request.
  if (contentType !== 'application/merge-patch+json') return inMetadata;
  const { metadata: _metadata, ...patch } = JSON.parse(body) as { readonly metadata?: unknown };
  return [...patchedPaths(before, patch, 12), ...inMetadata];
}

/** The fields that every write changes. */
const bookkeeping = new Set(['metadata.resourceVersion', 'metadata.generation', 'metadata.managedFields']);
