import type { Authorize, ResourceAccess } from '@evenkeel/schema/evaluate';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { UserInfo } from '../request/user-info.ts';
import type { RequestAttributes } from './resource-rule.ts';

/** What expressions can check with the variable `authorizer`: the access of the user, or of a service account. */
export function accessChecks(authorizer: Authorizer, user: UserInfo): Authorize {
  return ({ serviceAccount, verb, access }) => {
    const asking = serviceAccount === undefined ? user : userOf(serviceAccount);
    if ('path' in access) {
      const { path } = access;
      const isResource = false;
      return authorizer.authorize({ ...noResource, version: '', user: asking, verb, isResource, path });
    }
    return authorizer.authorize({ ...access, version: '*', user: asking, verb, isResource: true, path: '' });
  };
}

/** The resource of the variable `authorizer.requestResource`. */
export function requestResourceOf({ resource, subresource, namespace, name }: RequestAttributes): ResourceAccess {
  return { group: resource.group, resource: resource.resource, subresource, namespace, name };
}

const noResource: ResourceAccess = { group: '', resource: '', subresource: '', namespace: '', name: '' };

/** Source: `ServiceAccountInfo.UserInfo` of apiserver `pkg/authentication/serviceaccount`. */
function userOf({ namespace, name }: { readonly namespace: string; readonly name: string }): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
  };
}
