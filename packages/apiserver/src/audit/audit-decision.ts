import { combinedResource } from '../apimachinery/index.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { UserInfo } from '../request/user-info.ts';
import type { AuditGroupResources, AuditLevel, AuditPolicy, AuditPolicyRule, AuditStage } from './audit-policy.ts';

/** What a policy says about one request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

/** Decides what to record of a request; the user is undefined if it could not be authenticated. Source: apiserver `pkg/audit/policy`. */
export function decideAudit(policy: AuditPolicy, user: UserInfo | undefined, info: RequestInfo): AuditDecision {
  const rule = policy.rules.find((candidate) => matches(candidate, user, info));
  return {
    level: rule?.level ?? 'None',
    omitStages: new Set([...(policy.omitStages ?? []), ...(rule?.omitStages ?? [])]),
    omitManagedFields: rule?.omitManagedFields ?? policy.omitManagedFields ?? false,
  };
}

function matches(rule: AuditPolicyRule, user: UserInfo | undefined, info: RequestInfo): boolean {
  const { users = [], userGroups = [], verbs = [], namespaces = [], resources = [], nonResourceURLs = [] } = rule;
  if (users.length > 0 && (user === undefined || !users.includes(user.name))) return false;
  if (userGroups.length > 0 && !user?.groups.some((group) => userGroups.includes(group))) return false;
  if (verbs.length > 0 && !verbs.includes(info.verb)) return false;
  if (namespaces.length > 0 || resources.length > 0) {
    if (!info.isResource || (namespaces.length > 0 && !namespaces.includes(info.namespace))) return false;
    return resources.length === 0 || resources.some((group) => matchesResource(group, info));
  }
  if (nonResourceURLs.length > 0) return !info.isResource && nonResourceURLs.some((url) => matchesPath(url, info.path));
  return true;
}

function matchesResource(
  { group = '', resources = [], resourceNames = [] }: AuditGroupResources,
  info: RequestInfo,
): boolean {
  if (group !== info.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(info.name)) return false;
  const { resource, subresource } = info;
  const combined = combinedResource(info);
  return resources.some(
    (wanted) =>
      wanted === combined ||
      wanted === '*' ||
      wanted === `${resource}/*` ||
      (subresource !== '' && wanted === `*/${subresource}`),
  );
}

function matchesPath(url: string, path: string): boolean {
  return url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1)));
}
