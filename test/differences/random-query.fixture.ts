import type { Random } from '@evenkeel/core';
import { chance, pick } from './random-json.fixture.ts';
import { namespaceMark, type Target } from './target.fixture.ts';

type Parameters = (readonly [probability: number, name: string, values: readonly string[]])[];

const write: Parameters = [
  [0.2, 'dryRun', ['All', 'All', 'All', 'Some', '']],
  [0.2, 'fieldValidation', ['Strict', 'Strict', 'Warn', 'Ignore', 'Other']],
  [0.15, 'fieldManager', ['one', 'two', 'a b', 'x'.repeat(129)]],
  [0.03, 'pretty', ['true', 'false', '1']],
];

/** The query of a request to one object, with its question mark. */
export function randomQuery(
  random: Random,
  verb: 'create' | 'get' | 'update' | 'patch' | 'delete',
  key: string,
): string {
  const parameters: Record<typeof verb, Parameters> = {
    create: write,
    update: write,
    patch: [...write, [0.03, 'force', ['true', 'false']]],
    get: [
      [0.2, 'resourceVersion', ['0', '1', 'x', '', '99999999', `@VERSION:${key}@`]],
      [0.05, 'pretty', ['true', '0']],
      [0.1, 'includeObject', ['None', 'Object', 'Metadata', 'Other']],
    ],
    delete: [
      [0.2, 'propagationPolicy', ['Foreground', 'Background', 'Orphan', 'Other']],
      [0.1, 'orphanDependents', ['true', 'false']],
      [0.1, 'gracePeriodSeconds', ['0', '5', '-1', 'x']],
      [0.2, 'dryRun', ['All', 'Some']],
    ],
  };
  return queryOf(random, parameters[verb]);
}

/** The query of a list, or of a watch that ends soon. */
export function randomListQuery(random: Random, target: Target, prefix: string, watches = false): string {
  const field = pick(random, target.fields);
  const parameters: Parameters = [
    [0.3, 'labelSelector', labelSelectors],
    [0.3, 'fieldSelector', fieldSelectors(field, prefix)],
    [0.3, 'resourceVersion', ['0', 'x', '99999999', '@LIST@', '@LIST@', '@LIST@']],
    [0.15, 'resourceVersionMatch', ['Exact', 'NotOlderThan', 'Other']],
    [0.3, 'limit', ['1', '1', '2', '0', '-1', 'x', '500']],
    [0.15, 'continue', ['@CONTINUE@', '@CONTINUE@', 'x', 'e30']],
    [0.1, 'includeObject', ['None', 'Object', 'Metadata', 'Other']],
    [0.05, 'sendInitialEvents', ['true', 'false']],
    [0.03, 'pretty', ['true']],
  ];
  const query = queryOf(random, parameters);
  if (!watches) return query;
  const timeout = pick(random, ['1', '1', '-1']);
  return `${query}${query === '' ? '?' : '&'}watch=${pick(random, ['true', '1'])}&timeoutSeconds=${timeout}`;
}

const labelSelectors = [
  ...['app=web', 'app', '!app', 'app!=web', 'app in (web,db)', 'app notin (web)', 'app==web,tier', 'app in ()', 'app='],
  ...['a b', '=', 'app in (', 'app>1', 'app<x', 'x/y/z=1', 'app=web=x', ',', 'app = web', 'app in (web,)', 'app=-'],
];

function fieldSelectors(field: string, prefix: string): string[] {
  const name = `metadata.name=${prefix}a`;
  return [
    ...[name, name, `metadata.name!=${prefix}a`, `metadata.namespace=${namespaceMark}`, `${field}=a`, `${field}!=a`],
    ...[`${field}=1`, 'metadata.uid=x', 'metadata.name', '=', `${name},${field}==b`, 'metadata.name=a,metadata.name=b'],
    ...[`${field}=a\\,b`, 'metadata.name=a\\'],
  ];
}

function queryOf(random: Random, parameters: Parameters): string {
  const pairs = parameters
    .filter(([probability]) => chance(random, probability))
    .map(([, name, values]) => `${name}=${encoded(pick(random, values))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Marks are replaced when the request is sent. */
function encoded(value: string): string {
  return /^@.*@$/.test(value)
    ? value
    : encodeURIComponent(value).replaceAll(encodeURIComponent(namespaceMark), namespaceMark);
}
