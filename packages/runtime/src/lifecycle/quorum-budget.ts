import type { PodDisruptionBudget } from '@evenkeel/kinds';
import { quorumOf } from './quorum.ts';

/**
 * Returns the PodDisruptionBudget of a group that votes: evictions, such as those of `kubectl drain`, leave a quorum of ready pods.
 * Apply it as a child in each reconcile.
 *
 * With one or two members, it allows no eviction at all: each would interrupt the group. To drain their node, delete the pods.
 *
 * @param size the number of members that vote now, not the desired number.
 */
export function quorumBudget(
  metadata: { readonly name: string; readonly labels?: Record<string, string> },
  matchLabels: Record<string, string>,
  size: number,
): PodDisruptionBudget & { apiVersion: 'policy/v1'; kind: 'PodDisruptionBudget' } {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata,
    spec: { minAvailable: quorumOf(size), selector: { matchLabels } },
  };
}
