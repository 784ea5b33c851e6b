import type { Service } from '@evenkeel/kinds';
import { count } from './object-count-evaluator.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

const names = ['count/services', 'services', 'services.nodeports', 'services.loadbalancers'];

/** Charges Services for themselves, their node ports and their load balancers (`services.go`). */
export const serviceEvaluator: QuotaEvaluator = {
  matches: (resource) => names.includes(resource),
  handles: ({ operation, subresource }) => operation !== 'DELETE' && subresource === '',
  usage(object) {
    const { spec } = object as unknown as Service;
    return new Map([
      ['count/services', count(1)],
      ['services', count(1)],
      ['services.nodeports', count(nodePorts(spec))],
      ['services.loadbalancers', count(spec?.type === 'LoadBalancer' ? 1 : 0)],
    ]);
  },
  mayRelease: (object, old) => chargedType(object as unknown as Service) !== chargedType(old as unknown as Service),
};

/** The node ports that the Service asks for; they may not be allocated yet. */
function nodePorts(spec: Service['spec']): number {
  const ports = spec?.ports ?? [];
  if (spec?.type === 'NodePort') return ports.length;
  if (spec?.type !== 'LoadBalancer') return 0;
  return spec.allocateLoadBalancerNodePorts === false ? ports.filter(({ nodePort }) => nodePort).length : ports.length;
}

function chargedType({ spec }: Service): string {
  return spec?.type === 'NodePort' || spec?.type === 'LoadBalancer' ? spec.type : '';
}
