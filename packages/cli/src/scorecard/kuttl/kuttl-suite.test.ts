import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SystemClock } from '@evenkeel/core';
import { Environment } from '@evenkeel/testing';
import { splitWords } from './kuttl-command.ts';
import { type KuttlSuiteOptions, runKuttlSuite } from './kuttl-suite.ts';
import { differenceOf } from './subset.ts';

describe('differenceOf()', () => {
  it.each<readonly [unknown, unknown, string | undefined]>([
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }, undefined],
    [{ a: { b: 1 } }, { a: { b: 2 } }, 'a.b: expected 1, found 2'],
    [{ a: { b: 1 } }, { a: {} }, 'a.b: expected 1, found nothing'],
    [{ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, undefined],
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, 'a[0].b: expected 1, found 2'],
    [{ a: [1] }, { a: [1, 2] }, 'a: expected 1 item, found 2'],
    [{ a: '1' }, { a: 1 }, 'a: expected "1", found 1'],
    [{ a: {} }, { a: [] }, 'a: expected {}, found []'],
  ])('of %j and %j is %s', (expected, actual, difference) => {
    expect(differenceOf(expected, actual)).toBe(difference);
  });
});

describe('splitWords()', () => {
  it.each([
    ['kubectl get pods', ['kubectl', 'get', 'pods']],
    [`sh -c 'echo "a b"'`, ['sh', '-c', 'echo "a b"']],
    [`a "b \\"c\\" $d" e\\ f ''`, ['a', 'b "c" $d', 'e f', '']],
    ['  a  ', ['a']],
  ])('splits %j', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });
});

