import type { ApiResource, KubernetesObject } from '@evenkeel/core';
import { stringify } from 'yaml';
import { type AllObjectsOptions, allObjects } from '../session/all-objects.ts';

export type DumpOptions = Omit<AllObjectsOptions, 'namespace'>;

export interface ClusterDump {
  /** Documents of YAML. */
  readonly text: string;
  /** Their number. */
  readonly objects: number;
}

/**
 * Reads the objects of a server, in the order of their groups, without `managedFields`. The values of Secrets are replaced by their
 * length. Kinds that the user may not list are missing.
 */
export async function dumpOf(options: DumpOptions): Promise<ClusterDump> {
  const documents: string[] = [];
  for await (const { object, resource } of allObjects(options)) documents.push(stringify(redacted(object, resource)));
  return { text: documents.map((document) => `---\n${document}`).join(''), objects: documents.length };
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** `object` has no type in a list. */
function redacted(object: KubernetesObject, { group, version, kind }: ApiResource): object {
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
