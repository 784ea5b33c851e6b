import type { KubernetesObject } from '@evenkeel/core';

/**
 * The fields whose values a server or a cluster's controllers choose in each run, by apiVersion and kind. `*` stands
 * for each item of a list. These are the fields that the API conventions and the kinds' documentation call allocated or
 * populated.
 */
const assignedFields: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'v1 Service',
    [
      'spec.clusterIP',
      'spec.clusterIPs.*',
      'spec.ports.*.nodePort',
      'spec.healthCheckNodePort',
      'status.loadBalancer.ingress.*.ip',
      'status.loadBalancer.ingress.*.hostname',
    ],
  ],
  ['v1 Pod', ['spec.nodeName', 'status.hostIP', 'status.hostIPs.*.ip', 'status.podIP', 'status.podIPs.*.ip']],
  ['v1 PersistentVolumeClaim', ['spec.volumeName']],
]);

/** The placeholder for such a value. */
export const assigned = '<assigned>';

/** Values that are not assigned: those of a headless Service. */
const fixed: ReadonlySet<unknown> = new Set(['', 'None']);

/**
 * Replaces each assigned value of an object with the placeholder, and returns the original strings: they may also occur
 * elsewhere, for example in the status of the object that a Service belongs to.
 */
export function maskAssigned(object: KubernetesObject): string[] {
  const found: string[] = [];
  for (const path of assignedFields.get(`${object.apiVersion} ${object.kind}`) ?? []) {
    replace(object, path.split('.'), found);
  }
  return found;
}

function replace(value: unknown, [name, ...rest]: readonly string[], found: string[]): void {
  if (typeof value !== 'object' || value === null || name === undefined) return;
  const holder = value as Record<string, unknown>;
  const keys = name === '*' ? Object.keys(holder) : Object.hasOwn(holder, name) ? [name] : [];
  for (const key of keys) {
    const item = holder[key];
    if (rest.length > 0) replace(item, rest, found);
    else if (!fixed.has(item)) {
      if (typeof item === 'string') found.push(item);
      holder[key] = assigned;
    }
  }
}
