import type { Client, DeleteOptions } from '@evenkeel/client';
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
import { isChildOf } from './child-ownership.ts';
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

/** A child that carries a label, with its value. */
export interface LabelledChild {
  readonly ownedKind: OwnedKind;
  readonly child: KubernetesObject;
  readonly value: string;
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
      this.#requireSynced(ownedKind, 'prune()');
      for (const child of ownedKind.ownedBy(owner)) {
        if (!applied.has(resource, ObjectKey.of(child)) && this.#isOurs(child, owner)) {
          leftOver.push({ ownedKind, child });
        }
      }
    }
    if (dryRun) return leftOver.map(({ child }) => child);
    const deleted: KubernetesObject[] = [];
    for (const { ownedKind, child } of leftOver) {
      const gone = await this.#delete(ownedKind, child, owner, { signal });
      if (gone !== undefined) deleted.push(gone);
    }
    return deleted;
  }

  /** What the controller owns of a kind. Throws `apply-not-owned` where that is nothing. */
  requireOwned(kind: KindClass): OwnedKind {
    const { children, controller } = this.#options;
    return ownedKindOf(kind, controller, 'dependents()', children);
  }

  /** The children of an owner that carry a label, those in deletion too. */
  labelled(owner: KubernetesObject, label: string): LabelledChild[] {
    return this.#options.children.flatMap((ownedKind) => {
      this.#requireSynced(ownedKind, 'dependents()');
      return ownedKind.ownedBy(owner).flatMap((child): LabelledChild | [] => {
        const value = child.metadata.labels?.[label];
        return value !== undefined && this.#belongsTo(child, owner) ? { ownedKind, child, value } : [];
      });
    });
  }

  /** Deletes a child, unless it is in deletion already, or nobody's or another's by now. */
  async remove(
    { ownedKind, child }: LabelledChild,
    owner: KubernetesObject,
    propagationPolicy: 'Background' | 'Foreground',
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#isOurs(child, owner)) await this.#delete(ownedKind, child, owner, { propagationPolicy, signal });
  }

  #requireSynced({ resource, isSynced }: OwnedKind, helper: string): void {
    if (isSynced()) return;
    throw new EvenkeelError(
      'prune-refused',
      `${this.#options.controller}: ${helper} of ${resource.kind} was called while the cache of ${groupResourceOf(resource)} had not synced; let the run fail, it comes again`,
    );
  }

  #isOurs(child: KubernetesObject, owner: KubernetesObject): boolean {
    return child.metadata.deletionTimestamp === undefined && this.#belongsTo(child, owner);
  }

  #belongsTo(child: KubernetesObject, owner: KubernetesObject): boolean {
    return isChildOf(child, owner) && child.metadata.labels?.[controllerLabel] === this.#options.controller;
  }

  /** Undefined where it was gone, or was no longer ours. */
  async #delete(
    { kind }: OwnedKind,
    child: KubernetesObject,
    owner: KubernetesObject,
    { signal, ...how }: Pick<DeleteOptions, 'propagationPolicy'> & { readonly signal: AbortSignal },
  ): Promise<KubernetesObject | undefined> {
    const { client } = this.#options;
    const key = ObjectKey.of(child);
    let current = child;
    for (let attempt = 1; ; attempt++) {
      const { uid, resourceVersion } = current.metadata;
      if (uid === undefined || resourceVersion === undefined) return undefined;
      try {
        await client.delete(kind, key, { ...how, preconditions: { uid, resourceVersion }, signal });
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
