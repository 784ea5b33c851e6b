import { kubectlName } from '../kubectl-name.ts';
import type { Sample } from './session-samples.ts';

/** Returns commands to try on a sample. `child` is an object that the operator recreates, as for kubectl. */
export function commandsFor({ resource, key, scalable }: Sample, child: string | undefined): string[] {
  const namespace = key.namespace === undefined || key.namespace === 'default' ? '' : ` -n ${key.namespace}`;
  const resources = kubectlName(resource);
  return [
    `kubectl get ${resources}${namespace} --watch`,
    scalable
      ? `kubectl scale ${resources} ${key.name}${namespace} --replicas 3`
      : `kubectl edit ${resources} ${key.name}${namespace}`,
    ...(child === undefined ? [] : [`kubectl delete ${child}${namespace}      # it comes back`]),
  ];
}
