import type { Client } from '@evenkeel/client';
import { EvenkeelError, type HostedConversion, ignoreNotFound } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { addressAnnotation, originalConversionAnnotation, type SessionMark, sessionLabel } from './session-mark.ts';

type Conversion = NonNullable<CustomResourceDefinition['spec']['conversion']>;

/** Makes the CRD of a kind call a webhook of this process. Returns what restores its conversion. */
export async function convertBy(
  client: Client,
  { group, plural }: HostedConversion,
  webhook: NonNullable<Conversion['webhook']>,
  { labels, annotations }: SessionMark,
): Promise<() => Promise<void>> {
  const name = `${plural}.${group}`;
  const before = await ignoreNotFound(client.get(CustomResourceDefinition, name));
  if (before === undefined) {
    throw new EvenkeelError(
      'not-converged',
      `CRD ${name} does not exist, so its versions cannot be converted; install it before the operator starts`,
    );
  }
  // Another session may convert it too.
  const original =
    before.metadata.annotations?.[originalConversionAnnotation] ??
    JSON.stringify(before.spec.conversion ?? { strategy: 'None' });
  const marks = { labels, annotations: { ...annotations, [originalConversionAnnotation]: original } };
  await client.patch(CustomResourceDefinition, name, { merge: { metadata: marks } });
  await setConversion(client, name, { strategy: 'Webhook', webhook });
  return () => restore(client, name, original);
}

/** Restores the conversion of a CRD, and then removes the marks of the session. Does nothing if the CRD does not exist any more. */
export async function restore(client: Client, name: string, original: string): Promise<void> {
  const restored = await ignoreNotFound(setConversion(client, name, JSON.parse(original) as Conversion));
  if (restored === undefined) return;
  const merge = {
    metadata: {
      labels: { [sessionLabel]: null },
      annotations: { [addressAnnotation]: null, [originalConversionAnnotation]: null },
    },
  };
  await ignoreNotFound(client.patch(CustomResourceDefinition, name, { merge }));
}

/** Replaces the whole conversion of a CRD. */
export function setConversion(client: Client, name: string, value: Conversion): Promise<CustomResourceDefinition> {
  return client.patch(CustomResourceDefinition, name, { json: [{ op: 'add', path: '/spec/conversion', value }] });
}
