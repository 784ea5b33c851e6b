import type { Client } from '@evenkeel/client';
import { type ApiResource, type ManagedFieldsEntry, parseApiVersion } from '@evenkeel/core';
import { listPage, metadataOf } from '@evenkeel/runtime/migration';

/** A field manager whose last change of some objects was through one version. */
export interface VersionWriter {
  readonly version: string;
  readonly manager: string;
  readonly operation: string;
  /** The empty string for the object itself. */
  readonly subresource: string;
  readonly objects: number;
  /** The time of its last change. RFC 3339; undefined if the server recorded none. */
  readonly lastWrite?: string;
  /** One of the objects. */
  readonly example: string;
}

/** The number of different writers that are kept; names of managers are free text. */
const writersMax = 1000;

/** Returns who has written the objects of a resource, and in which version, according to their managedFields. */
export async function versionWriters(
  client: Client,
  resource: ApiResource,
  signal?: AbortSignal,
): Promise<{ objects: number; writers: VersionWriter[]; isComplete: boolean }> {
  const kind = metadataOf(resource);
  const writers = new Map<string, VersionWriter>();
  let objects = 0;
  let isComplete = true;
  let token: string | undefined;
  do {
    const page = await listPage(client, kind, token, signal);
    if (page === 'from the beginning') {
      // Each object must be counted once.
      writers.clear();
      objects = 0;
      token = undefined;
      continue;
    }
    for (const { metadata } of page.items) {
      objects++;
      const example = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
      for (const entry of metadata.managedFields ?? []) {
        if (!note(writers, entry, resource.group, example)) isComplete = false;
      }
    }
    token = page.continue;
  } while (token !== undefined);
  return { objects, writers: [...writers.values()], isComplete };
}

/** Returns false if there are too many writers for another one. */
function note(writers: Map<string, VersionWriter>, entry: ManagedFieldsEntry, group: string, example: string): boolean {
  const { manager = '', operation = '', apiVersion = '', subresource = '', time } = entry;
  const written = parseApiVersion(apiVersion);
  if (written.group !== group) return true;
  const key = JSON.stringify([written.version, manager, operation, subresource]);
  const known = writers.get(key);
  if (known === undefined && writers.size >= writersMax) return false;
  // RFC 3339 in UTC sorts as text.
  const lastWrite = known?.lastWrite === undefined || (time ?? '') > known.lastWrite ? time : known.lastWrite;
  writers.set(key, {
    ...{ version: written.version, manager, operation, subresource },
    objects: (known?.objects ?? 0) + 1,
    ...(lastWrite === undefined ? {} : { lastWrite }),
    example: known?.example ?? example,
  });
  return true;
}
