import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import type { Client } from '@evenkeel/client';
import {
  type ApiResource,
  apiVersionOf,
  EvenkeelError,
  groupResourceOf,
  isConflict,
  isInvalid,
  type KindClass,
  type KubernetesObject,
  ObjectKey,
  parseApiVersion,
  StatusError,
} from '@evenkeel/core';
import { AppliedChild } from './applied-child.ts';
import { AppliedChildren } from './applied-children.ts';
import type { AppliedInRun } from './applied-in-run.ts';
import { controllerOf, foreignChild, isChildOf } from './child-ownership.ts';
import { isStillThere, liveObject } from './live-object.ts';
import { ownerReferenceTo } from './owner-reference.ts';

/** The label of children. Its value is the controller's name, and the caches select by it. */
export const controllerLabel = 'evenkeel.dev/controller';

/** A kind of children, with its cache. */
export interface OwnedKind<T extends KubernetesObject = KubernetesObject> {
  readonly kind: KindClass<T>;
  readonly resource: ApiResource;
  get(key: ObjectKey): T | undefined;
  /** Returns the objects that have an owner reference to the owner. */
  ownedBy(owner: KubernetesObject): readonly T[];
  /** Whether the cache has synced. */
  isSynced(): boolean;
}

export interface ChildApplierOptions {
  /** The controller's name: the field manager of its applies, and the value of {@link controllerLabel}. */
  readonly controller: string;
  readonly ownerKind: KindClass;
  readonly owner: ApiResource;
  readonly children: readonly OwnedKind[];
  readonly client: Client;
  /** The default of {@link ApplyChildOptions.adopt}. Default: false. */
  readonly adopt?: boolean;
  /** Called when an apply is not sent because it would change nothing. */
  readonly unsent?: (() => void) | undefined;
}

export interface ApplyChildOptions {
  /**
   * Whether to take over an existing object that has the child's name and no controller owner reference. It gets the reference
   * and the given fields, and is deleted with its owner. An object that has another controller, or that is being deleted, is
   * never taken over. Default: the controller's `adopt` option, whose default is false.
   */
  adopt?: boolean;
}

/**
 * A resourceVersion that no object ever has: the largest that the API server can parse. An apply with it creates the object
 * or fails with a conflict, because the server checks the version of existing objects only (`Store.Update` in
 * k8s.io/apiserver/pkg/registry/generic/registry/store.go). Unlike a POST, it writes one `Apply` entry to managedFields.
 */
const versionOfNone = '9223372036854775807';

/** The number of tries before the server's error is thrown. Each retry reads first, so only a rival can cause all to fail. */
const triesToApply = 4;

/** The object that must exist for an apply to take effect. */
interface ApplyTarget {
  /** Undefined if the apply must create the object. */
  readonly live: KubernetesObject | undefined;
  readonly precondition: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined };
}

const absent: ApplyTarget = { live: undefined, precondition: { resourceVersion: versionOfNone } };

/** A child in the form in which it is sent. */
interface PreparedChild {
  readonly ownedKind: OwnedKind;
  readonly key: ObjectKey;
  readonly desired: JsonObject;
}

/**
 * Applies children. It writes only children of the owner, and sends nothing if the server would change nothing.
 *
 * To decide this, it compares the desired state with the cached object and with the fields that this field manager owns: every
 * desired value is live, and every owned field is in the desired state. If the server stores a value in another form than the
 * given one, it instead compares the desired state with that of the last apply, and the cached object with its result. The
 * owned fields are known from the last response or, for a child that this process has not applied yet, from the cache, which
 * must keep the managedFields of the controller's name.
 */
export class ChildApplier {
  readonly #options: ChildApplierOptions;
  /** By owner. */
  readonly #applied = new Map<string, AppliedChildren>();

  constructor(options: ChildApplierOptions) {
    this.#options = options;
  }

  /** Drops the state for the children of an owner that is gone. */
  forget(owner: ObjectKey): void {
    this.#applied.delete(String(owner));
  }

