/** `rbac.authorization.k8s.io/v1` PolicyRule. */
export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** One request, as an authorizer sees it. */
export type Access = ResourceAccess | PathAccess;

export interface ResourceAccess {
  readonly verb: string;
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** Empty where it is about the objects themselves. */
  readonly subresource: string;
  /** Empty for cluster-scoped objects, and for a list or watch of all namespaces. */
  readonly namespace: string;
  /** Empty for collections, and for objects that are to be created. */
  readonly name: string;
}

export interface PathAccess {
  readonly verb: string;
  readonly path: string;
}

const has = (list: readonly string[] | undefined, ...wanted: readonly string[]): boolean =>
  list?.some((item) => wanted.includes(item)) === true;

/** Whether a rule allows an access, wherever the rule holds (`rbac.RuleAllows`, `plugin/pkg/auth/authorizer/rbac`). */
export function ruleAllows(rule: PolicyRule, access: Access): boolean {
  if (!has(rule.verbs, '*', access.verb)) return false;
  if ('path' in access) {
    return (rule.nonResourceURLs ?? []).some(
      (url) => url === '*' || url === access.path || (url.endsWith('*') && access.path.startsWith(url.slice(0, -1))),
    );
  }
  const combined = combinedResource(access);
  const resources = access.subresource === '' ? ['*', combined] : ['*', combined, `*/${access.subresource}`];
  return (
    has(rule.apiGroups, '*', access.group) &&
    has(rule.resources, ...resources) &&
    ((rule.resourceNames ?? []).length === 0 || has(rule.resourceNames, access.name))
  );
}

/** `pods/status`, as rules write it. */
export function combinedResource({ resource, subresource }: Pick<ResourceAccess, 'resource' | 'subresource'>): string {
  return subresource === '' ? resource : `${resource}/${subresource}`;
}
