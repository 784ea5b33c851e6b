import type { UpgradeGraph } from '../catalog/upgrade-graph.ts';
import type { InstalledBundle } from './installed-bundle.ts';

/** What a Subscription of OLM v0 asks for. */
export interface SubscriptionRequest {
  /** Missing if nothing is installed yet. */
  readonly installed?: InstalledBundle;
  /** `startingCSV`: the bundle to install first. It has no effect on upgrades. */
  readonly startingCsv?: string;
}

/**
 * The bundle that OLM v0 installs next from a channel; undefined if it installs nothing, because there is no upgrade, or because the
 * channel has no head, several heads, or a circle. One upgrade leads to the next, until nothing follows.
 *
 * Source: `pkg/controller/registry/resolver/resolver.go` (`getSubscriptionVariables`, `sortChannel`) of
 * github.com/operator-framework/operator-lifecycle-manager. Dependencies and other operators are not considered.
 */
export function resolveSubscription(
  graph: UpgradeGraph,
  { installed, startingCsv }: SubscriptionRequest = {},
): string | undefined {
  if (installed === undefined && startingCsv !== undefined) return graph.entry(startingCsv)?.name;
  const order = installationOrder(graph);
  if (installed === undefined) return order[0];
  const next = new Set(graph.successorsOf(installed).map(({ to }) => to));
  return order.find((name) => next.has(name));
}

/** The entries that OLM v0 can install, from the head along `replaces`, without those that an entry skips. */
function installationOrder(graph: UpgradeGraph): string[] {
  if (graph.heads.length !== 1) return [];
  const skipped = new Set(graph.entries.flatMap(({ skips }) => skips));
  const seen = new Set<string>();
  let [next] = graph.heads;
  while (next !== undefined && graph.entry(next) !== undefined) {
    if (seen.has(next)) return [];
    seen.add(next);
    next = graph.entry(next)?.replaces;
  }
  return [...seen].filter((name) => !skipped.has(name));
}
