import { copyJson, jsonEqual } from '../apimachinery/index.ts';
import { type ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { ObjectCodec } from '../kind/object-codec.ts';
import type { StrategyContext } from '../kind/strategy.ts';
import type { PartSubresource } from '../kind/subresource.ts';

type DescribedKind = Pick<KindDescription, 'strategy' | 'subresources' | 'custom'>;

/** Whether writes to the object itself do not change its status. */
export function keepsStatusApart({ strategy, subresources }: DescribedKind): boolean {
  return strategy.statusIsSubresource ?? subresources.has('status');
}

/** Resets the fields that a create may not set, and starts the generation. */
export function prepareForCreate(
  kind: DescribedKind,
  codec: ObjectCodec,
  object: ApiObject,
  context: StrategyContext,
): void {
  if (keepsStatusApart(kind)) {
    const status = codec.empty['status'];
    if (status === undefined) delete object['status'];
    else object['status'] = copyJson(status);
  }
  if (hasGeneration(kind, codec)) object.metadata.generation = 1;
  kind.strategy.prepareForCreate?.(object, context);
}

/** Copies from the stored object the fields that an update may not change, and increments the generation if necessary. */
export function prepareForUpdate(
  kind: DescribedKind,
  codec: ObjectCodec,
  object: ApiObject,
  old: ApiObject,
  context: StrategyContext,
): void {
  if (keepsStatusApart(kind)) keep(object, old, 'status');
  kind.strategy.prepareForUpdate?.(object, old, context);
  if (!hasGeneration(kind, codec) || !generationMoves(kind, object, old)) return;
  object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

/** The same for a write to a subresource that is a part of the object. */
export function preparePartForUpdate(
  kind: DescribedKind,
  part: PartSubresource,
  name: string,
  object: ApiObject,
  old: ApiObject,
  context: StrategyContext,
): void {
  if (name === 'status' && kind.custom) {
    const { managedFields } = object.metadata;
    const status = object['status'];
    for (const member of Object.keys(object)) if (!Object.hasOwn(old, member)) delete object[member];
    Object.assign(object, copyJson(old));
    if (status === undefined) delete object['status'];
    else object['status'] = status;
    if (managedFields === undefined) delete object.metadata.managedFields;
    else object.metadata.managedFields = managedFields;
    return;
  }
  if (part.strategy.prepareForUpdate !== undefined) {
    part.strategy.prepareForUpdate(object, old, context);
    return;
  }
  if (name !== 'status') return;
  for (const member of Object.keys(old)) if (member !== 'metadata' && member !== 'status') keep(object, old, member);
  if (part.strategy.resetsMetadata !== true) return;
  // `metav1.ResetObjectMetaForStatus`.
  for (const member of ['deletionTimestamp', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const) {
    const before = old.metadata[member];
    if (before === undefined) delete object.metadata[member];
    else Object.assign(object.metadata, { [member]: copyJson(before) });
  }
}

function keep(object: ApiObject, old: ApiObject, member: string): void {
  if (old[member] === undefined) delete object[member];
  else object[member] = copyJson(old[member]);
}

function hasGeneration({ strategy, custom }: DescribedKind, { schema }: ObjectCodec): boolean {
  if (strategy.generation !== undefined) return strategy.generation !== 'never';
  return custom || schema.properties?.['spec'] !== undefined;
}

function generationMoves({ strategy, custom }: DescribedKind, object: ApiObject, old: ApiObject): boolean {
  if (typeof strategy.generation === 'function') return strategy.generation(object, old);
  if (!custom) return !jsonEqual(object['spec'], old['spec']);
  const { metadata: _, ...members } = object;
  const { metadata: __, ...oldMembers } = old;
  return !jsonEqual(members, oldMembers);
}
