import type { Client, DeleteOptions, KeyLike } from './client.ts';
import { keyOf } from './key.ts';
import { podResource } from './pod-resource.ts';
import { readBody } from './response-body.ts';

/**
 * Evicts a pod if its disruption budgets allow it. Otherwise rejects with an error for which `isTooManyRequests` is
 * true. Try again later: the client does not retry this, because a budget may be exhausted for hours.
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
