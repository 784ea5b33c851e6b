import type { AdmissionPolicy, BoundPolicy, PolicyKind } from '@evenkeel/core';
import { probeLabel } from './webhook-probe.ts';

/** A policy that rejects the creation of a certain ConfigMap as soon as the API server uses it. */
export interface PolicyProbe {
  readonly bound: BoundPolicy;
  /** A part of the message of that rejection. */
  readonly message: string;
}

const apiVersion = 'admissionregistration.k8s.io/v1';

/**
 * @param name of the policy and its binding, and the value of the ConfigMap's label.
 * @param paramKind if it is set, the policy rejects only when the API server also finds this kind. It may learn of a new kind later than
 *   of the policy.
 */
export function policyProbe(
  kind: PolicyKind,
  name: string,
  paramKind: AdmissionPolicy['spec']['paramKind'],
): PolicyProbe {
  const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
  const common = {
    ...(paramKind === undefined ? {} : { paramKind }),
    matchConstraints: { resourceRules: [rule], objectSelector: { matchLabels: { [probeLabel]: name } } },
  };
  const paramRef = { selector: { matchLabels: { [probeLabel]: name } }, parameterNotFoundAction: 'Deny' as const };
  const [effects, actions] =
    kind === 'ValidatingAdmissionPolicy'
      ? [{ validations: [{ expression: 'false' }] }, { validationActions: ['Deny'] as const }]
      : [{ mutations: [failingMutation], reinvocationPolicy: 'Never' as const }, {}];
  return {
    bound: {
      policy: { apiVersion, kind, metadata: { name }, spec: { ...common, ...effects } },
      binding: {
        apiVersion,
        kind: `${kind}Binding`,
        metadata: { name },
        spec: { policyName: name, ...(paramKind === undefined ? {} : { paramRef }), ...actions },
      },
    },
    message: paramKind === undefined ? name : 'no params found for policy binding',
  };
}

/** A mutating policy can reject only if it fails. */
const failingMutation = {
  patchType: 'JSONPatch' as const,
  jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/missing"}]' },
};
