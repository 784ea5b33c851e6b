import type { AdmissionReview } from '../contract/admission-review.ts';
import { controllerMistakeText } from '../declarations/controller-mistake.ts';
import { Admit } from '../decorators/admit.ts';
import { CustomResource } from '../decorators/custom-resource.ts';
import { ListerOf } from '../decorators/lister-of.ts';
import { MutatingWebhook } from '../decorators/mutating-webhook.ts';
import { Rbac } from '../decorators/rbac.ts';
import { Status } from '../decorators/status.ts';
import { ValidatingWebhook } from '../decorators/validating-webhook.ts';
import { KubernetesObject } from '../object/kubernetes-object.ts';
import { deriveRoles } from '../rbac/derive-roles.ts';
import { planWebhooks } from './plan-webhooks.ts';
import { webhookConfigurations } from './webhook-configurations.ts';

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Site extends KubernetesObject {
  @Status() status!: { ready?: boolean };
}

@CustomResource({ group: 'web.example.com', version: 'v1', kind: 'Page' })
class Page extends KubernetesObject {}

@CustomResource({ group: 'web.example.com', version: 'v1', kind: 'Page' })
class OtherPage extends KubernetesObject {}

@CustomResource({ group: 'batch', version: 'v1', scope: 'Cluster' })
class Job extends KubernetesObject {}

const selector = { matchLabels: { 'kubernetes.io/metadata.name': 'web' } };

