import { resolve } from 'node:path';
import { type Client, type Connection, createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import type { Clock, Transport } from '@evenkeel/core';
import type { Terminal } from '../terminal.ts';

/**
 * Calls `use` with a client of the cluster of a kubeconfig, and closes its connections afterwards. Default of `kubeconfig`: the
 * one that kubectl uses. Default of `context`: its current one. Throws the errors of `loadConnection`.
 */
export async function withCluster<T>(
  kubeconfig: string | undefined,
  clock: Clock,
  { folder }: Terminal,
  use: (client: Client, connection: Connection, transport: Transport) => Promise<T>,
  context?: string,
): Promise<T> {
  const path = kubeconfig === undefined ? {} : { kubeconfig: resolve(folder, kubeconfig) };
  const connection = await loadConnection({ ...path, context, clock });
  const transport = httpsTransport(connection);
  try {
    return await use(createClient(transport, { clock, userAgent: 'evenkeel' }), connection, transport);
  } finally {
    await transport.close();
  }
}
