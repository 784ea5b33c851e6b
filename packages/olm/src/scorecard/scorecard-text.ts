import type { ScorecardTest } from './test-result.ts';

/** Returns the lines that operator-sdk prints about a test. */
export function scorecardText({ spec, status }: ScorecardTest): string {
  const labels = Object.entries(spec.labels ?? {}).map(
    ([key, value]) => `    ${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  const results = (status.results ?? []).flatMap(({ name, state, suggestions = [], errors = [], log }) => [
    ...(name === undefined ? [] : [`    Name: ${name}`]),
    `    State: ${state}`,
    ...listed('Suggestions', suggestions),
    ...listed('Errors', errors),
    ...listed('Log', log === undefined || log === '' ? [] : log.trimEnd().split('\n')),
    '',
  ]);
  return [
    '-'.repeat(80),
    ...(spec.image === undefined ? [] : [`Image:      ${spec.image}`]),
    ...(spec.entrypoint === undefined ? [] : [`Entrypoint: [${spec.entrypoint.join(' ')}]`]),
    ...(labels.length === 0 ? [] : ['Labels:', ...labels]),
    ...(results.length === 0 ? [] : ['Results:', ...results]),
  ].join('\n');
}

function listed(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`    ${heading}:`, ...lines.map((line) => `        ${line}`)];
}
