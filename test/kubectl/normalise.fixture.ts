import type { KubectlResult } from './session.fixture.ts';

interface Rule {
  readonly reason: string;
  readonly pattern: RegExp;
  readonly replacement: string;
}

/**
 * Reasons of events of the real server's repair loops, about a Service that they see before its address or port is
 * recorded, and sometimes again before they see their repair.
 */
export const repairRemarks: readonly string[] = ['ClusterIPNotAllocated', 'PortNotAllocated'];

const remark = `Warning  (?:${repairRemarks.join('|')}) `;

/**
 * Replaces what differs between two runs of a session in kubectl's output, even on the same server. Everything else
 * must be exactly equal.
 */
const rules: readonly Rule[] = [
  {
    reason: 'the servers listen on other ports',
    pattern: /\b127\.0\.0\.1:\d+/g,
    replacement: '<server>',
  },
  {
    reason: 'uids are random',
    pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
    replacement: '<uid>',
  },
  {
    reason: 'times are when the session ran',
    pattern: /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g,
    replacement: '<time>',
  },
  {
    reason: 'kubectl describe writes times in words',
    pattern: /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} [+-]\d{4}/g,
    replacement: '<time>',
  },
  {
    reason: 'kubectl diff names its files by time and process',
    pattern: /^(diff .*|(?:---|\+\+\+) .*)$/gm,
    replacement: '<diff header>',
  },
  {
    reason: 'a resourceVersion is opaque',
    pattern: /(resource ?Version:?\s*"?:? ?"?)\d+/gi,
    replacement: '$1<version>',
  },
  {
    reason: 'the message of kubectl for another resourceVersion than the given one',
    pattern: /(Expected resource version to be 1, was )\d+/g,
    replacement: '$1<version>',
  },
  {
    reason: 'kubectl debug makes up the name of a container that has none',
    pattern: /\bdebugger-[a-z0-9]{5}\b/g,
    replacement: 'debugger-<random>',
  },
  {
    reason: 'an age depends on the duration of the session, and so does the width of its column',
    pattern: /(?<=\s)(?:\d+[smhd])+(?: ago)?(?=\s|$|,|\))/gm,
    replacement: '<age>',
  },
  {
    reason: 'a cluster IP is the next free one, and a node port a random one',
    pattern: /\b10\.0\.0\.\d{1,3}\b/g,
    replacement: '<cluster-ip>',
  },
  {
    reason: 'node ports are random',
    pattern: /(?<=nodePort"?: |:)(?:3[0-2]\d{3})(?=\/|\b)/gi,
    replacement: '<node-port>',
  },
  {
    reason: 'node ports are random, and describe shows them in a separate column',
    pattern: /(?<=NodePort:\s+(?:\S+\s+)?)3[0-2]\d{3}/g,
    replacement: '<node-port>',
  },
  {
    reason: 'the width of a column is that of its widest value, which may be one of the above',
    pattern: /(?<=\S) {2,}/g,
    replacement: '  ',
  },
  {
    reason: 'kubectl writes its log lines with time and process',
    pattern: /^[EWI]\d{4} \d{2}:\d{2}:\d{2}\.\d+\s+\d+ /gm,
    replacement: '<log> ',
  },
  {
    reason: 'kubectl reports a watch that its own timeout ends within a second',
    pattern: /^<log> reflector.* very short watch: .*\n/gm,
    replacement: '',
  },
  {
    reason: "the real server's repair loops sometimes record events about a Service",
    pattern: new RegExp(`^Events:\\n  Type.*\\n  ----.*\\n(?:  ${remark}.*\\n)+(?!  \\S)`, 'gm'),
    replacement: 'Events:  <none>\n',
  },
  {
    reason: 'the same remarks, as kubectl events lists them',
    pattern: new RegExp(`^LAST SEEN.*\\n(?:<age>(?: \\(x\\d+ over <age>\\))?  ${remark}.*\\n)+(?!<age>)`, 'gm'),
    replacement: 'No events found in demo namespace.\n',
  },
];

