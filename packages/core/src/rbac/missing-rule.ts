import { type Access, combinedResource, type ResourceAccess } from '@evenkeel/apimachinery/rbac';
import type { ControllerPlan } from '../plan/controller-plan.ts';
import { type RbacRole, roleAllows } from './rbac-role.ts';

/** Returns the name of a kind by group and plural: `Deployment`; undefined if it is unknown. */
export type KindNames = (group: string, plural: string) => string | undefined;

/** Returns the names of the kinds that controllers declare. */
export function declaredKindNames(plans: readonly ControllerPlan[]): KindNames {
  const planned = plans.flatMap(({ cached }) => cached);
  return (group, plural) =>
    planned.find(({ resource }) => resource.group === group && resource.plural === plural)?.kind.name;
}

/** Returns the decorator that adds a rule: `@Rbac(Pod, ['create'], { subresource: 'eviction' })`. */
export function decoratorFor(access: Access, nameOf: KindNames, namespace?: string): string {
  if ('path' in access) return `@Rbac('${access.path}', ['${access.verb}'])`;
  const { group, resource, subresource, verb } = access;
  const target = nameOf(group, resource) ?? `{ group: '${group}', plural: '${resource}' }`;
  const options = [
    ...(subresource === '' ? [] : [`subresource: '${subresource}'`]),
    ...(namespace === undefined ? [] : [`namespace: '${namespace}'`]),
  ];
  return `@Rbac(${target}, ['${verb}']${options.length === 0 ? '' : `, { ${options.join(', ')} }`})`;
}

/** Returns the fix for a rejected request, or for one that no role allows. */
export function fixOfRejection(access: Access, roles: readonly RbacRole[], nameOf: KindNames): string {
  if (roles.some((role) => roleAllows(role, access))) {
    return 'the roles that "evenkeel generate" writes allow it; apply them with "kubectl apply -f config/rbac"';
  }
  // The operator has this permission in the namespaces that it watches, but not in this one.
  const isElsewhere =
    'group' in access &&
    access.namespace !== '' &&
    roles.some((role) => role.namespace !== undefined && roleAllows({ ...role, namespace: undefined }, access));
  const decorator = decoratorFor(access, nameOf, isElsewhere ? access.namespace : undefined);
  return `add ${decorator} above the class that asks for it, run "evenkeel generate" and apply config/rbac`;
}

/** Returns a description such as `get configmaps`, `patch nginxes.web.example.com/status` or `get /metrics`. */
export function describeAccess(access: Access): string {
  if ('path' in access) return `${access.verb} ${access.path}`;
  const { verb, group, resource, subresource } = access;
  const groupResource = group === '' ? resource : `${resource}.${group}`;
  return `${verb} ${combinedResource({ resource: groupResource, subresource })}`;
}

/**
 * Returns the access that the API server's authorizer denied. It reads the message of the authorizer
 * (`responsewriters.ForbiddenMessage`), or that of the admission plugin OwnerReferencesPermissionEnforcement about the object
 * of `asked`. Returns undefined if the request was rejected for another reason than RBAC.
 */
export function rejectedAccess(message: string, asked: ResourceAccess): ResourceAccess | undefined {
  const said = /cannot (\w+) resource "([^"/]+)(?:\/([^"]+))?" in API group "([^"]*)"/.exec(message);
  if (said !== null) {
    const [, verb = '', resource = '', subresource = '', group = ''] = said;
    const [, namespace = ''] = /in the namespace "([^"]+)"/.exec(message) ?? [];
    return { verb, group, resource, subresource, namespace, name: asked.name };
  }
  if (message.includes("cannot set an ownerRef on a resource you can't delete")) {
    return { ...asked, verb: 'delete', subresource: '' };
  }
  return undefined;
}

/** Reports whether a message is about the finalizers of an owner. Such a message does not name the owner's kind. */
export function isOwnerRejected(message: string): boolean {
  return message.includes(
    "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on",
  );
}
