import type { Client } from '@evenkeel/client';
import { type ApiResource, EvenkeelError, ignoreNotFound, isNotFound, StatusError } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { waitFor } from './wait.ts';
import { applyDefinition } from './webhook/apply-definition.ts';
import { noConversion, replaceConversion, untilWritten } from './webhook/restore-conversion.ts';
import { sessionOf } from './webhook/session-mark.ts';

export interface InstalledDefinition {
  readonly name: string;
  readonly uid: string;
  /** Whether it did not exist before. */
  readonly isNew: boolean;
  /** Its kind in the version in which the server stores the objects. Undefined if the definition has none. */
  readonly stored?: ApiResource | undefined;
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
  const { metadata } = await applyDefinition(client, withWebhookOf(before, definition), { fieldManager, force: true });
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
  return { name, uid: metadata.uid ?? '', isNew: before === undefined, stored: storedResourceOf(definition) };
}

/**
 * Returns the definition with the conversion webhook of the existing CRD. A definition that is generated from classes contains only a
 * placeholder, because the Service of the operator is not known.
 */
function withWebhookOf(
  live: CustomResourceDefinition | undefined,
  definition: CustomResourceDefinition,
): CustomResourceDefinition {
  const { conversion } = live?.spec ?? {};
  if (conversion?.strategy !== 'Webhook' || definition.spec.conversion?.strategy !== 'Webhook') return definition;
  return { ...definition, spec: { ...definition.spec, conversion } };
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

/**
 * Stops the conversion of a CRD that is about to be deleted, so that its objects can be read and deleted although nothing serves the
 * conversion any more. Does nothing if another client has deleted or replaced the CRD, or while another session serves it.
 */
export async function abandonConversion(client: Client, { name, uid }: InstalledDefinition): Promise<void> {
  await untilWritten(async () => {
    const live = await ignoreNotFound(client.get(CustomResourceDefinition, name));
    if (live === undefined || live.metadata.uid !== uid || sessionOf(live) !== undefined) return;
    if (live.spec.conversion?.strategy === 'Webhook') await replaceConversion(client, live, noConversion);
  });
}

/** Waits until a deleted CRD is gone. Otherwise, the next test could not create objects of its kind. */
export async function waitUntilRemoved(client: Client, { name, uid }: InstalledDefinition): Promise<void> {
  let last: CustomResourceDefinition | undefined;
  const isGone = async (): Promise<void> => {
    last = await ignoreNotFound(client.get(CustomResourceDefinition, name));
    if (last?.metadata.uid === uid) throw new Error(`CRD ${name} still exists`);
  };
  const wait = await waitFor(isGone, { timeout: `${timeoutMs}ms` }, []);
  if ('value' in wait) return;
  const why = last?.status?.conditions?.find(({ type }) => type === 'Terminating')?.message ?? 'no reason is known';
  throw new EvenkeelError(
    'not-converged',
    `CRD ${name} still exists ${timeoutMs / 1000} s after its deletion: ${why}; find its objects with "kubectl get ${name} --all-namespaces", and remove their finalizers`,
    { cause: wait.error },
  );
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

function servedResourcesOf(definition: CustomResourceDefinition): ApiResource[] {
  return definition.spec.versions.filter(({ served }) => served).map(({ name }) => resourceIn(definition, name));
}

/** Undefined if clients cannot use that version. */
function storedResourceOf(definition: CustomResourceDefinition): ApiResource | undefined {
  const version = definition.spec.versions.find(({ storage, served }) => storage && served);
  return version === undefined ? undefined : resourceIn(definition, version.name);
}

function resourceIn({ spec: { group, names, scope } }: CustomResourceDefinition, version: string): ApiResource {
  return { group, version, kind: names.kind, plural: names.plural, namespaced: scope === 'Namespaced' };
}