/** Names within objects, in sessions with controllers. */
const nameRules: readonly Rule[] = [
  {
    reason: "a pod's name ends with five random characters, after the hash of its template",
    pattern: /\b(web)-[bcdfghjklmnpqrstvwxz2456789]{6,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g,
    replacement: '$1-<hash>-<random>',
  },
  {
    reason: 'upstream hashes the Go representation of a template, which other languages cannot reproduce',
    pattern: /\b(web)-[bcdfghjklmnpqrstvwxz2456789]{6,10}\b/g,
    replacement: '$1-<hash>',
  },
  {
    reason: 'the name of an EndpointSlice ends with five random characters',
    pattern: /\b(web)-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g,
    replacement: '$1-<random>',
  },
  {
    reason: 'the same hash, as a label',
    pattern: /("(?:pod-template-hash|controller\.kubernetes\.io\/hash)": )"[a-z0-9]+"/g,
    replacement: '$1"<hash>"',
  },
];

interface ObjectRule {
  readonly reason: string;
  /** Ignored paths; `*` is any member or element. */
  readonly drop: readonly string[];
  /** The kinds with these paths. Default: all. */
  readonly kinds?: readonly string[];
}

/** What differs between the objects of two runs of a session, even on the same server, or for the given reason. */
const objectRules: readonly ObjectRule[] = [
  {
    reason: 'the uid and the times of an object differ between runs',
    drop: ['metadata.uid', 'metadata.resourceVersion', 'metadata.creationTimestamp', '*.lastTransitionTime'],
  },
  {
    reason: 'the number of writes of a controller depends on timing',
    drop: ['metadata.generation', 'status.observedGeneration', '*.observedGeneration', '*.lastUpdateTime'],
  },
  {
    reason: 'different components of a control plane may write a field: here kwok replaces the kubelet',
    drop: ['metadata.managedFields'],
  },
  {
    reason: 'each server has its own authority, and here the real one does not pass it to its controllers',
    drop: ['data.ca.crt'],
    kinds: ['ConfigMap'],
  },
  {
    reason: 'when a controller was triggered',
    drop: ['metadata.annotations.endpoints.kubernetes.io/last-change-trigger-time'],
  },
  {
    reason: 'the address and the start time of a pod',
    drop: ['status.podIP', 'status.podIPs', 'status.startTime', 'status.hostIP', 'status.hostIPs', '*.startedAt'],
    kinds: ['Pod'],
  },
  {
    reason: 'pods come in any order',
    drop: ['endpoints.*.addresses', 'subsets.*.addresses.*.ip'],
    kinds: ['EndpointSlice', 'Endpoints'],
  },
];

export function normalise(result: KubectlResult): KubectlResult {
  return { ...result, stdout: normaliseText(result.stdout), stderr: normaliseText(result.stderr) };
}

export function normaliseText(text: string): string {
  let normal = text;
  for (const { pattern, replacement } of rules) normal = normal.replace(pattern, replacement);
  return sortFindings(normal);
}

/** The real server visits an object's fields in random order, so several errors of an object come in any order. */
function sortFindings(text: string): string {
  return text.replace(/(?:^\* .*\n?)+/gm, (lines) => `${lines.trimEnd().split('\n').sort().join('\n')}\n`);
}

/** Returns objects as comparable strings, in an order that does not depend on random names. */
export function normaliseObjects(objects: readonly Record<string, unknown>[]): string[] {
  return objects.map((object) => normaliseText(nameless(JSON.stringify(dropped(object), undefined, 1)))).sort();
}

function nameless(text: string): string {
  let normal = text;
  for (const { pattern, replacement } of nameRules) normal = normal.replace(pattern, replacement);
  return normal;
}

function dropped(object: Record<string, unknown>): unknown {
  const drops = objectRules
    .filter(({ kinds }) => kinds === undefined || kinds.includes(String(object['kind'])))
    .flatMap(({ drop }) => drop);
  const walk = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) {
      const items = value.map((item) => walk(item, `${path}.*`));
      // A changed condition of a Deployment moves to the end, so their order only shows which changed last.
      const isUnordered = object['kind'] === 'Deployment' && path === 'status.conditions';
      return isUnordered ? items.sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)) : items;
    }
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
