import type { Service } from '@evenkeel/kinds';
import { dns1123LabelErrors, jsonEqual, nameRule } from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';
import { allocate, releaseUnused } from './service-allocation.ts';
import {
  defaultService,
  hasNodePorts,
  isExternallyAccessible,
  needsClusterIp,
  needsHealthCheck,
} from './service-defaults.ts';
import { validateService, validateServiceStatus, validateServiceUpdate } from './service-validation.ts';
import { serviceWarnings } from './service-warnings.ts';

type ServiceSpec = NonNullable<Service['spec']>;

/** Sources: `pkg/registry/core/service/strategy.go` and `storage/storage.go`. */
export const serviceStrategy = defineStrategy<Service>({
  default: defaultService,
  prepareForCreate(object, { allocator }) {
    allocate(object, undefined, allocator);
    object.status = { loadBalancer: {} };
  },
  prepareForUpdate(object, old, { allocator }) {
    allocate(object, old, allocator);
    if (object.spec === undefined || old.spec === undefined) return;
    dropFieldsOfOldType(object.spec, old.spec);
    if (object.spec.type !== 'LoadBalancer') object.status = { ...object.status, loadBalancer: {} };
  },
  afterStore(object, old, { allocator }) {
    if (old !== undefined) releaseUnused(object, old, allocator);
  },
  validate: ({ spec }) => validateService(spec),
  validateUpdate: ({ spec }, old) => validateServiceUpdate(spec, old.spec),
  warnings: serviceWarnings,
  generation: 'never',
  allowCreateOnUpdate: true,
  canonicalize({ spec }) {
    // Upstream drops it from each response (`defaultOnReadInternalTrafficPolicy`).
    if (spec?.type === 'ExternalName') delete spec.internalTrafficPolicy;
  },
  validateName: nameRule(dns1123LabelErrors),
  selectableFields: ({ spec }) => ({ 'spec.clusterIP': spec?.clusterIP ?? '', 'spec.type': spec?.type ?? '' }),
  selectableFieldNames: ['spec.clusterIP', 'spec.type'],
  subresources: { status: { validateUpdate: validateServiceStatus } },
});

/** Drops the fields that the new type cannot have, if an update only changes the type. */
function dropFieldsOfOldType(spec: ServiceSpec, before: ServiceSpec): void {
  if (needsClusterIp(before) && !needsClusterIp(spec)) {
    if (jsonEqual(spec.clusterIP, before.clusterIP) && jsonEqual(spec.clusterIPs, before.clusterIPs)) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    if (jsonEqual(spec.ipFamilies, before.ipFamilies)) delete spec.ipFamilies;
    if (spec.ipFamilyPolicy === before.ipFamilyPolicy) delete spec.ipFamilyPolicy;
  }
  if (hasNodePorts(before) && !hasNodePorts(spec)) {
    const known = new Set((before.ports ?? []).map(({ nodePort }) => nodePort ?? 0));
    const ports = spec.ports ?? [];
    if (ports.every(({ nodePort }) => !nodePort || known.has(nodePort))) for (const port of ports) delete port.nodePort;
  }
  if (
    needsHealthCheck(before) &&
    !needsHealthCheck(spec) &&
    (spec.healthCheckNodePort ?? 0) === (before.healthCheckNodePort ?? 0)
  ) {
    delete spec.healthCheckNodePort;
  }
  if (before.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    if (spec.allocateLoadBalancerNodePorts === before.allocateLoadBalancerNodePorts) {
      delete spec.allocateLoadBalancerNodePorts;
    }
    if (spec.loadBalancerClass === before.loadBalancerClass) delete spec.loadBalancerClass;
  }
  if (
    isExternallyAccessible(before) &&
    !isExternallyAccessible(spec) &&
    spec.externalTrafficPolicy === before.externalTrafficPolicy
  ) {
    delete spec.externalTrafficPolicy;
  }
}
