import type { Client } from '@evenkeel/client';
import { type ApiResource, EvenkeelError, ignoreNotFound, isNotFound, StatusError } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { waitFor } from './wait.ts';
import { applyDefinition } from './webhook/apply-definition.ts';

export interface InstalledDefinition {
  readonly name: string;
  readonly uid: string;
  /** Whether it did not exist before. */
  readonly isNew: boolean;
}

const fieldManager = 'evenkeel-testing';

/** The same limit as in envtest. */
const timeoutMs = 10_000;

/**
 * Applies a CRD and waits until the server serves its versions, even if it cannot convert stored objects yet. Throws `not-converged` if the
 * server rejects its names, or does not serve it within 10 s.
 */
export async function installDefinition(
  client: Client,
  definition: CustomResourceDefinition,
): Promise<InstalledDefinition> {
  const { name } = definition.metadata;
  const before = await ignoreNotFound(client.get(CustomResourceDefinition, name));
  const { metadata } = await applyDefinition(client, definition, { fieldManager, force: true });
  await waitUntilEstablished(client, name);
  // Established is the server's decision; its handlers follow a moment later.
  for (const resource of servedResourcesOf(definition)) {
    const read = () => client.list(resource, { limit: 1 }).catch(acceptFailedConversion);
    const served = await waitFor(read, { timeout: `${timeoutMs}ms` }, []);
    if ('value' in served) continue;
    const what = `${resource.plural}.${resource.group}/${resource.version}`;
    throw new EvenkeelError(
      'not-converged',
      `CRD ${name}: ${what} is not served within ${timeoutMs / 1000} s: ${served.message}`,
      { cause: served.error },
    );
  }
  return { name, uid: metadata.uid ?? '', isNew: before === undefined };
}

/** An operator that converts stored objects starts later. Until then, the API server serves the version, but cannot convert. */
function acceptFailedConversion(error: unknown): void {
  if (!(error instanceof StatusError && error.message.includes('conversion webhook for'))) throw error;
}

/** Deletes a CRD and all objects of its kind, unless another client has deleted or replaced it. */
export async function removeDefinition(client: Client, { name, uid }: InstalledDefinition): Promise<void> {
  await client.delete(CustomResourceDefinition, name, { preconditions: { uid } }).catch((error: unknown) => {
    if (!isNotFound(error) && (error as { code?: unknown }).code !== 409) throw error;
  });
}

async function waitUntilEstablished(client: Client, name: string): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const events = client.watch(CustomResourceDefinition, { fields: { 'metadata.name': name }, signal });
    for await (const { object } of events) {
      const conditions = 'status' in object ? (object.status?.conditions ?? []) : [];
      const rejected = conditions.find(({ type, status }) => type === 'NamesAccepted' && status === 'False');
      if (rejected !== undefined) {
        throw new EvenkeelError(
          'not-converged',
          `CRD ${name}: the server rejects its names: ${rejected.message}; change the names, or delete the CRD that uses them`,
        );
      }
      if (conditions.some(({ type, status }) => type === 'Established' && status === 'True')) return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  throw new EvenkeelError(
    'not-converged',
    `CRD ${name}: not established within ${timeoutMs / 1000} s; check its status conditions`,
  );
}

function servedResourcesOf({ spec }: CustomResourceDefinition): ApiResource[] {
  const { group, names, scope } = spec;
  return spec.versions
    .filter(({ served }) => served)
    .map(({ name }) => ({
      group,
      version: name,
      kind: names.kind,
      plural: names.plural,
      namespaced: scope === 'Namespaced',
    }));
}
