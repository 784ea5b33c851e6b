import type { AccessAttributes } from './authorizer.ts';

/** `rbac.authorization.k8s.io/v1` PolicyRule. */
export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const has = (list: readonly string[] | undefined, ...wanted: readonly string[]): boolean =>
  list?.some((item) => wanted.includes(item)) === true;

/** Whether a rule allows it, by `rbac.RuleAllows`. */
export function ruleAllows(rule: PolicyRule, access: AccessAttributes): boolean {
  if (!has(rule.verbs, '*', access.verb)) return false;
  if (!access.isResource) {
    return (rule.nonResourceURLs ?? []).some(
      (url) => url === '*' || url === access.path || (url.endsWith('*') && access.path.startsWith(url.slice(0, -1))),
    );
  }
  const combined = access.subresource === '' ? access.resource : `${access.resource}/${access.subresource}`;
  const resources = access.subresource === '' ? ['*', combined] : ['*', combined, `*/${access.subresource}`];
  return (
    has(rule.apiGroups, '*', access.group) &&
    has(rule.resources, ...resources) &&
    ((rule.resourceNames ?? []).length === 0 || has(rule.resourceNames, access.name))
  );
}
