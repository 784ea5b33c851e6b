import type { AdmissionPolicy, BoundPolicy } from '../contract/admission-policy.ts';
import { namespaceSelectorOf } from './namespace-selector.ts';
import { policyKindOf } from './policy-kinds.ts';
import { hasConditionsInProcess, requestRule } from './webhook-configurations.ts';
import type { PlannedParams, PlannedRules, PolicyPlan } from './webhook-plan.ts';

const apiVersion = 'admissionregistration.k8s.io/v1';

/**
 * Returns the policy that has the rules of a webhook class, and its binding.
 *
 * @param prefix the first part of the name of both, which distinguishes operators in a cluster.
 */
export function admissionPolicy(prefix: string, plan: PolicyPlan): BoundPolicy {
  const { type, rules, selection } = plan;
  const name = `${prefix}-${plan.name}`;
  const kind = policyKindOf(type);
  const { failurePolicy, matchPolicy, objectSelector, matchConditions, reinvocationPolicy } = selection;
  const namespaceSelector = namespaceSelectorOf(plan);
  const { params, variables } = rules;
  return {
    policy: {
      apiVersion,
      kind,
      metadata: { name },
      spec: {
        ...(failurePolicy === undefined ? {} : { failurePolicy }),
        ...(params === undefined ? {} : { paramKind: paramKindOf(params) }),
        matchConstraints: {
          resourceRules: [requestRule(plan, rules.operations)],
          ...(matchPolicy === undefined ? {} : { matchPolicy }),
          ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
          ...(objectSelector === undefined ? {} : { objectSelector }),
        },
        ...(matchConditions === undefined ? {} : { matchConditions }),
        ...(variables.length === 0 ? {} : { variables }),
        ...(type === 'validating'
          ? { validations: validationsOf(rules) }
          : { mutations: mutationsOf(rules), reinvocationPolicy: reinvocationPolicy ?? 'Never' }),
      },
    },
    binding: {
      apiVersion,
      kind: `${kind}Binding`,
      metadata: { name },
      spec: {
        policyName: name,
        ...(params === undefined ? {} : { paramRef: paramRefOf(params) }),
        ...(type === 'validating' ? { validationActions: ['Deny'] } : {}),
      },
    },
  };
}

/** Returns the policy whose rules a webhook evaluates in the process. The API server evaluates its other conditions. */
export function policyInProcess(plan: PolicyPlan): AdmissionPolicy {
  const { policy } = admissionPolicy('rules', plan);
  const { matchConditions, ...spec } = policy.spec;
  if (matchConditions === undefined || hasConditionsInProcess(plan)) return policy;
  return { ...policy, spec };
}

function paramKindOf({ kind: { resource } }: PlannedParams) {
  const { group, version, kind } = resource;
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind };
}

function paramRefOf({ name, namespace, selector, parameterNotFoundAction }: PlannedParams) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(selector === undefined ? {} : { selector }),
    parameterNotFoundAction,
  };
}

function validationsOf({ validations }: PlannedRules) {
  return validations.map(({ rule: expression, message, messageExpression, reason }) => ({
    expression,
    ...(message === undefined ? {} : { message }),
    ...(messageExpression === undefined ? {} : { messageExpression }),
    ...(reason === undefined ? {} : { reason }),
  }));
}

function mutationsOf({ mutations }: PlannedRules) {
  return mutations.map(({ expression, patchType = 'ApplyConfiguration' }) =>
    patchType === 'JSONPatch'
      ? { patchType, jsonPatch: { expression } }
      : { patchType, applyConfiguration: { expression } },
  );
}
