import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findingText, validateBundle } from '../index.ts';
import { baseBundle } from './recorded-verdicts.fixture.ts';

const csvFile = 'manifests/widgets.clusterserviceversion.yaml';

function bomb(): string {
  const levels = Array.from({ length: 12 }, (_, level) => `b${level + 1}: &a${level + 1} [${`*a${level},`.repeat(9)}]`);
  return ['kind: ConfigMap', 'b0: &a0 [x,x,x,x,x,x,x,x,x]', ...levels].join('\n');
}

describe('a hostile bundle', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-hostile-'));
    cpSync(baseBundle, folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function errors(): Promise<string[]> {
    const { findings } = await validateBundle(folder);
    return findings.filter(({ level }) => level === 'error').map(findingText);
  }

  it.each([
    ['aliases that expand to gigabytes', bomb(), 'Excessive alias count'],
    ['brackets that nest deeply', `kind: ConfigMap\ndata: ${'['.repeat(100_000)}`, 'nested more than 200 levels'],
    [
      'mappings that nest deeply',
      Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
      'nested more than',
    ],
    ['a list instead of an object', '[1, 2]', 'it is not an object with a kind'],
    ['a file that is not text', '\u0000\u0001\u0002', 'it is not an object with a kind'],
  ])('with %s is reported', async (_, content, message) => {
    writeFileSync(join(folder, 'manifests/extra.yaml'), content);
    expect(await errors()).toEqual([expect.stringMatching(new RegExp(`^manifests/extra\\.yaml.*${message}`))]);
  });

  it('with a symbolic link is rejected', async () => {
    symlinkSync('/etc/hostname', join(folder, 'manifests/host.yaml'));
    expect(await errors()).toEqual(['manifests/host.yaml is a symbolic link; replace it with the file']);
  });

  it('with too many bytes is rejected before they are read', async () => {
    writeFileSync(join(folder, 'manifests/large.yaml'), Buffer.alloc(33 * 1024 * 1024));
    expect(await errors()).toEqual([
      expect.stringContaining('more than 2000 files or 32 MiB; pass the folder of a bundle'),
    ]);
  });

  it('with keys of prototypes is read as any other', async () => {
    writeFileSync(
      join(folder, csvFile),
      'kind: ClusterServiceVersion\n__proto__: {a: 1}\nconstructor: 1\nmetadata: {annotations: {__proto__: x, hasOwnProperty: z}}\n',
    );
    expect(await errors()).toContainEqual(expect.stringContaining('metadata.name: "" is invalid'));
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it('with long names and addresses is checked in time', async () => {
    const long = 'a1.'.repeat(100_000);
    const address = `${'a.'.repeat(50_000)}@${'b.'.repeat(50_000)}`;
    writeFileSync(
      join(folder, csvFile),
      `kind: ClusterServiceVersion\nmetadata: {name: ${long}}\nspec: {maintainers: [{name: x, email: "${address}"}], relatedImages: [{image: "${long}"}], minKubeVersion: "${long}"}\n`,
    );
    const started = process.cpuUsage();
    expect((await errors()).length).toBeGreaterThan(5);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
  });
});
