import { cpSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleChecks } from '@evenkeel/olm';
import { root } from '../../../../test/imports.fixture.ts';
import { commandsIn } from '../../../../test/shown-output.fixture.ts';
import { run } from '../run.ts';
import { createTerminal } from '../terminal.ts';

const page = readFileSync(join(root, 'docs/bundles.md'), 'utf8');

describe('the guide to bundles', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-bundles-'));
    cpSync(join(root, 'packages/olm/src/validate/recorded/base'), join(folder, 'bundle'), { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function evenkeel(...words: readonly string[]): Promise<{ exitCode: number; output: string }> {
    const lines: string[] = [];
    const print = (line: string): number => lines.push(line);
    const exitCode = await run(words, createTerminal({ folder, out: print, err: print }));
    return { exitCode, output: lines.join('\n') };
  }

  it('lists every check with its level and validators', () => {
    const rows = Object.entries(bundleChecks).map(([id, { level, validators, finds }]) => {
      const names = validators.map((validator) => `\`${validator}\``).join(', ');
      return `| \`${id}\` | ${level} | ${finds} | ${names} |`;
    });
    const [, table = ''] = /\| check \| level \|.*\n\|.*\n((?:\|.*\n)+)/.exec(page) ?? [];
    expect(table.trim().split('\n')).toEqual(rows);
  });

  it('shows the output of its commands', async () => {
    const [block = ''] = /(?<=```console\n)\$ npx evenkeel bundle validate[^`]*/.exec(page) ?? [];
    const commands = commandsIn(block);
    expect(commands).toHaveLength(1);
    for (const { command, output } of commands) {
      const printed = await evenkeel(...command.replace('npx evenkeel ', '').split(' '));
      expect(printed).toEqual({ exitCode: 0, output: output.trim() });
    }
  });

  it('explains the options', async () => {
    const strict = await evenkeel('bundle', 'validate', 'bundle', '--strict', '--sarif', 'bundle.sarif');
    expect(strict).toMatchObject({ exitCode: 1, output: expect.stringContaining('invalid, 1 error') });
    const sarif = JSON.parse(readFileSync(join(folder, 'bundle.sarif'), 'utf8'));
    const uri = 'bundle/manifests/widgets.clusterserviceversion.yaml';
    expect(sarif.runs[0].results).toMatchObject([
      {
        ruleId: 'image-without-digest',
        level: 'error',
        locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 59 } } }],
      },
    ]);
    expect(sarif.runs[0].tool.driver.rules).toMatchObject([{ id: 'image-without-digest' }]);
    const skipped = await evenkeel('bundle', 'validate', 'bundle', '--strict', '--skip', 'image-without-digest');
    expect(skipped).toEqual({ exitCode: 0, output: 'widgets.v0.2.0: valid' });
    await writeFile(join(folder, 'categories.json'), '{"categories": ["Gardening"]}');
    const json = await evenkeel('bundle', 'validate', 'bundle', '--categories', 'categories.json', '--output', 'json');
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.output)).toMatchObject({
      bundle: 'widgets.v0.2.0',
      findings: expect.arrayContaining([
        {
          level: 'error',
          check: 'category-invalid',
          fix: 'use one of Gardening',
          location: { file: 'bundle/manifests/widgets.clusterserviceversion.yaml', line: 11 },
          message: expect.stringContaining('"Monitoring" is not a category; use one of Gardening'),
        },
      ]),
    });
  });

  it('reports what it cannot read, whatever is skipped', async () => {
    const broken = join(folder, 'broken');
    cpSync(join(folder, 'bundle'), broken, { recursive: true });
    await writeFile(
      join(broken, 'manifests/widgets.clusterserviceversion.yaml'),
      'kind: ClusterServiceVersion\na: [\n',
    );
    const skip = ['--skip', 'object-invalid,csv-missing', '--skip', 'bundle-unreadable'];
    const { exitCode, output } = await evenkeel('bundle', 'validate', 'broken', ...skip);
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      /^error: broken\/manifests\/widgets\.clusterserviceversion\.yaml:\d: Flow .* \[object-invalid\]$/m,
    );
    expect(output).toContain('broken: invalid, 2 errors');
    expect(await evenkeel('bundle', 'validate', 'missing', ...skip)).toMatchObject({ exitCode: 1 });
  });

  it.each([
    [
      'a missing folder',
      ['missing'],
      'missing: the folder does not exist; pass the folder of a bundle [bundle-unreadable]',
    ],
    ['a file', ['bundle/metadata/annotations.yaml'], 'it is not a folder; pass the folder of a bundle'],
    [
      'the wrong folder',
      ['bundle/metadata'],
      'the folder has no manifests/ and no ClusterServiceVersion; pass the folder that',
    ],
    [
      'an unknown check',
      ['bundle', '--skip', 'icon-counts'],
      '--skip: unknown check "icon-counts"; did you mean "icon-count"?',
    ],
    [
      'an invalid version',
      ['bundle', '--kubernetes-version', 'latest'],
      '--kubernetes-version: "latest" is not a version',
    ],
    ['a missing file', ['bundle', '--categories', 'none.json'], '--categories: none.json: ENOENT'],
    [
      'a report in a missing folder',
      ['bundle', '--sarif', 'none/x.sarif'],
      '--sarif: cannot write none/x.sarif: ENOENT',
    ],
  ])('rejects %s', async (_, words, message) => {
    const { exitCode, output } = await evenkeel('bundle', 'validate', ...words);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: expect.stringContaining(message) });
  });
});
