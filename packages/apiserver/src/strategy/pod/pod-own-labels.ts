import type { LabelSelector, Pod } from '@evenkeel/kinds';
import type { LabelKeys } from './affinity-validation.ts';

/**
 * Adds the Pod's own labels to the selectors of its affinity and spread constraints, as their `matchLabelKeys` and `mismatchLabelKeys`
 * say. Sources: `mutatePodAffinity` and `mutateTopologySpreadConstraints`, `pkg/registry/core/pod/strategy.go`.
 */
export function selectByOwnLabels({ metadata, spec }: Pod): void {
  const affinities = [spec?.affinity?.podAffinity, spec?.affinity?.podAntiAffinity];
  const terms: (LabelKeys | undefined)[] = [
    ...affinities.flatMap((affinity) => [
      ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
        ({ podAffinityTerm }) => podAffinityTerm,
      ),
      ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ]),
    ...(spec?.topologySpreadConstraints ?? []),
  ];
  for (const term of terms) {
    if (term?.labelSelector === undefined) continue;
    select(term.labelSelector, term.matchLabelKeys, 'In', metadata.labels);
    select(term.labelSelector, term.mismatchLabelKeys, 'NotIn', metadata.labels);
  }
}

function select(
  selector: LabelSelector,
  keys: readonly string[] | undefined,
  operator: 'In' | 'NotIn',
  labels: Readonly<Record<string, string>> | undefined,
): void {
  for (const key of keys ?? []) {
    if (labels === undefined || !Object.hasOwn(labels, key)) continue;
    selector.matchExpressions = [...(selector.matchExpressions ?? []), { key, operator, values: [labels[key] ?? ''] }];
  }
}
