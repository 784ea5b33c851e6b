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
import { liveObject } from '../cache/live-object.ts';
import type { AppliedInRun } from './applied-in-run.ts';
import { controllerLabel, type OwnedKind, ownedKindOf } from './apply-child.ts';
import { isChildOf } from './child-ownership.ts';

/** The options of `context.prune`. */
export interface PruneOptions {
  /** If true, deletes nothing and returns the children that it would delete. Default: false. */
  dryRun?: boolean;
}

export interface ChildPrunerOptions {
  readonly controller: string;
  readonly children: readonly OwnedKind[];
  readonly client: Client;
}

/** A child with a label, and the value of the label. */
export interface LabelledChild {
  readonly ownedKind: OwnedKind;
  readonly child: KubernetesObject;
  readonly value: string;
}

/** A child may change between the read and the deletion. More conflicts in a row are not a coincidence. */
const triesToDelete = 3;

/** Deletes the children of an owner that a run has not applied or claimed. */
export class ChildPruner {
  readonly #options: ChildPrunerOptions;

  constructor(options: ChildPrunerOptions) {
    this.#options = options;
  }

  /** Returns the children that were deleted, or would be deleted, in their last version. */
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

  /** Returns the owned kind. Throws `apply-not-owned` if the controller does not own it. */
  requireOwned(kind: KindClass): OwnedKind {
    const { children, controller } = this.#options;
    return ownedKindOf(kind, controller, 'dependents()', children);
  }

  /** Returns the children of an owner that have a label, including those that are being deleted. */
  labelled(owner: KubernetesObject, label: string): LabelledChild[] {
    return this.#options.children.flatMap((ownedKind) => {
      this.#requireSynced(ownedKind, 'dependents()');
      return ownedKind.ownedBy(owner).flatMap((child): LabelledChild | [] => {
        const value = child.metadata.labels?.[label];
        return value !== undefined && this.#belongsTo(child, owner) ? { ownedKind, child, value } : [];
      });
    });
  }

  /** Deletes a child, unless it is already being deleted or is no longer a child of the owner. */
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
      `${this.#options.controller}: ${helper} of ${resource.kind}: the cache of ${groupResourceOf(resource)} has not synced; let the error end the run, which is then retried`,
    );
  }

  #isOurs(child: KubernetesObject, owner: KubernetesObject): boolean {
    return child.metadata.deletionTimestamp === undefined && this.#belongsTo(child, owner);
  }

  #belongsTo(child: KubernetesObject, owner: KubernetesObject): boolean {
    return isChildOf(child, owner) && child.metadata.labels?.[controllerLabel] === this.#options.controller;
  }

  /** Returns undefined if the child was gone or was no longer a child of the owner. */
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
      // Another client changed or recreated it: check the live object again.
      const live = await liveObject(client, kind, key, signal);
      if (live === undefined || live.metadata.uid !== child.metadata.uid || !this.#isOurs(live, owner))
        return undefined;
      current = live;
    }
  }
}
