import type { Ingress, IngressClass, NetworkPolicy } from '@evenkeel/kinds';
import { defineStrategy } from '../define-strategy.ts';
import { writeNulls } from '../written-nulls.ts';
import { validateIngressClass, validateIngressClassUpdate } from './ingress-class-validation.ts';
import { validateIngress, validateIngressSpec, validateIngressStatus } from './ingress-validation.ts';
import { validateNetworkPolicy } from './network-policy-validation.ts';

/** Sources: `pkg/registry/networking/ingress/strategy.go`. */
export const ingressStrategy = defineStrategy<Ingress>({
  default({ spec }) {
    writeNulls(spec?.defaultBackend?.resource, 'apiGroup');
    for (const { http } of spec?.rules ?? []) {
      for (const { backend } of http?.paths ?? []) writeNulls(backend?.resource, 'apiGroup');
    }
  },
  validate: validateIngress,
  validateUpdate: validateIngressSpec,
  subresources: { status: { validateUpdate: validateIngressStatus } },
});

/** Sources: `pkg/apis/networking/v1/defaults.go`, `pkg/registry/networking/ingressclass/strategy.go`. */
export const ingressClassStrategy = defineStrategy<IngressClass>({
  default({ spec }) {
    if (spec?.parameters !== undefined) spec.parameters.scope ??= 'Cluster';
  },
  validate: validateIngressClass,
  validateUpdate: validateIngressClassUpdate,
});

/** Sources: `pkg/apis/networking/v1/defaults.go`, `pkg/registry/networking/networkpolicy/strategy.go`. */
export const networkPolicyStrategy = defineStrategy<NetworkPolicy>({
  default({ spec }) {
    if (spec === undefined) return;
    spec.podSelector ??= {};
    for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) {
      for (const port of rule.ports ?? []) port.protocol ??= 'TCP';
    }
    if ((spec.policyTypes ?? []).length === 0) {
      spec.policyTypes = (spec.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
    }
  },
  validate: validateNetworkPolicy,
  validateUpdate: validateNetworkPolicy,
});
