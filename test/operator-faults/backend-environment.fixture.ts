import { createClient } from '@evenkeel/client';
import { type Clock, SeededRandom, SystemClock, type Transport } from '@evenkeel/core';
import { CustomResourceDefinition, Namespace } from '@evenkeel/kinds';
import type { OperatorConnection, Stoppable, SweepOptions } from '@evenkeel/testing';
import type { ApiBackend } from '../api-backend.fixture.ts';
import { siteDefinition } from './site-operator.fixture.ts';

/** A server of `describeOnEveryServer` as an environment for sweeps, with the kind Site. */
export async function environmentOn(
  backend: ApiBackend,
  { clock = new SystemClock(), seed = 1 }: { readonly clock?: Clock; readonly seed?: number } = {},
): Promise<SweepOptions['environment']> {
  const client = createClient(backend.transport(), { fieldManager: 'test' });
  await installSites(client);
  const random = new SeededRandom(seed);
  return {
    client,
    createNamespace: async () => {
      const { metadata } = await client.create(Namespace, { metadata: { generateName: 'sweep-' } });
      return metadata.name;
    },
    run: async <T extends Stoppable>(operator: (connection: OperatorConnection) => Promise<T>): Promise<T> => {
      const transport: Transport = backend.transport();
      return await operator({ transport, clock, random });
    },
  };
}

/** Waits until the kind can be listed: a real server needs a moment after the CRD is applied. */
export async function installSites(
  client: SweepOptions['environment']['client'],
  definition = siteDefinition(),
): Promise<void> {
  await client.apply(CustomResourceDefinition, definition as never, { force: true });
  const sites = { group: 'faults.example.com', version: 'v1', kind: 'Site', plural: 'sites', namespaced: true };
  for (let isServed = false; !isServed; ) {
    isServed = await client.list(sites, { limit: 1 }).then(
      () => true,
      () => false,
    );
    if (!isServed) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
