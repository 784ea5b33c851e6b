import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import type { Client } from '@evenkeel/client';
import {
  type ApiResource,
  apiVersionOf,
  describeValue,
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
import { isStillThere, liveObject } from '../cache/live-object.ts';
import { AppliedChild } from './applied-child.ts';
import { AppliedChildren } from './applied-children.ts';
import type { AppliedInRun } from './applied-in-run.ts';
import { childNotCached, controllerOf, foreignChild, isChildOf } from './child-ownership.ts';
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
  /** Whether the cache contains this object as soon as it has received it. False if only the API server can decide that. */
  selects(object: KubernetesObject): boolean;
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

/** Returns the desired state of a child. The parameter is the stored object, or undefined if there is none. */
export type DeriveChild = (stored: never) => unknown;

/** A child to apply. */
interface PlannedChild {
  readonly ownedKind: OwnedKind;
  readonly key: ObjectKey;
  /** Whether the desired state depends on the stored object. */
  readonly isDerived: boolean;
  /** The call of the user that takes over an object with the name of the child. */
  readonly adoptCall: string;
  /** Returns the child in the form in which it is sent. */
  readonly desired: (stored: KubernetesObject | undefined) => JsonObject | Promise<JsonObject>;
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

  /**
   * Returns the live child, or the cached one if nothing was sent.
   *
   * @param adoptCall the call of the user, for the message about an object that it could take over.
   */
  async apply(
    owner: KubernetesObject,
    child: unknown,
    applied: AppliedInRun,
    signal: AbortSignal,
    options: ApplyChildOptions = {},
    adoptCall = 'apply(child, { adopt: true })',
  ): Promise<KubernetesObject> {
    return this.#recorded(owner, () => this.#planGiven(owner, child, adoptCall), applied, signal, options);
  }

  /** Like {@link apply}, with a function that returns the desired state for the stored object. */
  async applyFrom(
    owner: KubernetesObject,
    kind: KindClass,
    name: string,
    desired: DeriveChild,
    applied: AppliedInRun,
    signal: AbortSignal,
    options: ApplyChildOptions = {},
  ): Promise<KubernetesObject> {
    return this.#recorded(owner, () => this.#planDerived(owner, kind, name, desired), applied, signal, options);
  }

  async #recorded(
    owner: KubernetesObject,
    plan: () => PlannedChild,
    applied: AppliedInRun,
    signal: AbortSignal,
    { adopt = this.#options.adopt === true }: ApplyChildOptions,
  ): Promise<KubernetesObject> {
    try {
      const planned = plan();
      applied.add(planned.ownedKind.resource, planned.key);
      return await this.#apply(owner, planned, adopt, signal);
    } catch (error) {
      applied.failed(error);
      throw error;
    }
  }

  /**
   * Sends the apply so that it takes effect only on a child of the owner, or if there is no object. It first reads the object
   * from the server, unless the cache proves that it is a child. The precondition alone would protect the object, but the
   * request would call webhooks and write audit logs for objects of others.
   */
  async #apply(
    owner: KubernetesObject,
    planned: PlannedChild,
    adopt: boolean,
    signal: AbortSignal,
  ): Promise<KubernetesObject> {
    const { ownedKind, key } = planned;
    const { controller } = this.#options;
    const children = this.#childrenOf(owner);
    const id = `${groupResourceOf(ownedKind.resource)} ${key}`;
    const cached = ownedKind.get(key);
    const own = cached !== undefined && isChildOf(cached, owner) ? cached : undefined;
    const find = (): Promise<ApplyTarget> => this.#find(owner, planned, cached === undefined, adopt, signal);
    let target = own === undefined ? await find() : ownTarget(own, planned);
    let desired = await planned.desired(target.live);
    if (own !== undefined) {
      const applied = children.get(id) ?? AppliedChild.cached(own, desired, controller);
      if (applied?.covers(desired, own) === true) {
        children.set(id, applied, this.#isCached);
        this.#options.unsent?.();
        return own;
      }
    }
    for (let attempt = 1; ; attempt++) {
      try {
        const live = await this.#sendTo(target, planned, desired, signal);
        const applied = AppliedChild.fromResponse(live, desired, controller);
        if (applied === undefined) children.delete(id);
        else children.set(id, applied, this.#isCached);
        return live;
      } catch (error) {
        if (attempt === triesToApply || !isOtherObject(error)) throw error;
      }
      target = await find();
      desired = await planned.desired(target.live);
    }
  }

  /**
   * Reads the object that has the child's name. Throws `foreign-child` if it must not be written, and `child-not-cached` if the
   * desired state was computed without it.
   */
  async #find(
    owner: KubernetesObject,
    planned: PlannedChild,
    isUncached: boolean,
    adopt: boolean,
    signal: AbortSignal,
  ): Promise<ApplyTarget> {
    const { client, ownerKind } = this.#options;
    const { kind, resource } = planned.ownedKind;
    const live = await liveObject(client, kind, planned.key, signal);
    if (live === undefined) return absent;
    const { uid, resourceVersion, deletionTimestamp } = live.metadata;
    if (isChildOf(live, owner)) {
      if (isUncached && !planned.isDerived) await this.#requireCached(owner, planned, live, signal);
      return ownTarget(live, planned);
    }
    const mayAdopt = adopt && controllerOf(live) === undefined && deletionTimestamp === undefined;
    if (!mayAdopt || !(await isStillThere(client, ownerKind, owner, signal))) {
      throw foreignChild(owner, resource, live, mayAdopt, planned.adoptCall);
    }
    // The version in which it had no controller.
    return { live, precondition: { uid, resourceVersion } };
  }

  /**
   * Throws `child-not-cached` for a child that the cache should contain but does not. A run that sees no child may generate new
   * values for it, and the apply would overwrite the stored ones. If the child lost the label that the cache selects, or has
   * that of another controller, the label is written, so that the next run sees the child.
   */
  async #requireCached(
    owner: KubernetesObject,
    { ownedKind, key }: PlannedChild,
    live: KubernetesObject,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, controller } = this.#options;
    const { kind, resource, selects } = ownedKind;
    const { uid, resourceVersion, labels } = live.metadata;
    const restored = { ...labels, [controllerLabel]: controller };
    if (!selects({ ...live, metadata: { ...live.metadata, labels: restored } })) return;
    const label = labels?.[controllerLabel];
    if (label !== controller) {
      const metadata = { uid, resourceVersion, labels: { [controllerLabel]: controller } };
      await client.patch(kind, key, { merge: { metadata } as never }, { fieldManager: controller, signal });
    }
    const written = label === controller ? undefined : { label: controllerLabel, controller, other: label };
    throw childNotCached(owner, resource, key, written);
  }

  async #sendTo(
    { live, precondition }: ApplyTarget,
    { ownedKind: { kind }, key }: PlannedChild,
    desired: JsonObject,
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

  #planGiven(owner: KubernetesObject, child: unknown, adoptCall: string): PlannedChild {
    const given = asJson(child);
    const ownedKind = this.#ownedKindOf(child, given);
    const { resource } = ownedKind;
    const metadata = isJsonObject(given) && isJsonObject(given['metadata']) ? given['metadata'] : {};
    const { name } = metadata;
    if (!isJsonObject(given) || typeof name !== 'string' || name === '') {
      throw new EvenkeelError(
        'invalid-child',
        `${this.#options.controller}: apply() of ${resource.kind}: metadata.name is missing; derive it from the name of the owner`,
      );
    }
    const namespace = metadata['namespace'] ?? (resource.namespaced ? owner.metadata.namespace : undefined);
    const key = new ObjectKey(name, typeof namespace === 'string' ? namespace : undefined);
    const desired = this.#complete(owner, ownedKind, key, given);
    return { ownedKind, key, isDerived: false, adoptCall, desired: () => desired };
  }

  #planDerived(owner: KubernetesObject, kind: KindClass, name: string, derive: DeriveChild): PlannedChild {
    const { controller, children } = this.#options;
    const ownedKind = ownedKindOf(kind, controller, 'applyFrom()', children);
    const { resource } = ownedKind;
    const invalid = (what: string): EvenkeelError =>
      new EvenkeelError('invalid-child', `${controller}: applyFrom() of ${resource.kind}: ${what}`);
    if (typeof name !== 'string' || name === '') {
      throw invalid('the name is missing; pass it as the second parameter, derived from the name of the owner');
    }
    if (typeof derive !== 'function') {
      throw invalid('the function that returns the child is missing; pass it as the third parameter');
    }
    const parsed = ObjectKey.parse(name);
    const namespace = parsed.namespace ?? (resource.namespaced ? owner.metadata.namespace : undefined);
    const key = new ObjectKey(parsed.name, namespace);
    // Rejects an impossible owner before anything is read or generated.
    ownerReferenceTo(owner, this.#options.owner, resource, key);
    const desired = async (stored: KubernetesObject | undefined): Promise<JsonObject> => {
      const given = asJson(await derive(stored as never));
      if (!isJsonObject(given)) {
        throw invalid(`the function returned ${describeValue(given)}; return the desired ${resource.kind}`);
      }
      const metadata = isJsonObject(given['metadata']) ? given['metadata'] : {};
      for (const [field, returned, wanted] of [
        ['apiVersion', given['apiVersion'], apiVersionOf(resource)],
        ['kind', given['kind'], resource.kind],
        ['metadata.name', metadata['name'], key.name],
        ['metadata.namespace', metadata['namespace'], key.namespace],
      ] as const) {
        if (returned === undefined || returned === wanted) continue;
        throw invalid(`the function returned another ${field} than that of ${resource.kind} ${key}; omit the field`);
      }
      return this.#complete(owner, ownedKind, key, { ...given, metadata: { ...metadata, name: key.name } });
    };
    const adoptCall = `applyFrom(${resource.kind}, name, desired, { adopt: true })`;
    return { ownedKind, key, isDerived: true, adoptCall, desired };
  }

  /** Adds the namespace, the label and the owner reference to the given child. */
  #complete(owner: KubernetesObject, { resource }: OwnedKind, key: ObjectKey, given: JsonObject): JsonObject {
    const { controller } = this.#options;
    const metadata = isJsonObject(given['metadata']) ? given['metadata'] : {};
    const { labels, ownerReferences } = metadata;
    const reference = ownerReferenceTo(owner, this.#options.owner, resource, key);
    const others = Array.isArray(ownerReferences) ? ownerReferences : [];
    return {
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

/** The JSON defines the meaning of `undefined` and of class instances. */
function asJson(child: unknown): unknown {
  return JSON.parse(JSON.stringify(child) ?? 'null');
}

/** A derived state must not overwrite a newer version than the one that it was derived from. */
function ownTarget(live: KubernetesObject, { isDerived }: PlannedChild): ApplyTarget {
  const { uid, resourceVersion } = live.metadata;
  return { live, precondition: isDerived ? { uid, resourceVersion } : { uid } };
}

type Helper = 'apply()' | 'applyFrom()' | 'prune()' | 'claim()' | 'dependents()';

/** Returns the owned kind of a controller. Throws `apply-not-owned` if the controller does not own it. */
export function ownedKindOf(
  kind: KindClass,
  controller: string,
  helper: Exclude<Helper, 'apply()'>,
  children: readonly OwnedKind[],
): OwnedKind {
  const found = children.find((child) => child.kind === kind);
  if (found !== undefined) return found;
  throw notOwned(controller, helper, kind.name, kind.name, children);
}

function notOwned(
  controller: string,
  helper: Helper,
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
