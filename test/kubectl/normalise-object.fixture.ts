import { normaliseText } from './normalise.fixture.ts';

interface ObjectRule {
  readonly reason: string;
  /** Paths that are left out; `*` is any member or element. */
  readonly drop: readonly string[];
  /** Only for these kinds. Default: all. */
  readonly kinds?: readonly string[];
}

/** What differs between the objects of two runs of one session, the same server's included, or for the reason given. */
const rules: readonly ObjectRule[] = [
  {
    reason: 'identity and time of an object belong to the run',
    drop: ['metadata.uid', 'metadata.resourceVersion', 'metadata.creationTimestamp', '*.lastTransitionTime'],
  },
  {
    reason: 'how often a controller wrote depends on who is quicker',
    drop: ['metadata.generation', 'status.observedGeneration', '*.observedGeneration', '*.lastUpdateTime'],
  },
  {
    reason: 'which part of a control plane writes a field is its own affair: here kwok stands for the kubelet',
    drop: ['metadata.managedFields'],
  },
  {
    reason: 'when a controller was triggered',
    drop: ['metadata.annotations.endpoints.kubernetes.io/last-change-trigger-time'],
  },
  {
    reason: 'which address a pod has, and when it began',
    drop: ['status.podIP', 'status.podIPs', 'status.startTime', 'status.hostIP', 'status.hostIPs', '*.startedAt'],
    kinds: ['Pod'],
  },
  {
    reason: 'pods come in any order',
    drop: ['endpoints.*.addresses', 'subsets.*.addresses.*.ip'],
    kinds: ['EndpointSlice', 'Endpoints'],
  },
];

/** Objects as texts that can be compared: in an order that does not depend on random names. */
export function normaliseObjects(objects: readonly Record<string, unknown>[]): string[] {
  return objects.map((object) => normaliseText(nameless(JSON.stringify(dropped(object), undefined, 1)))).sort();
}

/** Hashes of templates and random suffixes are as long as upstream makes them, or as short as ours. */
function nameless(text: string): string {
  return text
    .replaceAll(/\b(web)-[bcdfghjklmnpqrstvwxz2456789]{6,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1-<hash>-<random>')
    .replaceAll(/\b(web)-[bcdfghjklmnpqrstvwxz2456789]{6,10}\b/g, '$1-<hash>')
    .replaceAll(/\b(web)-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1-<random>')
    .replaceAll(/("pod-template-hash": )"[a-z0-9]+"/g, '$1"<hash>"')
    .replaceAll(/("kubernetes.io\/description": )".*"/g, '$1"<description>"');
}

function dropped(object: Record<string, unknown>): unknown {
  const drops = rules
    .filter(({ kinds }) => kinds === undefined || kinds.includes(String(object['kind'])))
    .flatMap(({ drop }) => drop);
  const walk = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item, `${path}.*`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, member]): [string, unknown, string] => [key, member, path === '' ? key : `${path}.${key}`])
        .filter(([key, , at]) => !drops.includes(at) && !drops.includes(`*.${key}`))
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([key, member, at]): [string, unknown] => [key, walk(member, at)])
        .filter(([key, member]) => !(key === 'annotations' && isEmpty(member))),
    );
  };
  return walk(object, '');
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
