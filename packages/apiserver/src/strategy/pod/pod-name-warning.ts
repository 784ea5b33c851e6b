import type { KubernetesObject } from '@evenkeel/core';
import { dns1123LabelErrors } from '../../apimachinery/index.ts';

const namedAfter = ['Pod', 'Deployment', 'ReplicaSet', 'ReplicationController', 'Job', 'CronJob'];

/** Kinds whose Pods are named after them are better named with a label than with a subdomain, the server says on create. */
export function podNameWarning(object: KubernetesObject, old: KubernetesObject | undefined): readonly string[] {
  if (old !== undefined || !namedAfter.includes(object.kind)) return [];
  const errors = dns1123LabelErrors(object.metadata.name);
  if (errors.length === 0) return [];
  const use = object.kind === 'Pod' ? "the Pod's hostname" : 'Pod names and hostnames';
  return [
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${errors.join(' ')}]`,
  ];
}
