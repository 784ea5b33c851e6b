import type { PolicyKind } from '../contract/admission-policy.ts';
import type { WebhookPlan } from './webhook-plan.ts';

/** The oldest Kubernetes that an operator must support if it declares none. */
export const defaultMinServerVersion = '1.31';

/** The minor version of Kubernetes 1 that first serves each kind in `v1`. Betas, which clusters must enable, do not count. */
const minors: Readonly<Record<PolicyKind, number>> = { ValidatingAdmissionPolicy: 30, MutatingAdmissionPolicy: 36 };

/** Returns the kinds of policies that every cluster from a version on serves, such as `1.31`. */
export function policyKindsIn(minServerVersion: string = defaultMinServerVersion): readonly PolicyKind[] {
  const minor = Number(/^1\.(\d{1,3})$/.exec(minServerVersion)?.[1] ?? 0);
  return (Object.keys(minors) as PolicyKind[]).filter((kind) => minors[kind] <= minor);
}

/** The version of Kubernetes that first serves a kind of policies. */
export function servedSince(kind: PolicyKind): string {
  return `1.${minors[kind]}`;
}

/** The kind of policies that can replace a webhook. */
export function policyKindOf(type: WebhookPlan['type']): PolicyKind {
  return type === 'validating' ? 'ValidatingAdmissionPolicy' : 'MutatingAdmissionPolicy';
}
