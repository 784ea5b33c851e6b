import type { ActionSubresource } from '../kind/subresource.ts';
import type { TokenAuthenticator } from './token-authenticator.ts';

/** The subresource `serviceaccounts/token`, which issues a token for a service account. */
export function tokenRequest(tokens: TokenAuthenticator): ActionSubresource['handle'] {
  return async ({ info, clock }, findAccount, body) => {
    const account = findAccount();
    const spec = (body?.['spec'] ?? {}) as { expirationSeconds?: number; audiences?: string[] | null };
    const { expirationSeconds = 3600 } = spec;
    const audiences = spec.audiences ?? ['https://localhost/'];
    const user = {
      name: `system:serviceaccount:${info.namespace}:${info.name}`,
      uid: account.metadata.uid ?? '',
      groups: ['system:serviceaccounts', `system:serviceaccounts:${info.namespace}`],
    };
    const expires = new Date(clock.now() + expirationSeconds * 1000);
    const { name, namespace, uid } = account.metadata;
    return {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name, ...(namespace && { namespace }), ...(uid && { uid }) },
      spec: { audiences, expirationSeconds, boundObjectRef: null },
      status: {
        token: tokens.issue(user),
        expirationTimestamp: `${expires.toISOString().slice(0, 19)}Z`,
      },
    };
  };
}
