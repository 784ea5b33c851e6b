import type { AdmissionReview } from '../contract/admission-review.ts';
import { controllerMistakeText } from '../declarations/controller-mistake.ts';
import { Admit } from '../decorators/admit.ts';
import { CustomResource } from '../decorators/custom-resource.ts';
import { ListerOf } from '../decorators/lister-of.ts';
import { MutatingWebhook } from '../decorators/mutating-webhook.ts';
import { Mutation } from '../decorators/mutation.ts';
import { Rbac } from '../decorators/rbac.ts';
import { Rule } from '../decorators/rule.ts';
import { Status } from '../decorators/status.ts';
import { ValidatingWebhook } from '../decorators/validating-webhook.ts';
import { KubernetesObject } from '../object/kubernetes-object.ts';
import { deriveRoles } from '../rbac/derive-roles.ts';
import { admissionPolicy } from './admission-policy.ts';
import { namespaceSelectorOf } from './namespace-selector.ts';
import { planWebhooks } from './plan-webhooks.ts';
import { policyKindsIn } from './policy-kinds.ts';
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
      matchConditions: [
        { name: '', expression: ' ' },
        { name: 'twice', expression: 'true' },
        { name: 'twice', expression: 'true' },
      ],
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
      'unknown-option Options: @ValidatingWebhook: unknown option "reinvocationPolicy"; use one of name, path, subresource, failurePolicy, matchPolicy, namespaceSelector, objectSelector, matchConditions, sideEffects, timeoutSeconds, scope, policy, operations, variables, params, schema',
      'unknown-option Options: @ValidatingWebhook: unknown option "labels"; use one of name, path, subresource, failurePolicy, matchPolicy, namespaceSelector, objectSelector, matchConditions, sideEffects, timeoutSeconds, scope, policy, operations, variables, params, schema',
      'invalid-option Options: @ValidatingWebhook: failurePolicy is "Maybe"; use "Fail" or "Ignore"',
      `invalid-option Options: @ValidatingWebhook: name is "site"; use a domain of at least three parts, such as 'cronjobs.batch.example.com'`,
      `invalid-option Options: @ValidatingWebhook: path is "Check"; use a path of lower-case letters, digits, '-' and '.', such as '/validate-batch-example-com-v1-cronjob'`,
      `invalid-option Options: @ValidatingWebhook: subresource is "*"; use the name of one subresource, such as 'status'`,
      'invalid-option Options: @ValidatingWebhook: timeoutSeconds is 31; use an integer from 1 to 30',
      `invalid-option Options: @ValidatingWebhook: namespaceSelector is "web"; use a label selector, such as { matchLabels: { app: 'web' } }`,
      `invalid-option Options: @ValidatingWebhook: the name of matchConditions[0] is ""; use letters, digits, '-', '_' and '.', such as 'exclude-leases'`,
      'invalid-option Options: @ValidatingWebhook: the expression of matchConditions[0] is " "; write an expression in CEL',
      'invalid-option Options: @ValidatingWebhook: the name of matchConditions[2] is "twice", but an earlier condition has this name; use each name once',
      'invalid-option Options.check: @Admit: unknown operation "patch"; use "create", "update", "delete", "connect"',
      'invalid-option Scope: @MutatingWebhook: path is "/convert"; use another path, because conversions use this one',
      'invalid-option Scope.check: @Admit: "connect" never happens: only subresources such as exec have "connect"; set the option subresource, or use another operation',
      'kind-mismatch Scope.wrong: @Admit gives this method a Job, but its parameter is a Site; write Job as its type, or change the kind of the decorator',
      'invalid-option Exec: @ValidatingWebhook: schema has no effect for the subresource "exec"; remove schema or subresource',
      `invalid-option Exec.check: @Admit: "create" never happens: requests of the subresource "exec" are "connect"; use only 'connect'`,
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

  describe('with rules', () => {
    const options = {
      policy: true,
      operations: ['create', 'delete'],
      failurePolicy: 'Ignore',
      matchPolicy: 'Exact',
      namespaceSelector: selector,
      scope: 'Namespaced',
      variables: [{ name: 'size', expression: 'object.spec.size' }],
      params: { kind: Page, selector: {}, namespace: 'web' },
    } as const;

    @ValidatingWebhook(Site, options)
    @Rule('variables.size < 3', { message: 'too large', reason: 'Forbidden' })
    @Rule('namespaceObject.metadata.name != "x"', { messageExpression: '"no"' })
    class Rules {}

    @MutatingWebhook(Job, { policy: true })
    @Mutation('Object{}')
    @Mutation('[]', { patchType: 'JSONPatch' })
    class Mutations {}

    it('selects the namespaces of the operator, in webhooks and policies of namespaced kinds', () => {
      const namespaces = ['b', 'a', 'b'];
      const within = { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['a', 'b'] };
      const { policies } = planWebhooks([Rules, Mutations], [], { policyKinds: policyKindsIn('1.36'), namespaces });
      const selectors = policies.map(
        (plan) => admissionPolicy('op', plan).policy.spec.matchConstraints.namespaceSelector,
      );
      expect(selectors).toEqual([{ ...selector, matchExpressions: [within] }, undefined]);
      const { plans } = planWebhooks([Rules, Mutations], [], { namespaces });
      expect(plans.map(namespaceSelectorOf)).toEqual(selectors);
    });

    it('makes policies of the kinds that the servers have, in the order of the class', () => {
      const { plans, policies, mistakes } = planWebhooks([Rules, Mutations], [], {
        policyKinds: policyKindsIn('1.36'),
      });
      expect([plans, mistakes]).toEqual([[], []]);
      const [validating, mutating] = policies.map((plan) => admissionPolicy('op', plan));
      expect(validating).toEqual({
        policy: {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicy',
          metadata: { name: 'op-vsite-v1.web.example.com' },
          spec: {
            failurePolicy: 'Ignore',
            paramKind: { apiVersion: 'web.example.com/v1', kind: 'Page' },
            matchConstraints: {
              resourceRules: [
                {
                  operations: ['CREATE', 'DELETE'],
                  apiGroups: ['web.example.com'],
                  apiVersions: ['v1'],
                  resources: ['sites'],
                  scope: 'Namespaced',
                },
              ],
              matchPolicy: 'Exact',
              namespaceSelector: selector,
            },
            variables: [{ name: 'size', expression: 'object.spec.size' }],
            validations: [
              { expression: 'variables.size < 3', message: 'too large', reason: 'Forbidden' },
              { expression: 'namespaceObject.metadata.name != "x"', messageExpression: '"no"' },
            ],
          },
        },
        binding: {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicyBinding',
          metadata: { name: 'op-vsite-v1.web.example.com' },
          spec: {
            policyName: 'op-vsite-v1.web.example.com',
            paramRef: { namespace: 'web', selector: {}, parameterNotFoundAction: 'Deny' },
            validationActions: ['Deny'],
          },
        },
      });
      expect(mutating?.policy.spec).toMatchObject({
        mutations: [
          { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } },
          { patchType: 'JSONPatch', jsonPatch: { expression: '[]' } },
        ],
        reinvocationPolicy: 'Never',
      });
      expect(mutating?.binding.spec).toEqual({ policyName: 'op-mjob-v1.batch.webhook' });
    });

    it.each([
      ['1.29', 2, []],
      [undefined, 1, ['Rules']],
      ['1.35', 1, ['Rules']],
      ['1.36', 0, ['Rules', 'Mutations']],
      ['1.100', 0, ['Rules', 'Mutations']],
    ] as const)('leaves webhooks for servers from %s on', (version, webhooks, names) => {
      const { plans, policies } = planWebhooks([Rules, Mutations], [], { policyKinds: policyKindsIn(version) });
      expect([plans.length, policies.map(({ webhookClass }) => webhookClass.name)]).toEqual([webhooks, names]);
    });

    it('needs permissions for what rules read only in a webhook', () => {
      const { plans } = planWebhooks([Rules]);
      const rules = deriveRoles({ plans: [], webhooks: plans }).flatMap((role) =>
        role.rules.map((rule) => ({ namespace: role.namespace, ...rule })),
      );
      expect(rules).toEqual([
        expect.objectContaining({ namespace: undefined, resource: 'namespaces', verbs: ['get', 'list', 'watch'] }),
        expect.objectContaining({ namespace: 'web', resource: 'pages', verbs: ['list', 'watch'] }),
      ]);
    });

    it('reports what cannot have an effect, and how to fix it', () => {
      @ValidatingWebhook(Site, { policy: true })
      class NoRule {
        @Admit() check(): void {}
      }
      @ValidatingWebhook(Site, { operations: ['create'] })
      class OnlyOperations {
        @Admit() check(): void {}
      }
      @ValidatingWebhook(Site, { policy: true, schema: true, name: 'mixed.web.example.com', path: '/mixed' })
      @Rule('true')
      class Mixed {
        constructor(@ListerOf(Page) readonly pages: unknown) {}
        @Admit() check(): void {}
      }
      @ValidatingWebhook(Job, {
        policy: 'yes',
        variables: {},
        params: { kind: Page, name: 'a', selector: {} },
      } as never)
      @Rule('', { reason: 'FieldValueInvalid', fieldPath: '.a', message: 3 } as never)
      @Mutation('Object{}')
      class Wrong {}
      @MutatingWebhook(Site, { operations: ['delete'], params: { kind: Job, namespace: 'a', nam: 'b' } } as never)
      @Mutation(' ', { patchType: 'Merge' } as never)
      class WrongMutation {}
      const { mistakes } = planWebhooks([NoRule, OnlyOperations, Mixed, Wrong, WrongMutation]);
      expect(mistakes.map((mistake) => `${mistake.code} ${controllerMistakeText(mistake)}`)).toEqual([
        "invalid-option NoRule: @ValidatingWebhook: policy is true, but the class has no @Rule; add @Rule('...') above it",
        'invalid-option OnlyOperations: @ValidatingWebhook: operations has no effect without @Rule; name the operations in @Admit',
        'invalid-option Mixed.check: @ValidatingWebhook: the API server evaluates a policy without the operator, so the class can have only @Rule; move this method to another class, or remove policy',
        'invalid-option Mixed: @ValidatingWebhook: the API server evaluates a policy without the operator, so the class can have only @Rule; remove schema or policy',
        'invalid-option Mixed: @ValidatingWebhook: the API server evaluates a policy without the operator, so the class can have only @Rule; remove @ListerOf or policy',
        'invalid-option Wrong: @ValidatingWebhook: policy is "yes"; use true or false',
        'invalid-option Wrong: @Mutation has no effect in a class with @ValidatingWebhook; move it to a class with @MutatingWebhook',
        'invalid-option Wrong: @Rule(""): write an expression in CEL',
        'invalid-option Wrong: @Rule(""): message is 3; write a string',
        'invalid-option Wrong: @Rule(""): reason is "FieldValueInvalid", which only API classes have; use "Invalid", "Forbidden", "RequestEntityTooLarge"',
        'invalid-option Wrong: @Rule(""): fieldPath has no effect in a webhook; remove it',
        "invalid-option Wrong: @ValidatingWebhook: variables is {}; use a list, such as [{ name: 'replicas', expression: 'object.spec.replicas' }]",
        'invalid-option Wrong: @ValidatingWebhook: params need either a name or a selector; write { kind, name } or { kind, selector: {} }',
        'invalid-option Wrong: @ValidatingWebhook: params need a namespace, because jobs are cluster-scoped and pages are not; set params.namespace',
        'invalid-option WrongMutation: @Mutation(" "): write an expression in CEL',
        'invalid-option WrongMutation: @Mutation(" "): patchType is "Merge"; use "ApplyConfiguration" or "JSONPatch"',
        "invalid-option WrongMutation: @MutatingWebhook: operations: an object that is deleted cannot be changed; remove 'delete'",
        'invalid-option WrongMutation: @MutatingWebhook: params: unknown option "nam"; use one of kind, name, selector, namespace, parameterNotFoundAction',
        'invalid-option WrongMutation: @MutatingWebhook: params need either a name or a selector; write { kind, name } or { kind, selector: {} }',
        'invalid-option WrongMutation: @MutatingWebhook: params.namespace has no effect, because jobs are cluster-scoped; remove it',
      ]);
    });
  });
});
