import type { ScorecardTest, ScorecardTestList } from './test-result.ts';

/** Writes results as JUnit XML, which CI systems read: a suite for each value of the label `suite`. */
export function xunitOf({ items }: ScorecardTestList): string {
  const suites = new Map<string, ScorecardTest[]>();
  for (const test of items) {
    const name = test.spec.labels?.['suite'] ?? 'scorecard';
    const suite = suites.get(name) ?? [];
    suites.set(name, [...suite, test]);
  }
  const written = [...suites].map(([name, tests]) => suiteOf(name, tests));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="scorecard">',
    ...written,
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteOf(name: string, tests: readonly ScorecardTest[]): string {
  const results = tests.flatMap(({ status, spec }) =>
    (status.results ?? []).map((result) => ({ ...result, test: spec.labels?.['test'] ?? '' })),
  );
  const count = (state: string): number => results.filter((result) => result.state === state).length;
  const cases = results.map(({ name: title = '', test, state, errors = [], log }) => {
    const messages = errors.join('\n');
    const tag = state === 'fail' ? 'failure' : 'error';
    const problem =
      state === 'pass'
        ? []
        : [`      <${tag} message="${escaped(errors[0] ?? state)}" type="${state}">${escaped(messages)}</${tag}>`];
    const output = log === undefined ? [] : [`      <system-out>${escaped(log)}</system-out>`];
    const open = `    <testcase name="${escaped(title)}" classname="${escaped(test)}"`;
    const inner = [...problem, ...output];
    return inner.length === 0 ? `${open}/>` : [`${open}>`, ...inner, '    </testcase>'].join('\n');
  });
  const counts = `tests="${results.length}" failures="${count('fail')}" errors="${count('error')}"`;
  return [`  <testsuite name="${escaped(name)}" ${counts}>`, ...cases, '  </testsuite>'].join('\n');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** XML 1.0 has no form for other control characters, so a question mark stands for them. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"\n]/g, (character) => entities[character] ?? '')
    .replace(/[\p{Cc}￾￿]/gu, (character) => (character === '\t' ? '&#9;' : '?'));
}
