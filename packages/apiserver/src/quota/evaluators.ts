import { groupResourceOf } from '@evenkeel/core';
import { objectCountEvaluator } from './object-count-evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import { resourceClaimEvaluator } from './resource-claim-evaluator.ts';
import { serviceEvaluator } from './service-evaluator.ts';
import { volumeClaimEvaluator } from './volume-claim-evaluator.ts';

/** The evaluators of kinds that are not only counted as `count/RESOURCE.GROUP`. */
const special = new Map<string, QuotaEvaluator>([
  ['pods', podEvaluator],
  ['services', serviceEvaluator],
  ['persistentvolumeclaims', volumeClaimEvaluator],
  ['resourceclaims.resource.k8s.io', resourceClaimEvaluator],
  ...['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'].map(
    (name) => [name, objectCountEvaluator(`count/${name}`, name)] as const,
  ),
]);

/** Resources that no quota counts (`DefaultIgnoredResources`). */
const ignored = new Set(['events', 'events.events.k8s.io', 'bindings']);

/** Returns the rules for a resource; undefined if quotas ignore it. Source: `pkg/quota/v1/install`. */
export function quotaEvaluatorOf(resource: {
  readonly group: string;
  readonly plural: string;
}): QuotaEvaluator | undefined {
  const name = groupResourceOf(resource);
  if (ignored.has(name)) return undefined;
  return special.get(name) ?? objectCountEvaluator(`count/${name}`);
}
