import { cpSync, existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleChecks, catalogChecks } from '@evenkeel/olm';
import { root } from '../../../../test/imports.fixture.ts';
import { commandsIn } from '../../../../test/shown-output.fixture.ts';
import { run } from '../run.ts';
import { createTerminal } from '../terminal.ts';

const page = readFileSync(join(root, 'docs/catalogs.md'), 'utf8');

describe('the guide to catalogs', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-catalogs-'));
    for (const [name, version] of [
      ['bundle', '0.2.0'],
      ['next-bundle', '0.3.0'],
    ] as const) {
      cpSync(join(root, 'packages/olm/src/validate/recorded/base'), join(folder, name), { recursive: true });
      const file = join(folder, name, 'manifests/widgets.clusterserviceversion.yaml');
      const text = readFileSync(file, 'utf8').replaceAll(/(v|version: )0\.2\.0/g, `$1${version}`);
      await writeFile(file, version === '0.2.0' ? text : text.replace(/\n {2}replaces: .*/, ''));
    }
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
    expect(sarif.runs[0].results).toMatchObject([{ ruleId: 'channel-replaces-unknown', level: 'error' }]);
    const skipped = await evenkeel('catalog', 'validate', 'catalog', '--strict', '--skip', 'channel-replaces-unknown');
    expect(skipped).toEqual({ exitCode: 0, output: 'catalog: valid' });
    const json = await evenkeel('catalog', 'validate', 'catalog', '--output', 'json');
    expect(JSON.parse(json.output)).toMatchObject({
      command: 'catalog validate',
      bundles: 2,
      findings: [{ check: 'channel-replaces-unknown', location: { file: 'catalog/widgets/package.yaml', line: 12 } }],
    });
  });

  it('changes nothing with --dry-run, deprecates, and writes a Dockerfile', async () => {
    const before = readFileSync(join(folder, 'catalog/widgets/package.yaml'), 'utf8');
    const image = `quay.io/acme/w@sha256:${'4'.repeat(64)}`;
    const words = ['catalog', 'bundle', '--image', image, '--overwrite', '--dry-run', '--channels', 'stable,fast'];
    const dry = await evenkeel('catalog', ...words);
    expect(dry.output).toMatch(/changed bundle widgets\.v0\.2\.0\n.*channel fast: .*\nnothing was written, because/s);
    expect(readFileSync(join(folder, 'catalog/widgets/package.yaml'), 'utf8')).toBe(before);
    const json = await evenkeel(
      ...['catalog', 'catalog', '--deprecate', 'widgets/widgets.v0.2.0', '--message', 'upgrade'],
      ...['--dockerfile', '--graph', 'svg', '--output', 'json'],
    );
    expect(JSON.parse(json.output)).toMatchObject({
      command: 'catalog',
      ok: true,
      created: ['catalog.Dockerfile'],
      changed: ['catalog/widgets/package.yaml'],
      written: true,
      graph: expect.stringMatching(/^<svg .*class="deprecated".*<\/svg>\n$/s),
    });
    const after = readFileSync(join(folder, 'catalog/widgets/package.yaml'), 'utf8');
    expect(after.startsWith(before)).toBe(true);
    expect(readFileSync(join(folder, 'catalog.Dockerfile'), 'utf8')).toContain('COPY ["catalog", "/configs"]');
  });

  it('renders a template, and renders it again without the folders of the bundles', async () => {
    const [template = ''] = /(?<=```yaml\n)schema: olm\.semver[^`]*/.exec(page) ?? [];
    const [, command = ''] = /\n```\nnpx evenkeel (catalog .*)\n```/.exec(page) ?? [];
    await writeFile(join(folder, 'semver.yaml'), template);
    const rendered = await evenkeel(...command.split(' '), '--graph', 'text');
    expect(rendered).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/rendered from semver\.yaml\n.*\n {2}stable-v0\n.* {2}stable-v0\.3 \(default\)\n/s),
    });
    const file = join(folder, 'rendered/widgets/catalog.yaml');
    const text = readFileSync(file, 'utf8');
    expect(await evenkeel('catalog', 'rendered', '--template', 'semver.yaml')).toMatchObject({ exitCode: 0 });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(await evenkeel('catalog', 'validate', 'rendered')).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['a bundle without an image', ['catalog', 'bundle'], 'error: --image is missing; pass the reference'],
    ['an unknown form', ['catalog', '--graph', 'png'], '--graph: "png" is unknown; use text or svg'],
    ['a deprecation without a message', ['catalog', '--deprecate', 'widgets'], 'belong together; pass both'],
    ['options without a bundle', ['catalog', '--skip-range'], '--skip-range needs a bundle; pass its folder'],
    ['a missing template', ['catalog', '--template', 'x.yaml'], '--template: x.yaml: ENOENT'],
    [
      'channels of a template',
      ['catalog', '--template', 'x', '--channels', 'a'],
      '--channels has no effect with --template',
    ],
    [
      'a template of a package that exists',
      [
        'catalog',
        'bundle',
        'next-bundle',
        '--template',
        'semver.yaml',
        '--image',
        'quay.io/acme/widgets-bundle:v{version}',
      ],
      'widgets/package.yaml: the catalog has the package widgets already; remove its files',
    ],
    ['a missing catalog', ['none'], 'none: the folder does not exist; pass the folder of a catalog [invalid-catalog]'],
    ['an unknown package', ['catalog', '--deprecate', 'x', '--message', 'y'], 'has no package "x"; use one of widgets'],
    ['a bundle that cannot be read', ['none', 'none', '--image', 'a/b'], 'none: the folder does not exist'],
    [
      'a default channel that does not exist',
      ['catalog', 'bundle', '--image', 'a/b', '--channels', 'stable', '--overwrite', '--default-channel', 'none'],
      'package widgets has no channel "none"; use one of stable [default-channel-unknown]',
    ],
  ])('refuses %s', async (_, words, message) => {
    const { exitCode, output } = await evenkeel('catalog', ...words);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: expect.stringContaining(message) });
    expect(existsSync(join(folder, 'none'))).toBe(false);
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
