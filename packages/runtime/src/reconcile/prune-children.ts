import type { Client } from '@evenkeel/client';
import {
  EvenkeelError,
  groupResourceOf,
  isConflict,
  isNotFound,
  type KindClass,
  type KubernetesObject,
  ObjectKey,
} from '@evenkeel/core';
import type { AppliedInRun } from './applied-in-run.ts';
import { controllerLabel, type OwnedKind, ownedKindOf } from './apply-child.ts';
import { liveObject } from './live-object.ts';

export interface PruneOptions {
  /** True: nothing is deleted; the answer says what would be. Default false. */
  dryRun?: boolean;
}

export interface ChildPrunerOptions {
  readonly controller: string;
  readonly children: readonly OwnedKind[];
  readonly client: Client;
}

/** A child may be written between our reading it and our deleting it; more often in a row is no coincidence. */
const triesToDelete = 3;

/** Deletes the children of an owner that a run has not applied. */
export class ChildPruner {
  readonly #options: ChildPrunerOptions;

  constructor(options: ChildPrunerOptions) {
    this.#options = options;
  }

  /** The children that were deleted or would be, as they were then. */
  async prune(
    owner: KubernetesObject,
    kinds: readonly KindClass[] | undefined,
    applied: AppliedInRun,
    { dryRun = false }: PruneOptions,
    signal: AbortSignal,
  ): Promise<KubernetesObject[]> {
    const { children, controller } = this.#options;
    const owned =
      kinds === undefined ? children : kinds.map((kind) => ownedKindOf(kind, controller, 'prune()', children));
    const leftOver: { readonly ownedKind: OwnedKind; readonly child: KubernetesObject }[] = [];
    for (const ownedKind of owned) {
      const { resource } = ownedKind;
      applied.beginPrune(resource, dryRun);
      if (!ownedKind.isSynced()) {
        throw new EvenkeelError(
          'prune-refused',
          `${controller}: prune() of ${resource.kind} was called while the cache of ${groupResourceOf(resource)} had not synced; let the run fail, it comes again`,
        );
      }
      for (const child of ownedKind.ownedBy(owner)) {
        if (!applied.has(resource, ObjectKey.of(child)) && this.#isOurs(child, owner)) {
          leftOver.push({ ownedKind, child });
        }
      }
    }
    if (dryRun) return leftOver.map(({ child }) => child);
    const deleted: KubernetesObject[] = [];
    for (const { ownedKind, child } of leftOver) {
      const gone = await this.#delete(ownedKind, child, owner, signal);
      if (gone !== undefined) deleted.push(gone);
    }
    return deleted;
  }

  #isOurs({ metadata }: KubernetesObject, owner: KubernetesObject): boolean {
    const reference = metadata.ownerReferences?.find((candidate) => candidate.controller === true);
    return (
      metadata.deletionTimestamp === undefined &&
      reference !== undefined &&
      reference.uid === owner.metadata.uid &&
      metadata.labels?.[controllerLabel] === this.#options.controller
    );
  }

  /** Undefined where it was gone, or was no longer ours. */
  async #delete(
    { kind }: OwnedKind,
    child: KubernetesObject,
    owner: KubernetesObject,
    signal: AbortSignal,
  ): Promise<KubernetesObject | undefined> {
    const { client } = this.#options;
    const key = ObjectKey.of(child);
    let current = child;
    for (let attempt = 1; ; attempt++) {
      const { uid, resourceVersion } = current.metadata;
      if (uid === undefined || resourceVersion === undefined) return undefined;
      try {
        await client.delete(kind, key, { preconditions: { uid, resourceVersion }, signal });
        return current;
      } catch (error) {
        if (isNotFound(error)) return undefined;
        if (!isConflict(error) || attempt === triesToDelete) throw error;
      }
      // Somebody wrote it, or it is another one by now: whether it may go is asked of what is there.
      const live = await liveObject(client, kind, key, signal);
      if (live === undefined || live.metadata.uid !== child.metadata.uid || !this.#isOurs(live, owner))
        return undefined;
      current = live;
    }
  }
}
