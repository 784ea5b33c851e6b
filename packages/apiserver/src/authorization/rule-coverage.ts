import { goQuoteList, type PolicyRule, trimRight } from '../apimachinery/index.ts';

/**
 * The parts of wanted rules that no single rule of the owner allows. Each part has one verb, and one resource with at most one
 * name or one path (`validation.Covers` of component-helpers `auth/rbac/validation`).
 */
export function uncoveredRules(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap(partsOf).filter((part) => !owned.some((rule) => covers(rule, part)));
}

/**
 * Describes rules as messages list them: sorted, and the verbs for the same resource or object in one rule (`CompactRules` of
 * `pkg/registry/rbac/validation`, `CompactString` of `pkg/apis/rbac/v1`).
 */
export function describeRules(parts: readonly PolicyRule[]): readonly string[] {
  const compacted = new Map<string, PolicyRule>();
  for (const part of parts) {
    const { nonResourceURLs, verbs = [], ...resource } = part;
    const key = JSON.stringify(nonResourceURLs === undefined ? resource : part);
    const known = compacted.get(key);
    if (known === undefined) compacted.set(key, part);
    else if (nonResourceURLs === undefined) compacted.set(key, { ...known, verbs: [...(known.verbs ?? []), ...verbs] });
  }
  return [...new Set([...compacted.values()].map(describe))].sort();
}

interface RulePart {
  readonly verbs: readonly [string];
  readonly apiGroups?: readonly [string];
  readonly resources?: readonly [string];
  readonly resourceNames?: readonly [string];
  readonly nonResourceURLs?: readonly [string];
}

function partsOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): RulePart[] {
  const parts: RulePart[] = [];
  for (const group of apiGroups ?? []) {
    for (const resource of resources ?? []) {
      for (const verb of verbs ?? []) {
        const part: RulePart = { apiGroups: [group], resources: [resource], verbs: [verb] };
        const names = resourceNames ?? [];
        if (names.length === 0) parts.push(part);
        else parts.push(...names.map((name): RulePart => ({ ...part, resourceNames: [name] })));
      }
    }
  }
  for (const url of nonResourceURLs ?? []) {
    parts.push(...(verbs ?? []).map((verb): RulePart => ({ nonResourceURLs: [url], verbs: [verb] })));
  }
  return parts;
}

function covers(rule: PolicyRule, { verbs, apiGroups, resources, resourceNames, nonResourceURLs }: RulePart): boolean {
  if (!hasAny(rule.verbs, '*', verbs[0])) return false;
  if (nonResourceURLs !== undefined)
    return (rule.nonResourceURLs ?? []).some((url) => pathCovers(url, nonResourceURLs[0]));
  const [group = ''] = apiGroups ?? [];
  const [resource = ''] = resources ?? [];
  const slash = resource.indexOf('/');
  const everySubresource = slash < 0 ? [] : [`*${resource.slice(slash)}`];
  if (!hasAny(rule.apiGroups, '*', group) || !hasAny(rule.resources, '*', resource, ...everySubresource)) return false;
  const names = rule.resourceNames ?? [];
  return names.length === 0 || (resourceNames !== undefined && names.includes(resourceNames[0]));
}

function pathCovers(owned: string, path: string): boolean {
  return owned === path || (owned.endsWith('*') && path.startsWith(trimRight(owned, '*')));
}

function hasAny(list: readonly string[] | undefined, ...wanted: readonly string[]): boolean {
  return list?.some((item) => wanted.includes(item)) === true;
}

const shownFields = [
  ['APIGroups', 'apiGroups'],
  ['Resources', 'resources'],
  ['NonResourceURLs', 'nonResourceURLs'],
  ['ResourceNames', 'resourceNames'],
  ['Verbs', 'verbs'],
] as const;

function describe(rule: PolicyRule): string {
  const fields = shownFields.flatMap(([shown, field]) => {
    const values = rule[field] ?? [];
    return values.length === 0 ? [] : [`${shown}:${goQuoteList(values)}`];
  });
  return `{${fields.join(', ')}}`;
}
