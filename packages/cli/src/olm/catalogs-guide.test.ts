import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleChecks, catalogChecks } from '@evenkeel/olm';
import { root } from '../../../../test/imports.fixture.ts';
import { commandsIn } from '../../../../test/shown-output.fixture.ts';
import { run } from '../run.ts';
import { createTerminal } from '../terminal.ts';

const page = readFileSync(join(root, 'docs/catalogs.md'), 'utf8');

const image = `quay.io/acme/widgets-bundle@sha256:${'0'.repeat(64)}`;
const catalog = `---
schema: olm.package
name: widgets
defaultChannel: stable
description: Makes widgets.
---
schema: olm.channel
package: widgets
name: stable
entries:
  - name: widgets.v0.2.0
---
schema: olm.bundle
package: widgets
name: widgets.v0.2.0
image: ${image}
properties:
  - {type: olm.package, value: {packageName: widgets, version: 0.2.0}}
  - {type: olm.csv.metadata, value: {displayName: Widgets}}
`;

describe('the guide to catalogs', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-catalogs-'));
    await mkdir(join(folder, 'catalog/widgets'), { recursive: true });
    await writeFile(join(folder, 'catalog/widgets/package.yaml'), catalog);
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function evenkeel(...words: readonly string[]): Promise<{ exitCode: number; output: string }> {
    const lines: string[] = [];
    const print = (line: string): number => lines.push(line);
    const exitCode = await run(words, createTerminal({ folder, out: print, err: print }));
    return { exitCode, output: lines.join('\n') };
  }

  it('lists every check with its level', () => {
    const rows = Object.entries(catalogChecks).map(
      ([id, { level, upstream, finds }]) => `| \`${id}\` | ${level} | ${finds} | ${upstream ? 'yes' : ''} |`,
    );
    const [, table = ''] = /\| check \| level \|.*\n\|.*\n((?:\|.*\n)+)/.exec(page) ?? [];
    expect(table.trim().split('\n')).toEqual(rows);
    expect(Object.keys(catalogChecks).filter((id) => Object.hasOwn(bundleChecks, id))).toEqual([]);
  });

  it('shows the output of its commands', async () => {
    const commands = [...page.matchAll(/(?<=```console\n)[^`]*/g)].flatMap(([block]) => commandsIn(block));
    expect(commands.length).toBeGreaterThan(0);
    for (const { command, output } of commands) {
      const printed = await evenkeel(...command.replace('npx evenkeel ', '').split(' '));
      expect(printed).toEqual({ exitCode: 0, output: output.trim() });
    }
  });

  it('explains the options', async () => {
    const strict = await evenkeel('catalog', 'validate', 'catalog', '--strict', '--sarif', 'catalog.sarif');
    expect(strict).toMatchObject({ exitCode: 1, output: expect.stringContaining('catalog: invalid, 1 error') });
    const sarif = JSON.parse(readFileSync(join(folder, 'catalog.sarif'), 'utf8'));
    expect(sarif.runs[0].results).toMatchObject([{ ruleId: 'package-icon-missing', level: 'error' }]);
    const skipped = await evenkeel('catalog', 'validate', 'catalog', '--strict', '--skip', 'package-icon-missing');
    expect(skipped).toEqual({ exitCode: 0, output: 'catalog: valid' });
    const json = await evenkeel('catalog', 'validate', 'catalog', '--output', 'json');
    expect(JSON.parse(json.output)).toMatchObject({
      command: 'catalog validate',
      bundles: 1,
      findings: [{ check: 'package-icon-missing', location: { file: 'catalog/widgets/package.yaml', line: 2 } }],
    });
  });

  it.each([
    [
      'a missing folder',
      ['missing'],
      'missing: the folder does not exist; pass the folder of a catalog [catalog-unread',
    ],
    ['a check of bundles', ['catalog', '--skip', 'icon-count'], '--skip: unknown check "icon-count"'],
  ])('rejects %s', async (_, words, message) => {
    const { exitCode, output } = await evenkeel('catalog', 'validate', ...words);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: expect.stringContaining(message) });
  });
});
