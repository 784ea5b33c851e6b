import {
  type AdmissionReview,
  Admit,
  CustomResource,
  type KindReference,
  KubernetesObject,
  MutatingWebhook,
  type MutatingWebhookOptions,
  Rbac,
  Rule,
  ValidatingWebhook,
} from '@evenkeel/core';
import { planWebhooks, type WebhookPlan } from '@evenkeel/core/webhook';
import { ConfigMap, Lease, MutatingWebhookConfiguration, Node, Pod, Secret } from '@evenkeel/kinds';
import { type WebhookOperator, webhookTraps } from './webhook-traps.ts';

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Site extends KubernetesObject {}

const everywhere: WebhookOperator = { namespace: 'sites' };

function planOf(kind: KindReference, options: MutatingWebhookOptions = {}): WebhookPlan {
  @MutatingWebhook(kind, options)
  class Hook {
    @Admit() set(_object: KubernetesObject, _review: AdmissionReview): void {}
  }
  const { plans, mistakes } = planWebhooks([Hook]);
  if (plans[0] === undefined) throw new Error(JSON.stringify(mistakes));
  return plans[0];
}

const trapsOf = (kind: KindReference, options?: MutatingWebhookOptions, operator = everywhere): string[] =>
  webhookTraps(planOf(kind, options), operator).map(({ code, message }) => `${code}: ${message}`);

const named = (operator: string, ...values: string[]) => ({
  matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator, values }],
});

describe('the traps of webhooks', () => {
  it('include every kind without which the operator cannot start', () => {
    expect(trapsOf(Pod)).toEqual([
      "webhook-blocks-cluster: if the webhook does not respond, nobody can write pods, so the operator that should respond cannot start in sites and kube-system; exclude these namespaces with namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['sites', 'kube-system'] }] }, or set failurePolicy: 'Ignore'",
    ]);
    expect(trapsOf(Secret, { namespaceSelector: named('NotIn', 'kube-system') })).toEqual([
      expect.stringContaining('cannot start in sites; exclude'),
    ]);
    expect(trapsOf(Lease)).toEqual([expect.stringContaining('in sites and kube-system and kube-node-lease;')]);
    expect(trapsOf(Node, { subresource: 'status' })).toEqual([
      "webhook-blocks-cluster: if the webhook does not respond, nobody can write nodes/status, so the operator that should respond cannot start; set failurePolicy: 'Ignore', or select objects with objectSelector or matchConditions",
    ]);
  });

  it('do not include a webhook that leaves these objects alone, or that may fail', () => {
    const selections: MutatingWebhookOptions[] = [
      { failurePolicy: 'Ignore' },
      { namespaceSelector: named('NotIn', 'sites', 'kube-system') },
      { namespaceSelector: { matchLabels: { inject: 'yes' } } },
      { objectSelector: { matchLabels: { inject: 'yes' } } },
      { matchConditions: [{ name: 'own', expression: "request.namespace != 'sites'" }] },
      { subresource: 'ephemeralcontainers' },
    ];
    expect(selections.flatMap((options) => trapsOf(Pod, options))).toEqual([]);
    // A selector that only removes unlabelled objects from its choice still chooses those of the operator.
    const unlike = { matchExpressions: [{ key: 'inject', operator: 'NotIn', values: ['no'] }] };
    expect(trapsOf(Pod, { objectSelector: unlike })).toHaveLength(1);
    expect(trapsOf(Site)).toEqual([]);
  });

  it('include webhooks that the API server never calls', () => {
    expect(trapsOf(MutatingWebhookConfiguration)).toEqual([
      'webhook-never-called: the API server calls no webhook for a MutatingWebhookConfiguration, so that a wrong one can always be repaired; remove this webhook',
    ]);
  });

  it('include writes of a webhook that says that it has no side effects', () => {
    const writes = (sideEffects: 'None' | 'NoneOnDryRun', verbs: ('get' | 'create' | 'delete')[]): string[] => {
      @ValidatingWebhook(Site, { sideEffects })
      @Rbac(ConfigMap, verbs)
      class Hook {
        @Admit() check(): void {}
      }
      return planWebhooks([Hook]).plans.flatMap((plan) => webhookTraps(plan, everywhere).map(({ message }) => message));
    };
    expect(writes('None', ['get', 'create', 'delete'])).toEqual([
      "its @Rbac allows create, delete, but sideEffects is 'None', so the API server also calls it for requests with dry run; set sideEffects: 'NoneOnDryRun', and write nothing if review.dryRun is set",
    ]);
    expect([writes('NoneOnDryRun', ['create']), writes('None', ['get'])]).toEqual([[], []]);
  });

  it('include conditions that the operator evaluates, because the API server calls the webhook for every object', () => {
    const options = {
      params: { kind: Secret, name: 'limits' },
      matchConditions: [{ name: 'not-mine', expression: 'object.metadata.namespace != "sites"' }],
    };
    @ValidatingWebhook(ConfigMap, options)
    @Rule('size(object.data) < 10')
    class Rules {}
    const { plans } = planWebhooks([Rules]);
    expect(plans.flatMap((plan) => webhookTraps(plan, everywhere)).map(({ code }) => code)).toEqual([
      'webhook-blocks-cluster',
    ]);
  });
});
