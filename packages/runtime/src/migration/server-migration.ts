import { type Client, discoverResources } from '@evenkeel/client';
import {
  type ApiResource,
  type Clock,
  type Condition,
  findCondition,
  ignoreNotFound,
  isAlreadyExists,
  isForbidden,
  type KubernetesObject,
} from '@evenkeel/core';
import type { MigratedDefinition } from './migrated-definition.ts';

/** The versions of the API in the order of preference. Kubernetes 1.36 has v1beta1, which is disabled by default. */
const versions = ['v1', 'v1beta1'];
/** The controller of the server sets the first condition at once, if it runs. */
const untilRunningMs = 15_000;
const pollMs = 1000;
/** The annotation of our StorageVersionMigration with the CRD that it belongs to. */
const forAnnotation = 'evenkeel.dev/definition';

interface StorageVersionMigration extends KubernetesObject {
  status?: { conditions?: Condition[] };
}

/**
 * Lets the API server migrate the objects, with a StorageVersionMigration named after the CRD, and waits until it has
 * succeeded. Returns false if the server does not serve this API, does not run its controller, or fails: then the objects must
 * be rewritten in another way. Deletes the StorageVersionMigration at the end; an abort leaves it, and the server continues.
 */
export async function migrateOnServer(
  client: Client,
  definition: MigratedDefinition,
  clock: Clock,
  signal: AbortSignal | undefined,
  onPoll: () => void,
): Promise<boolean> {
  const migrations = await servedApi(client, signal);
  if (migrations === undefined) return false;
  const { name } = definition;
  const belongsTo = `${definition.uid} ${definition.generation}`;
  const get = () =>
    ignoreNotFound(client.get(migrations, name, { signal })) as Promise<StorageVersionMigration | undefined>;
  const remove = () => ignoreNotFound(client.delete(migrations, name, { signal }));
  try {
    const existing = await get();
    // One of an earlier storage version may have missed objects.
    if (existing !== undefined && existing.metadata.annotations?.[forAnnotation] !== belongsTo) await remove();
    await create(client, migrations, definition, belongsTo, signal);
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
  const startedMs = clock.monotonic();
  for (;;) {
    const conditions = (await get())?.status?.conditions;
    const is = (type: string): boolean => findCondition(conditions, type)?.status === 'True';
    const isIgnored = (conditions ?? []).length === 0 && clock.monotonic() - startedMs >= untilRunningMs;
    if (is('Succeeded') || is('Failed') || isIgnored) {
      await remove();
      return is('Succeeded');
    }
    onPoll();
    await clock.sleep(pollMs, signal);
  }
}

async function servedApi(client: Client, signal: AbortSignal | undefined): Promise<ApiResource | undefined> {
  const group = 'storagemigration.k8s.io';
  const plural = 'storageversionmigrations';
  for (const version of versions) {
    const resources = await discoverResources(client, { group, version }, { signal });
    if (!resources.some(({ name }) => name === plural)) continue;
    return { group, version, kind: 'StorageVersionMigration', plural, namespaced: false };
  }
  return undefined;
}

async function create(
  client: Client,
  migrations: ApiResource,
  { name, resource }: MigratedDefinition,
  belongsTo: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await client.create(
      migrations,
      {
        metadata: { name, annotations: { [forAnnotation]: belongsTo } },
        spec: { resource: { group: resource.group, resource: resource.plural } },
      } as never,
      { signal },
    );
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
