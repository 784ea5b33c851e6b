import { connect } from 'node:net';
import type { Client } from '@evenkeel/client';
import { ignoreNotFound, isForbidden, isNotFound, type KubernetesObject } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { removeDefinition } from '../install-definition.ts';
import { restore } from './hosted-definition.ts';
import { registeredKinds } from './registered-object.ts';
import { addressAnnotation, originalConversionAnnotation, sessionLabel } from './session-mark.ts';
import { isProbeGroup } from './webhook-probe.ts';

const connectWithinMs = 2000;

/**
 * Removes what killed processes have registered, and restores the conversions that they have changed. A process counts as killed if
 * a connection to its address is refused. Objects of other processes stay, also of those that cannot be reached from here.
 *
 * @param client what it may not list or cannot change stays as it is.
 * @returns the names of the objects.
 */
export async function removeAbandoned(client: Client): Promise<string[]> {
  const removed: string[] = [];
  const refusals = new Map<string, Promise<boolean>>();
  const isAbandoned = async ({ metadata }: Pick<KubernetesObject, 'metadata'>): Promise<boolean> => {
    const address = metadata.annotations?.[addressAnnotation] ?? '';
    const known = refusals.get(address) ?? isRefused(address);
    refusals.set(address, known);
    return await known;
  };
  const clean = async <T extends KubernetesObject>(
    list: Promise<{ readonly items: readonly T[] }>,
    undo: (left: T) => Promise<unknown>,
  ): Promise<void> => {
    for (const left of await itemsOf(list)) {
      if (!(await isAbandoned(left))) continue;
      // The session must start even if something that another one left cannot be removed.
      const isUndone = await undo(left).then(
        () => true,
        () => false,
      );
      if (isUndone) removed.push(left.metadata.name);
    }
  };
  const labels = sessionLabel;
  for (const kind of Object.values(registeredKinds)) {
    await clean(client.list(kind, { labels }), ({ metadata: { name, uid = '' } }) =>
      ignoreNotFound(client.delete(kind, name, { preconditions: { uid } })),
    );
  }
  await clean(client.list(CustomResourceDefinition, { labels }), async ({ metadata, spec }) => {
    const { name, uid = '', annotations } = metadata;
    if (isProbeGroup(spec.group)) return await removeDefinition(client, { name, uid, isNew: true });
    const original = annotations?.[originalConversionAnnotation];
    if (original === undefined) throw new Error(`${name} has no annotation ${originalConversionAnnotation}`);
    return await restore(client, name, original);
  });
  return removed;
}

async function itemsOf<T>(list: Promise<{ readonly items: readonly T[] }>): Promise<readonly T[]> {
  try {
    return (await list).items;
  } catch (error) {
    // The session itself may not need the permission, and an older server does not have the kind.
    if (isForbidden(error) || isNotFound(error)) return [];
    throw error;
  }
}

/** Whether nothing listens at a URL. False if that is unknown. */
async function isRefused(address: string): Promise<boolean> {
  const url = URL.parse(address);
  if (url === null || url.port === '') return false;
  return await new Promise((resolve) => {
    const socket = connect({
      ...{ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port), timeout: connectWithinMs },
    });
    const end = (isRefused: boolean): void => {
      socket.destroy();
      resolve(isRefused);
    };
    socket.once('connect', () => end(false));
    socket.once('timeout', () => end(false));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code === 'ECONNREFUSED'));
  });
}
