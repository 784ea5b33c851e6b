import type { PlannedKind } from '../declarations/planned-kind.ts';
import type { PlannedWatch } from '../decorators/watches.ts';
import type { ControllerPlan } from './controller-plan.ts';

/** Kinds whose objects in a cluster may need more memory than an operator has. */
const largeKinds = ['secrets', 'configmaps', 'pods'];

/**
 * Reports whether a watch caches every object of a kind of which a cluster may have very many. A manager with such a watch does
 * not start without `namespaces`, or a `cache` that restricts the kind.
 */
export function holdsWholeCluster(
  watch: Pick<PlannedWatch, 'kind' | 'resource' | 'metadataOnly' | 'labels' | 'fields' | 'wholeCluster'>,
): boolean {
  const isSelected = [watch.labels, watch.fields].some((selected) => Object.keys(selected).length > 0);
  return !watch.metadataOnly && !isSelected && !watch.wholeCluster && isLarge(watch, largeKinds);
}

/**
 * The same for the reconciled kind. A controller of Pods or ConfigMaps needs all of them. For Secrets it must be explicit,
 * because most of them do not concern the operator.
 */
export function reconcilesWholeCluster(plan: ControllerPlan): boolean {
  return !plan.wholeCluster && isLarge(plan, ['secrets']);
}

function isLarge({ resource }: PlannedKind, kinds: readonly string[]): boolean {
  return resource.group === '' && kinds.includes(resource.plural);
}
