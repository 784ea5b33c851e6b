import { type Client, createClient } from '@evenkeel/client';
import { type ApiResource, parseApiVersion, pluralOf, type Transport } from '@evenkeel/core';
import { type OperatorIdentity, type RbacRole, rbacManifests } from '@evenkeel/core/rbac';

/** Creates what `evenkeel generate` would write for an operator, and changes what is there of it. */
export async function grantRoles(
  admin: Transport,
  roles: readonly RbacRole[],
  identity: OperatorIdentity,
): Promise<void> {
  const client = createClient(admin, { fieldManager: 'evenkeel-testing' });
  for (const { object } of rbacManifests(roles, identity)) {
    await client.apply(resourceOf(object.apiVersion, object.kind), object as never, { force: true });
  }
}

function resourceOf(apiVersion: string, kind: string): ApiResource {
  return { ...parseApiVersion(apiVersion), kind, plural: pluralOf(kind), namespaced: !kind.startsWith('Cluster') };
}

/** A bearer token of a ServiceAccount, good for an hour, as a pod would be given one. */
export async function tokenOf(admin: Transport, { serviceAccount, namespace }: OperatorIdentity): Promise<string> {
  const accounts = resourceOf('v1', 'ServiceAccount');
  const client: Client = createClient(admin);
  const answer = await client
    .subresource(accounts, `${namespace}/${serviceAccount}`, 'token')
    .create({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} } as never);
  return (answer as unknown as { status: { token: string } }).status.token;
}

/** Sends as a ServiceAccount what goes through an administrator's connection. The caller closes that one. */
export function impersonating(admin: Transport, { serviceAccount, namespace }: OperatorIdentity): Transport {
  const user = `system:serviceaccount:${namespace}:${serviceAccount}`;
  return {
    request: (request) => admin.request({ ...request, headers: { ...request.headers, 'impersonate-user': user } }),
    close: async () => undefined,
  };
}
