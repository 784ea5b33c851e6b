import { Admit, CustomResource, KubernetesObject, ValidatingWebhook } from '@evenkeel/core';
import { planWebhooks } from '@evenkeel/core/webhook';
import { defineOperator, type OperatorDeclaration } from '@evenkeel/runtime';
import { loadDeployment, type OperatorRbac, rbacOf } from './load-deployment-config.ts';

class SiteController {}

function problemsOf(given: unknown): string[] {
  const problems: string[] = [];
  loadDeployment(given, '/nowhere', (problem) => problems.push(problem));
  return problems;
}

function rbac(given: unknown, declared: Partial<OperatorDeclaration> = {}): OperatorRbac | undefined {
  const loaded = loadDeployment(given, '/nowhere', (problem) => expect(problem).toBeUndefined());
  const operator = defineOperator({ name: 'site-operator', controllers: [SiteController], ...declared });
  return loaded === undefined ? undefined : rbacOf(operator, planWebhooks(declared.webhooks ?? []).plans, loaded);
}

@CustomResource({ group: 'example.com', version: 'v1', kind: 'Site' })
class Site extends KubernetesObject {}

@ValidatingWebhook(Site)
class SiteValidator {
  @Admit() check(): void {}
}

const alert = { name: 'Down', expr: 'up == 0', severity: 'critical', summary: 'It is down', runbook: 'Look at it.' };

describe('the option deployment', () => {
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
      namespace: 'site-operator-system',
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

  it('accepts undefined options, and amounts of every unit', () => {
    expect(
      problemsOf({ image: undefined, resources: { requests: { cpu: '1.5', 'example.com/gpu': '1' }, limits: {} } }),
    ).toEqual([]);
    expect(
      problemsOf({
        env: { LOG_FORMAT: 'json', _empty: '' },
        gracePeriod: '1h30m',
        replicas: 3,
        networkPolicy: true,
        serviceMonitor: false,
      }),
    ).toEqual([]);
  });

  it('accepts alerts and panels', () => {
    expect(problemsOf({ alerts: true, dashboard: false })).toEqual([]);
    const annotated = { ...alert, name: 'Slow', for: '1h30m', annotations: { runbook_url: 'https://example.com' } };
    expect(problemsOf({ alerts: [alert, annotated], dashboard: [{ title: 'A', expr: 'a', unit: 's' }] })).toEqual([]);
  });

  it('may be false', () => expect(rbac(false)).toBeUndefined());

  it.each<[unknown, string]>([
    [true, "deployment must be false, or an object, such as { namespace: 'my-operator' }"],
    [[], "deployment must be false, or an object, such as { namespace: 'my-operator' }"],
    [{ nameSpace: 'x' }, 'unknown option "deployment.nameSpace"; did you mean "namespace"?'],
    [{ namespace: 'a.b' }, 'deployment.namespace is "a.b"; set the name of a namespace'],
    [{ serviceAccount: 7 }, 'deployment.serviceAccount is 7; set a name of lower-case letters'],
    [
      { image: 'sites 1' },
      'deployment.image is "sites 1"; set the name of an image, such as \'registry.example.com/sites\'',
    ],
    [{ replicas: 0 }, 'deployment.replicas is 0; set an integer of at least 1'],
    [{ replicas: 1.5 }, 'deployment.replicas is 1.5; set an integer of at least 1'],
    [
      { resources: { limits: { memory: '1 GB' } } },
      'deployment.resources is {"limits":{"memory":"1 GB"}}; set requests and',
    ],
    [{ resources: { limit: {} } }, 'deployment.resources is {"limit":{}}; set requests and limits'],
    [{ gracePeriod: 30 }, 'deployment.gracePeriod is 30; set a number and its unit, such as 30s or 5m'],
    [{ env: { LEVEL: 3 } }, 'deployment.env is {"LEVEL":3}; set the variables with their values as strings'],
    [{ env: { 'a=b': '' } }, 'deployment.env is {"a=b":""}; set the variables with their values as strings'],
    [{ alerts: 'all' }, 'deployment.alerts is "all"; set true, false or an array'],
    [{ alerts: [7] }, 'deployment.alerts[0] is 7; set an object with name, expr, for,'],
    [{ alerts: [{ ...alert, name: '1a' }] }, 'deployment.alerts[0].name is "1a"; set a name of letters and digits'],
    [{ alerts: [{ ...alert, runbook: ' ' }] }, 'deployment.alerts[0].runbook is " "; set what a person should look at'],
    [{ alerts: [{ ...alert, severity: 'page' }] }, 'deployment.alerts[0].severity is "page"; use one of critical,'],
    [{ alerts: [{ ...alert, for: '1.5m' }] }, 'deployment.alerts[0].for is "1.5m"; set a duration, such as'],
    [{ alerts: [{ ...alert, expression: 'a' }] }, 'deployment.alerts[0] has the unknown member "expression"'],
    [{ alerts: [{ ...alert, annotations: { a: 1 } }] }, 'deployment.alerts[0].annotations is {"a":1}; set strings'],
    [{ alerts: [alert, alert] }, 'deployment.alerts has several alerts with the name "Down"; give each a name of'],
    [{ dashboard: [{ title: 'A' }] }, 'deployment.dashboard[0].expr is missing; set an expression in PromQL'],
    [{ aggregateRoles: 'yes' }, 'deployment.aggregateRoles is "yes"; set true or false'],
  ])('rejects %j', (given, message) => {
    expect(problemsOf(given)).toEqual([expect.stringContaining(message)]);
  });
});
