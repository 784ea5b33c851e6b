import { resolve } from 'node:path';
import { type Client, type Connection, createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { type Clock, EvenkeelError, type Transport } from '@evenkeel/core';
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
  } catch (error) {
    throw ofEndedSession(error, connection);
  } finally {
    await transport.close();
  }
}

/** The context in the kubeconfig of an embedded server. */
const embeddedContext = 'evenkeel';

/** Adds the fix to the error of a server that was started by `evenkeel dev`, which has left its kubeconfig behind if it was killed. */
function ofEndedSession(error: unknown, { context }: Connection): unknown {
  if (context !== embeddedContext || !(error instanceof EvenkeelError) || error.code !== 'cluster-unreachable')
    return error;
  const { code, message } = error;
  const fix = 'this is the server of a session of evenkeel dev; start evenkeel dev again, or use another kubeconfig';
  return new EvenkeelError(code, `${message}; ${fix}`, { cause: error });
}
