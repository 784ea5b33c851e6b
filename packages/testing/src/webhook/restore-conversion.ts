import { jsonEqual } from '@evenkeel/apimachinery/json';
import type { Client } from '@evenkeel/client';
import { ignoreNotFound, isConflict, type ObjectMeta } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { type ConversionOwner, conversionOwners, withConversionOwners } from './conversion-owners.ts';
import {
  addressAnnotation,
  originalConversionAnnotation,
  originalOwnersAnnotation,
  processAnnotation,
  sessionLabel,
  sessionOf,
} from './session-mark.ts';

export type Conversion = NonNullable<CustomResourceDefinition['spec']['conversion']>;

/** The conversion of a CRD without a declared one. */
export const noConversion: Conversion = { strategy: 'None' };

/** The state that a session restores at its end, as annotations of the CRD. */
export function originalAnnotations(before: CustomResourceDefinition): Record<string, string> {
  const { annotations = {}, managedFields } = before.metadata;
  const { [originalConversionAnnotation]: original, [originalOwnersAnnotation]: owners } = annotations;
  // Another session may convert it too. Annotations that are left over do not count.
  if (original !== undefined && isOfSession(before)) {
    return {
      [originalConversionAnnotation]: original,
      ...(owners === undefined ? {} : { [originalOwnersAnnotation]: owners }),
    };
  }
  return {
    [originalConversionAnnotation]: JSON.stringify(before.spec.conversion ?? noConversion),
    [originalOwnersAnnotation]: JSON.stringify(conversionOwners(managedFields)),
  };
}

/**
 * Restores the conversion of a CRD, with the owners of its fields, and removes the marks of a session. An apply of such an owner can
 * then change or remove the conversion. Does nothing if the CRD does not exist any more, or if another session has changed it. Keeps
 * a conversion that was changed in the meantime.
 *
 * @param session the value of the label {@link sessionLabel}.
 */
export async function restoreConversion(client: Client, name: string, session: string | undefined): Promise<void> {
  await untilWritten(async () => {
    const live = await ignoreNotFound(client.get(CustomResourceDefinition, name));
    if (live === undefined || sessionOf(live) !== session) return;
    const original = live.metadata.annotations?.[originalConversionAnnotation];
    if (original === undefined) throw new Error(`${name} has no annotation ${originalConversionAnnotation}`);
    const value = JSON.parse(original) as Conversion;
    const { spec } = isOfSession(live) ? await replaceConversion(client, live, value) : live;
    await removeMarks(client, name, jsonEqual(spec.conversion ?? noConversion, value));
  });
}

async function removeMarks(client: Client, name: string, isRestored: boolean): Promise<void> {
  const live = await ignoreNotFound(client.get(CustomResourceDefinition, name));
  if (live === undefined) return;
  const { annotations = {}, managedFields, resourceVersion } = live.metadata;
  const owners = annotations[originalOwnersAnnotation];
  const marks = [addressAnnotation, processAnnotation, originalConversionAnnotation, originalOwnersAnnotation];
  const metadata = {
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    labels: { [sessionLabel]: null },
    annotations: Object.fromEntries(marks.map((mark) => [mark, null])),
    ...(isRestored && owners !== undefined && managedFields !== undefined
      ? { managedFields: withConversionOwners(managedFields, JSON.parse(owners) as ConversionOwner[]) }
      : {}),
  };
  await ignoreNotFound(client.patch(CustomResourceDefinition, name, { merge: { metadata } }));
}

/** Whether a CRD calls the session that has marked it. */
function isOfSession({ metadata, spec }: CustomResourceDefinition): boolean {
  const address = metadata.annotations?.[addressAnnotation] ?? '';
  return address !== '' && spec.conversion?.webhook?.clientConfig?.url?.startsWith(address) === true;
}

/**
 * Replaces the whole conversion of a CRD, and the labels and annotations that are given, in one write. Fails with a conflict if the CRD
 * has changed since it was read. It is a patch, because those who may apply a CRD need not have the permission to update it.
 */
export function replaceConversion(
  client: Client,
  { metadata }: CustomResourceDefinition,
  conversion: Conversion,
  given: Pick<ObjectMeta, 'labels' | 'annotations'> = {},
): Promise<CustomResourceDefinition> {
  const json = [
    { op: 'add', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
    { op: 'add', path: '/spec/conversion', value: conversion },
    ...Object.entries(given).map(([field, value]) => ({ op: 'add', path: `/metadata/${field}`, value }) as const),
  ] as const;
  return client.patch(CustomResourceDefinition, metadata.name, { json });
}

/** The API server itself writes the status of a CRD after each change. */
const attemptsMax = 10;

/** Repeats a read and a write that fails if the object has changed in between. */
export async function untilWritten<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!isConflict(error) || attempt === attemptsMax) throw error;
    }
  }
}
