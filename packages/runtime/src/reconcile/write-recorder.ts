import { AsyncLocalStorage } from 'node:async_hooks';
import { type ApiRequest, type Interceptor, isRead, type RequestObserver } from '@evenkeel/client';
import { type KubernetesObject, type Metadata, ObjectKey } from '@evenkeel/core';
import { changedPaths } from './json-difference.ts';
import type { ObjectWrite } from './reconcile-run.ts';
import type { RunWrites } from './run-writes.ts';
import type { WrittenCaches } from './written-caches.ts';

/**
 * Tells which run each write belongs to, however deep in the user's code the request is made. One for each manager: its
 * interceptor and observer go into the manager's client.
 */
export class WriteRecorder {
  readonly #runs = new AsyncLocalStorage<RunWrites>();
  readonly #caches: Pick<WrittenCaches, 'find' | 'seen'>;
  readonly #before = new WeakMap<ApiRequest, KubernetesObject | Metadata>();

  constructor(caches: Pick<WrittenCaches, 'find' | 'seen'>) {
    this.#caches = caches;
  }

  /** Calls `run`; the writes made on behalf of it, until it and all it started have ended, go to `writes`. */
  collect<T>(writes: RunWrites, run: () => T): T {
    return this.#runs.run(writes, run);
  }

  /** Keeps what the cache has of an object that is about to be written: afterwards it may have the new version already. */
  readonly interceptor: Interceptor = (request, next) => {
    if (this.#runs.getStore() !== undefined && isWriteOfObject(request) && !this.#before.has(request)) {
      const before = this.#caches.find(request.resource, new ObjectKey(request.name, request.namespace));
      if (before !== undefined) this.#before.set(request, before);
    }
    return next(request);
  };

  readonly observer: RequestObserver = ({ request, status, object, error }) => {
    const writes = this.#runs.getStore();
    if (writes === undefined || error !== undefined || request.query?.['dryRun'] === 'All') return;
    if (isRead(request.verb) || request.verb === 'deletecollection') return;
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
    writes.add(write, this.#caches.seen(write, object ?? before));
  };
}

function isWriteOfObject(request: ApiRequest): request is ApiRequest & { readonly name: string } {
  return !isRead(request.verb) && request.name !== undefined;
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
  const changed = changedPaths(before, after, 12).filter((path) => !bookkeeping.has(path));
  return { effect: 'changed', changed: changed.slice(0, 8) };
}

/** What every write moves. */
const bookkeeping = new Set(['metadata.resourceVersion', 'metadata.generation', 'metadata.managedFields']);
