import type { Authorizer } from '../authorization/authorizer.ts';
import { forbiddenAccess } from '../authorization/impersonation.ts';
import type { AdmissionStep } from '../registry/write-request.ts';

/**
 * Refuses an apply, or a PUT, of what is not there to those who may not `create` it: the path of the request says only that
 * it is a patch or an update (upstream's `withAuthorization` around the creation of both).
 */
export function creationByUpdate(authorizer: Authorizer): AdmissionStep {
  return ({ request, operation }) => {
    const { kind, user, namespace, name } = request;
    // A create names its object in the body alone.
    if (operation !== 'CREATE' || name === '') return undefined;
    const { group, version, plural: resource } = kind.names;
    const access = {
      user,
      verb: 'create',
      isResource: true,
      group,
      version,
      namespace,
      resource,
      subresource: '',
      name,
      path: '',
    };
    const { allowed, reason } = authorizer.authorize(access);
    if (!allowed) throw forbiddenAccess(access, reason);
    return undefined;
  };
}
