import type { Affinity, LabelSelector, PodAffinity } from '@evenkeel/kinds';
import {
  dns1123LabelErrors,
  type FieldError,
  forbidden,
  invalid,
  invalidBy,
  labelKeyErrors,
  required,
  validateLabelSelector,
} from '../../apimachinery/index.ts';
import { validateNodeSelector, validateNodeSelectorTerm } from '../node-selector-validation.ts';

type PodAffinityTerm = NonNullable<PodAffinity['requiredDuringSchedulingIgnoredDuringExecution']>[number];

/** Source: `validateAffinity`, `pkg/apis/core/validation/validation.go`; the errors in its order. */
export function validateAffinity(affinity: Affinity | undefined, path: string): FieldError[] {
  return [
    ...validateNodeAffinity(affinity?.nodeAffinity, `${path}.nodeAffinity`),
    ...(['podAffinity', 'podAntiAffinity'] as const).flatMap((kind) =>
      validatePodAffinity(affinity?.[kind], `${path}.${kind}`),
    ),
  ];
}

function validateNodeAffinity(affinity: Affinity['nodeAffinity'], path: string): FieldError[] {
  const needed = affinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const at = `${path}.preferredDuringSchedulingIgnoredDuringExecution`;
  return [
    ...(needed === undefined
      ? []
      : validateNodeSelector(needed, `${path}.requiredDuringSchedulingIgnoredDuringExecution`)),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({ weight, preference }, index) => [
      ...validateWeight(weight, `${at}[${index}].weight`),
      ...validateNodeSelectorTerm(preference ?? {}, `${at}[${index}].preference`, 'anyValues'),
    ]),
  ];
}

function validatePodAffinity(affinity: Affinity['podAffinity'], path: string): FieldError[] {
  const at = `${path}.preferredDuringSchedulingIgnoredDuringExecution`;
  return [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).flatMap((term, index) =>
      validateTerm(term, `${path}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`),
    ),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(
      ({ weight, podAffinityTerm }, index) => [
        ...validateWeight(weight, `${at}[${index}].weight`),
        ...validateTerm(podAffinityTerm ?? {}, `${at}[${index}].podAffinityTerm`),
      ],
    ),
  ];
}

function validateWeight(weight = 0, path: string): FieldError[] {
  return weight > 0 && weight <= 100 ? [] : [invalid(path, weight, 'must be in the range 1-100')];
}

function validateTerm(term: Partial<PodAffinityTerm>, path: string): FieldError[] {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey = '' } = term;
  return [
    ...validateLabelSelector(labelSelector, `${path}.labelSelector`),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`),
    // As upstream, the path has no index.
    ...namespaces.flatMap((name) => invalidBy(dns1123LabelErrors, `${path}.namespace`, name)),
    ...validateLabelKeys(term, path),
    ...(topologyKey === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
    ...invalidBy(labelKeyErrors, `${path}.topologyKey`, topologyKey),
  ];
}

/** The keys of labels whose values come from the Pod itself. */
export interface LabelKeys {
  readonly labelSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

/** Source: `ValidateMatchLabelKeysAndMismatchLabelKeys`. */
export function validateLabelKeys(term: LabelKeys, path: string): FieldError[] {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  const errors = (['matchLabelKeys', 'mismatchLabelKeys'] as const).flatMap((list) => {
    const keys = term[list] ?? [];
    if (keys.length > 0 && labelSelector === undefined) {
      return [forbidden(`${path}.${list}`, 'must not be specified when labelSelector is not set')];
    }
    return keys.flatMap((key, index) => invalidBy(labelKeyErrors, `${path}.${list}[${index}]`, key));
  });
  const places = new Map(matchLabelKeys.map((key, index) => [key, index]));
  const mismatched = new Set(mismatchLabelKeys);
  const selected = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  for (const { key = '' } of labelSelector?.matchExpressions ?? []) {
    const index = places.get(key);
    // As upstream, the path does not name the list.
    if (index !== undefined && selected.has(key)) {
      errors.push(invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector'));
    }
    selected.add(key);
  }
  for (const [index, key] of matchLabelKeys.entries()) {
    if (!mismatched.has(key)) continue;
    const at = `${path}.matchLabelKeys[${index}]`;
    errors.push(invalid(at, key, 'exists in both matchLabelKeys and mismatchLabelKeys'));
  }
  return errors;
}
