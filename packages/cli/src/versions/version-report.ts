import type { Client } from '@evenkeel/client';
import { EvenkeelError, isNotFound } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { fieldsOnlyIn, schemaOf } from '@evenkeel/runtime/migration';
import { servedResource } from '../cluster/served-resource.ts';
import { type VersionWriter, versionWriters } from './version-writers.ts';

/** The state of one version of a CRD. */
export interface VersionState {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  /** The text with which the server warns about requests to a deprecated version, if the CRD sets one. */
  readonly deprecationWarning?: string;
  /** Whether objects may be stored in it: `status.storedVersions`. */
  readonly stored: boolean;
  /** Who has written objects in it, the last one first. */
  readonly writers: readonly VersionWriter[];
  /** What must happen before the version can be removed from the CRD, in this order. Empty if it can be removed. */
  readonly blockers: readonly string[];
}

/** The versions of a CRD, and who writes them. */
export interface VersionReport {
  /** The name of the CRD. */
  readonly definition: string;
  readonly kind: string;
  /** The number of objects. */
  readonly objects: number;
  readonly versions: readonly VersionState[];
  /** False if there were more than 1,000 different writers. */
  readonly isComplete: boolean;
}

/** Reads the versions of a CRD and the managedFields of all its objects. Throws `unknown-kind` if there is no such CRD. */
export async function versionReport(client: Client, definition: string, signal?: AbortSignal): Promise<VersionReport> {
  const found = await client.get(CustomResourceDefinition, definition, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw new EvenkeelError(
      'unknown-kind',
      `${definition}: the cluster has no CRD of this name; install it first, or check the name with "kubectl get crd"`,
    );
  });
  const { names, versions } = found.spec;
  const served = servedResource(found);
  const read =
    served === undefined ? { objects: 0, writers: [], isComplete: true } : await versionWriters(client, served, signal);
  const storedVersions = found.status?.storedVersions ?? [];
  const storage = versions.find((version) => version.storage);
  // A conversion can keep all fields.
  const isConverted = found.spec.conversion?.strategy === 'Webhook';
  const lossyFor = (version: (typeof versions)[number]): string | undefined =>
    storage === undefined || isConverted || fieldsOnlyIn(schemaOf(version), schemaOf(storage)).length === 0
      ? undefined
      : storage.name;
  const states = versions.map((version): VersionState => {
    const { name, deprecated = false, deprecationWarning } = version;
    const writers = read.writers
      .filter((writer) => writer.version === name)
      .toSorted((left, right) => ((left.lastWrite ?? '') < (right.lastWrite ?? '') ? 1 : -1));
    const state = { name, served: version.served, storage: version.storage, stored: storedVersions.includes(name) };
    return {
      ...{ ...state, deprecated, ...(deprecationWarning === undefined ? {} : { deprecationWarning }), writers },
      blockers: blockersOf(state, definition, lossyFor(version)),
    };
  });
  return { definition, kind: names.kind, objects: read.objects, versions: states, isComplete: read.isComplete };
}

function blockersOf(
  { served, storage, stored }: Pick<VersionState, 'served' | 'storage' | 'stored'>,
  definition: string,
  lossyStorage: string | undefined,
): string[] {
  if (storage) return ['it is the storage version; make another version the storage version'];
  const drops =
    lossyStorage === undefined
      ? ''
      : `, which drops fields that ${lossyStorage} does not have ("--dry-run" lists them)`;
  return [
    ...(stored ? [`objects may be stored in it; run "evenkeel migrate ${definition}"${drops}`] : []),
    ...(served ? ['it is served; when nobody uses it any more, set "served: false"'] : []),
  ];
}
