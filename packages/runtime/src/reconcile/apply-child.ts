import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import type { Client } from '@evenkeel/client';
import {
  type ApiResource,
  apiVersionOf,
  EvenkeelError,
  groupResourceOf,
  isInvalid,
  type KindClass,
  type KubernetesObject,
  ObjectKey,
  parseApiVersion,
} from '@evenkeel/core';
import { AppliedChild } from './applied-child.ts';
import { AppliedChildren } from './applied-children.ts';
import type { AppliedInRun } from './applied-in-run.ts';
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
  readonly owner: ApiResource;
  readonly children: readonly OwnedKind[];
  readonly client: Client;
  /** Called where an apply is not sent, because it would change nothing. */
  readonly unsent?: (() => void) | undefined;
}

/** A child as it is sent. */
interface PreparedChild {
  readonly ownedKind: OwnedKind;
  readonly key: ObjectKey;
  readonly desired: JsonObject;
}

/**
 * Applies children, and sends nothing where the server would change nothing.
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
  ): Promise<KubernetesObject> {
    try {
      const prepared = this.#prepare(owner, child);
      applied.add(prepared.ownedKind.resource, prepared.key);
      return await this.#apply(owner, prepared, signal);
    } catch (error) {
      applied.failed(error);
      throw error;
    }
  }

  async #apply(
    owner: KubernetesObject,
    { ownedKind, desired, key }: PreparedChild,
    signal: AbortSignal,
  ): Promise<KubernetesObject> {
    const { kind, resource } = ownedKind;
    const children = this.#childrenOf(owner);
    const id = `${groupResourceOf(resource)} ${key}`;
    const live = ownedKind.get(key);
    if (live !== undefined) {
      refuseForeignController(live, owner, resource);
      const applied = children.get(id) ?? AppliedChild.cached(live, desired, this.#options.controller);
      if (applied?.covers(desired, live) === true) {
        children.set(id, applied, this.#isCached);
        this.#options.unsent?.();
        return live;
      }
    }
    const { controller, client } = this.#options;
    const send = (): Promise<KubernetesObject> =>
      client.apply(kind, desired as never, { fieldManager: controller, force: true, signal });
    const answer = await send().catch(async (error: unknown) => {
      if (live === undefined || !isInvalid(error)) throw error;
      await this.#replaceLists(ownedKind, key, desired, live, signal);
      return send();
    });
    const applied = AppliedChild.answered(answer, desired, controller);
    if (applied === undefined) children.delete(id);
    else children.set(id, applied, this.#isCached);
    return answer;
  }

  /**
   * An apply keeps the items that others put into a list, and together with ours they may be invalid: two ports of one
   * name, say, after somebody changed the number that ports are told apart by. A merge patch replaces lists whole.
   */
  async #replaceLists(
    { kind }: OwnedKind,
    key: ObjectKey,
    desired: JsonObject,
    live: KubernetesObject,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, controller } = this.#options;
    const metadata = { ...(desired['metadata'] as JsonObject), uid: live.metadata.uid };
    await client.patch(kind, key, { merge: { ...desired, metadata } }, { fieldManager: controller, signal });
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

/** The server would refuse a second controller with a message that names neither of them. */
function refuseForeignController(live: KubernetesObject, owner: KubernetesObject, resource: ApiResource): void {
  const controller = live.metadata.ownerReferences?.find((reference) => reference.controller === true);
  if (controller === undefined || controller.uid === owner.metadata.uid) return;
  throw new EvenkeelError(
    'owner-reference-refused',
    `${owner.kind} ${ObjectKey.of(owner)} cannot own ${resource.kind} ${ObjectKey.of(live)}: it belongs to ${controller.kind} ${controller.name} (uid ${controller.uid}); give the child a name of its own, or wait until the other is gone`,
  );
}
