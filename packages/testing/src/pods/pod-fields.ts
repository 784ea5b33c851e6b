import { quantityNanos } from '@evenkeel/apimachinery/quantity';
import type { Pod } from '@evenkeel/kinds';
import type { ObjectFieldSelector, ResourceFieldSelector } from '@evenkeel/kinds/core/v1';

/** The addresses of a pod, which its status gets later than its environment. */
export interface PodAddresses {
  readonly podIP: string;
  readonly hostIP: string;
}

/** The resources of a node without limits, for containers without limits. */
export const nodeResources: Readonly<Record<string, string>> = { cpu: '64', memory: '256Gi', pods: '1000' };

/** Returns the value of a field of the downward API; undefined if the field is unknown. */
export function podField(pod: Pod, { fieldPath = '' }: ObjectFieldSelector, at: PodAddresses): string | undefined {
  const { metadata, spec } = pod;
  const [, map = '', key = ''] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(fieldPath) ?? [];
  if (map === 'labels') return metadata.labels?.[key] ?? '';
  if (map === 'annotations') return metadata.annotations?.[key] ?? '';
  switch (fieldPath) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
      return lines(metadata.labels);
    case 'metadata.annotations':
      return lines(metadata.annotations);
    case 'spec.nodeName':
      return spec?.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec?.serviceAccountName ?? '';
    case 'status.podIP':
    case 'status.podIPs':
      return at.podIP;
    case 'status.hostIP':
    case 'status.hostIPs':
      return at.hostIP;
    default:
      return undefined;
  }
}

/** `key="value"` for each, sorted, as the kubelet writes labels to a file. */
function lines(map: Readonly<Record<string, string>> = {}): string {
  return Object.entries(map)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort()
    .join('\n');
}

/**
 * Returns a resource of a container in units of the divisor, rounded up. A missing limit is that of the node, and a missing
 * request is the limit.
 */
export function containerResource(
  pod: Pod,
  containerName: string,
  { containerName: named, resource = '', divisor }: ResourceFieldSelector,
): string {
  const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  const container = containers.find(({ name }) => name === (named ?? containerName));
  const [list = '', ...rest] = resource.split('.');
  const name = rest.join('.');
  const { limits = {}, requests = {} } = container?.resources ?? {};
  const given = list === 'requests' ? (requests[name] ?? limits[name] ?? '0') : (limits[name] ?? nodeResources[name]);
  const unit = quantityNanos(divisor) || quantityNanos('1');
  return String((quantityNanos(given) + unit - 1n) / unit);
}
