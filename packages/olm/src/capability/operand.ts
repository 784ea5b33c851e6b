import { type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { objectAt, objectsAt } from './specified-fields.ts';

/** A container that an operator runs for one of its objects. */
export interface OperandContainer {
  /** `Deployment default/cache, container memcached` */
  readonly name: string;
  readonly container: JsonObject;
}

/** Kinds of Kubernetes whose pods serve until they are deleted. */
const serving = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);
/** Their pods are made of templates, which are looked at instead. */
const templated = new Set([...serving, 'ReplicaSet', 'Job', 'ReplicationController']);

/** Returns the objects of a kind, without those that another object of Kubernetes has made. */
export function childrenOfKind(children: readonly JsonObject[], ...kinds: readonly string[]): JsonObject[] {
  return children.filter((child) => kinds.includes(kindOf(child)));
}

/** Returns the containers of an operand that run until their pods are deleted. Those of Jobs end by themselves. */
export function servingContainers(children: readonly JsonObject[]): OperandContainer[] {
  return children.flatMap((child) => {
    const kind = kindOf(child);
    if (serving.has(kind)) return containersOf(child, objectAt(objectAt(objectAt(child, 'spec'), 'template'), 'spec'));
    const isMade = objectsAt(objectAt(child, 'metadata'), 'ownerReferences').some((owner) =>
      templated.has(String(valueAt(owner, 'kind'))),
    );
    return kind === 'Pod' && !isMade ? containersOf(child, objectAt(child, 'spec')) : [];
  });
}

/** `Deployment default/cache` */
export function objectName(object: JsonObject): string {
  const { namespace, name } = objectAt(object, 'metadata');
  return `${kindOf(object)} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function kindOf(object: JsonObject): string {
  return String(valueAt(object, 'kind'));
}

function containersOf(owner: JsonObject, pod: JsonObject): OperandContainer[] {
  return objectsAt(pod, 'containers').map((container) => ({
    name: `${objectName(owner)}, container ${valueAt(container, 'name')}`,
    container,
  }));
}
