import { type Client, createClient, discoverResources } from '@evenkeel/client';
import { isForbidden, isNotFound, type KubernetesObject, SilentLogger, type Transport } from '@evenkeel/core';
import { stringify } from 'yaml';
import { readJson } from '../session/read-json.ts';

export interface DumpOptions {
  readonly transport: Transport;
  /** The API groups to read. Default: all. */
  readonly groups?: ReadonlySet<string>;
}

export interface ClusterDump {
  /** Documents of YAML. */
  readonly text: string;
  /** Their number. */
  readonly objects: number;
}

const answerWithinMs = 5000;

/** Kubernetes serves these objects in two groups, and a dump needs them once. */
const repeatedElsewhere = new Set(['events.k8s.io']);

/**
 * Reads the objects of a server, in the order of their groups, without `managedFields`. The values of Secrets are replaced by their
 * length. Kinds that the user may not list are missing.
 */
export async function dumpOf({ transport, groups }: DumpOptions): Promise<ClusterDump> {
  // The API server warns about old kinds, which the user has not requested.
  const client = createClient(transport, { logger: new SilentLogger(), userAgent: 'evenkeel-dev' });
  const documents: string[] = [];
  for (const version of await versionsOf(transport)) {
    if (repeatedElsewhere.has(version.group) || groups?.has(version.group) === false) continue;
    const resources = await discoverResources(client, version);
    for (const { name, kind, namespaced } of resources.filter(({ name }) => !name.includes('/'))) {
      const resource = { ...version, kind, plural: name, namespaced };
      for (const object of await listed(client, resource)) documents.push(stringify(redacted(object, resource)));
    }
  }
  return { text: documents.map((document) => `---\n${document}`).join(''), objects: documents.length };
}

interface Version {
  readonly group: string;
  readonly version: string;
}

/** The preferred version of each group. */
async function versionsOf(transport: Transport): Promise<readonly Version[]> {
  const { groups = [] } = (await readJson(transport, '/apis', AbortSignal.timeout(answerWithinMs))) as {
    groups?: { name: string; preferredVersion: { version: string } }[];
  };
  const named = groups.map(({ name, preferredVersion }) => ({ group: name, version: preferredVersion.version }));
  return [{ group: '', version: 'v1' }, ...named];
}

type Resource = Version & { readonly kind: string; readonly plural: string; readonly namespaced: boolean };

async function listed(client: Client, resource: Resource): Promise<readonly KubernetesObject[]> {
  try {
    return (await client.list(resource)).items as readonly KubernetesObject[];
  } catch (error) {
    // Some kinds, such as reviews, can only be created.
    const { code } = error as { readonly code?: unknown };
    if (isForbidden(error) || isNotFound(error) || code === 405) return [];
    throw error;
  }
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** `object` has no type in a list. */
function redacted(object: KubernetesObject, { group, version, kind }: Resource): object {
  const { metadata, apiVersion: _apiVersion, kind: _kind, ...others } = object;
  const { managedFields: _managed, annotations, ...kept } = metadata as typeof metadata & { managedFields?: unknown };
  const isSecret = group === '' && kind === 'Secret';
  const named = Object.entries(annotations ?? {}).filter(([name]) => !isSecret || name !== lastApplied);
  return {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    metadata: { ...kept, ...(named.length === 0 ? {} : { annotations: Object.fromEntries(named) }) },
    ...others,
    ...(isSecret ? { data: lengthsOf((others as { data?: unknown }).data) } : {}),
  };
}

function lengthsOf(data: unknown): Readonly<Record<string, string>> {
  const values = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  return Object.fromEntries(
    values.map(([name, value]) => [name, `(${Buffer.from(String(value), 'base64').length} bytes)`]),
  );
}
