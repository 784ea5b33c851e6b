import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, jsonEqual } from '@evenkeel/apimachinery/json';
import type { KubernetesObject } from '@evenkeel/core';
import { type AppliedFields, appliedFieldsIn, appliedFieldsOf, type OwnedFields } from '../cache/applied-fields.ts';
import { appliedAlready, emptiedFields, ownedValues } from './owned-fields.ts';

/** The state that is kept for each applied child of one field manager. Kept small, because there may be many. */
export class AppliedChild {
  readonly #uid: string | undefined;
  readonly #manager: string;
  #owned: OwnedFields;
  readonly #references: readonly string[];
  readonly #desired: string;
  readonly #values: string;
  /** The fields that the apply left empty. Usually undefined: none. */
  readonly #emptied: string | undefined;

  private constructor(object: KubernetesObject, desired: JsonObject, { manager, fields, references }: AppliedFields) {
    this.#uid = object.metadata.uid;
    this.#manager = manager;
    this.#owned = fields;
    this.#references = references;
    this.#desired = digest(desired);
    const emptied = emptiedFields(desired, fields);
    this.#values = digest(ownedValues(object, fields, emptied));
    this.#emptied = emptied === undefined ? undefined : digest(emptied);
  }

  /** From the response to an apply of `desired`, with its managedFields. Undefined if `manager` owns none of its fields. */
  static fromResponse(object: KubernetesObject, desired: JsonObject, manager: string): AppliedChild | undefined {
    const applied = appliedFieldsIn(object.metadata.managedFields, manager);
    return applied === undefined ? undefined : new AppliedChild(object, desired, applied);
  }

  /** From the cached object, to which an earlier process may have applied the same desired state. */
  static cached(live: KubernetesObject, desired: JsonObject, manager: string): AppliedChild | undefined {
    const applied = appliedFieldsOf(live, manager);
    const child = applied === undefined ? undefined : new AppliedChild(live, desired, applied);
    return child?.matches(desired, live) === true ? child : undefined;
  }

  /** Whether an apply of `desired` to `live` would change nothing, by comparing values alone. */
  matches(desired: JsonObject, live: KubernetesObject, emptiedBefore = false): boolean {
    if (live.metadata.uid !== this.#uid) return false;
    const { metadata, ...rest } = desired;
    const { ownerReferences, ...otherMetadata } = isJsonObject(metadata) ? metadata : {};
    return (
      this.#referencesMatch(Array.isArray(ownerReferences) ? ownerReferences : [], live) &&
      appliedAlready({ ...rest, metadata: otherMetadata }, live as unknown as JsonObject, this.#owned, emptiedBefore)
    );
  }

  /** The same, but also true if the server stores a value in another form and the same value was applied before. */
  covers(desired: JsonObject, live: KubernetesObject): boolean {
    if (!this.#ownsTheSame(live)) return false;
    if (this.matches(desired, live)) return true;
    if (live.metadata.uid !== this.#uid) return false;
    const emptied = emptiedFields(desired, this.#owned);
    if (emptied !== undefined && digest(emptied) === this.#emptied && this.matches(desired, live, true)) return true;
    return (
      digest(desired) === this.#desired &&
      digest(ownedValues(live, this.#owned, emptied)) === this.#values &&
      this.#references.every((uid) => live.metadata.ownerReferences?.some((reference) => reference.uid === uid))
    );
  }

  /**
   * Whether the manager still owns the same fields of the cached object. They can change although no other manager did it: a
   * replaced process that applies children of an older release late has the same name, and so has a restored backup.
   */
  #ownsTheSame(live: KubernetesObject): boolean {
    const kept = appliedFieldsOf(live, this.#manager);
    if (kept === undefined) return true;
    if (kept.references.length !== this.#references.length) return false;
    if (!kept.references.every((uid) => this.#references.includes(uid))) return false;
    if (kept.fields === this.#owned) return true;
    if (!jsonEqual(kept.fields, this.#owned)) return false;
    // The cache keeps one object for each shape, so the next comparison is by identity.
    this.#owned = kept.fields;
    return true;
  }

  #referencesMatch(desired: readonly unknown[], live: KubernetesObject): boolean {
    return (
      desired.length === this.#references.length &&
      desired.every(
        (wanted) =>
          isJsonObject(wanted) &&
          this.#references.includes(String(wanted['uid'])) &&
          live.metadata.ownerReferences?.some((reference) => jsonEqual(reference, wanted)) === true,
      )
    );
  }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
