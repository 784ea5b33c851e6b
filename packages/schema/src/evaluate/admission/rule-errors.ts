import type { MutatingWebhookConfiguration } from '@evenkeel/kinds';
import { type FieldError, invalid, notSupported, required } from '../apimachinery.ts';

type Webhook = NonNullable<MutatingWebhookConfiguration['webhooks']>[number];
type Rule = NonNullable<Webhook['rules']>[number];

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

/** The errors in a rule of a webhook or a policy: `validateRuleWithOperations`. */
export function ruleErrors(rule: Rule, path: string): FieldError[] {
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
