import type { Node, Pod } from '@evenkeel/kinds';
import type { Quantity } from '../apimachinery/index.ts';
import { podAmounts } from '../strategy/pod/pod-resources.ts';
import { addAmounts, amountsOf, type ResourceAmounts } from '../strategy/resource-amounts.ts';
import { namedNodes, selectsNode, untoleratedTaint } from './node-fit.ts';
import { isFinished } from './pod-readiness.ts';

/** The node for a pod, or the message that no node fits. */
export type Placement = { readonly node: string } | { readonly failure: string };

const unschedulable = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const;

/** Why a node does not fit, and whether it would without some of its pods. */
interface Misfit {
  readonly reasons: readonly string[];
  readonly isFull: boolean;
}

/**
 * Selects the node with the fewest pods among those that fit, and the first by name of several.
 * Sources: the plugins NodeUnschedulable, TaintToleration, NodeAffinity and NodeResourcesFit of `pkg/scheduler/framework/plugins`.
 */
export function placePod(pod: Pod, nodes: readonly Node[], podsOf: () => readonly Pod[]): Placement {
  const misfits: Misfit[] = [];
  const fitting: Node[] = [];
  const loads = new Loads(podsOf);
  for (const node of nodes) {
    const misfit = misfitOf(pod, node, loads);
    if (misfit === undefined) fitting.push(node);
    else misfits.push(misfit);
  }
  const [first, ...others] = fitting;
  if (first === undefined) return { failure: failureOf(nodes.length, misfits) };
  if (others.length === 0) return { node: first.metadata.name };
  const counts = fitting.map(({ metadata }) => [metadata.name, loads.of(metadata.name).pods] as const);
  const [[node] = ['']] = counts.sort(([, left], [, right]) => left - right);
  return { node };
}

interface Load {
  pods: number;
  readonly requests: Map<string, Quantity>;
}

/** What the pods of each node request. The pods are read when the first node needs it. */
class Loads {
  readonly #podsOf: () => readonly Pod[];
  #loads: Map<string, Load> | undefined;

  constructor(podsOf: () => readonly Pod[]) {
    this.#podsOf = podsOf;
  }

  of(node: string): Load {
    this.#loads ??= this.#read();
    return this.#loads.get(node) ?? { pods: 0, requests: new Map() };
  }

  #read(): Map<string, Load> {
    const loads = new Map<string, Load>();
    for (const pod of this.#podsOf()) {
      if (isFinished(pod)) continue;
      const name = pod.spec?.nodeName ?? '';
      const load = loads.get(name) ?? { pods: 0, requests: new Map() };
      loads.set(name, load);
      load.pods++;
      addAmounts(load.requests, requestsOf(pod));
    }
    return loads;
  }
}

/** The requests of pods, whose objects never change. */
const known = new WeakMap<Pod, ResourceAmounts>();

function requestsOf(pod: Pod): ResourceAmounts {
  let requests = known.get(pod);
  if (requests === undefined) {
    requests = podAmounts(pod, 'requests');
    known.set(pod, requests);
  }
  return requests;
}

function misfitOf(pod: Pod, node: Node, loads: Loads): Misfit | undefined {
  const { spec } = pod;
  const never = (reason: string): Misfit => ({ reasons: [reason], isFull: false });
  if (namedNodes(spec)?.has(node.metadata.name) === false) {
    return never("node(s) didn't satisfy plugin(s) [NodeAffinity]");
  }
  const isClosed = node.spec?.unschedulable === true;
  if (isClosed && untoleratedTaint([unschedulable], spec?.tolerations, ['NoSchedule']) !== undefined) {
    return never('node(s) were unschedulable');
  }
  if (untoleratedTaint(node.spec?.taints, spec?.tolerations, ['NoSchedule', 'NoExecute']) !== undefined) {
    return never('node(s) had untolerated taint(s)');
  }
  if (!selectsNode(spec, node)) return never("node(s) didn't match Pod's node affinity/selector");
  return shortageOf(pod, node, loads);
}

/** The resources of which a node has too little left for a pod. More than the node has at all is never free. */
function shortageOf(pod: Pod, { metadata, status }: Node, loads: Loads): Misfit | undefined {
  const allocatable = amountsOf(status?.allocatable);
  const reasons: string[] = [];
  let isFull = true;
  for (const [resource, { nanos }] of requestsOf(pod)) {
    if (nanos === 0n) continue;
    const all = allocatable.get(resource)?.nanos ?? 0n;
    const used = loads.of(metadata.name).requests.get(resource)?.nanos ?? 0n;
    if (nanos <= all - used) continue;
    reasons.push(`Insufficient ${resource}`);
    if (nanos > all) isFull = false;
  }
  return reasons.length === 0 ? undefined : { reasons, isFull };
}

function failureOf(count: number, misfits: readonly Misfit[]): string {
  if (count === 0) return 'no nodes available to schedule pods';
  const reasons = counted(misfits.flatMap(({ reasons: each }) => each));
  const preemptions = counted(
    misfits.map(({ isFull }) =>
      isFull ? 'No preemption victims found for incoming pod.' : 'Preemption is not helpful for scheduling.',
    ),
  );
  const preemption = `0/${count} nodes are available: ${preemptions}`;
  return `0/${count} nodes are available: ${reasons}. no new claims to deallocate, preemption: ${preemption}`;
}

function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}