  /** Returns the live child, or the cached one if nothing was sent. */
  async apply(
    owner: KubernetesObject,
    child: unknown,
    applied: AppliedInRun,
    signal: AbortSignal,
    { adopt = this.#options.adopt === true }: ApplyChildOptions = {},
  ): Promise<KubernetesObject> {
    try {
      const prepared = this.#prepare(owner, child);
      applied.add(prepared.ownedKind.resource, prepared.key);
      return await this.#apply(owner, prepared, adopt, signal);
    } catch (error) {
      applied.failed(error);
      throw error;
    }
  }

  async #apply(
    owner: KubernetesObject,
    prepared: PreparedChild,
    adopt: boolean,
    signal: AbortSignal,
  ): Promise<KubernetesObject> {
    const { ownedKind, desired, key } = prepared;
    const { controller } = this.#options;
    const children = this.#childrenOf(owner);
    const id = `${groupResourceOf(ownedKind.resource)} ${key}`;
    const cached = ownedKind.get(key);
    if (cached !== undefined && isChildOf(cached, owner)) {
      const applied = children.get(id) ?? AppliedChild.cached(cached, desired, controller);
      if (applied?.covers(desired, cached) === true) {
        children.set(id, applied, this.#isCached);
        this.#options.unsent?.();
        return cached;
      }
    }
    const live = await this.#send(owner, prepared, cached, adopt, signal);
    const applied = AppliedChild.fromResponse(live, desired, controller);
    if (applied === undefined) children.delete(id);
    else children.set(id, applied, this.#isCached);
    return live;
  }

  /**
   * Sends the apply so that it takes effect only on a child of the owner, or if there is no object. It first reads the object
   * from the server, unless the cache proves that it is a child. The precondition alone would protect the object, but the
   * request would call webhooks and write audit logs for objects of others.
   */
  async #send(
    owner: KubernetesObject,
    prepared: PreparedChild,
    cached: KubernetesObject | undefined,
    adopt: boolean,
    signal: AbortSignal,
  ): Promise<KubernetesObject> {
    let target: ApplyTarget =
      cached !== undefined && isChildOf(cached, owner)
        ? { live: cached, precondition: { uid: cached.metadata.uid } }
        : await this.#find(owner, prepared, adopt, signal);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#sendTo(target, prepared, signal);
      } catch (error) {
        if (attempt === triesToApply || !isOtherObject(error)) throw error;
      }
      target = await this.#find(owner, prepared, adopt, signal);
    }
  }

  /** Reads the object that has the child's name. Throws `foreign-child` if it must not be written. */
  async #find(
    owner: KubernetesObject,
    { ownedKind: { kind, resource }, key }: PreparedChild,
    adopt: boolean,
    signal: AbortSignal,
  ): Promise<ApplyTarget> {
    const { client, ownerKind } = this.#options;
    const live = await liveObject(client, kind, key, signal);
    if (live === undefined) return absent;
    const { uid, resourceVersion, deletionTimestamp } = live.metadata;
    if (isChildOf(live, owner)) return { live, precondition: { uid } };
    const mayAdopt = adopt && controllerOf(live) === undefined && deletionTimestamp === undefined;
    if (!mayAdopt || !(await isStillThere(client, ownerKind, owner, signal))) {
      throw foreignChild(owner, resource, live, mayAdopt);
    }
    // The version in which it had no controller.
    return { live, precondition: { uid, resourceVersion } };
  }

  async #sendTo(
    { live, precondition }: ApplyTarget,
    { ownedKind: { kind }, key, desired }: PreparedChild,
    signal: AbortSignal,
  ): Promise<KubernetesObject> {
    const { controller, client } = this.#options;
    const requiring = (required: ApplyTarget['precondition']): JsonObject => ({
      ...desired,
      metadata: { ...(desired['metadata'] as JsonObject), ...required },
    });
    const send = (required: ApplyTarget['precondition']): Promise<KubernetesObject> =>
      client.apply(kind, requiring(required) as never, { fieldManager: controller, force: true, signal });
    try {
      return await send(precondition);
    } catch (error) {
      if (live === undefined || !isInvalid(error) || isOtherObject(error)) throw error;
    }
    // An apply keeps the items that others added to a list. Together with ours they may be invalid: for example, two ports with
    // the same name after another client changed the port number, which is the merge key. A merge patch replaces whole lists.
    await client.patch(kind, key, { merge: requiring(precondition) }, { fieldManager: controller, signal });
    return send({ uid: live.metadata.uid });
  }

  /** The id of a child is its kind and its key. */
  readonly #isCached = (id: string): boolean => {
    const [kind, key = ''] = id.split(' ');
    const ownedKind = this.#options.children.find(({ resource }) => groupResourceOf(resource) === kind);
    return ownedKind?.get(ObjectKey.parse(key)) !== undefined;
  };

  #childrenOf(owner: KubernetesObject): AppliedChildren {
    const key = String(ObjectKey.of(owner));
    const existing = this.#applied.get(key);
    if (existing !== undefined) return existing;
    const created = new AppliedChildren();
    this.#applied.set(key, created);
    return created;
  }

  /** Adds the namespace, the label and the owner reference to the given child. */
  #prepare(owner: KubernetesObject, child: unknown): PreparedChild {
    const { controller } = this.#options;
    // The JSON defines the meaning of `undefined` and of class instances.
    const given: unknown = JSON.parse(JSON.stringify(child) ?? 'null');
    const ownedKind = this.#ownedKindOf(child, given);
    const { resource } = ownedKind;
    const metadata = isJsonObject(given) && isJsonObject(given['metadata']) ? given['metadata'] : {};
    const { name, labels, ownerReferences } = metadata;
    if (!isJsonObject(given) || typeof name !== 'string' || name === '') {
      throw new EvenkeelError(
        'invalid-child',
        `${controller}: apply() of ${resource.kind}: metadata.name is missing; derive it from the name of the owner`,
      );
    }
    const namespace = metadata['namespace'] ?? (resource.namespaced ? owner.metadata.namespace : undefined);
    const key = new ObjectKey(name, typeof namespace === 'string' ? namespace : undefined);
    const reference = ownerReferenceTo(owner, this.#options.owner, resource, key);
    const others = Array.isArray(ownerReferences) ? ownerReferences : [];
    const desired = {
      ...given,
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      metadata: {
        ...metadata,
        ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
        labels: { ...(isJsonObject(labels) ? labels : {}), [controllerLabel]: controller },
        ownerReferences: [
          ...others.filter((other: unknown) => !isJsonObject(other) || other['uid'] !== reference.uid),
          reference,
        ],
      },
    };
    return { ownedKind, desired, key };
  }

  #ownedKindOf(child: unknown, given: unknown): OwnedKind {
    const { children, controller } = this.#options;
    const byClass = children.find(({ kind }) => child instanceof kind);
    if (byClass !== undefined) return byClass;
    const { apiVersion, kind } = isJsonObject(given) ? given : { apiVersion: undefined, kind: undefined };
    const { group, version } = parseApiVersion(typeof apiVersion === 'string' ? apiVersion : '');
    const found = children.find(
      ({ resource }) => resource.group === group && resource.version === version && resource.kind === kind,
    );
    if (found !== undefined) return found;
    throw notOwned(controller, 'apply()', `${String(apiVersion)} ${String(kind)}`, kind, children);
  }
}

