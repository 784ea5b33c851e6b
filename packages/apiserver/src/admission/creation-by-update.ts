import type { Authorizer } from '../authorization/authorizer.ts';
import { forbiddenAccess } from '../authorization/impersonation.ts';
import type { ValidatingAdmissionStep } from '../registry/write-request.ts';

/**
 * Rejects an apply or a PUT of a missing object by a user without permission to `create` it. The path of the request only
 * shows a patch or an update (upstream's `withAuthorization` around the creation of both).
 */
export function creationByUpdate(authorizer: Authorizer): ValidatingAdmissionStep {
  return ({ request, operation }) => {
    const { kind, user, namespace, name } = request;
    // A create has its object's name only in the body.
    if (operation !== 'CREATE' || name === '') return;
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
  };
}
