import { type ConcreteClass, CustomResource, controllerMistakeText, KubernetesObject, Spec } from '@evenkeel/core';
import { planWebhooks, type WebhookPlan } from '@evenkeel/core/webhook';
import { ConfigMap } from '@evenkeel/kinds';
import { listerOf } from './injected.ts';
import { mutatingWebhookFor, validatingWebhookFor } from './webhook-for.ts';

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Site extends KubernetesObject {
  @Spec() spec!: { host: string };
}

class Dns {
  readonly taken = ['example.com'];
}

function planOf(type: ConcreteClass): WebhookPlan {
  const { plans, mistakes } = planWebhooks([type]);
  expect(mistakes.map(controllerMistakeText)).toEqual([]);
  return plans[0] as WebhookPlan;
}

describe('validatingWebhookFor() and mutatingWebhookFor()', () => {
  it('declare the same as a class, and give the injected values to the function', async () => {
    const seen: unknown[] = [];
    const validator = validatingWebhookFor(Site, { failurePolicy: 'Ignore' })
      .inject({ dns: Dns, maps: listerOf(ConfigMap) })
      .rbac(ConfigMap, ['get'])
      .admit(['create'], function hostIsFree(site, review, { dns, maps }) {
        seen.push(dns.taken, maps.list());
        if (dns.taken.includes(site.spec.host)) review.duplicate('spec.host', site.spec.host);
      });
    const plan = planOf(validator);
    expect(plan).toMatchObject({
      ...{ type: 'validating', name: 'vsite-v1.web.example.com', operations: ['create'] },
      methods: [{ method: 'hostIsFree', operations: ['create'] }],
      selection: { failurePolicy: 'Ignore' },
      cached: [{ kind: ConfigMap }],
      rbac: [{ verbs: ['get'] }],
    });
    const lister = { list: () => ['map'] };
    const instance = new validator(new Dns(), lister) as { hostIsFree(site: Site, review: object): void };
    const reported: unknown[] = [];
    const site = Object.assign(new Site(), { spec: { host: 'example.com' } });
    instance.hostIsFree(site, { duplicate: (...values: unknown[]) => reported.push(values) });
    expect(seen).toEqual([['example.com'], ['map']]);
    expect(reported).toEqual([['spec.host', 'example.com']]);
  });

  it('have the default operations with an empty list, and the options of their type', () => {
    const plan = planOf(mutatingWebhookFor(Site, { reinvocationPolicy: 'IfNeeded' }).admit([], () => undefined));
    expect(plan).toMatchObject({ type: 'mutating', operations: ['create', 'update'] });
    expect(plan.methods[0]?.method).toBe('admit()');
  });

  it('report mistakes with the line of the call', () => {
    const wrong = validatingWebhookFor(Site, { timeoutSeconds: 60 }).admit(['connect'], function check() {});
    const texts = planWebhooks([wrong]).mistakes.map(controllerMistakeText);
    expect(texts.map((text) => text.replace(/\(\/\S+\/builder/, '(builder'))).toEqual([
      expect.stringMatching(
        /^validatingWebhookFor\(Site\) \(builder\/webhook-for\.test\.ts:\d+\): validatingWebhookFor: timeoutSeconds is 60; use an integer from 1 to 30$/,
      ),
      expect.stringMatching(
        /^validatingWebhookFor\(Site\)\.check \(builder\/webhook-for\.test\.ts:\d+\): \.admit: "connect" never happens/,
      ),
    ]);
    expect(() => validatingWebhookFor(Site).admit(['create'], undefined as never)).toThrow(
      'validatingWebhookFor(Site): admit() was called with undefined; pass a function',
    );
  });
});
