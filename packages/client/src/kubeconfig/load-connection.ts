import type { Connection } from '../connection.ts';
import type { LoadConnectionOptions } from './load-connection-options.ts';

/**
 * Finds the cluster as controller-runtime does. It uses the first of these: the named file, `KUBECONFIG` (several files
 * are merged), the pod's service account, `~/.kube/config`. It reads files and opens no connection.
 *
 * Throws `kubeconfig-not-found`, and `invalid-kubeconfig` if a required entry or field is missing. It reads the
 * authority's file at once. Other files that the entries refer to are read with the first request, which rejects with
 * `credentials-unavailable` if one cannot be read.
 */
export async function loadConnection(options: LoadConnectionOptions = {}): Promise<Connection> {
  // Loaded here, because a client of an embedded server in the same process reads no kubeconfig.
  const { findConnection } = await import('./find-connection.ts');
  return await findConnection(options);
}
