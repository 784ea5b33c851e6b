import { labelRequirementsOf, matchesLabels } from '@evenkeel/core';
import type { Node, PodSpec, Toleration } from '@evenkeel/kinds';

export type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];
type NodeSelectorTerm = NonNullable<
  NonNullable<
    NonNullable<NonNullable<PodSpec['affinity']>['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
  >['nodeSelectorTerms']
>[number];
type NodeSelectorRequirement = NonNullable<NodeSelectorTerm['matchExpressions']>[number];

export const nodeNameField = 'metadata.name';

/** The terms of a required node affinity, of which one must match; undefined if there is no such affinity. */
export function requiredTerms(spec: PodSpec | undefined): readonly NodeSelectorTerm[] | undefined {
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined ? undefined : (required.nodeSelectorTerms ?? []);
}

/**
 * Whether a node has what a pod selects with `nodeSelector` and a required node affinity.
 * Source: `GetRequiredNodeAffinity`, `component-helpers/scheduling/corev1/nodeaffinity`.
 */
export function selectsNode(spec: PodSpec | undefined, node: Node): boolean {
  if (!matchesLabels(labelRequirementsOf({ matchLabels: spec?.nodeSelector ?? {} }), node.metadata.labels))
    return false;
  const terms = requiredTerms(spec);
  return terms === undefined || terms.some((term) => matchesTerm(term, node));
}

/** The only nodes that a pod selects, if it selects them by name. Source: `PreFilter` of the plugin NodeAffinity. */
export function namedNodes(spec: PodSpec | undefined): ReadonlySet<string> | undefined {
  const terms = requiredTerms(spec);
  if (terms === undefined || terms.length === 0) return undefined;
  const names = new Set<string>();
  for (const { matchFields = [] } of terms) {
    const lists = matchFields.filter(({ key, operator }) => key === nodeNameField && operator === 'In');
    if (lists.length === 0) return undefined;
    const [first, ...others] = lists.map(({ values = [] }) => values);
    for (const name of first ?? []) if (others.every((values) => values.includes(name))) names.add(name);
  }
  return names;
}

/** A term without requirements matches no node. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const { name, labels = {} } = node.metadata;
  return meets(matchExpressions, labels) && meets(matchFields, { [nodeNameField]: name });
}

function meets(requirements: readonly NodeSelectorRequirement[], values: Readonly<Record<string, string>>): boolean {
  const translated = requirements.map(({ key, operator, values: wanted }) => ({
    key,
    operator: operator === 'Gt' ? 'GreaterThan' : operator === 'Lt' ? 'LessThan' : operator,
    values: wanted ?? [],
  }));
  return matchesLabels(labelRequirementsOf({ matchExpressions: translated }), values);
}

/** The first of the taints with one of the effects that no toleration tolerates. */
export function untoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly Taint['effect'][],
): Taint | undefined {
  return taints?.find((taint) => effects.includes(taint.effect) && !tolerations?.some((one) => tolerates(one, taint)));
}

/** Source: `ToleratesTaint`, `k8s.io/api/core/v1/toleration.go`. */
export function tolerates({ key, operator, value = '', effect }: Toleration, taint: Taint): boolean {
  // Go cannot tell an empty field from an absent one.
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === 'Exists' || value === (taint.value ?? '');
}
