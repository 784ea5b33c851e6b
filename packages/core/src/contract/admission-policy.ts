import type { LabelSelectorSpec } from '@evenkeel/apimachinery/selector';

/** The kinds of policies that the API server evaluates itself, without a webhook. */
export const policyKinds = ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'] as const;
/** The kinds of admission policies. */
export type PolicyKind = (typeof policyKinds)[number];

/** A named expression in CEL. */
export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

/** A policy of `admissionregistration.k8s.io/v1`, as JSON. */
export interface AdmissionPolicy {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: PolicyKind;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly failurePolicy?: 'Fail' | 'Ignore';
    readonly paramKind?: { readonly apiVersion: string; readonly kind: string };
    readonly matchConstraints: {
      readonly resourceRules: readonly object[];
      readonly matchPolicy?: string;
      readonly namespaceSelector?: LabelSelectorSpec;
      readonly objectSelector?: LabelSelectorSpec;
    };
    readonly matchConditions?: readonly NamedExpression[];
    readonly variables?: readonly NamedExpression[];
    /** Of a ValidatingAdmissionPolicy. */
    readonly validations?: readonly {
      readonly expression: string;
      readonly message?: string;
      readonly messageExpression?: string;
      readonly reason?: string;
    }[];
    /** Of a MutatingAdmissionPolicy. */
    readonly mutations?: readonly {
      readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
      readonly applyConfiguration?: { readonly expression: string };
      readonly jsonPatch?: { readonly expression: string };
    }[];
    readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
  };
}

/** Makes a policy effective, with these parameters. */
export interface AdmissionPolicyBinding {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: `${PolicyKind}Binding`;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly policyName: string;
    readonly paramRef?: {
      readonly name?: string;
      readonly namespace?: string;
      readonly selector?: LabelSelectorSpec;
      readonly parameterNotFoundAction: 'Allow' | 'Deny';
    };
    /** Of a ValidatingAdmissionPolicyBinding. */
    readonly validationActions?: readonly 'Deny'[];
  };
}

/** A policy and the binding that makes it effective. */
export interface BoundPolicy {
  readonly policy: AdmissionPolicy;
  readonly binding: AdmissionPolicyBinding;
}
