import { isJsonObject } from '@evenkeel/apimachinery/json';
import type { PolicyRule } from '@evenkeel/apimachinery/rbac';
import { review } from '@evenkeel/client';
import { isForbidden } from '@evenkeel/core';
import { SubjectAccessReview } from '@evenkeel/kinds/authorization/v1';
import { type CheckResult, failed, ok, warning } from '../cluster/check-result.ts';
import type { ClusterSession } from '../cluster/cluster-session.ts';
import { forEachConcurrently } from '../cluster/for-each-concurrently.ts';
import type { ManifestObject } from '../manifests/generated-file.ts';

const check = 'permissions';
/** The largest number of reviews. */
const reviewsMax = 500;

/** One permission, as a SubjectAccessReview asks for it. */
interface Permission {
  readonly text: string;
  readonly attributes:
    | { readonly resourceAttributes: Readonly<Record<string, string>> }
    | { readonly nonResourceAttributes: Readonly<Record<string, string>> };
}

/** Asks the API server whether the ServiceAccount of the operator has all permissions of its roles. */
export async function checkPermissionsOfOperator({
  client,
  objects,
  operator,
  signal,
}: ClusterSession): Promise<CheckResult[]> {
  if (operator === undefined || !operator.hasPods) return [];
  const { namespace, serviceAccount } = operator;
  const user = `system:serviceaccount:${namespace}:${serviceAccount}`;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  const all = permissionsIn(objects);
  const permissions = all.slice(0, reviewsMax);
  const asked = permissions.length;
  const missing: string[] = [];
  try {
    await forEachConcurrently(permissions, async ({ text, attributes }) => {
      const { allowed } = await review(client, SubjectAccessReview, { user, groups, ...attributes }, { signal });
      if (allowed !== true) missing.push(text);
    });
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const fix = 'run the command as a user who may create subjectaccessreviews.authorization.k8s.io';
    return [warning(check, 'the user of this context may not check the permissions of other users', fix)];
  }
  const account = `${namespace}/${serviceAccount}`;
  if (missing.length > 0) {
    const message = `the ServiceAccount ${account} lacks ${missing.length} of ${asked} permissions`;
    return [failed(check, message, 'run "evenkeel deploy", which applies the roles', missing.toSorted())];
  }
  if (asked < all.length) {
    const message = `the ServiceAccount ${account} has the first ${asked} of ${all.length} permissions; the others were not checked`;
    return [warning(check, message, 'check the others with "kubectl auth can-i"')];
  }
  return [ok(check, `the ServiceAccount ${account} has all ${asked} permissions of its roles`)];
}

/** The permissions of the roles that are bound to the operator. Roles for users are not bound. */
export function permissionsIn(objects: readonly ManifestObject[]): Permission[] {
  const bound = new Map(
    objects.flatMap((object) => {
      const role = 'roleRef' in object && isJsonObject(object.roleRef) ? object.roleRef : undefined;
      const { namespace = '' } = object.metadata;
      return role === undefined ? [] : [[`${role['kind']} ${namespace}/${role['name']}`, namespace] as const];
    }),
  );
  const permissions = objects.flatMap((object) => {
    const { kind, metadata } = object;
    const namespace = bound.get(`${kind} ${metadata.namespace ?? ''}/${metadata.name}`);
    const rules = 'rules' in object ? (object.rules as readonly PolicyRule[]) : [];
    return namespace === undefined ? [] : rules.flatMap((rule) => permissionsOf(rule, namespace));
  });
  return [...new Map(permissions.map((permission) => [permission.text, permission])).values()];
}

function permissionsOf(rule: PolicyRule, namespace: string): Permission[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const paths = nonResourceURLs.flatMap((path) =>
    verbs.map((verb) => ({ text: `${verb} ${path}`, attributes: { nonResourceAttributes: { verb, path } } })),
  );
  const names = resourceNames.length === 0 ? [''] : resourceNames;
  const ofResources = apiGroups.flatMap((group) =>
    resources.flatMap((combined) => {
      const [resource = '', subresource = ''] = combined.split('/');
      return names.flatMap((name) =>
        verbs.map((verb) => ({
          text: `${verb} ${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}${name === '' ? '' : ` ${name}`}${namespace === '' ? '' : ` in the namespace ${namespace}`}`,
          attributes: {
            resourceAttributes: {
              ...{ verb, group, resource },
              ...(subresource === '' ? {} : { subresource }),
              ...(name === '' ? {} : { name }),
              ...(namespace === '' ? {} : { namespace }),
            },
          },
        })),
      );
    }),
  );
  return [...paths, ...ofResources];
}
