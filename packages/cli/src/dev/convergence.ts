import type { Client } from '@evenkeel/client';
import type { ApiResource, Condition, KubernetesObject } from '@evenkeel/core';

/** The conditions that say that an object is what it was asked to be, the first one that it has. */
const goals = ['Available', 'Ready'];

/** How far an object has come. */
export interface Progress {
  readonly converged: boolean;
  /** The condition that decides, where the object has one. */
  readonly condition?: Condition;
}

interface Conditioned extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Converged: `Available` (else `Ready`) is true, and was concluded from the object's latest generation. */
export function progressOf(object: KubernetesObject): Progress {
  const conditions = (object as Conditioned).status?.conditions ?? [];
  const condition = goals
    .map((goal) => conditions.find(({ type }) => type === goal))
    .find((found) => found !== undefined);
  if (condition === undefined) return { converged: false };
  const isCurrent = (condition.observedGeneration ?? object.metadata.generation) === object.metadata.generation;
  return { converged: condition.status === 'True' && isCurrent, condition };
}

/** Why an object has not converged, for a person. */
export function describeShortfall(object: KubernetesObject | undefined): string {
  if (object === undefined) return 'it is not there';
  const conditions = (object as Conditioned).status?.conditions ?? [];
  if (conditions.length === 0) return 'its status has no conditions yet; does the controller run?';
  return conditions
    .map(({ type, status, reason, message }) => `${type}=${status} (${reason}${message ? `: ${message}` : ''})`)
    .join(', ');
}

/** Resolves with the object when its conditions say so; rejects with the signal's reason. Survives a watch that ends. */
export async function waitForConvergence(
  client: Client,
  resource: ApiResource,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
  signal: AbortSignal,
): Promise<KubernetesObject> {
  for (;;) {
    for await (const event of client.watch(resource, { namespace, fields: { 'metadata.name': name }, signal })) {
      if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue;
      const object = event.object as KubernetesObject;
      if (progressOf(object).converged) return object;
    }
    signal.throwIfAborted();
  }
}
