import { type Client, createClient, discoverResources } from '@evenkeel/client';
import {
  type ApiResource,
  isForbidden,
  isNotFound,
  type KubernetesObject,
  SilentLogger,
  type Transport,
} from '@evenkeel/core';
import { readJson } from './read-json.ts';

/** Which objects are read. */
export interface AllObjectsOptions {
  readonly transport: Transport;
  /** The API groups to read. Default: all. */
  readonly groups?: ReadonlySet<string> | undefined;
  /** Only objects in this namespace. Default: all, and cluster-scoped objects too. */
  readonly namespace?: string | undefined;
}

/** An object, whose type a list does not repeat. */
export interface ListedObject {
  readonly resource: ApiResource;
  readonly object: KubernetesObject;
}

const answerWithinMs = 5000;

/** Kubernetes serves these objects in two groups, and a reader needs them once. */
const repeatedElsewhere = new Set(['events.k8s.io']);

/** Reads the objects of a server, in the order of their groups. Kinds that the user may not list are missing. */
export async function* allObjects({ transport, groups, namespace }: AllObjectsOptions): AsyncGenerator<ListedObject> {
  // The API server warns about old kinds, which the user has not requested.
  const client = createClient(transport, { logger: new SilentLogger(), userAgent: 'evenkeel-dev' });
  for (const version of await versionsOf(transport)) {
    if (repeatedElsewhere.has(version.group) || groups?.has(version.group) === false) continue;
    const resources = await discoverResources(client, version);
    for (const { name, kind, namespaced } of resources.filter(({ name }) => !name.includes('/'))) {
      if (namespace !== undefined && !namespaced) continue;
      const resource = { ...version, kind, plural: name, namespaced };
      for (const object of await listed(client, resource, namespace)) yield { resource, object };
    }
  }
}

type Version = Pick<ApiResource, 'group' | 'version'>;

/** The preferred version of each group. */
async function versionsOf(transport: Transport): Promise<readonly Version[]> {
  const { groups = [] } = (await readJson(transport, '/apis', AbortSignal.timeout(answerWithinMs))) as {
    groups?: { name: string; preferredVersion: { version: string } }[];
  };
  const named = groups.map(({ name, preferredVersion }) => ({ group: name, version: preferredVersion.version }));
  return [{ group: '', version: 'v1' }, ...named];
}

async function listed(
  client: Client,
  resource: ApiResource,
  namespace: string | undefined,
): Promise<readonly KubernetesObject[]> {
  try {
    return (await client.list(resource, { namespace })).items as readonly KubernetesObject[];
  } catch (error) {
    // Some kinds, such as reviews, can only be created.
    const { code } = error as { readonly code?: unknown };
    if (isForbidden(error) || isNotFound(error) || code === 405) return [];
    throw error;
  }
}
