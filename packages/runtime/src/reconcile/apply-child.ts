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

/** Says which controller looks after an object. Children are cached by it. */
export const controllerLabel = 'evenkeel.dev/controller';

/** A kind of children, and what the cache has of them. */
export interface OwnedKind<T extends KubernetesObject = KubernetesObject> {
  readonly kind: KindClass<T>;
  readonly resource: ApiResource;
  get(key: ObjectKey): T | undefined;
  /** Those whose owner references name the owner. */
  ownedBy(owner: KubernetesObject): readonly T[];
  /** Whether the cache has seen all that there is. */
  isSynced(): boolean;
}

export interface ChildApplierOptions {
  /** The controller's name: field manager of its applies, and value of the label it stamps. */
  readonly controller: string;
  readonly ownerKind: KindClass;
  readonly owner: ApiResource;
  readonly children: readonly OwnedKind[];
  readonly client: Client;
  /** Whether children that nobody controls may be taken over where a call does not say. Default false. */
  readonly adopt?: boolean;
  /** Called where an apply is not sent, because it would change nothing. */
  readonly unsent?: (() => void) | undefined;
}

export interface ApplyChildOptions {
  /**
   * Whether an object that exists under the child's name and that nobody controls is taken over: it gets the controller
   * reference and the fields given, and is deleted with its owner. An object that another one controls, or that is being
   * deleted, is never taken over. Default: what the controller's `adopt` says, which is false by default.
   */
  adopt?: boolean;
}

/**
 * A resourceVersion that no object ever has: the largest that the API server can parse. An apply with it creates the object
 * or fails with a conflict, because the server checks the version of existing objects only (`Store.Update` in
 * k8s.io/apiserver/pkg/registry/generic/registry/store.go). Unlike a POST it leaves one `Apply` entry in managedFields.
 */
const versionOfNone = '9223372036854775807';

/** After so many tries the server's response is thrown: a read comes before each further try, so it takes a rival to lose. */
const triesToApply = 4;

/** What the server must find, so that an apply takes effect. */
interface ApplyTarget {
  /** Undefined if the apply must create the object. */
  readonly live: KubernetesObject | undefined;
  readonly precondition: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined };
}

const absent: ApplyTarget = { live: undefined, precondition: { resourceVersion: versionOfNone } };

/** A child as it is sent. */
interface PreparedChild {
  readonly ownedKind: OwnedKind;
  readonly key: ObjectKey;
  readonly desired: JsonObject;
}

/**
 * Applies children, writes no object that is not a child of the owner, and sends nothing where the server would change
 * nothing.
 *
 * That is decided from the cached object and from what this manager owns of it: every value asked for is live, and no owned
 * field is missing from what is asked for. Where the server stores a value in another form than the one given, equality
 * with the last apply and with what it made decides instead. What is owned is known from the last answer, or, for a child
 * that this process has not applied yet, from the cache, which must keep the applied fields of the controller's name.
 */
export class ChildApplier {
  readonly #options: ChildApplierOptions;
  /** By owner. */
  readonly #applied = new Map<string, AppliedChildren>();

  constructor(options: ChildApplierOptions) {
    this.#options = options;
  }

  /** Drops what is remembered of the children of an owner that is gone. */
  forget(owner: ObjectKey): void {
    this.#applied.delete(String(owner));
  }

  /** The child as it is on the server, or as the cache has it where nothing had to be sent. */
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
    const answer = await this.#send(owner, prepared, cached, adopt, signal);
    const applied = AppliedChild.answered(answer, desired, controller);
    if (applied === undefined) children.delete(id);
    else children.set(id, applied, this.#isCached);
    return answer;
  }

  /**
   * Sends the apply so that it takes effect only on a child of the owner, or where there is no object. The server is asked
   * what there is unless the cache proves it. To send it and see would do for the server alone, but it would call webhooks
   * and write audit logs for objects of others.
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

  /** What the server has under the child's name. Throws `foreign-child` where that may not be written. */
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
    // Only in the version that was seen to have no controller.
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
    // An apply keeps the items that others put into a list, and together with ours they may be invalid: two ports of one
    // name, say, after somebody changed the number that ports are told apart by. A merge patch replaces lists whole.
    await client.patch(kind, key, { merge: requiring(precondition) }, { fieldManager: controller, signal });
    return send({ uid: live.metadata.uid });
  }

  /** By the id of a child: its kind and its key. */
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

  /** The child as given, with its place, the label and the owner reference. */
  #prepare(owner: KubernetesObject, child: unknown): PreparedChild {
    const { controller } = this.#options;
    // What `undefined` means, and what a class instance holds, is what its JSON says.
    const given: unknown = JSON.parse(JSON.stringify(child) ?? 'null');
    const ownedKind = this.#ownedKindOf(child, given);
    const { resource } = ownedKind;
    const metadata = isJsonObject(given) && isJsonObject(given['metadata']) ? given['metadata'] : {};
    const { name, labels, ownerReferences } = metadata;
    if (!isJsonObject(given) || typeof name !== 'string' || name === '') {
      throw new EvenkeelError(
        'invalid-child',
        `${controller}: apply() was given a ${resource.kind} without metadata.name; give it a name that follows from its owner's`,
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

/** What a controller owns of a kind. Throws `apply-not-owned` where that is nothing. */
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

/** What to say of a kind that a helper was given and the controller does not own. */
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
    `${controller}: ${helper} was given ${given}, and the controller owns ${
      names.length === 0 ? 'no kind' : `only ${names.join(' and ')}`
    }; add @Owns(${typeof kind === 'string' ? kind : 'TheKind'}) above its class`,
  );
}

/** Whether a write was refused because the server has another object, or another version of it, or none. */
function isOtherObject(error: unknown): boolean {
  if (isConflict(error)) return true;
  return (
    error instanceof StatusError && error.status.details?.causes?.some(({ field }) => field === 'metadata.uid') === true
  );
}