describe('runKuttlSuite()', () => {
  let folder: string;
  let environment: Environment;
  beforeAll(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), 'evenkeel-kuttl-'));
    environment = await Environment.create({ kind: 'embedded' });
  });
  afterAll(async () => {
    await environment.close();
    await rm(folder, { recursive: true });
  });

  let suites = 0;

  /** Runs a suite with these files; returns the states and errors. */
  async function run(files: Readonly<Record<string, string>>, options: Partial<KuttlSuiteOptions> = {}) {
    const suite = join(folder, `suite-${suites++}`);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(suite, name)), { recursive: true });
      writeFileSync(join(suite, name), text);
    }
    const results = await runKuttlSuite(suite, {
      ...{ client: environment.client, clock: new SystemClock(), kubeconfig: 'none', shownFrom: suite },
      ...{ isTrusted: false, isShared: false, namespace: undefined, keeps: false },
      createNamespace: () => environment.createNamespace(),
      ...options,
    });
    return results.flatMap(({ name, state, errors = [] }) => [`${state} ${name}`, ...errors]);
  }

  const settings = 'apiVersion: kuttl.dev/v1beta1\n';
  const short = { 'kuttl-test.yaml': `${settings}kind: TestSuite\ntimeout: 0.1\n` };
  const map = (name: string, data: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {app: a}}\ndata: {key: ${data}}\n`;

  it('merges objects, matches by labels, applies the files of a step, and deletes', async () => {
    expect(
      await run({
        'case/00-a.yaml': map('a', 'one'),
        'case/01-b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {more: two}\n',
        'case/01-assert.yaml':
          'apiVersion: v1\nkind: ConfigMap\nmetadata: {labels: {app: a}}\ndata: {key: one, more: two}\n',
        'case/02-c/part.yaml': `${settings}kind: TestStep\napply: [../more]\nassert: [../more/b.yaml]\n`,
        'case/02-c/part-two.yaml': map('c', 'three'),
        'more/b.yaml': map('b', 'four'),
        'more/00-other.yaml': map('other', 'five'),
        'case/03-d.yaml': `${settings}kind: TestStep\ndelete: [{apiVersion: v1, kind: ConfigMap, labels: {app: a}}]\n`,
        'case/03-errors.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {labels: {app: a}}\n',
        'case/ignored.yaml': 'a: [',
      }),
    ).toEqual(['pass case', 'pass more']);
  });

  it.each<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
    [
      'an object that must not exist',
      { ...short, 'case/00-a.yaml': map('a', 'one'), 'case/00-errors.yaml': map('a', 'one') },
      [
        'fail case',
        expect.stringMatching(
          /^step 0-a: case\/00-errors\.yaml, document 1: ConfigMap test-\w+\/a exists, but must not$/,
        ),
      ],
    ],
    [
      'an object that is missing',
      { ...short, 'case/00-assert.yaml': map('a', 'one') },
      [
        'fail case',
        expect.stringMatching(/^step 0-assert: case\/00-assert\.yaml, document 1: there is no ConfigMap a in test-/),
      ],
    ],
    [
      'a kind that is not served',
      { 'case/00-a.yaml': 'apiVersion: example.com/v1\nkind: Shop\nmetadata: {name: a}\n' },
      [
        'fail case',
        'step 0-a: case/00-a.yaml, document 1: the API server does not serve Shop in example.com/v1; install its CRD in an earlier step',
      ],
    ],
    [
      'invalid YAML',
      { 'case/00-a.yaml': 'a: [' },
      ['error case', expect.stringMatching(/^case\/00-a\.yaml, document 1: Flow sequence .*; write it as YAML$/)],
    ],
    [
      'a YAML bomb',
      {
        'case/00-a.yaml': [
          'a: &a [x,x,x,x,x,x,x,x,x]',
          ...[...'bcdefgh'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`)}]`),
        ].join('\n'),
      },
      [
        'error case',
        'case/00-a.yaml, document 1: Excessive alias count indicates a resource exhaustion attack; write it as YAML',
      ],
    ],
    [
      'YAML that is nested too deeply',
      { 'case/00-a.yaml': '['.repeat(100_000) },
      ['error case', 'case/00-a.yaml, document 1: it is nested too deeply; write it as YAML'],
    ],
    [
      'no object',
      { 'case/00-a.yaml': 'a: 1' },
      ['error case', 'case/00-a.yaml, document 1: it is not an object with apiVersion and kind; add them'],
    ],
    [
      'settings of another type',
      { 'case/00-a.yaml': `${settings}kind: TestStep\ncommands: run\n` },
      ['error case', 'case/00-a.yaml, document 1: commands must be a list of objects; correct it'],
    ],
    [
      'an assertion in CEL',
      { 'case/00-assert.yaml': `${settings}kind: TestAssert\nassertAny: [{celExpr: "true"}]\n` },
      ['error case', 'case/00-assert.yaml, document 1: assertAny is not supported; write the expected object instead'],
    ],
    [
      'files outside of the suite',
      { 'case/00-a.yaml': `${settings}kind: TestStep\napply: [../../other.yaml]\n` },
      [
        'error case',
        'case/00-a.yaml, document 1: ../../other.yaml is outside of the folder of the suite; move it there, or pass --trust-bundle',
      ],
    ],
    [
      'files of the internet',
      { 'case/00-a.yaml': `${settings}kind: TestStep\napply: [https://example.com/a.yaml]\n` },
      ['error case', 'https://example.com/a.yaml: files are not downloaded; copy it to the bundle'],
    ],
    [
      'a case without steps',
      { 'case/readme.md': '' },
      ['error case', 'case: it has no step; add a file such as 00-install.yaml'],
    ],
    [
      'settings of another kind',
      { 'kuttl-test.yaml': map('a', 'one') },
      ['error kuttl', 'kuttl-test.yaml: it has no TestSuite of kuttl.dev/v1beta1; add one, or remove the file'],
    ],
  ])('reports %s', async (_, files, expected) => {
    expect(await run(files)).toEqual(expected);
  });

  it('writes only in the namespace of the test on a shared cluster, unless the bundle is trusted', async () => {
    const files = { 'case/00-a.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: far}\n' };
    expect(await run(files, { isShared: true })).toEqual([
      'fail case',
      'step 0-a: case/00-a.yaml, document 1: Namespace far is not in the namespace of the test; remove it, or pass --trust-bundle if you trust the bundle',
    ]);
    expect(await run(files, { isShared: true, isTrusted: true })).toEqual(['pass case']);
  });

  it('runs asserting commands until they succeed', async () => {
    const script = 'printf x >> count; [ "$(wc -c < count)" -ge 3 ]';
    const files = {
      'case/00-assert.yaml': `${settings}kind: TestAssert\ntimeout: 20\ncommands: [{script: '${script}'}]\n`,
    };
    expect(await run(files, { isTrusted: true })).toEqual(['pass case']);
  });

  it('has limits for the numbers of a suite', async () => {
    const huge = `${settings}kind: TestSuite\nparallel: 1000000000\ntimeout: 1000000000\n`;
    const step = `${settings}kind: TestStep\ncommands: [{command: "true"}, {command: " "}]\n`;
    expect(await run({ 'kuttl-test.yaml': huge, 'case/00-a.yaml': step }, { isTrusted: true })).toEqual([
      'fail case',
      'step 0-a: case/00-a.yaml, document 1: commands[1]: command is empty; write a program and its arguments',
    ]);
  });

  it('reports a folder that does not exist', async () => {
    const missing = await run({});
    expect(missing).toEqual([
      'error kuttl',
      expect.stringContaining('the folder does not exist; add it with a folder for each test case'),
    ]);
  });
});
