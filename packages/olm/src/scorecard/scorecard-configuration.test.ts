import {
  parseScorecardConfiguration,
  parseScorecardResults,
  runnerOf,
  ScorecardConfigurationError,
  type ScorecardTestList,
  scorecardText,
  scorecardVersion,
  xunitOf,
} from '../index.ts';

const operatorSdk = `kind: Configuration
apiversion: scorecard.operatorframework.io/v1alpha3
metadata:
  name: config
stages:
- parallel: true
  tests:
  - image: quay.io/operator-framework/scorecard-test:dev
    entrypoint:
    - scorecard-test
    - basic-check-spec
    labels:
      suite: basic
      test: basic-check-spec-test
    storage:
      spec:
        mountPath: {}
- tests:
  - image: quay.io/operator-framework/scorecard-test-kuttl:v2.0.0
`;

function problemsOf(text: string): readonly string[] {
  try {
    parseScorecardConfiguration(text);
  } catch (error) {
    if (error instanceof ScorecardConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

describe('parseScorecardConfiguration()', () => {
  it("reads operator-sdk's configuration", () => {
    expect(parseScorecardConfiguration(operatorSdk)).toEqual([
      {
        parallel: true,
        tests: [
          {
            spec: {
              image: 'quay.io/operator-framework/scorecard-test:dev',
              entrypoint: ['scorecard-test', 'basic-check-spec'],
              labels: { suite: 'basic', test: 'basic-check-spec-test' },
            },
            path: 'stages[0].tests[0]',
            line: 8,
          },
        ],
      },
      {
        parallel: false,
        tests: [
          {
            spec: { image: 'quay.io/operator-framework/scorecard-test-kuttl:v2.0.0' },
            path: 'stages[1].tests[0]',
            line: 19,
          },
        ],
      },
    ]);
  });

  it.each([
    [
      'no YAML',
      'a: [',
      ['1: Flow sequence in block collection must be sufficiently indented and end with a ]; write it as YAML'],
    ],
    ['no object', '- a', ['1: it is not an object; write "stages: [...]"']],
    ['no stages', 'a: 1', ['1: stages: it must be a list; add it']],
    [
      'several mistakes',
      `apiVersion: v1
stages:
- parallel: yes please
  tests:
  - image: a
    entrypoint: a b
  - labels: {a: 1}
  - x
- y
`,
      [
        `1: apiVersion: unsupported; write ${scorecardVersion}`,
        '3: stages[0].parallel: it must be true or false; correct it',
        '6: stages[0].tests[0].entrypoint: it must be a list of strings; put the command and its arguments into [ ]',
        '7: stages[0].tests[1]: it has neither an image nor an entrypoint; add one of them',
        '7: stages[0].tests[1].labels: it must have strings as its values; put them in quotes',
        '8: stages[0].tests[2]: it must be an object; correct it',
        '9: stages[1]: it must be an object; correct it',
      ],
    ],
    [
      'a YAML bomb',
      [
        'a: &a [x,x,x,x,x,x,x,x,x]',
        ...'bcdefgh'.split('').map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`)}]`),
        'stages: *h',
      ].join('\n'),
      ['1: Excessive alias count indicates a resource exhaustion attack; write it as YAML'],
    ],
  ])('rejects %s', (_, text, problems) => {
    expect(problemsOf(text).toSorted()).toEqual(problems.toSorted());
  });
});

describe('runnerOf()', () => {
  const image = 'quay.io/operator-framework/scorecard-test:v1.42.0';

  it.each([
    [
      { image, entrypoint: ['scorecard-test', 'olm-spec-descriptors'] },
      { runs: 'built-in', name: 'olm-spec-descriptors' },
    ],
    [{ image: 'quay.io/operator-framework/scorecard-test-kuttl:v2.0.0' }, { runs: 'kuttl' }],
    [{ entrypoint: ['./shop.ts', 'sells'] }, { runs: 'module', file: './shop.ts', name: 'sells' }],
    [{ entrypoint: ['./shop.mjs'] }, { runs: 'module', file: './shop.mjs', name: 'default' }],
    [{ entrypoint: ['./shop.sh', '-x'] }, { runs: 'program', command: './shop.sh', arguments: ['-x'] }],
    [
      { image, entrypoint: ['scorecard-test', 'olm-spec-descriptor'] },
      { runs: 'nothing', problem: 'unknown test "olm-spec-descriptor"; did you mean "olm-spec-descriptors"?' },
    ],
    [
      { image: 'acme/tests:1', entrypoint: ['a'] },
      { runs: 'nothing', problem: expect.stringContaining('acme/tests:1 needs a container') },
    ],
  ])('%j: %j', (spec, runner) => {
    expect(runnerOf(spec)).toEqual(runner);
  });
});

describe('parseScorecardResults()', () => {
  it('reads what a custom test prints', () => {
    const text = '{"results": [{"name": "a", "state": "fail", "errors": ["b"], "log": "c", "suggestions": null}]}\n';
    expect(parseScorecardResults(text)).toEqual([{ name: 'a', state: 'fail', errors: ['b'], log: 'c' }]);
  });

  it.each([
    ['hello', /^stdout is not JSON/],
    ['{}', 'stdout has no list "results"'],
    ['{"results": [1]}', 'results[0] is not an object'],
    ['{"results": [{"state": "passed"}]}', 'results[0].state is not one of pass, fail, error'],
    ['{"results": [{"state": "pass", "errors": "a"}]}', 'results[0].errors is not a list of strings'],
  ])('rejects %s', (text, message) => {
    expect(() => parseScorecardResults(text)).toThrow(message);
  });
});

describe('the outputs', () => {
  const list: ScorecardTestList = {
    apiVersion: scorecardVersion,
    kind: 'TestList',
    items: [
      {
        ...{ apiVersion: scorecardVersion, kind: 'Test' },
        spec: { image: 'i', entrypoint: ['a', 'b'], labels: { suite: 's', test: 't' } },
        status: {
          results: [
            { name: 'one', state: 'pass', log: 'line 1\nline 2\n' },
            { name: 'two', state: 'fail', errors: ['<a> & "b"\u001b'], suggestions: ['c'] },
          ],
        },
      },
    ],
  };

  it('have the text of operator-sdk', () => {
    expect(list.items.map(scorecardText)).toEqual([
      `--------------------------------------------------------------------------------
Image:      i
Entrypoint: [a b]
Labels:
    "suite":"s"
    "test":"t"
Results:
    Name: one
    State: pass
    Log:
        line 1
        line 2

    Name: two
    State: fail
    Suggestions:
        c
    Errors:
        <a> & "b"\u001b
`,
    ]);
  });

  it('have JUnit XML without characters that XML does not allow', () => {
    expect(xunitOf(list)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="scorecard">
  <testsuite name="s" tests="2" failures="1" errors="0">
    <testcase name="one" classname="t">
      <system-out>line 1&#10;line 2&#10;</system-out>
    </testcase>
    <testcase name="two" classname="t">
      <failure message="&lt;a&gt; &amp; &quot;b&quot;?" type="fail">&lt;a&gt; &amp; &quot;b&quot;?</failure>
    </testcase>
  </testsuite>
</testsuites>
`);
  });
});
