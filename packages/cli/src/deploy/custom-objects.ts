import type { Client, UnstructuredObject } from '@evenkeel/client';
import { type ApiResource, EvenkeelError, ignoreNotFound } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds/apiextensions/v1';
import { forEachConcurrently } from '../cluster/for-each-concurrently.ts';
import type { WaitOptions } from './wait-options.ts';

const pollMs = 500;
/** The maximum number of remaining objects in a message. */
const objectsShown = 10;

/** The kind of a CRD on a cluster, with the number of its objects. */
export interface InstalledKind {
  /** The name of the CRD. */
  readonly definition: string;
  readonly resource: ApiResource;
  readonly count: number;
  /** The number of objects with finalizers. A controller must remove these before the objects are deleted. */
  readonly withFinalizers: number;
  readonly isConvertedByWebhook: boolean;
}

/** Returns undefined if the CRD does not exist. */
export async function installedKind(
  client: Client,
  definition: string,
  signal: AbortSignal,
): Promise<InstalledKind | undefined> {
  const live = await ignoreNotFound(client.get(CustomResourceDefinition, definition, { signal }));
  if (live === undefined) return undefined;
  const { group, names, scope, versions, conversion } = live.spec;
  const served = versions.filter((version) => version.served);
  const version = (served.find(({ storage }) => storage) ?? served[0])?.name ?? '';
  const resource = { group, version, kind: names.kind, plural: names.plural, namespaced: scope === 'Namespaced' };
  const items = version === '' ? [] : (await client.list(resource, { signal })).items;
  return {
    ...{ definition, resource, count: items.length },
    withFinalizers: items.filter(({ metadata }) => (metadata.finalizers ?? []).length > 0).length,
    isConvertedByWebhook: conversion?.strategy === 'Webhook',
  };
}

/** Returns a number of objects in words: `3 Sites (sites.example.com)`. */
export function countText({ count, resource, definition }: InstalledKind): string {
  return `${count} ${count === 1 ? 'object' : 'objects'} of the kind ${resource.kind} (${definition})`;
}

/**
 * Deletes all objects of a kind, and waits until they are gone. Throws `deletion-stuck` after the time limit, with the finalizers of
 * those that remain.
 */
export async function deleteObjects(
  client: Client,
  { resource }: InstalledKind,
  { clock, deadlineMs, signal, progress }: WaitOptions,
): Promise<void> {
  let reported = -1;
  for (;;) {
    const { items } = await client.list(resource, { signal });
    if (items.length === 0) return;
    await deleteEach(client, resource, items, signal);
    const rest = items.filter(({ metadata }) => metadata.finalizers !== undefined);
    if (clock.monotonic() >= deadlineMs) throw stuck(resource, items);
    if (rest.length > 0 && rest.length !== reported) {
      reported = rest.length;
      progress(`waiting for the finalizers of ${rest.length} ${resource.plural}`);
    }
    await clock.sleep(pollMs, signal);
  }
}

/** Deletes those whose deletion has not started. */
async function deleteEach(
  client: Client,
  resource: ApiResource,
  items: readonly UnstructuredObject[],
  signal: AbortSignal,
): Promise<void> {
  const waiting = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  await forEachConcurrently(waiting, async ({ metadata: { name, namespace } }) => {
    await ignoreNotFound(client.delete(resource, { name, namespace }, { signal }));
  });
}

function stuck({ plural, group, kind }: ApiResource, items: readonly UnstructuredObject[]): EvenkeelError {
  const lines = items.slice(0, objectsShown).map(({ metadata: { name, namespace, finalizers = [] } }) => {
    const place = namespace === undefined ? name : `${namespace}/${name}`;
    return `    ${place}: ${finalizers.length === 0 ? 'no finalizers' : `finalizers ${finalizers.join(', ')}`}`;
  });
  if (items.length > objectsShown) lines.push(`    and ${items.length - objectsShown} more`);
  return new EvenkeelError(
    'deletion-stuck',
    `${plural}.${group}: ${items.length} ${items.length === 1 ? 'object still exists' : 'objects still exist'} after the time limit, and nothing else was deleted; check the log of the operator, and run the command again. If the operator cannot clean up ${kind} any more, remove the finalizers with "kubectl edit"\n${lines.join('\n')}`,
  );
}
