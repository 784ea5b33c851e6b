import { type LabelSelectorSpec, labelRequirementsOf, matchesLabels } from '@evenkeel/apimachinery/selector';
import { hasConditionsInProcess, namespaceSelectorOf, type WebhookPlan } from '@evenkeel/core/webhook';

/** The operator that serves the webhooks. */
export interface WebhookOperator {
  /** The namespace of its pods. */
  readonly namespace: string;
}

/** A declaration that the API server accepts, and that has an effect which its author probably does not expect. */
export interface WebhookTrap {
  readonly code: 'webhook-blocks-cluster' | 'webhook-never-called' | 'webhook-writes-in-dry-run';
  readonly message: string;
}

/** Returns the traps of a webhook. */
export function webhookTraps(plan: WebhookPlan, operator: WebhookOperator): WebhookTrap[] {
  return [neverCalled, blocksCluster, writesInDryRun].flatMap((trapOf) => trapOf(plan, operator) ?? []);
}

const nameLabel = 'kubernetes.io/metadata.name';

/**
 * Source: `pkg/admission/plugin/webhook/predicates/rules`, `IsExemptAdmissionConfigurationResource`: otherwise nobody could repair
 * a broken webhook.
 */
function neverCalled({ resource }: WebhookPlan): WebhookTrap | undefined {
  if (resource.group !== 'admissionregistration.k8s.io') return undefined;
  return {
    code: 'webhook-never-called',
    message: `the API server calls no webhook for a ${resource.kind}, so that a wrong one can always be repaired; remove this webhook`,
  };
}

/** What must be written until a pod of the operator is ready to serve its webhooks, and what nodes write all the time. */
const neededToServe: readonly (readonly [group: string, plural: string, subresources: readonly string[]])[] = [
  ['', 'pods', ['status', 'binding']],
  ['', 'nodes', ['status']],
  ['', 'secrets', []],
  ['', 'configmaps', []],
  ['', 'services', []],
  ['', 'serviceaccounts', ['token']],
  ['', 'endpoints', []],
  ['apps', 'deployments', ['status', 'scale']],
  ['apps', 'replicasets', ['status', 'scale']],
  ['discovery.k8s.io', 'endpointslices', []],
  ['coordination.k8s.io', 'leases', []],
];

/** A webhook that must respond although nothing can make it respond: the cluster stays broken until somebody deletes its configuration. */
function blocksCluster(plan: WebhookPlan, { namespace }: WebhookOperator): WebhookTrap | undefined {
  const { resource, subresource, operations, selection } = plan;
  const needed = neededToServe.find(([group, plural]) => group === resource.group && plural === resource.plural);
  if (needed === undefined || selection.failurePolicy === 'Ignore') return undefined;
  if (subresource !== undefined && !needed[2].includes(subresource)) return undefined;
  if (!operations.some((operation) => operation === 'create' || operation === 'update')) return undefined;
  // Conditions may exclude anything. The objects that start an operator have no label of the user.
  if (hasConditions(plan) || !selects(selection.objectSelector, {})) return undefined;
  const what = subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`;
  const risk = `if the webhook does not respond, nobody can write ${what}, so the operator that should respond cannot start`;
  if (!resource.namespaced) {
    return {
      code: 'webhook-blocks-cluster',
      message: `${risk}; set failurePolicy: 'Ignore', or select objects with objectSelector or matchConditions`,
    };
  }
  const all = [...new Set([namespace, 'kube-system', ...(resource.plural === 'leases' ? ['kube-node-lease'] : [])])];
  const selector = namespaceSelectorOf(plan);
  const open = all.filter((name) => selects(selector, { [nameLabel]: name }));
  if (open.length === 0) return undefined;
  const exclusion = `{ matchExpressions: [{ key: '${nameLabel}', operator: 'NotIn', values: [${quoted(all)}] }] }`;
  return {
    code: 'webhook-blocks-cluster',
    message: `${risk} in ${open.join(' and ')}; exclude these namespaces with namespaceSelector: ${exclusion}, or set failurePolicy: 'Ignore'`,
  };
}

const writingVerbs: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

function writesInDryRun({ rbac, sideEffects }: WebhookPlan): WebhookTrap | undefined {
  const verbs = rbac.flatMap((rule) => rule.verbs.filter((verb) => writingVerbs.has(verb)));
  if (sideEffects !== 'None' || verbs.length === 0) return undefined;
  return {
    code: 'webhook-writes-in-dry-run',
    message: `its @Rbac allows ${[...new Set(verbs)].join(', ')}, but sideEffects is 'None', so the API server also calls it for requests with dry run; set sideEffects: 'NoneOnDryRun', and write nothing if review.dryRun is set`,
  };
}

/** Whether the API server evaluates conditions before it calls the webhook. */
function hasConditions(plan: WebhookPlan): boolean {
  return plan.selection.matchConditions !== undefined && !hasConditionsInProcess(plan);
}

function selects(selector: LabelSelectorSpec | undefined, labels: Readonly<Record<string, string>>): boolean {
  return matchesLabels(labelRequirementsOf(selector ?? {}), labels);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
