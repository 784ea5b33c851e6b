import type { Client } from '@evenkeel/client';
import { ignoreNotFound, isForbidden, isNotFound, type KubernetesObject } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { removeDefinition } from '../install-definition.ts';
import { abandonmentCheck } from './abandonment-check.ts';
import { registeredKinds } from './registered-object.ts';
import { restoreConversion } from './restore-conversion.ts';
import { sessionLabel, sessionOf } from './session-mark.ts';
import { isProbeGroup } from './webhook-probe.ts';

/**
 * Removes what killed processes have registered, and restores the conversions that they have changed. A process counts as killed if
 * a connection to its address is refused. Objects of other processes stay, including processes that cannot be reached from here.
 *
 * @param client objects that it cannot list or change stay as they are.
 * @returns the names of the objects, and for a CRD that stays what was removed from it.
 */
export async function removeAbandoned(client: Client): Promise<string[]> {
  const removed: string[] = [];
  const isAbandoned = abandonmentCheck();
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
      if (isUndone) removed.push(nameOf(left));
    }
  };
  const labels = sessionLabel;
  for (const kind of Object.values(registeredKinds)) {
    await clean(client.list(kind, { labels }), ({ metadata: { name, uid = '' } }) =>
      ignoreNotFound(client.delete(kind, name, { preconditions: { uid } })),
    );
  }
  await clean(client.list(CustomResourceDefinition, { labels }), async (definition) => {
    const { name, uid = '' } = definition.metadata;
    if (isProbeGroup(definition.spec.group)) return await removeDefinition(client, { name, uid, isNew: true });
    return await restoreConversion(client, name, sessionOf(definition));
  });
  return removed;
}

function nameOf({ kind, metadata: { name } }: KubernetesObject): string {
  const isKept = kind === 'CustomResourceDefinition' && !isProbeGroup(name.slice(name.indexOf('.') + 1));
  return isKept ? `the conversion of ${name}` : name;
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
