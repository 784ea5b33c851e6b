import { createHash } from 'node:crypto';
import type { KubernetesObject } from '@evenkeel/core';
import { isJsonObject, type JsonObject, jsonEqual } from './json-difference.ts';
import { appliedAlready, type OwnedFields, ownedValues } from './owned-fields.ts';

/** What is known of a child that one manager has applied: small, for there are as many as children. */
export class AppliedChild {
  readonly #uid: string | undefined;
  /** Without the owner references, which name a uid and so would make every shape another. */
  readonly #owned: OwnedFields;
  readonly #references: readonly string[];
  readonly #desired: string;
  readonly #values: string;

  private constructor(object: KubernetesObject, desired: JsonObject, owned: OwnedFields, references: string[]) {
    this.#uid = object.metadata.uid;
    this.#owned = owned;
    this.#references = references;
    this.#desired = digest(desired);
    this.#values = digest(ownedValues(object, owned));
  }

  /** From an object with its managedFields; undefined where `manager` has applied nothing to it. */
  static after(
    object: KubernetesObject,
    desired: JsonObject,
    manager: string,
    shapes: OwnedShapes,
  ): AppliedChild | undefined {
    const entry = object.metadata.managedFields?.find(
      (candidate) =>
        candidate.manager === manager && candidate.operation === 'Apply' && (candidate.subresource ?? '') === '',
    );
    if (entry?.fieldsV1 === undefined) return undefined;
    const { 'f:metadata': metadata = {}, ...rest } = entry.fieldsV1 as OwnedFields;
    const { 'f:ownerReferences': references = {}, ...ownedMetadata } = metadata;
    const owned = Object.keys(ownedMetadata).length === 0 ? rest : { ...rest, 'f:metadata': ownedMetadata };
    const uids = Object.keys(references).flatMap((path) => /^k:\{"uid":"([^"]{1,128})"\}$/.exec(path)?.[1] ?? []);
    return new AppliedChild(object, desired, shapes.shared(owned), uids);
  }

  /** Whether an apply of `desired` to `live` would change nothing, by comparing values alone. */
  matches(desired: JsonObject, live: KubernetesObject): boolean {
    if (live.metadata.uid !== this.#uid) return false;
    const { metadata, ...rest } = desired;
    const { ownerReferences, ...otherMetadata } = isJsonObject(metadata) ? metadata : {};
    return (
      this.#referencesMatch(Array.isArray(ownerReferences) ? ownerReferences : [], live) &&
      appliedAlready({ ...rest, metadata: otherMetadata }, live as unknown as JsonObject, this.#owned)
    );
  }

  /** The same, also where the server stores a value in another form than the one given and was given it before. */
  covers(desired: JsonObject, live: KubernetesObject): boolean {
    if (this.matches(desired, live)) return true;
    return (
      live.metadata.uid === this.#uid &&
      digest(desired) === this.#desired &&
      digest(ownedValues(live, this.#owned)) === this.#values &&
      this.#references.every((uid) => live.metadata.ownerReferences?.some((reference) => reference.uid === uid))
    );
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

/** Children of one kind are mostly of one shape; more shapes than this are kept apart. */
const maxShapes = 256;

/** Owned fields that are equal, as one value. */
export class OwnedShapes {
  readonly #shapes = new Map<string, OwnedFields>();

  shared(owned: OwnedFields): OwnedFields {
    const text = JSON.stringify(owned);
    const known = this.#shapes.get(text);
    if (known !== undefined) return known;
    if (this.#shapes.size < maxShapes) this.#shapes.set(text, owned);
    return owned;
  }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
