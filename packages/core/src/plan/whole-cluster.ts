import type { PlannedKind } from '../declarations/planned-kind.ts';
import type { PlannedWatch } from '../decorators/watches.ts';
import type { ControllerPlan } from './controller-plan.ts';

/** Kinds of which a cluster may hold more than an operator has memory for. */
const largeKinds = ['secrets', 'configmaps', 'pods'];

/**
 * Whether a watch holds every object of a kind of which a cluster may have very many, where a manager is given neither
 * `namespaces` nor a `cache` that narrows the kind: such a manager refuses to start.
 */
export function holdsWholeCluster(watch: PlannedWatch): boolean {
  const isSelected = [watch.labels, watch.fields].some((selected) => Object.keys(selected).length > 0);
  return !watch.metadataOnly && !isSelected && !watch.wholeCluster && isLarge(watch, largeKinds);
}

/**
 * The same of the kind that a controller reconciles. Whoever reconciles pods or ConfigMaps means all of them; Secrets, of
 * which most are nobody's business, are asked for.
 */
export function reconcilesWholeCluster(plan: ControllerPlan): boolean {
  return !plan.wholeCluster && isLarge(plan, ['secrets']);
}

function isLarge({ resource }: PlannedKind, kinds: readonly string[]): boolean {
  return resource.group === '' && kinds.includes(resource.plural);
}
