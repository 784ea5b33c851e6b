import type { MutatingWebhookConfiguration } from '@evenkeel/kinds';
import {
  compileMatchCondition,
  MatchCondition,
  reviewVersionErrors,
  webhookAddressErrors,
} from '@evenkeel/schema/evaluate';
import {
  dns1123SubdomainErrors,
  duplicate,
  type FieldError,
  invalid,
  invalidBy,
  labelKeyErrors,
  notSupported,
  required,
  tooMany,
  validateLabelSelector,
} from '../../apimachinery/index.ts';

type Webhook = NonNullable<MutatingWebhookConfiguration['webhooks']>[number];
type Rule = NonNullable<Webhook['rules']>[number];
type Condition = NonNullable<Webhook['matchConditions']>[number];

const conditionsMax = 64;
const reviewVersions = ['v1', 'v1beta1'];
const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
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
  errors.push(...conditionErrors(webhook.matchConditions ?? [], `${path}.matchConditions`));
  return errors;
}

function qualifiedNameErrors(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  const wrong = dns1123SubdomainErrors(name);
  if (wrong.length > 0) return [invalid(path, name, wrong.join(','))];
  if (name.split('.').length >= 3) return [];
  return [invalid(path, name, 'should be a domain with at least three segments separated by dots')];
}

function ruleErrors(rule: Rule, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const alone = (name: 'operations' | 'apiGroups' | 'apiVersions', others: string): readonly string[] => {
    const values = rule[name] ?? [];
    if (values.length === 0) errors.push(required(`${path}.${name}`));
    if (values.length > 1 && values.includes('*')) {
      errors.push(invalid(`${path}.${name}`, values, `if '*' is present, must not specify other ${others}`));
    }
    return values;
  };
  for (const [index, operation] of alone('operations', 'operations').entries()) {
    if (!operations.includes(operation)) {
      errors.push(notSupported(`${path}.operations[${index}]`, operation, operations));
    }
  }
  alone('apiGroups', 'API groups');
  for (const [index, version] of alone('apiVersions', 'API versions').entries()) {
    if (version === '') errors.push(required(`${path}.apiVersions[${index}]`));
  }
  errors.push(...resourceErrors(rule.resources ?? [], `${path}.resources`));
  const { scope } = rule;
  const scopes = ['*', 'Cluster', 'Namespaced'];
  if (scope !== undefined && !scopes.includes(scope)) errors.push(notSupported(`${path}.scope`, scope, scopes));
  return errors;
}

function resourceErrors(resources: readonly string[], path: string): FieldError[] {
  if (resources.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const withAllSubresources = new Set<string>();
  const ofAllResources = new Set<string>();
  let hasPlain = false;
  for (const [index, resource] of resources.entries()) {
    const at = `${path}[${index}]`;
    const slash = resource.indexOf('/');
    if (resource === '') errors.push(required(at));
    // As upstream: a later `*` hides a plain resource before it.
    else if (slash < 0) hasPlain = resource !== '*';
    else {
      const [parent, subresource] = [resource.slice(0, slash), resource.slice(slash + 1)];
      if (withAllSubresources.has(parent)) {
        errors.push(invalid(at, resource, `if '${parent}/*' is present, must not specify ${resource}`));
      }
      if (ofAllResources.has(subresource)) {
        errors.push(invalid(at, resource, `if '*/${subresource}' is present, must not specify ${resource}`));
      }
      if (subresource === '*') withAllSubresources.add(parent);
      if (parent === '*') ofAllResources.add(subresource);
    }
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes('*') && hasPlain) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalid(path, resources, detail));
  }
  return errors;
}

function conditionErrors(conditions: readonly Condition[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (conditions.length > conditionsMax) errors.push(tooMany(path, conditions.length, conditionsMax));
  const names = new Set<string>();
  for (const [index, { name = '', expression = '' }] of conditions.entries()) {
    const at = `${path}[${index}]`;
    const trimmed = expression.trim();
    if (trimmed === '') errors.push(required(`${at}.expression`));
    else {
      const compiled = compileMatchCondition(trimmed);
      if (!(compiled instanceof MatchCondition)) errors.push(invalid(`${at}.expression`, trimmed, compiled.message));
    }
    if (name === '') errors.push(required(`${at}.name`));
    else {
      errors.push(...invalidBy(labelKeyErrors, `${at}.name`, name));
      if (names.size === names.add(name).size) errors.push(duplicate(`${at}.name`, name));
    }
  }
  return errors;
}
