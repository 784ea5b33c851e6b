import { Admit, CustomResource, KubernetesObject, ValidatingWebhook } from '@evenkeel/core';
import { defineOperator, type OperatorDeclaration } from '@evenkeel/runtime';
import { loadRbac, type OperatorRbac, rbacOf } from './load-rbac-config.ts';

class SiteController {}

function problemsOf(given: unknown): string[] {
  const problems: string[] = [];
  loadRbac(given, (problem) => problems.push(problem));
  return problems;
}

function rbac(given: unknown, declared: Partial<OperatorDeclaration> = {}): OperatorRbac | undefined {
  const loaded = loadRbac(given, (problem) => expect(problem).toBeUndefined());
  const operator = defineOperator({ name: 'site-operator', controllers: [SiteController], ...declared });
  return loaded === undefined ? undefined : rbacOf(operator, loaded);
}

@CustomResource({ group: 'example.com', version: 'v1', kind: 'Site' })
class Site extends KubernetesObject {}

@ValidatingWebhook(Site)
class SiteValidator {
  @Admit() check(): void {}
}

describe('the option rbac', () => {
  it('has the objects of certificates that the operator creates itself', () => {
    const webhooks = [SiteValidator];
    expect(rbac({ namespace: 'sites-system' }, { webhooks, conversions: [Site] })?.certificates).toEqual({
      secret: { name: 'site-operator-webhook-authority', namespace: 'sites-system' },
      targets: [
        { kind: 'ValidatingWebhookConfiguration', name: 'site-operator' },
        { kind: 'CustomResourceDefinition', name: 'sites.example.com' },
      ],
    });
    expect(rbac({}, { webhooks, webhookServer: { certificates: 'files' } })?.certificates).toBeUndefined();
    expect(rbac({}, { webhookServer: { certificates: 'built-in' } })?.certificates).toBeUndefined();
  });

  it('has defaults for a small operator', () => {
    expect(rbac(undefined)).toEqual({
      name: 'site-operator',
      namespace: 'default',
      serviceAccount: 'site-operator',
      namespaces: undefined,
      leaderElection: undefined,
      metricsAuthentication: false,
    });
  });

  it('is completed by the declaration, with sorted namespaces without duplicates', () => {
    const declared = { namespaces: ['green', 'blue', 'green'], leaderElection: true, metricsAuthentication: true };
    expect(rbac({ namespace: 'sites-system', serviceAccount: 'manager' }, declared)).toEqual({
      name: 'site-operator',
      namespace: 'sites-system',
      serviceAccount: 'manager',
      namespaces: ['blue', 'green'],
      leaderElection: { name: 'site-operator', namespace: 'sites-system' },
      metricsAuthentication: true,
    });
    expect(rbac({}, { leaderElection: { name: 'a', namespace: 'b' } })?.leaderElection).toEqual({
      name: 'a',
      namespace: 'b',
    });
  });

  it('may be false', () => expect(rbac(false)).toBeUndefined());

  it.each<[unknown, string]>([
    [true, "rbac must be false, or an object, such as { namespace: 'my-operator' }"],
    [[], "rbac must be false, or an object, such as { namespace: 'my-operator' }"],
    [{ nameSpace: 'x' }, 'unknown option "rbac.nameSpace"; did you mean "namespace"?'],
    [{ namespace: 'a.b' }, 'rbac.namespace is "a.b"; set the name of a namespace'],
    [{ serviceAccount: 7 }, 'rbac.serviceAccount is 7; set a name of lower-case letters'],
  ])('rejects %j', (given, message) => {
    expect(problemsOf(given)).toEqual([expect.stringContaining(message)]);
  });
});
