import type { Client } from '@evenkeel/client';
import { EvenkeelError, type HostedConversion } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { definitionWithoutOtherSession } from './definition-without-other-session.ts';
import {
  type Conversion,
  originalAnnotations,
  replaceConversion,
  restoreConversion,
  untilWritten,
} from './restore-conversion.ts';
import { type SessionMark, sessionLabel } from './session-mark.ts';

/**
 * Makes the CRD of a kind call a webhook of this process. Returns what restores its conversion. Throws `dev-session-running` if
 * another process serves it.
 */
export async function convertBy(
  client: Client,
  { group, plural }: HostedConversion,
  webhook: NonNullable<Conversion['webhook']>,
  { labels, annotations }: SessionMark,
): Promise<() => Promise<void>> {
  const name = `${plural}.${group}`;
  await untilWritten(async () => {
    const before = await definitionWithoutOtherSession(client, name);
    if (before === undefined) {
      throw new EvenkeelError(
        'not-converged',
        `CRD ${name} does not exist, so its versions cannot be converted; install it before the operator starts`,
      );
    }
    const { metadata } = before;
    const conversion = { strategy: 'Webhook', webhook };
    await replaceConversion(client, before, conversion, {
      labels: { ...metadata.labels, ...labels },
      annotations: { ...metadata.annotations, ...originalAnnotations(before), ...annotations },
    });
  });
  return () => restoreConversion(client, name, labels[sessionLabel]);
}

/** Replaces the whole conversion of a CRD. */
export function setConversion(client: Client, name: string, value: Conversion): Promise<CustomResourceDefinition> {
  return client.patch(CustomResourceDefinition, name, { json: [{ op: 'add', path: '/spec/conversion', value }] });
}
