import { type Client, createClient, review } from '@evenkeel/client';
import { type ApiResource, ignoreNotFound, parseApiVersion, pluralOf, type Transport } from '@evenkeel/core';
import { type OperatorIdentity, type RbacRole, type RbacRule, rbacManifests } from '@evenkeel/core/rbac';
import { SubjectAccessReview, type SubjectAccessReviewSpec } from '@evenkeel/kinds/authorization/v1';
import { eventually } from '../eventually.ts';

/**
 * Creates or changes what `evenkeel generate` would write for an operator. Resolves when the server's authorizer knows
 * the roles, which is a moment later.
 */
export async function grantRoles(
  admin: Transport,
  roles: readonly RbacRole[],
  identity: OperatorIdentity,
): Promise<void> {
  const client = createClient(admin, { fieldManager: 'evenkeel-testing' });
  for (const { object } of rbacManifests(roles, identity)) {
    await client.apply(resourceOf(object.apiVersion, object.kind), object as never, { force: true });
  }
  const user = userOf(identity);
  for (const { namespace = '', rules } of roles) {
    for (const rule of rules) {
      const isGranted = async () => {
        const { allowed } = await review(client, SubjectAccessReview, { user, ...attributesOf(rule, namespace) });
        if (!allowed) throw new Error(`the server does not grant ${user} the verb ${rule.verbs[0]} of its role`);
      };
      await eventually(isGranted, { timeout: grantedWithin });
    }
  }
}

/** The authorizer receives roles by a watch. */
const grantedWithin = '10s';

/** Deletes what {@link grantRoles} has created. */
export async function revokeRoles(
  admin: Transport,
  roles: readonly RbacRole[],
  identity: OperatorIdentity,
): Promise<void> {
  const client = createClient(admin);
  for (const { object } of rbacManifests(roles, identity).toReversed()) {
    const { name, namespace } = object.metadata;
    const key = namespace === undefined ? name : `${namespace}/${name}`;
    await ignoreNotFound(client.delete(resourceOf(object.apiVersion, object.kind), key));
  }
}

function attributesOf(rule: RbacRule, namespace: string): SubjectAccessReviewSpec {
  const [verb = ''] = rule.verbs;
  if ('path' in rule) return { nonResourceAttributes: { verb, path: rule.path.replace(/\*$/, '') } };
  const [resource = '', subresource = ''] = rule.resource.split('/');
  const [name = ''] = rule.names;
  return { resourceAttributes: { verb, group: rule.group, resource, subresource, namespace, name } };
}

function userOf({ serviceAccount, namespace }: OperatorIdentity): string {
  return `system:serviceaccount:${namespace}:${serviceAccount}`;
}

function resourceOf(apiVersion: string, kind: string): ApiResource {
  return { ...parseApiVersion(apiVersion), kind, plural: pluralOf(kind), namespaced: !kind.startsWith('Cluster') };
}

/** Returns a bearer token of a ServiceAccount, valid for an hour, like a pod's. */
export async function tokenOf(admin: Transport, { serviceAccount, namespace }: OperatorIdentity): Promise<string> {
  const accounts = resourceOf('v1', 'ServiceAccount');
  const client: Client = createClient(admin);
  const answer = await client
    .subresource(accounts, `${namespace}/${serviceAccount}`, 'token')
    .create({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} } as never);
  return (answer as unknown as { status: { token: string } }).status.token;
}

/**
 * Returns a transport that impersonates a ServiceAccount through an administrator's connection. The caller closes the
 * latter.
 */
export function impersonating(admin: Transport, identity: OperatorIdentity): Transport {
  const user = userOf(identity);
  return {
    request: (request) => admin.request({ ...request, headers: { ...request.headers, 'impersonate-user': user } }),
    close: async () => undefined,
    witness: admin.witness,
    webhookHost: admin.webhookHost,
  };
}
