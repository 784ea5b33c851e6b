import type { Client, DeleteOptions, KeyLike } from './client.ts';
import { keyOf } from './key.ts';
import { podResource } from './pod-resource.ts';
import { readBody } from './response-body.ts';

/**
 * Asks for a pod to be removed as far as the disruption budgets that cover it allow. Rejects where they do not, with an
 * error for which `isTooManyRequests` is true: ask again later; it is not retried by itself, because a budget may stay
 * spent for hours.
 */
export async function evict(client: Client, pod: KeyLike, options: DeleteOptions = {}): Promise<void> {
  const { signal, dryRun, ...rest } = options;
  const { namespace, name } = keyOf(pod);
  const deleteOptions = { ...rest, ...(dryRun === true ? { dryRun: ['All'] } : {}) };
  const response = await client.send({
    verb: 'create',
    resource: podResource,
    namespace,
    name,
    subresource: 'eviction',
    contentType: 'application/json',
    body: JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions }),
    retry: false,
    signal,
  });
  await readBody(response);
}
