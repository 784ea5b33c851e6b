import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Bundle } from '../bundle/bundle.ts';
import { readBundle } from '../bundle/read-bundle.ts';
import type { BundleCheck } from '../validate/bundle-check.ts';
import { OlmReport } from '../validate/finding.ts';
import { baseBundle } from '../validate/recorded-verdicts.fixture.ts';
import { validateCatalog } from '../validate/validate-catalog.ts';
import { type BundleAddition, CatalogUpdate } from './catalog-update.ts';
import { graphSvg } from './graph-svg.ts';
import { graphText } from './graph-text.ts';

const digest = '0'.repeat(64);

describe('CatalogUpdate', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-catalog-update-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** The base bundle with another version, without its `replaces`. */
  async function bundle(version: string, csv: (text: string) => string = (text) => text): Promise<Bundle> {
    const target = join(folder, 'bundles', version);
    cpSync(baseBundle, target, { recursive: true });
    const file = join(target, 'manifests/widgets.clusterserviceversion.yaml');
    const text = readFileSync(file, 'utf8').replaceAll(/(v|version: )0\.2\.0/g, `$1${version}`);
    writeFileSync(file, csv(text.replace(/\n {2}replaces: .*/, '')));
    const read = await readBundle(target, new OlmReport<BundleCheck>());
    if (read === undefined) throw new Error(`${version} is unreadable`);
    return read;
  }

  const catalogFolder = (): string => join(folder, 'catalog');

  /** Makes a change, writes it, and returns what it changed. */
  async function update(exists: boolean, change: (update: CatalogUpdate) => void): Promise<readonly string[]> {
    const opened = await CatalogUpdate.open(catalogFolder(), exists);
    change(opened);
    for (const [path, text] of opened.changedFiles()) {
      mkdirSync(dirname(join(catalogFolder(), path)), { recursive: true });
      writeFileSync(join(catalogFolder(), path), text);
    }
    const errors = (await validateCatalog(catalogFolder())).findings.filter(({ level }) => level === 'error');
    expect(errors).toEqual([]);
    return opened.steps;
  }

  function addition(version: string, more: Partial<BundleAddition> = {}): BundleAddition {
    const image = `quay.io/acme/widgets-bundle@sha256:${version.replace(/\D/g, '').padStart(64, '0')}`;
    return { image, channels: ['stable'], ...more };
  }

  async function graph(): Promise<string> {
    return graphText((await CatalogUpdate.open(catalogFolder(), true)).catalog());
  }

  it('reads the catalog again only after a change', async () => {
    const [first, second] = [await bundle('1.0.0'), await bundle('1.1.0')];
    const opened = await CatalogUpdate.open(catalogFolder(), false);
    opened.addBundle(first, addition('1.0.0'));
    const before = opened.catalog();
    expect(opened.catalog()).toBe(before);
    opened.addBundle(second, addition('1.1.0'));
    expect(opened.catalog().bundles.map(({ value }) => value.name)).toEqual(['widgets.v1.0.0', 'widgets.v1.1.0']);
    expect(before.bundles).toHaveLength(1);
  });

  it('derives a graph with one head, to which every bundle upgrades', async () => {
    const added = await Promise.all(['1.0.0', '1.1.0', '1.0.1', '2.0.0', '1.1.1'].map((version) => bundle(version)));
    for (const [index, each] of added.entries()) {
      await update(index > 0, (open) => open.addBundle(each, addition(each.csv.spec?.version ?? '')));
    }
    expect(await graph()).toBe(
      [
        'widgets',
        '  stable (default)',
        '    widgets.v2.0.0  head; replaces widgets.v1.1.0, skips widgets.v1.1.1',
        '    widgets.v1.1.1  -> widgets.v2.0.0; replaces widgets.v1.1.0',
        '    widgets.v1.1.0  -> widgets.v2.0.0; replaces widgets.v1.0.0, skips widgets.v1.0.1',
        '    widgets.v1.0.1  -> widgets.v1.1.0; replaces widgets.v1.0.0',
        '    widgets.v1.0.0  -> widgets.v1.1.0',
      ].join('\n'),
    );
  });

  it('follows the author of a bundle, and skips what lies between', async () => {
    for (const version of ['1.0.0', '1.1.0']) {
      const each = await bundle(version);
      await update(version !== '1.0.0', (open) => open.addBundle(each, addition(version)));
    }
    const chosen = await bundle('1.2.0', (text) =>
      text.replace(/\n {2}version: /, '\n  replaces: widgets.v1.0.0\n  version: '),
    );
    const steps = await update(true, (open) => open.addBundle(chosen, addition('1.2.0', { skipRange: true })));
    expect(steps.at(-1)).toBe(
      'widgets/package.yaml: channel stable: widgets.v1.2.0 replaces widgets.v1.0.0, skips widgets.v1.1.0, skips the range >=1.0.0 <1.2.0',
    );
    const bad = await bundle('1.3.0');
    await update(true, (open) => open.addBundle(bad, addition('1.3.0', { skips: ['widgets.v1.2.0'] })));
    expect(await graph()).toContain('widgets.v1.3.0  head; replaces widgets.v1.0.0, skips widgets.v1.2.0');
  });

  it('changes nothing if a bundle is added again, and keeps a published bundle', async () => {
    const first = await bundle('1.0.0');
    await update(false, (open) => open.addBundle(first, addition('1.0.0')));
    const before = readFileSync(join(catalogFolder(), 'widgets/bundles/widgets.v1.0.0.yaml'), 'utf8');
    expect(await update(true, (open) => open.addBundle(first, addition('1.0.0')))).toEqual([]);
    const other = addition('9.9.9');
    await expect(update(true, (open) => open.addBundle(first, other))).rejects.toThrow(
      'widgets/bundles/widgets.v1.0.0.yaml:2: the catalog has another widgets.v1.0.0; give the bundle a new version',
    );
    expect(readFileSync(join(catalogFolder(), 'widgets/bundles/widgets.v1.0.0.yaml'), 'utf8')).toBe(before);
    await update(true, (open) => open.addBundle(first, { ...other, overwrite: true }));
    expect(readFileSync(join(catalogFolder(), 'widgets/bundles/widgets.v1.0.0.yaml'), 'utf8')).toContain(other.image);
  });

  it('keeps the bytes of what other tools wrote, and writes JSON next to JSON', async () => {
    const foreign = [
      '{\n  "schema": "olm.package",\n    "name": "widgets", "defaultChannel": "stable"\n}',
      '{ "schema": "acme.notes", "unknown": [1,  2] }',
      '{"schema": "olm.channel", "package": "widgets", "name": "stable", "entries": [\n  { "name": "widgets.v0.9.0" }\n]}',
      `{"schema": "olm.bundle", "package": "widgets", "name": "widgets.v0.9.0", "image": "a/b@sha256:${digest}", "properties": [ {"type":"olm.package", "value": {"packageName": "widgets", "version": "0.9.0"}}]}`,
    ];
    mkdirSync(catalogFolder());
    writeFileSync(join(catalogFolder(), 'index.json'), `${foreign.join('\n\n')}\n`);
    writeFileSync(join(catalogFolder(), 'README.md'), 'ours\n');
    writeFileSync(join(catalogFolder(), '.indexignore'), '*.md\n');
    const next = await bundle('1.0.0');
    const steps = await update(true, (open) => {
      open.addBundle(next, addition('1.0.0', { defaultChannel: 'fast', channels: ['stable', 'fast'] }));
      open.deprecate('widgets', 'widgets.v0.9.0', 'old');
      open.deprecate('widgets', 'stable', 'use "fast"');
      open.deprecate('widgets', 'stable', 'use fast');
    });
    expect(steps).toHaveLength(7);
    const text = readFileSync(join(catalogFolder(), 'index.json'), 'utf8');
    expect(text).toContain(foreign[1]);
    expect(text).toContain(foreign[3]);
    expect(text).toContain('"name": "widgets", "defaultChannel": "fast"\n}');
    expect(text).toContain(
      '{ "name": "widgets.v0.9.0" },\n  {\n    "name": "widgets.v1.0.0",\n    "replaces": "widgets.v0.9.0"\n  }\n]}',
    );
    expect(text).toContain('"message": "use fast"');
    expect(JSON.parse(readFileSync(join(catalogFolder(), 'bundles/widgets.v1.0.0.json'), 'utf8'))).toMatchObject({
      schema: 'olm.bundle',
    });
    expect(await graph()).toContain('widgets.v0.9.0  -> widgets.v1.0.0 (deprecated)');
  });

  it('writes nothing if the catalog would be invalid', async () => {
    const first = await bundle('1.0.0');
    await update(false, (open) => open.addBundle(first, addition('1.0.0')));
    const second = await bundle('1.1.0');
    const open = await CatalogUpdate.open(catalogFolder(), true);
    open.addBundle(second, addition('1.1.0', { replaces: 'widgets.v0.1.0' }));
    expect(() => open.changedFiles()).toThrow(
      /nothing is written\n {4}widgets\/package\.yaml:\d+: entries\[1\]: channel stable has several heads: .*\[channel-head-several\]/,
    );
    const again = await CatalogUpdate.open(catalogFolder(), true);
    expect(() => again.addBundle(second, addition('1.1.0', { channels: [] }))).toThrow(
      'has no channel; pass --channels',
    );
    expect(() => again.deprecate('gears', undefined, 'x')).toThrow('has no package "gears"; use one of widgets');
  });

  it('draws the same image for the same catalog, with each bundle and each kind of upgrade', async () => {
    for (const version of ['1.0.0', '1.1.0', '1.0.1', '2.0.0']) {
      const each = await bundle(version);
      await update(version !== '1.0.0', (open) => open.addBundle(each, addition(version, { skipRange: true })));
    }
    const catalog = (await CatalogUpdate.open(catalogFolder(), true)).catalog();
    const image = graphSvg(catalog);
    expect(graphSvg(catalog)).toBe(image);
    for (const part of [
      'widgets.v1.0.0</text>',
      'class="replaces"',
      'class="skips"',
      'class="skipRange"',
      'class="head"',
    ]) {
      expect(image).toContain(part);
    }
    expect(image).toContain(
      '<title>widgets.v1.1.0 replaces widgets.v1.0.0, skips widgets.v1.0.1, skipRange &#62;=1.0.0 &#60;1.1.0</title>',
    );
  });
});
