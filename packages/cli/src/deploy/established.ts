import type { Client } from '@evenkeel/client';
import { EvenkeelError } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds/apiextensions/v1';
import type { WaitOptions } from './wait-options.ts';

const pollMs = 200;

/** Waits until the API server serves a CRD. Throws `not-rolled-out` if it rejects the names of the CRD, or after the time limit. */
export async function waitUntilEstablished(
  client: Client,
  name: string,
  { clock, deadlineMs, signal }: Omit<WaitOptions, 'progress'>,
): Promise<void> {
  for (;;) {
    const { status } = await client.get(CustomResourceDefinition, name, { signal });
    const conditions = status?.conditions ?? [];
    const rejected = conditions.find((condition) => condition.type === 'NamesAccepted' && condition.status === 'False');
    if (rejected !== undefined) {
      throw new EvenkeelError(
        'not-rolled-out',
        `CRD ${name}: the API server rejects its names: ${rejected.message}; change the names, or delete the CRD that uses them`,
      );
    }
    if (conditions.some((condition) => condition.type === 'Established' && condition.status === 'True')) return;
    if (clock.monotonic() >= deadlineMs) {
      throw new EvenkeelError(
        'not-rolled-out',
        `CRD ${name}: not established within the time limit; check its conditions with "kubectl describe crd ${name}"`,
      );
    }
    await clock.sleep(pollMs, signal);
  }
}
