import type { MutatingWebhookConfiguration } from '@evenkeel/kinds';
import { reviewVersionErrors, webhookAddressErrors } from '../apiextensions/conversion-rules.ts';
import {
  dns1123SubdomainErrors,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  validateLabelSelector,
} from '../apimachinery.ts';
import { matchConditionErrors } from './match-condition-errors.ts';
import { ruleErrors } from './rule-errors.ts';

type Webhook = NonNullable<MutatingWebhookConfiguration['webhooks']>[number];

const reviewVersions = ['v1', 'v1beta1'];
const sideEffects = ['None', 'NoneOnDryRun'];

/**
 * The errors in the webhooks of a configuration.
 *
 * Source: `pkg/apis/admissionregistration/validation/validation.go`. What upstream tolerates in objects of older releases
 * cannot be stored here.
 */
export function webhookErrors(webhooks: readonly Webhook[]): FieldError[] {
  const names = new Set<string>();
  return webhooks.flatMap((webhook, index) => {
    const path = `webhooks[${index}]`;
    const detail = `must specify one of ${reviewVersions.join(', ')}`;
    const errors = [
      ...oneWebhookErrors(webhook, path),
      ...reviewVersionErrors(webhook.admissionReviewVersions ?? [], `${path}.admissionReviewVersions`, true, detail),
    ];
    const { name } = webhook;
    if (name !== '' && names.size === names.add(name).size) errors.push(duplicate(`${path}.name`, name));
    return errors;
  });
}

function oneWebhookErrors(webhook: Webhook, path: string): FieldError[] {
  const errors = qualifiedNameErrors(webhook.name ?? '', `${path}.name`);
  for (const [index, rule] of (webhook.rules ?? []).entries()) {
    errors.push(...ruleErrors(rule, `${path}.rules[${index}]`));
  }
  const one = (name: keyof Webhook, supported: readonly string[]): void => {
    const value = webhook[name];
    if (value !== undefined && !supported.includes(String(value))) {
      errors.push(notSupported(`${path}.${name}`, value, supported));
    }
  };
  one('failurePolicy', ['Fail', 'Ignore']);
  one('matchPolicy', ['Equivalent', 'Exact']);
  if (webhook.sideEffects === undefined) {
    errors.push(required(`${path}.sideEffects`, `must specify one of ${sideEffects.join(', ')}`));
  } else one('sideEffects', sideEffects);
  one('reinvocationPolicy', ['IfNeeded', 'Never']);
  const { timeoutSeconds } = webhook;
  if (timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > 30)) {
    const detail = 'the timeout value must be between 1 and 30 seconds';
    errors.push(invalid(`${path}.timeoutSeconds`, timeoutSeconds, detail));
  }
  errors.push(...validateLabelSelector(webhook.namespaceSelector, `${path}.namespaceSelector`));
  errors.push(...validateLabelSelector(webhook.objectSelector, `${path}.objectSelector`));
  errors.push(...webhookAddressErrors(webhook.clientConfig ?? {}, `${path}.clientConfig`));
  errors.push(...matchConditionErrors(webhook.matchConditions ?? [], `${path}.matchConditions`));
  return errors;
}

function qualifiedNameErrors(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  const wrong = dns1123SubdomainErrors(name);
  if (wrong.length > 0) return [invalid(path, name, wrong.join(','))];
  if (name.split('.').length >= 3) return [];
  return [invalid(path, name, 'should be a domain with at least three segments separated by dots')];
}
