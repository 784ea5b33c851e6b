import { type Client, labelSelectorOf } from '@evenkeel/client';
import {
  type ApiResource,
  EvenkeelError,
  isNotFound,
  type KindClass,
  type KubernetesObject,
  type LabelSelectorSpec,
  labelRequirementsOf,
  matchesLabels,
  ObjectKey,
  type OwnerReference,
} from '@evenkeel/core';
import { isStillThere } from '../cache/live-object.ts';
import type { AppliedInRun } from './applied-in-run.ts';
import { controllerLabel, type OwnedKind, ownedKindOf } from './apply-child.ts';
import { controllerOf, isChildOf } from './child-ownership.ts';
import { ownerReferenceTo } from './owner-reference.ts';

export interface ChildClaimerOptions {
  readonly controller: string;
  readonly ownerKind: KindClass;
  readonly owner: ApiResource;
  readonly children: readonly OwnedKind[];
  readonly client: Client;
}

/**
 * Adopts and releases children by a selector, with the rules of Kubernetes' own controllers
 * (kubernetes/pkg/controller/controller_ref_manager.go, `ClaimObject`).
 */
export class ChildClaimer {
  readonly #options: ChildClaimerOptions;

  constructor(options: ChildClaimerOptions) {
    this.#options = options;
  }

  /** Returns the matching objects that are now children of the owner. */
  async claim(
    owner: KubernetesObject,
    kind: KindClass,
    selector: LabelSelectorSpec,
    applied: AppliedInRun,
    signal: AbortSignal,
  ): Promise<KubernetesObject[]> {
    const { controller, children, client } = this.#options;
    const ownedKind = ownedKindOf(kind, controller, 'claim()', children);
    const { resource } = ownedKind;
    const requirements = labelRequirementsOf(selector);
    if (requirements.length === 0) {
      throw new EvenkeelError(
        'invalid-option',
        `${controller}: claim() of ${resource.kind}: the selector matches everything; select by at least one label`,
      );
    }
    const labels = labelSelectorOf({ ...selector, matchExpressions: selector.matchExpressions ?? [] });
    const namespace = resource.namespaced ? owner.metadata.namespace : undefined;
    const { items } = await client.list(kind, { namespace, labels, signal });
    const claimed: KubernetesObject[] = [];
    let mayAdopt: boolean | undefined;
    for (const object of items as KubernetesObject[]) {
      const reference = controllerOf(object);
      if (reference === undefined && object.metadata.deletionTimestamp === undefined) {
        // Checked once, and only before an adoption: the cached owner may be gone or recreated.
        mayAdopt ??= await isStillThere(client, this.#options.ownerKind, owner, signal);
        const adopted = mayAdopt ? await this.#adopt(owner, ownedKind, object, signal) : undefined;
        if (adopted !== undefined) claimed.push(adopted);
      } else if (isChildOf(object, owner)) claimed.push(object);
    }
    for (const object of claimed) applied.add(resource, ObjectKey.of(object));
    for (const object of ownedKind.ownedBy(owner)) {
      const isReleased =
        isChildOf(object, owner) &&
        object.metadata.deletionTimestamp === undefined &&
        !matchesLabels(requirements, object.metadata.labels) &&
        !applied.has(resource, ObjectKey.of(object));
      if (isReleased) await this.#release(owner, ownedKind, object, signal);
    }
    return claimed;
  }

  #adopt(
    owner: KubernetesObject,
    ownedKind: OwnedKind,
    object: KubernetesObject,
    signal: AbortSignal,
  ): Promise<KubernetesObject | undefined> {
    const reference = ownerReferenceTo(owner, this.#options.owner, ownedKind.resource, ObjectKey.of(object));
    const others = (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== reference.uid);
    return this.#write(ownedKind, object, [...others, reference], this.#options.controller, signal);
  }

  #release(
    owner: KubernetesObject,
    ownedKind: OwnedKind,
    object: KubernetesObject,
    signal: AbortSignal,
  ): Promise<KubernetesObject | undefined> {
    const others = (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid);
    return this.#write(ownedKind, object, others, null, signal);
  }

  /**
   * Has the resourceVersion as a precondition, because the list is replaced as a whole. Returns undefined if the object is
   * gone.
   */
  async #write(
    { kind }: OwnedKind,
    object: KubernetesObject,
    ownerReferences: readonly OwnerReference[],
    label: string | null,
    signal: AbortSignal,
  ): Promise<KubernetesObject | undefined> {
    const { client, controller } = this.#options;
    const { uid, resourceVersion } = object.metadata;
    const merge = { metadata: { uid, resourceVersion, ownerReferences, labels: { [controllerLabel]: label } } };
    try {
      return await client.patch(kind, ObjectKey.of(object), { merge }, { fieldManager: controller, signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