describe('planWebhooks', () => {
  it('resolves what a class declares, with the names and paths of kubebuilder', () => {
    @ValidatingWebhook(() => Site, {
      failurePolicy: 'Ignore',
      matchPolicy: 'Exact',
      namespaceSelector: selector,
      objectSelector: {},
      matchConditions: [{ name: 'not-me', expression: "request.userInfo.username != 'me'" }],
      timeoutSeconds: 3,
      sideEffects: 'NoneOnDryRun',
      scope: 'Namespaced',
    })
    @Rbac(Page, ['get'])
    class SiteValidator {
      constructor(@ListerOf(Page) readonly pages: unknown) {}
      @Admit('delete', 'create') check(_site: Site, _review: AdmissionReview<Site>): void {}
      @Admit() changed(_site: Site): void {}
    }
    const { plans, mistakes } = planWebhooks([SiteValidator]);
    expect(mistakes.map(controllerMistakeText)).toEqual([]);
    const site = { group: 'web.example.com', version: 'v1', kind: 'Site', plural: 'sites', namespaced: true };
    const page = { ...site, kind: 'Page', plural: 'pages' };
    expect(plans).toEqual([
      {
        kind: Site,
        resource: site,
        webhookClass: SiteValidator,
        type: 'validating',
        name: 'vsite-v1.web.example.com',
        path: '/validate-web-example-com-v1-site',
        subresource: undefined,
        methods: [
          { method: 'check', operations: ['create', 'delete'] },
          { method: 'changed', operations: ['create', 'update'] },
        ],
        operations: ['create', 'update', 'delete'],
        schema: false,
        declaresStatus: true,
        sideEffects: 'NoneOnDryRun',
        selection: {
          failurePolicy: 'Ignore',
          matchPolicy: 'Exact',
          namespaceSelector: selector,
          objectSelector: {},
          matchConditions: [{ name: 'not-me', expression: "request.userInfo.username != 'me'" }],
          timeoutSeconds: 3,
          scope: 'Namespaced',
        },
        cached: [{ kind: Page, resource: page, metadataOnly: false }],
        rbac: [expect.objectContaining({ verbs: ['get'] })],
      },
    ]);
    expect(deriveRoles({ plans: [], webhooks: plans })).toEqual([
      {
        part: 'operator',
        namespace: undefined,
        rules: [
          {
            group: 'web.example.com',
            resource: 'pages',
            names: [],
            verbs: ['get', 'list', 'watch'],
            reasons: ['list, watch: SiteValidator reads Page', 'get: @Rbac on SiteValidator'],
          },
        ],
      },
    ]);
  });

  it('has the operations of subresources, and the order of the list in the configurations', () => {
    @MutatingWebhook(Site, { reinvocationPolicy: 'IfNeeded' })
    class Defaults {
      @Admit() set(_site: Site): void {}
    }
    @ValidatingWebhook(Site, { subresource: 'scale' })
    class Scales {
      @Admit() check(): void {}
    }
    @ValidatingWebhook(Site, { subresource: 'exec' })
    class Execs {
      @Admit() check(): void {}
    }
    @MutatingWebhook(Job, { name: 'second.jobs.example.com', path: '/second' })
    class Second {
      @Admit('update') set(_job: Job): void {}
    }
    @ValidatingWebhook(Site, { schema: true })
    class Rules {}
    const { plans, mistakes } = planWebhooks([Defaults, Scales, Second, Execs, Rules]);
    expect(mistakes.map(controllerMistakeText)).toEqual([]);
    const configurations = webhookConfigurations('site-operator', plans, ({ path }) => ({ url: `https://x${path}` }));
    const rule = (resource: string, ...operations: string[]) => ({
      operations,
      apiGroups: ['web.example.com'],
      apiVersions: ['v1'],
      resources: [resource],
    });
    const entry = (name: string, path: string, rules: object) => ({
      name,
      clientConfig: { url: `https://x${path}` },
      rules: [rules],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    });
    expect(configurations).toEqual([
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: 'site-operator' },
        webhooks: [
          {
            ...entry('msite-v1.web.example.com', '/mutate-web-example-com-v1-site', rule('sites', 'CREATE', 'UPDATE')),
            reinvocationPolicy: 'IfNeeded',
          },
          entry('second.jobs.example.com', '/second', { ...rule('jobs', 'UPDATE'), apiGroups: ['batch'] }),
        ],
      },
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'site-operator' },
        webhooks: [
          entry(
            'vsite-v1-scale.web.example.com',
            '/validate-web-example-com-v1-site-scale',
            rule('sites/scale', 'UPDATE'),
          ),
          entry(
            'vsite-v1-exec.web.example.com',
            '/validate-web-example-com-v1-site-exec',
            rule('sites/exec', 'CONNECT'),
          ),
          entry('vsite-v1.web.example.com', '/validate-web-example-com-v1-site', rule('sites', 'CREATE', 'UPDATE')),
        ],
      },
    ]);
  });

  it('gives a webhook of the core group and of a group without a dot a valid name', () => {
    @ValidatingWebhook(Job, { schema: true })
    class Jobs {}
    const [plan] = planWebhooks([Jobs]).plans;
    expect([plan?.name, plan?.path]).toEqual(['vjob-v1.batch.webhook', '/validate-batch-v1-job']);
  });

  it('reports all mistakes of all classes with their members', () => {
    class Nothing {}
    class OnlyAdmit {
      @Admit() check(): void {}
    }
    @ValidatingWebhook(Site)
    @MutatingWebhook(Site)
    class Both {
      @Admit() check(): void {}
    }
    @ValidatingWebhook(Site)
    class Empty {}
    @ValidatingWebhook(Site, {
      name: 'site',
      path: 'Check',
      failurePolicy: 'Maybe',
      timeoutSeconds: 31,
      subresource: '*',
      matchConditions: [{ name: '', expression: ' ' }],
      namespaceSelector: 'web',
      reinvocationPolicy: 'Never',
      labels: {},
    } as object)
    class Options {
      @Admit('patch' as never) check(): void {}
    }
    @MutatingWebhook(Job, { scope: 'Namespaced', path: '/convert' })
    class Scope {
      @Admit('connect') check(): void {}
      @Admit() wrong(_site: Site): void {}
    }
    @ValidatingWebhook(Site, { subresource: 'exec', schema: true })
    class Exec {
      @Admit('create') check(): void {}
    }
    const { plans, mistakes } = planWebhooks([Nothing, OnlyAdmit, Both, Empty, Options, Scope, Exec]);
    expect(plans).toEqual([]);
    expect(mistakes.map((mistake) => `${mistake.code} ${controllerMistakeText(mistake)}`)).toEqual([
      'missing-webhook Nothing: the class is listed as a webhook but has neither @ValidatingWebhook nor @MutatingWebhook; add @ValidatingWebhook(YourKind) above it',
      'missing-webhook OnlyAdmit: the class has @Admit but has neither @ValidatingWebhook nor @MutatingWebhook; add @ValidatingWebhook(YourKind) above it',
      'duplicate-declaration Both: the class has both @ValidatingWebhook and @MutatingWebhook; write two classes, and move what both need to a service',
      'webhook-without-admit Empty: the class has @ValidatingWebhook(Site) but no @Admit; add @Admit() above the method that reviews requests',
      'unknown-option Options: @ValidatingWebhook: unknown option "reinvocationPolicy"; use one of name, path, subresource, failurePolicy, matchPolicy, namespaceSelector, objectSelector, matchConditions, sideEffects, timeoutSeconds, scope, schema',
      'unknown-option Options: @ValidatingWebhook: unknown option "labels"; use one of name, path, subresource, failurePolicy, matchPolicy, namespaceSelector, objectSelector, matchConditions, sideEffects, timeoutSeconds, scope, schema',
      'invalid-option Options: @ValidatingWebhook: failurePolicy is "Maybe"; use "Fail" or "Ignore"',
      `invalid-option Options: @ValidatingWebhook: name is "site"; use a domain of at least three parts, such as 'cronjobs.batch.example.com'`,
      `invalid-option Options: @ValidatingWebhook: path is "Check"; use a path of lower-case letters, digits, '-' and '.', such as '/validate-batch-example-com-v1-cronjob'`,
      `invalid-option Options: @ValidatingWebhook: subresource is "*"; use the name of one subresource, such as 'status'`,
      'invalid-option Options: @ValidatingWebhook: timeoutSeconds is 31; use an integer from 1 to 30',
      `invalid-option Options: @ValidatingWebhook: namespaceSelector is "web"; use a label selector, such as { matchLabels: { app: 'web' } }`,
      `invalid-option Options: @ValidatingWebhook: the name of matchConditions[0] is ""; use letters, digits, '-', '_' and '.', such as 'exclude-leases'`,
      'invalid-option Options: @ValidatingWebhook: the expression of matchConditions[0] is " "; write an expression in CEL',
      'invalid-option Options.check: @Admit: unknown operation "patch"; use "create", "update", "delete", "connect"',
      'invalid-option Scope: @MutatingWebhook: path is "/convert"; use another path, because conversions have this one',
      'invalid-option Scope.check: @Admit: "connect" never happens: only subresources such as exec have "connect"; set the option subresource, or use another operation',
      'kind-mismatch Scope.wrong: @Admit gives this method a Job, but its parameter is a Site; write Job as its type, or change the kind of the decorator',
      'invalid-option Exec: @ValidatingWebhook: schema has no effect for the subresource "exec"; remove one of them',
      `invalid-option Exec.check: @Admit: "create" never happens: requests of the subresource "exec" are "connect"; write @Admit('connect')`,
    ]);
  });

  it('reports names, paths and classes of kinds that several webhooks have', () => {
    @ValidatingWebhook(Site)
    class One {
      constructor(@ListerOf(Page) readonly pages: unknown) {}
      @Admit() check(): void {}
    }
    @ValidatingWebhook(Site)
    class Two {
      constructor(@ListerOf(OtherPage) readonly pages: unknown) {}
      @Admit() check(): void {}
    }
    const { mistakes } = planWebhooks([One, Two]);
    expect(mistakes.map((mistake) => `${mistake.code} ${controllerMistakeText(mistake)}`)).toEqual([
      'duplicate-declaration Two: the name "vsite-v1.web.example.com" of the webhook is already used by One; set the option name of one of them',
      'duplicate-declaration Two: the path "/validate-web-example-com-v1-site" of the webhook is already used by One; set the option path of one of them',
      'duplicate-declaration Two: Page and OtherPage are both classes of pages.web.example.com, but a manager can have only one class for each kind; use the same class everywhere',
    ]);
  });
});
