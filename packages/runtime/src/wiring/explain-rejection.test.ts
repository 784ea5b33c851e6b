import type { ApiRequest } from '@evenkeel/client';
import { Controller, type EvenkeelError, Rbac, Reconcile, StatusError } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import { collectPlans } from '../checks/collect-plans.ts';
import { explainRejection } from './explain-rejection.ts';

@Controller(ConfigMap)
class MapController {
  @Reconcile() reconcile(): void {}
}

@Rbac(Secret, ['get'])
class Vault {}

const secrets = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
const get: ApiRequest = { verb: 'get', resource: secrets, namespace: 'default', name: 'key' };

const rejection = (message: string, code = 403, reason = 'Forbidden'): StatusError =>
  new StatusError(
    { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message },
    { message: `get secrets default/key: ${message}` },
  );

const forbidden = (what: string): StatusError => rejection(`it is forbidden: User "op" cannot ${what}`);

const getSecrets = 'get resource "secrets" in API group "" in the namespace "default"';

describe('explainRejection()', () => {
  const plans = collectPlans([MapController], [], []);

  /** The fix that is added to the message. */
  async function added(error: StatusError, services = [] as (new () => object)[], request = get): Promise<string> {
    const explained = await explainRejection({ plans, services, namespaces: undefined })(error, request);
    if (explained === undefined) return '';
    expect(explained.status).toBe(error.status);
    expect(explained.message.startsWith(`${error.message}; `)).toBe(true);
    return explained.message.slice(error.message.length + 2);
  }

  it('names the missing decorator with the class of the requested kind', async () => {
    expect(await added(forbidden(getSecrets))).toBe(
      `add @Rbac(Secret, ['get']) above the class that asks for it, run "evenkeel generate" and apply config/rbac`,
    );
  });

  it('names the roles to apply if a declaration or a service already includes the permission', async () => {
    const fix = 'the roles that "evenkeel generate" writes allow it; apply them with';
    expect(await added(forbidden(getSecrets), [Vault])).toContain(fix);
    const watch = 'watch resource "configmaps" in API group "" at the cluster scope';
    expect(await added(forbidden(watch))).toContain(fix);
    const owner =
      "it is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>";
    expect(await added(rejection(owner))).toContain('allow it for a controller with @Owns; apply them with');
  });

  it('names the setting for the authentication of metrics', async () => {
    const review = 'create resource "tokenreviews" in API group "authentication.k8s.io" at the cluster scope';
    expect(await added(forbidden(review))).toContain('set "metricsAuthentication: true" in defineOperator()');
  });

  it('adds nothing to an error that RBAC did not cause', async () => {
    expect(await added(rejection('secrets "key" is forbidden: exceeded quota: all'))).toBe('');
    expect(await added(rejection('secrets "key" not found', 404, 'NotFound'))).toBe('');
    expect(await added(rejection('Unauthorized', 401, 'Unauthorized'))).toBe('');
  });
});

describe('collectPlans()', () => {
  it('rejects an invalid @Rbac of a service like that of a controller', () => {
    @Rbac(Secret, ['gett' as 'get'])
    class Wrong {}
    const errors: EvenkeelError[] = [];
    collectPlans([MapController], [Vault, Wrong], errors);
    expect(errors.map(({ message }) => message)).toEqual(['Wrong: @Rbac: invalid verb "gett"; did you mean "get"?']);
  });
});
