import type { LabelSelectorSpec } from '@evenkeel/apimachinery/selector';
import type { WebhookPlan } from './webhook-plan.ts';

/** The label that the API server sets on every Namespace. */
const namespaceNameLabel = 'kubernetes.io/metadata.name';

/** Returns the selector that a webhook or policy declares, limited to the namespaces of the operator; undefined for all namespaces. */
export function namespaceSelectorOf({
  selection: { namespaceSelector },
  namespaces,
}: Pick<WebhookPlan, 'selection' | 'namespaces'>): LabelSelectorSpec | undefined {
  if (namespaces === undefined) return namespaceSelector;
  const { matchExpressions = [] } = namespaceSelector ?? {};
  // The code that reads the selector reports invalid values.
  if (!Array.isArray(matchExpressions)) return namespaceSelector;
  return {
    ...namespaceSelector,
    matchExpressions: [...matchExpressions, { key: namespaceNameLabel, operator: 'In', values: [...namespaces] }],
  };
}
