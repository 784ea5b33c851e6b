import type { ResourceAccess } from '@evenkeel/apimachinery/rbac';
import { fixOfRejection, isOwnerRejected, rejectedAccess } from './missing-rule.ts';
import type { RbacRole } from './rbac-role.ts';

const asked: ResourceAccess = {
  verb: 'apply',
  group: 'apps',
  resource: 'deployments',
  subresource: '',
  namespace: 'blue',
  name: 'web',
};

const role: RbacRole = {
  part: 'operator',
  namespace: 'blue',
  rules: [{ group: 'apps', resource: 'deployments', names: [], verbs: ['patch'], reasons: [] }],
};

const nameOf = (group: string, plural: string): string | undefined =>
  group === 'apps' && plural === 'deployments' ? 'Deployment' : undefined;

// The messages of a server of version 1.36.
const forbidden =
  'deployments.apps "web" is forbidden: User "system:serviceaccount:blue:op" cannot create resource "deployments" in API group "apps" in the namespace "blue"';
const cannotDelete = `deployments.apps "web" is forbidden: cannot set an ownerRef on a resource you can't delete: , <nil>`;
const cannotBlock = `deployments.apps "web" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>`;

describe('rejectedAccess', () => {
  it('reads from the message which verb an apply lacks', () => {
    expect(rejectedAccess(forbidden, asked)).toEqual({ ...asked, verb: 'create' });
  });

  it('reads a subresource and the scope of the whole cluster from the message', () => {
    const message =
      'nodes is forbidden: User "op" cannot get resource "nodes/proxy" in API group "" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io "x" not found';
    const access = { verb: 'get', group: '', resource: 'nodes', subresource: 'proxy', namespace: '', name: 'web' };
    expect(rejectedAccess(message, asked)).toEqual(access);
  });

  it('returns the verb delete if the owner references may not be set', () => {
    expect(rejectedAccess(cannotDelete, asked)).toEqual({ ...asked, verb: 'delete' });
  });

  it('returns undefined if another part of the server rejected the request', () => {
    const quota =
      'deployments.apps "web" is forbidden: exceeded quota: all, requested: pods=1, used: pods=1, limited: pods=1';
    expect(rejectedAccess(quota, asked)).toBeUndefined();
    expect(
      rejectedAccess('unable to create new content in namespace blue because it is being terminated', asked),
    ).toBeUndefined();
    expect(rejectedAccess(cannotBlock, asked)).toBeUndefined();
    expect([cannotBlock, cannotDelete, forbidden].map(isOwnerRejected)).toEqual([true, false, false]);
  });
});

describe('fixOfRejection', () => {
  it('returns the decorator for the verb and the kind', () => {
    expect(fixOfRejection({ ...asked, verb: 'delete' }, [role], nameOf)).toBe(
      `add @Rbac(Deployment, ['delete']) above the class that asks for it, run "evenkeel generate" and apply config/rbac`,
    );
    expect(fixOfRejection({ ...asked, group: 'x.io', subresource: 'scale', verb: 'get' }, [role], nameOf)).toContain(
      `add @Rbac({ group: 'x.io', plural: 'deployments' }, ['get'], { subresource: 'scale' }) above`,
    );
    expect(fixOfRejection({ verb: 'get', path: '/metrics' }, [role], nameOf)).toContain(
      `add @Rbac('/metrics', ['get']) above`,
    );
  });

  it('adds the namespace if the same access is allowed in another one', () => {
    expect(fixOfRejection({ ...asked, verb: 'patch', namespace: 'green' }, [role], nameOf)).toContain(
      `add @Rbac(Deployment, ['patch'], { namespace: 'green' }) above`,
    );
  });

  it('returns the command that applies the derived roles if they allow it', () => {
    expect(fixOfRejection({ ...asked, verb: 'patch' }, [role], nameOf)).toBe(
      'the roles that "evenkeel generate" writes allow it; apply them with "kubectl apply -f config/rbac"',
    );
  });
});
