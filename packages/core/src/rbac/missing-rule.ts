import type { ControllerPlan } from '../controller-plan.ts';
import { type Access, combinedResource, type RbacRole, roleAllows } from './rbac-role.ts';

/** Names kinds for people: by group and plural, `Deployment`; undefined where it is not known. */
export type KindNames = (group: string, plural: string) => string | undefined;

/** The names of the kinds that controllers declare. */
export function declaredKindNames(plans: readonly ControllerPlan[]): KindNames {
  const planned = plans.flatMap((plan) => [plan, ...plan.owns, ...plan.watches]);
  return (group, plural) =>
    planned.find(({ resource }) => resource.group === group && resource.plural === plural)?.kind.name;
}

/** The decorator that asks for a rule: `@Rbac(Pod, ['create'], { subresource: 'eviction' })`. */
export function decoratorFor(access: Access, nameOf: KindNames): string {
  const verbs = access.verb === 'apply' ? "['create', 'patch']" : `['${access.verb}']`;
  if ('path' in access) return `@Rbac('${access.path}', ${verbs})`;
  const { group, resource, subresource } = access;
  const target = nameOf(group, resource) ?? `{ group: '${group}', plural: '${resource}' }`;
  return `@Rbac(${target}, ${verbs}${subresource === '' ? '' : `, { subresource: '${subresource}' }`})`;
}

/** What to do about a request that was refused, or that no rule allows. */
export function mendOfRefusal(access: Access, roles: readonly RbacRole[], nameOf: KindNames): string {
  const single: Access[] =
    access.verb === 'apply' ? ['create', 'patch'].map((verb) => ({ ...access, verb })) : [access];
  const isDerived = single.every((one) => roles.some((role) => roleAllows(role, one)));
  if (isDerived) {
    return 'the roles that "evenkeel generate" writes allow it; bring them to the cluster with "kubectl apply -f config/rbac"';
  }
  return `add ${decoratorFor(access, nameOf)} above the class that asks for it, run "evenkeel generate" and apply config/rbac`;
}

/** `get configmaps`, `patch nginxes.web.example.com/status`, `get /metrics`. */
export function describeAccess(access: Access): string {
  if ('path' in access) return `${access.verb} ${access.path}`;
  const { verb, group, resource, subresource } = access;
  const groupResource = group === '' ? resource : `${resource}.${group}`;
  return `${verb} ${combinedResource({ resource: groupResource, subresource })}`;
}