/** Returns the owned kind of a controller. Throws `apply-not-owned` if the controller does not own it. */
export function ownedKindOf(
  kind: KindClass,
  controller: string,
  helper: 'prune()' | 'claim()' | 'dependents()',
  children: readonly OwnedKind[],
): OwnedKind {
  const found = children.find((child) => child.kind === kind);
  if (found !== undefined) return found;
  throw notOwned(controller, helper, kind.name, kind.name, children);
}

function notOwned(
  controller: string,
  helper: 'apply()' | 'prune()' | 'claim()' | 'dependents()',
  given: string,
  kind: unknown,
  children: readonly OwnedKind[],
): EvenkeelError {
  const names = children.map(({ resource }) => `${apiVersionOf(resource)} ${resource.kind}`);
  return new EvenkeelError(
    'apply-not-owned',
    `${controller}: ${helper} of ${given}: the controller owns ${
      names.length === 0 ? 'no kind' : `only ${names.join(' and ')}`
    }; add @Owns(${typeof kind === 'string' ? kind : 'TheKind'}) above the controller class`,
  );
}

/** Whether the server rejected a write because it has another object, another version of it, or none. */
function isOtherObject(error: unknown): boolean {
  if (isConflict(error)) return true;
  return (
    error instanceof StatusError && error.status.details?.causes?.some(({ field }) => field === 'metadata.uid') === true
  );
}
