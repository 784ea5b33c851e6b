import { fieldErrorText } from '@evenkeel/apimachinery/field-error';
import type { KindClass } from '@evenkeel/core';
import {
  admissionPolicy,
  defaultMinServerVersion,
  type PlannedRules,
  type PolicyPlan,
  policyInProcess,
  policyKindOf,
  servedSince,
} from '@evenkeel/core/webhook';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { AnyPolicy, AnyPolicyBinding, CheckedType, StructuralSchema } from '@evenkeel/schema/evaluate';
import type { WebhookFinding } from './check-webhooks.ts';

/** The inputs of the checks of rules. */
export interface RuleSurroundings {
  /** Whether the API server evaluates them, in a policy. Otherwise the operator does. */
  readonly isPolicy: boolean;
  readonly minServerVersion: string | undefined;
  /** The CRDs of the project, whose schemas have the types of expressions. */
  readonly definitions: readonly CustomResourceDefinition[];
}

/**
 * Returns the mistakes in the rules of a webhook class, by the API server's own rules: what it would reject in the policy, what the
 * operator could not evaluate, and expressions that do not fit the schema of the kind.
 */
export async function ruleFindings(plan: PolicyPlan, surroundings: RuleSurroundings): Promise<WebhookFinding[]> {
  const { admissionPolicyBindingErrors, admissionPolicyErrors, ruleEvaluator } = await import(
    '@evenkeel/schema/evaluate'
  );
  const { policy, binding } = admissionPolicy('rules', plan);
  const checked = policy as unknown as AnyPolicy;
  const errors = [
    ...admissionPolicyErrors(checked).map((error): WebhookFinding => {
      const at = expressionAt(plan.rules, error.field);
      return at === undefined ? rejected(error) : invalidRule(`${at}: ${error.detail}`);
    }),
    ...admissionPolicyBindingErrors(binding as unknown as AnyPolicyBinding).map(rejected),
  ];
  if (errors.length > 0) return errors;
  if (!surroundings.isPolicy) {
    const compiled = ruleEvaluator.compile(policyInProcess(plan));
    if ('mistakes' in compiled) return compiled.mistakes.map(invalidRule);
  }
  const mistyped = plan.type === 'validating' ? await typeMistakes(plan, surroundings.definitions) : [];
  return mistyped.length > 0 ? mistyped : fallbackNotice(plan, surroundings);
}

type PolicyError = Parameters<typeof fieldErrorText>[0];

function rejected(error: PolicyError): WebhookFinding {
  const field = error.field.replace(/^spec\./, '');
  const message = `the API server would reject its policy: ${fieldErrorText({ ...error, field })}`;
  return { level: 'error', code: 'webhook-rejected', message };
}

function invalidRule(message: string): WebhookFinding {
  return { level: 'error', code: 'invalid-rule', message };
}

function fallbackNotice(
  { rules, type }: PolicyPlan,
  { isPolicy, minServerVersion = defaultMinServerVersion }: RuleSurroundings,
): WebhookFinding[] {
  if (isPolicy || !rules.policy) return [];
  const kind = policyKindOf(type);
  const message = `minServerVersion is ${minServerVersion}, but Kubernetes serves ${kind} from ${servedSince(kind)} on, so the operator serves a webhook that evaluates the rules; set minServerVersion: '${servedSince(kind)}' in defineOperator() if all your clusters have that version`;
  return [{ level: 'notice', code: 'policy-not-served', message }];
}

const expressionForm = /^spec\.(validations|mutations|variables)\[(\d+)\](?:\..*?(messageExpression|expression))?/;

/** Names the declaration of an expression as its author wrote it; undefined if the path leads elsewhere. */
function expressionAt({ validations, mutations, variables }: PlannedRules, path: string): string | undefined {
  const [, list, index, member] = expressionForm.exec(path) ?? [];
  const position = Number(index);
  const quoted = (text: string | undefined): string => JSON.stringify(text ?? '');
  switch (list) {
    case 'validations':
      return `${member === 'messageExpression' ? 'messageExpression of ' : ''}@Rule(${quoted(validations[position]?.rule)})`;
    case 'mutations':
      return `@Mutation(${quoted(mutations[position]?.expression)})`;
    case 'variables':
      return `the variable ${quoted(variables[position]?.name)}`;
    default:
      return undefined;
  }
}

/** Expressions that would fail for every object, because they do not fit the schema of the kind. */
async function typeMistakes(
  plan: PolicyPlan,
  definitions: readonly CustomResourceDefinition[],
): Promise<WebhookFinding[]> {
  const { rules, subresource } = plan;
  // The objects of subresources can be of another kind; the API server does not check them either.
  const type = subresource === undefined ? await checkedTypeOf(plan, definitions) : undefined;
  if (type === undefined) return [];
  const { policyWarnings } = await import('@evenkeel/schema/evaluate');
  const params = rules.params?.kind;
  const paramType = params === undefined ? undefined : await checkedTypeOf(params, definitions);
  const warnings = policyWarnings({
    validations: rules.validations.map(({ rule: expression, messageExpression = '' }) => ({
      expression,
      messageExpression,
    })),
    variables: rules.variables,
    types: [type],
    hasParams: params !== undefined,
    ...(paramType === undefined ? {} : { paramType }),
  });
  return warnings.flatMap(({ fieldRef, warning }) => {
    const problems = [...warning.matchAll(/ERROR: <input>:(\d+:\d+): (.*)/g)]
      // The check of the API server does not know this variable, but policies have it.
      .filter(([, , problem]) => problem?.includes('authorizer.requestResource') !== true)
      .map(([, place, problem]) => `${problem} (at ${place})`);
    if (problems.length === 0) return [];
    return invalidRule(
      `${expressionAt(rules, fieldRef)} does not match the schema of ${plan.kind.name}: ${problems.join('; ')}`,
    );
  });
}

type Kind = Pick<PolicyPlan, 'kind' | 'resource'>;

/** Undefined for a kind whose schema the project does not have. */
async function checkedTypeOf(
  { kind: type, resource: { group, version, kind, plural } }: Kind,
  definitions: readonly CustomResourceDefinition[],
): Promise<CheckedType | undefined> {
  const [{ expressionSchemaOf }, { schemaDefinitionOf }, { schemaOf }] = await Promise.all([
    import('@evenkeel/schema/evaluate'),
    import('@evenkeel/kinds'),
    import('@evenkeel/kinds/schemas'),
  ]);
  const definition = schemaDefinitionOf(type as KindClass);
  if (definition !== undefined) {
    return { group, version, kind, schema: expressionSchemaOf(await schemaOf(definition)) };
  }
  const found = definitions.find(({ spec }) => spec.group === group && spec.names.plural === plural);
  const schema = found?.spec.versions.find(({ name }) => name === version)?.schema?.openAPIV3Schema;
  if (schema === undefined) return undefined;
  const open = openWherePreserved(schema as StructuralSchema);
  const metadata = expressionSchemaOf(await schemaOf('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'));
  const text: StructuralSchema = { type: 'string' };
  const properties = { ...open.properties, apiVersion: text, kind: text, metadata };
  return { group, version, kind, schema: { ...open, properties } };
}

/** The schema with any type wherever unknown fields are kept: rules may read those. */
function openWherePreserved(schema: StructuralSchema): StructuralSchema {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return { 'x-kubernetes-preserve-unknown-fields': true };
  const { properties, items, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(items === undefined ? {} : { items: openWherePreserved(items) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: openWherePreserved(additionalProperties) }
      : {}),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, part]) => [name, openWherePreserved(part)]),
          ),
        }),
  };
}
