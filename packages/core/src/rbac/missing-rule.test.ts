import type { ResourceAccess } from '@evenkeel/apimachinery/rbac';
import { isOwnerRefused, mendOfRefusal, refusedAccess } from './missing-rule.ts';
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

// As a server of 1.36 words them.
const forbidden =
  'deployments.apps "web" is forbidden: User "system:serviceaccount:blue:op" cannot create resource "deployments" in API group "apps" in the namespace "blue"';
const cannotDelete = `deployments.apps "web" is forbidden: cannot set an ownerRef on a resource you can't delete: , <nil>`;
const cannotBlock = `deployments.apps "web" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>`;

describe('what a refusal asked for', () => {
  it('is read off its message, which tells the verb that an apply lacks', () => {
    expect(refusedAccess(forbidden, asked)).toEqual({ ...asked, verb: 'create' });
  });

  it('is a subresource, a collection or the whole cluster where the message says so', () => {
    const message =
      'nodes is forbidden: User "op" cannot get resource "nodes/proxy" in API group "" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io "x" not found';
    const access = { verb: 'get', group: '', resource: 'nodes', subresource: 'proxy', namespace: '', name: 'web' };
    expect(refusedAccess(message, asked)).toEqual(access);
  });

  it('is the deletion of an object whose owners may not be changed', () => {
    expect(refusedAccess(cannotDelete, asked)).toEqual({ ...asked, verb: 'delete' });
  });

  it('is nothing where another part of the server refused', () => {
    const quota =
      'deployments.apps "web" is forbidden: exceeded quota: all, requested: pods=1, used: pods=1, limited: pods=1';
    expect(refusedAccess(quota, asked)).toBeUndefined();
    expect(
      refusedAccess('unable to create new content in namespace blue because it is being terminated', asked),
    ).toBeUndefined();
    expect(refusedAccess(cannotBlock, asked)).toBeUndefined();
    expect([cannotBlock, cannotDelete, forbidden].map(isOwnerRefused)).toEqual([true, false, false]);
  });
});

describe('what would allow it', () => {
  it('is the decorator of the verb and the kind', () => {
    expect(mendOfRefusal({ ...asked, verb: 'delete' }, [role], nameOf)).toBe(
      `add @Rbac(Deployment, ['delete']) above the class that asks for it, run "evenkeel generate" and apply config/rbac`,
    );
    expect(mendOfRefusal({ ...asked, group: 'x.io', subresource: 'scale', verb: 'get' }, [role], nameOf)).toContain(
      `add @Rbac({ group: 'x.io', plural: 'deployments' }, ['get'], { subresource: 'scale' }) above`,
    );
    expect(mendOfRefusal({ verb: 'get', path: '/metrics' }, [role], nameOf)).toContain(
      `add @Rbac('/metrics', ['get']) above`,
    );
  });

  it('names a namespace where the same is allowed in others', () => {
    expect(mendOfRefusal({ ...asked, verb: 'patch', namespace: 'green' }, [role], nameOf)).toContain(
      `add @Rbac(Deployment, ['patch'], { namespace: 'green' }) above`,
    );
  });

  it('is the derived roles where they have it', () => {
    expect(mendOfRefusal({ ...asked, verb: 'patch' }, [role], nameOf)).toBe(
      'the roles that "evenkeel generate" writes allow it: bring them to the cluster with "kubectl apply -f config/rbac"',
    );
  });
});
