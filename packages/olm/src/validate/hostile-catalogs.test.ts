import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findingText, validateCatalog } from '../index.ts';
import { baseDocuments } from './recorded-catalogs.fixture.ts';

function bomb(): string {
  const levels = Array.from({ length: 12 }, (_, level) => `b${level + 1}: &a${level + 1} [${`*a${level},`.repeat(9)}]`);
  return ['schema: acme.notes', 'b0: &a0 [x,x,x,x,x,x,x,x,x]', ...levels].join('\n');
}

describe('a catalog', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-hostile-catalog-'));
    write(
      'catalog.json',
      baseDocuments()
        .map((each) => JSON.stringify(each, undefined, 2))
        .join('\n'),
    );
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(path: string, text: string | Buffer): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  async function errors(): Promise<string[]> {
    const { findings } = await validateCatalog(folder);
    return findings.filter(({ level }) => level === 'error').map(findingText);
  }

  it.each([
    ['aliases that expand to gigabytes', bomb(), 'document contains excessive aliasing'],
    [
      'brackets that nest deeply',
      `schema: a\nb: ${'['.repeat(100_000)}`,
      'exceeded max depth|nested more than|did not find',
    ],
    [
      'braces that nest deeply',
      `{"schema": "a", "b": ${'['.repeat(5000)}${']'.repeat(5000)}}`,
      'nested more than 200 levels',
    ],
    [
      'mappings that nest deeply',
      `schema: a\n${Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')}`,
      'nested more than 200 levels',
    ],
    ['a list instead of an object', '[1, 2]', 'it is not an object with a schema'],
    ['a binary file', '\u0000\u0001\u0002', 'control characters are not allowed'],
    ['an empty file', '# nothing\n', 'it contains no document'],
    ['JSON without its end', '{"schema": "olm.package",\n "name": ', 'did not find'],
  ])('with %s is reported', async (_, content, message) => {
    write('operators/extra.yaml', content);
    expect(await errors()).toEqual([
      expect.stringMatching(new RegExp(`^operators/extra\\.yaml:\\d+: .*(?:${message}).*; `)),
    ]);
  });

  it('with a symbolic link, without a folder, or with too many bytes is rejected', async () => {
    symlinkSync('/etc/hostname', join(folder, 'host.yaml'));
    expect(await errors()).toEqual(['host.yaml is a symbolic link; replace it with the file']);
    rmSync(join(folder, 'host.yaml'));
    const none = await validateCatalog(join(folder, 'none'));
    expect(none.findings.map(findingText)).toEqual(['the folder does not exist; pass the folder of a catalog']);
  });

  it('with keys of prototypes is read as any other', async () => {
    write('extra.yaml', 'schema: acme.notes\n__proto__: {a: 1}\nconstructor: 1\n');
    expect(await errors()).toEqual([]);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it('with files that .indexignore excludes is read without them', async () => {
    write('README.md', '# not a document\n- [\n');
    write('docs/a/b.txt', '[');
    write('docs/keep.yaml', 'schema: acme.kept\n');
    expect((await errors()).length).toBeGreaterThan(0);
    write('.indexignore', '# comment\n*.md\n/docs/**\n!keep.yaml\n');
    expect(await errors()).toEqual([]);
    write('docs/keep.yaml', 'schema: 1\n');
    expect(await errors()).toEqual([expect.stringMatching(/^docs\/keep\.yaml:1: schema: /)]);
    write('docs/.indexignore', 'kee?.yaml\n');
    expect(await errors()).toEqual([]);
  });

  it('of 2 MB in one document is checked, with the line of its error', async () => {
    const description = 'word '.repeat(400_000);
    write('large.yaml', `---\nschema: olm.package\nname: large\ndescription: ${description}\ndefaultChannel: [x]\n`);
    expect(await errors()).toEqual(['large.yaml:5: defaultChannel: it must be a string; correct the value']);
  });

  it('with thousands of entries, long names and ranges is checked in time', async () => {
    const entries = Array.from({ length: 3000 }, (_, index) => ({
      name: `w.v1.${index}.0`,
      skipRange: `<1.${index}.0`,
    }));
    const long = '1.0.'.repeat(50_000);
    write(
      'fast.json',
      JSON.stringify({
        schema: 'olm.channel',
        name: 'many',
        package: 'w',
        entries: [...entries, { name: 'x', skipRange: long }],
      }),
    );
    const started = process.cpuUsage();
    expect((await errors()).length).toBeGreaterThan(2000);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
  });
});
