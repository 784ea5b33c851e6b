import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInTests } from '@evenkeel/olm';
import { root } from '../../../../test/imports.fixture.ts';
import type { Project } from '../project.fixture.ts';
import { resultsIn, scoredShop } from './scored-shop.fixture.ts';

const base = join(root, 'packages/olm/src/validate/recorded/base');
const kuttl = 'bundle/tests/scorecard/kuttl';

describe('evenkeel scorecard', () => {
  let project: Project;
  beforeAll(async () => {
    project = await scoredShop();
  });
  afterAll(() => project.remove());

  /** Generated names differ in each run. */
  const plain = (lines: readonly string[]): string[] =>
    lines.map((line) => line.replace(/\b(scorecard|kuttl-test)-[a-z0-9]{5}\b/g, '$1'));

  it('runs every kind of test with the operator, if the bundle is trusted', async () => {
    const options = ['--trust-bundle', '--selector', 'suite!=slow', '--xunit', 'results.xml', '--output', 'json'];
    const { exitCode, out, err } = await project.run('scorecard', 'bundle', ...options);
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: '' });
    expect(JSON.parse(out)).toMatchObject({ kind: 'TestList', apiVersion: 'scorecard.operatorframework.io/v1alpha3' });
    expect(plain(resultsIn(out))).toEqual([
      'fail basic-check-spec',
      expect.stringMatching(/^alm-examples\[1\]: Shop huge: the API server rejects it: .*spec\.size/),
      'fail olm-crds-have-resources',
      'shops.scorecard.example.com does not list Deployment, which the operator created; add it to spec.customresourcedefinitions.owned[0].resources',
      'fail olm-status-descriptors',
      'Shop elsewhere/corner: status.conditions has no descriptor; add it to spec.customresourcedefinitions.owned[0].statusDescriptors',
      'fail commands',
      'step 0-run: command "echo done; exit 4": it exited with 4',
      'pass far',
      'pass lifecycle',
      'fail wrong',
      `step 0-open: ${kuttl}/wrong/00-assert.yaml, document 2: Shop kuttl-test/stall: spec.size: expected 7, found 1`,
      'error a',
      expect.stringMatching(
        /^bundle\/tests\/scorecard\/config\.yaml:\d+: stages\[1\]\.tests\[1\]: the image acme\/tests:1 needs a container/,
      ),
      'pass check',
      'error ./silent.sh',
      expect.stringMatching(/silent\.sh: stdout is not JSON .*; print \{"results": /),
      'pass ./shop.ts sells',
      'fail ./shop.ts fails',
      'sold out',
      'error ./shop.ts missing',
      './shop.ts missing: ./shop.ts exports no function "missing", only fails, hangs, sells; name one of its exports after the file',
    ]);
    const xml = readFileSync(join(project.folder, 'results.xml'), 'utf8');
    expect(xml).toContain('<testsuite name="kuttl" tests="4" failures="2" errors="0">');
    expect(xml).toContain('<system-out>1 with 2</system-out>');
    expect(xml).toContain('<system-out>a b of bundle&#10;</system-out>');
    expect(xml).toMatch(/in kuttl-test-\w+&#10;running command: exit 3/);
  });

  it('executes nothing of a bundle that is not trusted', async () => {
    const { out } = await project.run('scorecard', 'bundle', '-l', 'suite in (kuttl,own)', '-o', 'json');
    const untrusted = resultsIn(out).filter((line) => line.includes('--trust-bundle'));
    expect(untrusted).toEqual([
      `step 0-run: the command "sh -c 'echo \\"in $NAMESPACE\\" >&2'" would run with your permissions; read it, and pass --trust-bundle if you trust it`,
      ...[2, 3].map(() => expect.stringContaining('.sh would run with your permissions')),
      ...[4, 5, 6].map(() => expect.stringContaining('the module ./shop.ts would run with your permissions')),
    ]);
  });

  it('kills what does not end', async () => {
    const options = ['--selector', 'suite=slow', '--trust-bundle', '--timeout', '1s', '-o', 'json', '--no-operator'];
    const { out } = await project.run('scorecard', 'bundle', ...options);
    expect(resultsIn(out)).toEqual([
      'error ./shop.ts hangs',
      './shop.ts hangs: it did not finish within 1 s',
      'error sleep 3600',
      'sleep 3600: it did not exit within 1 s',
    ]);
  });

  it('runs the built-in tests of a bundle without a configuration and without a project', async () => {
    const { exitCode, out, err } = await project.run('scorecard', base, '--no-operator', '-o', 'json');
    expect({ exitCode, results: resultsIn(out) }).toEqual({
      exitCode: 0,
      results: [
        'pass basic-check-spec',
        'pass olm-bundle-validation',
        'pass olm-crds-have-validation',
        'pass olm-crds-have-resources',
        'pass olm-spec-descriptors',
        'pass olm-status-descriptors',
      ],
    });
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject({
      findings: [{ level: 'notice', message: expect.stringContaining('has no configuration of a scorecard') }],
    });
  });

  it('is documented with every built-in test', () => {
    const page = readFileSync(join(root, 'docs/scorecard.md'), 'utf8');
    const [, table = ''] = /\| test \| it fails if \|\n\|.*\n((?:\|.*\n)+)/.exec(page) ?? [];
    const rows = Object.entries(builtInTests).map(([name, { fails }]) => `| \`${name}\` | ${fails} |`);
    expect(table.trim().split('\n')).toEqual(rows);
  });

  it('lists the selected tests, and runs none', async () => {
    const { exitCode, out } = await project.run('scorecard', 'bundle', '--list', '--selector', 'suite=slow');
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: `${'-'.repeat(80)}
Entrypoint: [./shop.ts hangs]
Labels:
    "suite":"slow"
${'-'.repeat(80)}
Entrypoint: [sleep 3600]
Labels:
    "suite":"slow"`,
    });
    expect(await project.run('scorecard', 'bundle', '--selector', 'suite=none')).toMatchObject({
      ...{ exitCode: 0, out: '0 tests selected' },
    });
  });

  it.each([
    [
      'a missing bundle',
      ['none'],
      'error: none: the folder does not exist; pass the folder of a bundle [bundle-unreadable] [invalid-bundle]',
    ],
    [
      'a missing configuration',
      ['bundle', '--scorecard-config', 'none.yaml'],
      'error: none.yaml: ENOENT: no such file or directory',
    ],
    [
      'an invalid configuration',
      ['bundle', '--scorecard-config', 'package.json'],
      'error: package.json:1: stages: it must be a list; add it [invalid-scorecard]',
    ],
    [
      'an invalid selector',
      ['bundle', '--selector', 'suite=('],
      `error: --selector: "suite=(": unable to parse requirement: found '(', expected: identifier; write it as suite=basic or 'test in (a,b)' [invalid-option]`,
    ],
  ])('rejects %s', async (_, options, message) => {
    const { exitCode, err } = await project.run('scorecard', ...options);
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining(message) });
  });
});
