import type { PathRule, RbacRole } from '@evenkeel/core/rbac';

const path = (at: string): PathRule => ({ path: at, verbs: ['get'], reasons: [] });
const selfReview = (resource: string, group: string) => ({
  group,
  resource,
  names: [],
  verbs: ['create'],
  reasons: [],
});

/**
 * The permissions of every ServiceAccount by the default roles of every cluster: system:basic-user, system:discovery,
 * system:public-info-viewer and system:service-account-issuer-discovery.
 */
export const everyonesRole: RbacRole = {
  part: 'operator',
  namespace: undefined,
  rules: [
    selfReview('selfsubjectreviews', 'authentication.k8s.io'),
    selfReview('selfsubjectaccessreviews', 'authorization.k8s.io'),
    selfReview('selfsubjectrulesreviews', 'authorization.k8s.io'),
    ...[
      '/.well-known/openid-configuration',
      '/.well-known/openid-configuration/',
      '/api',
      '/api/*',
      '/apis',
      '/apis/*',
    ].map(path),
    ...['/healthz', '/livez', '/openapi', '/openapi/*', '/openid/v1/jwks', '/openid/v1/jwks/'].map(path),
    ...['/readyz', '/version', '/version/'].map(path),
  ],
};
