import type { KubernetesObject } from '@evenkeel/core';

/**
 * What a server or a cluster's controllers choose, and choose anew in each run, by apiVersion and kind. `*` stands for each
 * item of a list. The fields are those that API conventions and the kinds' documentation name as allocated or populated.
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

/** What stands in the place of such a value. */
export const assigned = '<assigned>';

/** Chosen by nobody: a headless Service. */
const fixed: ReadonlySet<unknown> = new Set(['', 'None']);

/**
 * Puts the same in the place of each value that is assigned to an object, and returns the texts that stood there: they may stand
 * elsewhere too, as in the status of the object that a Service belongs to.
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
