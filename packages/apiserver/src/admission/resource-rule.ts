import type { GroupVersionKind } from '@evenkeel/core';
import type { AdmissionRequest } from '../registry/write-request.ts';

export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** What the rules of webhooks and policies decide about. */
export interface RequestAttributes {
  readonly operation: AdmissionRequest['operation'];
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** For a Namespace, its own name. */
  readonly namespace: string;
  readonly name: string;
}

export interface ResourceRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  /** Only in policies. Default: all names. */
  readonly resourceNames?: readonly string[];
}

/** Source: `Matcher` of apiserver `pkg/admission/plugin/webhook/predicates/rules`. */
export function matchesRule(
  rule: ResourceRule,
  { operation, subresource, namespace, name }: RequestAttributes,
  resource: GroupVersionResource,
): boolean {
  const isNamespace = resource.group === '' && resource.version === 'v1' && resource.resource === 'namespaces';
  const isNamespaced = !isNamespace && namespace !== '';
  if (rule.scope === 'Namespaced' && !isNamespaced) return false;
  if (rule.scope === 'Cluster' && isNamespaced) return false;
  if (!includes(rule.operations, operation) || !includes(rule.apiGroups, resource.group)) return false;
  if (!includes(rule.apiVersions, resource.version)) return false;
  if (rule.resourceNames !== undefined && rule.resourceNames.length > 0 && !rule.resourceNames.includes(name)) {
    return false;
  }
  return (rule.resources ?? []).some((text) => {
    const slash = text.indexOf('/');
    const parent = slash < 0 ? text : text.slice(0, slash);
    const part = slash < 0 ? '' : text.slice(slash + 1);
    return (parent === '*' || parent === resource.resource) && (part === '*' || part === subresource);
  });
}

function includes(values: readonly string[] = [], value: string): boolean {
  return values.includes('*') || values.includes(value);
}
