import type { Service } from '@evenkeel/kinds';

/** How long a client stays with its endpoint, in seconds: three hours. */
const clientIpTimeoutSeconds = 10_800;

/** Source: `SetDefaults_Service`, `pkg/apis/core/v1/defaults.go`. */
export function defaultService({ spec, status }: Service): void {
  if (spec === undefined) return;
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: clientIpTimeoutSeconds } };
  }
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    port.targetPort ||= port.port;
  }
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (spec.type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= 'VIP';
}

type ServiceSpec = NonNullable<Service['spec']>;

export function isExternallyAccessible({ type, externalIPs }: ServiceSpec): boolean {
  return type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && (externalIPs ?? []).length > 0);
}

/** Whether a load balancer asks this node, at a port of its own, if the service has endpoints here. */
export function needsHealthCheck({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

export const needsClusterIp = ({ type }: ServiceSpec): boolean => type !== 'ExternalName';

/** Whether ports of a service of this type are open on nodes, or would be if they were allocated. */
export const hasNodePorts = ({ type }: ServiceSpec): boolean => type === 'NodePort' || type === 'LoadBalancer';

export function allocatesNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);
}
