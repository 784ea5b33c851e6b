import type { Node, Pod } from '@evenkeel/kinds';
import { namedNodes, selectsNode, untoleratedTaint } from './node-fit.ts';

/** The node for a pod, or the message that no node fits. */
export type Placement = { readonly node: string } | { readonly failure: string };

const unschedulable = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const;

/**
 * Selects the node with the fewest pods among those that fit, and the first by name of several. Resources are not counted.
 * Sources: the plugins NodeUnschedulable, TaintToleration and NodeAffinity of `pkg/scheduler/framework/plugins`.
 */
export function placePod(pod: Pod, nodes: readonly Node[], podsOf: () => readonly Pod[]): Placement {
  const misfits = new Map<string, number>();
  const fitting: Node[] = [];
  for (const node of nodes) {
    const why = misfitOf(pod, node);
    if (why === undefined) fitting.push(node);
    else misfits.set(why, (misfits.get(why) ?? 0) + 1);
  }
  const [first, ...others] = fitting;
  if (first === undefined) return { failure: failureOf(nodes.length, misfits) };
  if (others.length === 0) return { node: first.metadata.name };
  const counts = new Map(fitting.map(({ metadata }) => [metadata.name, 0]));
  for (const { spec } of podsOf()) {
    const count = counts.get(spec?.nodeName ?? '');
    if (count !== undefined) counts.set(spec?.nodeName ?? '', count + 1);
  }
  const [[node] = ['']] = [...counts].sort(([, left], [, right]) => left - right);
  return { node };
}

function misfitOf({ spec }: Pod, node: Node): string | undefined {
  if (namedNodes(spec)?.has(node.metadata.name) === false) return "node(s) didn't satisfy plugin(s) [NodeAffinity]";
  const isClosed = node.spec?.unschedulable === true;
  if (isClosed && untoleratedTaint([unschedulable], spec?.tolerations, ['NoSchedule']) !== undefined) {
    return 'node(s) were unschedulable';
  }
  if (untoleratedTaint(node.spec?.taints, spec?.tolerations, ['NoSchedule', 'NoExecute']) !== undefined) {
    return 'node(s) had untolerated taint(s)';
  }
  return selectsNode(spec, node) ? undefined : "node(s) didn't match Pod's node affinity/selector";
}

function failureOf(count: number, misfits: ReadonlyMap<string, number>): string {
  if (count === 0) return 'no nodes available to schedule pods';
  const reasons = [...misfits].map(([why, number]) => `${number} ${why}`).sort();
  const preemption = `0/${count} nodes are available: ${count} Preemption is not helpful for scheduling.`;
  const remedies = `no new claims to deallocate, preemption: ${preemption}`;
  return `0/${count} nodes are available: ${reasons.join(', ')}. ${remedies}`;
}
