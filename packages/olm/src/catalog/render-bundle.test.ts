import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBundle } from '../bundle/read-bundle.ts';
import type { BundleCheck } from '../validate/bundle-check.ts';
import { OlmReport } from '../validate/finding.ts';
import { baseBundle } from '../validate/recorded-verdicts.fixture.ts';
import { renderBundle } from './render-bundle.ts';

interface Recorded {
  readonly files: Readonly<Record<string, string>>;
  readonly name: string;
  readonly package: string;
  readonly properties: readonly { readonly type: string }[];
  readonly images: readonly string[];
}

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded/rendered-bundles.json'), 'utf8'),
) as Record<string, Recorded>;

describe('renderBundle()', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-rendered-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(Object.entries(recorded))('gives what operator-registry gives for %s', async (title, expected) => {
    const target = join(folder, title.replaceAll(' ', '-'));
    cpSync(baseBundle, target, { recursive: true });
    for (const [file, text] of Object.entries(expected.files)) writeFileSync(join(target, file), text);
    const bundle = await readBundle(target, new OlmReport<BundleCheck>());
    if (bundle === undefined) throw new Error('unreadable');
    const { name, package: packageName, properties, relatedImages } = renderBundle(bundle, 'quay.io/x/y:1');
    expect({ name, packageName }).toEqual({ name: expected.name, packageName: expected.package });
    const types = (list: readonly { readonly type: string }[]): string[] => list.map(({ type }) => type);
    expect(types(properties)).toEqual(types(expected.properties));
    expect(properties).toEqual(expect.arrayContaining([...expected.properties]));
    expect(relatedImages.map(({ image }) => image).sort()).toEqual(expected.images);
  });
});
