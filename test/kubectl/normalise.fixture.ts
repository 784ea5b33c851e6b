import type { KubectlResult } from './session.fixture.ts';

interface Rule {
  readonly reason: string;
  readonly pattern: RegExp;
  readonly replacement: string;
}

/**
 * What differs between two runs of one session on any two servers, the same one included. Everything else must be
 * equal to the letter.
 */
const rules: readonly Rule[] = [
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
    reason: 'an age is how long the session took to get here; the column is as wide as it',
    pattern: /(?<=\s)(?:\d+[smhd])+(?: ago)?(?=\s|$|,)/gm,
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
    reason: 'node ports are random, and describe shows them in a column of their own',
    pattern: /(?<=NodePort:\s+(?:\S+\s+)?)3[0-2]\d{3}/g,
    replacement: '<node-port>',
  },
  {
    reason: 'columns are as wide as their widest value, which may be one of the above',
    pattern: /(?<=\S) {2,}/g,
    replacement: '  ',
  },
  {
    reason: "Kubernetes' own descriptions are not part of the project",
    pattern: /(?<=^ {2}(?:apiVersion|kind|metadata)\t<(?:string|ObjectMeta)>\n)(?: {4}\S.*\n)+/gm,
    replacement: '    <description>\n',
  },
  {
    reason: "Kubernetes' own descriptions are not part of the project",
    pattern: /(?<=^GROUP: +apps\nKIND: +Deployment\n(?:.*\n)*?DESCRIPTION:\n)(?: {4}.*\n)+/gm,
    replacement: '    <description>\n',
  },
  {
    reason: 'the servers listen on other ports',
    pattern: /\b127\.0\.0\.1:\d+/g,
    replacement: '<server>',
  },
  {
    reason: 'kubectl writes its log lines with time and process',
    pattern: /^[EWI]\d{4} \d{2}:\d{2}:\d{2}\.\d+\s+\d+ /gm,
    replacement: '<log> ',
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

/** The real server walks an object's fields in random order, so several findings of one object come in any order. */
function sortFindings(text: string): string {
  return text.replace(/(?:^\* .*\n?)+/gm, (lines) => `${lines.trimEnd().split('\n').sort().join('\n')}\n`);
}
