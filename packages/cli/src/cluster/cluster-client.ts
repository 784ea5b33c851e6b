import { resolve } from 'node:path';
import { type Client, createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import type { Clock } from '@evenkeel/core';
import type { Terminal } from '../terminal.ts';

/**
 * Calls `use` with a client of the cluster of a kubeconfig, and closes its connections afterwards. Default of `kubeconfig`: the
 * one that kubectl uses. Throws the errors of `loadConnection`.
 */
export async function withCluster<T>(
  kubeconfig: string | undefined,
  clock: Clock,
  { folder }: Terminal,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const path = kubeconfig === undefined ? {} : { kubeconfig: resolve(folder, kubeconfig) };
  const transport = httpsTransport(await loadConnection({ ...path, clock }));
  try {
    return await use(createClient(transport, { clock, userAgent: 'evenkeel' }));
  } finally {
    await transport.close();
  }
}
