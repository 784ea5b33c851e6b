import type { Client } from '@evenkeel/client';
import {
  controllerMistakeText,
  EvenkeelError,
  formatLabelSelector,
  type KubernetesObject,
  labelRequirementsOf,
  ObjectKey,
  type ObjectValidator,
  type RuleEvaluator,
} from '@evenkeel/core';
import { type PlannedParams, policyInProcess, type WebhookPlan } from '@evenkeel/core/webhook';
import { Namespace } from '@evenkeel/kinds';
import type { Cache } from '../cache/cache.ts';
import type { Informer } from '../cache/informer.ts';
import { AdmissionRules, type RuleSources } from '../webhook/admission/admission-rules.ts';

/** The informers of the objects that the rules of a webhook read. */
export interface RuleInformers {
  readonly params: Informer | undefined;
  readonly namespaces: Informer | undefined;
}

/** Takes them from the manager's cache. Only the parameters that the webhook can use are cached. */
export function ruleInformers(
  { rules, resource }: WebhookPlan,
  cache: Cache,
  namespaces: readonly string[] | undefined,
): RuleInformers {
  const readsNamespace = rules?.readsNamespace === true && resource.namespaced;
  return {
    params: rules?.params === undefined ? undefined : paramsInformer(rules.params, cache, namespaces),
    namespaces: readsNamespace ? (cache.informer(Namespace) as Informer) : undefined,
  };
}

function paramsInformer(
  { kind: { kind }, name, namespace, selector }: PlannedParams,
  cache: Cache,
  namespaces: readonly string[] | undefined,
): Informer {
  return cache.informer(kind, {
    namespaces: namespace === undefined ? namespaces : [namespace],
    ...(name === undefined ? {} : { fields: { 'metadata.name': name } }),
    ...(selector === undefined ? {} : { labels: formatLabelSelector(labelRequirementsOf(selector)) }),
  }) as Informer;
}

/**
 * Compiles the rules of a webhook that are evaluated in the process. Returns undefined if it has none.
 *
 * @throws EvenkeelError `invalid-rule` with all mistakes of their expressions.
 */
export async function wireRules(
  plan: WebhookPlan,
  informers: RuleInformers,
  validator: ObjectValidator | undefined,
  client: Client,
): Promise<AdmissionRules | undefined> {
  const { rules } = plan;
  const evaluator: RuleEvaluator | undefined = rules === undefined ? undefined : await validator?.ruleEvaluator?.();
  if (rules === undefined || evaluator === undefined) return undefined;
  const compiled = evaluator.compile(policyInProcess({ ...plan, rules }));
  if ('mistakes' in compiled) {
    const { webhookClass: controllerClass } = plan;
    const texts = compiled.mistakes.map((message) =>
      controllerMistakeText({ code: 'invalid-rule', controllerClass, message }),
    );
    throw new EvenkeelError('invalid-rule', texts.join('\n'));
  }
  const sources = { params: paramsOf(rules.params, informers.params), namespaceObject: namespaceOf(informers, client) };
  return new AdmissionRules({ ...plan, rules }, compiled, sources);
}

function paramsOf(params: PlannedParams | undefined, informer: Informer | undefined): RuleSources['params'] {
  if (params === undefined || informer === undefined) return () => [];
  const { name, kind } = params;
  return (requested) => {
    const namespace = kind.resource.namespaced ? (params.namespace ?? requested) : undefined;
    const { lister } = informer;
    // The informer selects the labels.
    if (name === undefined) return lister.list(namespace === undefined ? {} : { namespace });
    const found = lister.get(new ObjectKey(name, namespace));
    return found === undefined ? [] : [found];
  };
}

/** A namespace without the metadata that the API server hides. One that was just created may not be cached yet. */
function namespaceOf({ namespaces }: RuleInformers, client: Client): RuleSources['namespaceObject'] {
  return async (name) => {
    const found = (namespaces?.lister.get(name) ?? (await client.get(Namespace, name))) as KubernetesObject & {
      readonly spec?: object;
      readonly status?: object;
    };
    const { managedFields: _, ownerReferences: __, ...metadata } = found.metadata;
    return { metadata, spec: found.spec, status: found.status };
  };
}
