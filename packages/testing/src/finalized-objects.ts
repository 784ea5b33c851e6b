import { type Client, discoverResources, readBody } from '@evenkeel/client';
import type { ApiResource, KubernetesObject, Transport } from '@evenkeel/core';

/** An object that exists until something removes its finalizers. */
export interface FinalizedObject {
  readonly resource: ApiResource;
  readonly name: string;
  readonly uid: string;
  readonly finalizers: readonly string[];
  readonly isDeleting: boolean;
}

/** Returns the objects of a namespace that have finalizers. Rejects if a kind cannot be listed. */
export async function finalizedObjectsIn(
  client: Client,
  namespace: string,
  resources: readonly ApiResource[],
): Promise<FinalizedObject[]> {
  const lists = resources.map(async (resource) => {
    const { items } = await client.list(resource, { namespace });
    return items.flatMap(({ metadata }: KubernetesObject): FinalizedObject[] => {
      const { name, uid = '', finalizers = [], deletionTimestamp } = metadata;
      return finalizers.length === 0
        ? []
        : [{ resource, name, uid, finalizers, isDeleting: deletionTimestamp !== undefined }];
    });
  });
  return (await Promise.all(lists)).flat();
}

/** Returns the finalizers of programs that are not part of Kubernetes. */
export function foreignFinalizers({ finalizers }: FinalizedObject): string[] {
  return finalizers.filter((finalizer) => !isOfKubernetes(finalizer));
}

/** Finalizers of Kubernetes' own controllers, which run as long as the cluster does. */
function isOfKubernetes(finalizer: string): boolean {
  const [domain = ''] = finalizer.split('/');
  return ['orphan', 'foregroundDeletion'].includes(finalizer) || /(^|\.)(kubernetes|k8s)\.io$/.test(domain);
}

/** Removes the finalizers of programs that are not part of Kubernetes. Rejects if the object has changed since it was read. */
export async function removeFinalizers(client: Client, namespace: string, object: FinalizedObject): Promise<void> {
  const foreign = foreignFinalizers(object);
  if (foreign.length === 0) return;
  const kept = object.finalizers.filter((finalizer) => !foreign.includes(finalizer));
  const json = [
    { op: 'test', path: '/metadata/uid', value: object.uid },
    { op: 'test', path: '/metadata/finalizers', value: [...object.finalizers] },
    { op: 'replace', path: '/metadata/finalizers', value: kept },
  ] as const;
  await client.patch(object.resource, `${namespace}/${object.name}`, { json });
}

/** Returns the namespaced kinds that a client can list and delete, each in the preferred version of its group. */
export async function namespacedResources(client: Client, transport: Transport): Promise<ApiResource[]> {
  const response = await transport.request({ method: 'GET', path: '/apis' });
  const { groups = [] } = JSON.parse((await readBody(response)).toString('utf8')) as {
    groups?: { readonly name: string; readonly preferredVersion: { readonly version: string } }[];
  };
  const versions = [
    { group: '', version: 'v1' },
    ...groups.map(({ name, preferredVersion: { version } }) => ({ group: name, version })),
  ];
  const found = versions.map(async (version) => {
    // A group whose extension server is down cannot be discovered.
    const resources = await discoverResources(client, version).catch(() => []);
    return resources
      .filter(({ namespaced, name, ...rest }) => {
        const { verbs = [] } = rest as { readonly verbs?: readonly string[] };
        return namespaced && !name.includes('/') && ['list', 'patch', 'delete'].every((verb) => verbs.includes(verb));
      })
      .map(({ name, kind }) => ({ ...version, kind, plural: name, namespaced: true }));
  });
  return (await Promise.all(found)).flat();
}
