import type { Client } from '@evenkeel/client';
import {
  type ApiResource,
  EvenkeelError,
  isForbidden,
  isNotFound,
  type KubernetesObject,
  messageOf,
} from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { type StoredSchema, schemaOf } from '../fields/stored-schema.ts';

/** CRDs as a resource, because an operator must not load the classes of all API extensions. */
export const definitions: ApiResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** What a migration needs to know about a CRD. */
export interface MigratedDefinition {
  /** The name of the CRD: `shops.example.com`. */
  readonly name: string;
  readonly uid: string;
  /** Changes with each change of the spec, and so with each change of the storage version. */
  readonly generation: number;
  readonly resourceVersion: string;
  /** The kind in the storage version. */
  readonly resource: ApiResource;
  /** The versions in which objects may be stored. */
  readonly storedVersions: readonly string[];
  readonly schema: StoredSchema;
  /** The other versions in which objects may be stored, and which the CRD still has. */
  readonly oldVersions: readonly StoredVersion[];
  /** Whether a webhook converts objects. Otherwise, the API server changes only `apiVersion`. */
  readonly isConverted: boolean;
  /** When the spec was last changed, according to its field managers. Milliseconds since the epoch; undefined if unknown. */
  readonly changedAtMs: number | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface StoredVersion {
  readonly name: string;
  readonly served: boolean;
  readonly schema: StoredSchema;
}

/**
 * Reads a CRD. Throws `unknown-kind` if it does not exist, and `migration-refused` if its objects cannot be migrated, because
 * it is being deleted or its storage version is not served.
 */
export async function readDefinition(
  client: Client,
  name: string,
  signal: AbortSignal | undefined,
): Promise<MigratedDefinition> {
  let found: KubernetesObject;
  try {
    found = await client.get(definitions, name, { signal });
  } catch (error) {
    if (isForbidden(error)) {
      throw new EvenkeelError(
        'migration-refused',
        `migrate ${name}: ${messageOf(error)}; grant this permission with a ClusterRole, or use another user`,
        { cause: error },
      );
    }
    if (!isNotFound(error)) throw error;
    throw new EvenkeelError(
      'unknown-kind',
      `migrate ${name}: the cluster has no CRD of this name; install it first, or check the name with "kubectl get crd"`,
      { cause: error },
    );
  }
  return checkedDefinition(found as CustomResourceDefinition);
}

function checkedDefinition({ metadata, spec, status }: CustomResourceDefinition): MigratedDefinition {
  const { name } = metadata;
  const refuse = (why: string): EvenkeelError => new EvenkeelError('migration-refused', `migrate ${name}: ${why}`);
  if (metadata.deletionTimestamp !== undefined) {
    throw refuse('the CRD is being deleted, and all its objects with it; nothing needs to be migrated');
  }
  const storage = spec.versions.find((version) => version.storage);
  if (storage === undefined) throw refuse('the CRD has no storage version; set "storage: true" for one version');
  if (!storage.served) {
    // A write through another version would prune what that version does not have.
    throw refuse(
      `its storage version ${storage.name} is not served, so objects cannot be written in it without loss; set "served: true" for ${storage.name} during the migration`,
    );
  }
  const isEstablished = status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True');
  if (isEstablished !== true) {
    throw refuse(
      `the API server does not serve the CRD yet; look for the reason in its conditions: kubectl describe crd ${name}`,
    );
  }
  return {
    name,
    uid: metadata.uid ?? '',
    generation: metadata.generation ?? 0,
    resourceVersion: metadata.resourceVersion ?? '',
    resource: {
      group: spec.group,
      version: storage.name,
      kind: spec.names.kind,
      plural: spec.names.plural,
      namespaced: spec.scope === 'Namespaced',
    },
    storedVersions: status?.storedVersions ?? [],
    schema: schemaOf(storage),
    oldVersions: spec.versions
      .filter((version) => version !== storage && status?.storedVersions?.includes(version.name) === true)
      .map((version) => ({ name: version.name, served: version.served, schema: schemaOf(version) })),
    isConverted: spec.conversion?.strategy === 'Webhook',
    changedAtMs: lastChangeOfSpec(metadata.managedFields),
    annotations: metadata.annotations ?? {},
  };
}

function lastChangeOfSpec(entries: CustomResourceDefinition['metadata']['managedFields'] = []): number | undefined {
  const times = entries
    .filter(({ fieldsV1 }) => fieldsV1 !== undefined && Object.hasOwn(fieldsV1, 'f:spec'))
    .map(({ time }) => Date.parse(time ?? ''))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : Math.max(...times);
}
