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
    const [block = ''] = /(?<=```console\n)[^`]*/.exec(page) ?? [];
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
    expect(sarif.runs[0].results).toMatchObject([{ ruleId: 'image-without-digest', level: 'warning' }]);
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
          location: { file: 'manifests/widgets.clusterserviceversion.yaml', line: 11 },
          message: expect.stringContaining('"Monitoring" is not a category; use one of Gardening'),
        },
      ]),
    });
  });

  it.each([
    ['a missing folder', ['missing'], 'it is not a folder; pass the folder of a bundle [bundle-unreadable]'],
    [
      'an unknown check',
      ['bundle', '--skip', 'nothing'],
      '--skip: unknown check "nothing"; use the id at the end of a message',
    ],
    ['a missing file', ['bundle', '--categories', 'none.json'], '--categories: ENOENT'],
  ])('rejects %s', async (_, words, message) => {
    const { exitCode, output } = await evenkeel('bundle', 'validate', ...words);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: expect.stringContaining(message) });
  });
});
