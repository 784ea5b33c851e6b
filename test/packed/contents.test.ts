import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { root, sourceFilesBelow } from '../imports.fixture.ts';
import { entryPoints, folders, isBuilt, manifestOf, type Packed, pack } from './package.fixture.ts';

if (!isBuilt) console.log('skipped: nothing is built, so nothing can be packed');

/** The most that each tarball may weigh, in KB of 1,000 bytes: some more than it does, so that a leap is noticed. */
const maxKilobytes: Readonly<Record<string, number>> = {
  apimachinery: 60,
  core: 100,
  kinds: 140,
  client: 60,
  schema: 420,
  runtime: 260,
  apiserver: 400,
  testing: 60,
  cli: 80,
  evenkeel: 20,
};

(isBuilt ? describe : describe.skip)('the tarball of', () => {
  let tarballs: ReadonlyMap<string, Packed>;
  beforeAll(async () => {
    tarballs = new Map((await pack()).map((packed) => [packed.name, packed]));
  });

  function filesOf(folder: string): readonly string[] {
    return (tarballs.get(manifestOf(folder).name)?.files ?? []).map(({ path }) => path);
  }

  const read = (folder: string, file: string): string => readFileSync(join(root, 'packages', folder, file), 'utf8');

  it.each(folders)('packages/%s has what is built of its sources, and nothing of its tests', (folder) => {
    const sources = sourceFilesBelow(`packages/${folder}/src`).map((file) =>
      file.slice(`packages/${folder}/src/`.length),
    );
    const built = sources
      .filter((file) => !/\.(?:test|fixture)\.ts$/.test(file))
      .map((file) => file.replace(/\.ts$/, ''))
      .flatMap((file) => [`dist/${file}.js`, `dist/${file}.d.ts`]);
    const bin = Object.values(manifestOf(folder).bin ?? {}).map((file) => file.slice('./'.length));
    const expected = [...built, ...bin, 'LICENSE', 'README.md', 'package.json'];
    const files = filesOf(folder);
    expect(expected.filter((file) => !files.includes(file))).toEqual([]);
    // A build removes what was built of sources that are gone: after a move, `npm run build`.
    expect(files.filter((file) => !expected.includes(file))).toEqual([]);
  });

  it.each(folders)('packages/%s has every file that its package.json speaks of', (folder) => {
    const files = filesOf(folder);
    const entries = entryPoints(manifestOf(folder), files);
    expect(entries.size).toBeGreaterThanOrEqual(Object.keys(manifestOf(folder).exports).length);
    expect([...entries.values()].flat().filter((file) => !files.includes(file))).toEqual([]);
    for (const conditions of Object.values(manifestOf(folder).exports)) {
      // The first condition is this repository's own, for its tests; nobody else's resolver asks for it.
      expect(Object.keys(conditions)).toEqual(['evenkeel-source', 'types', 'default']);
    }
  });

  it.each(folders)(
    'packages/%s imports, types included, only what is in it or what its package.json names',
    (folder) => {
      const files = filesOf(folder);
      const manifest = manifestOf(folder);
      const named = [manifest.name, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })];
      const wrong = files
        .filter((file) => /^dist\/.*\.(?:js|d\.ts)$/.test(file))
        .flatMap((file) => specifiersIn(read(folder, file)).map((specifier) => ({ file, specifier })))
        .filter(({ file, specifier }) => {
          // In declarations `./x.ts` stands for `./x.d.ts`, as the compiler writes them.
          if (specifier.startsWith('.')) return !files.includes(join(file, '..', specifier.replace(/\.ts$/, '.d.ts')));
          if (specifier.startsWith('node:')) return !builtinModules.includes(specifier.slice('node:'.length));
          return !named.some((name) => specifier === name || specifier.startsWith(`${name}/`));
        });
      expect(wrong).toEqual([]);
    },
  );

  it.each(folders)('packages/%s says what it is, and under which licence', (folder) => {
    const manifest = manifestOf(folder);
    expect(manifest).toMatchObject({
      version: manifestOf('evenkeel').version,
      license: 'Apache-2.0',
      type: 'module',
      engines: { node: '>=22.19' },
      sideEffects: false,
    });
    expect(read(folder, 'LICENSE')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
    expect(read(folder, 'README.md')).toMatch(new RegExp(`^# ${manifest.name}\n\n`));
    // Of one release with its siblings: what one of them gives another is no promise between versions.
    const siblings = Object.entries(manifest.dependencies ?? {}).filter(([name]) => name.startsWith('@evenkeel/'));
    expect(siblings.filter(([, range]) => range !== manifest.version)).toEqual([]);
  });

  it.each(folders)('packages/%s weighs no more than on record', (folder) => {
    const size = tarballs.get(manifestOf(folder).name)?.size ?? Number.NaN;
    expect({
      folder,
      kilobytes: Math.ceil(size / 1000),
      fits: size <= (maxKilobytes[folder] ?? 0) * 1000,
    }).toMatchObject({
      fits: true,
    });
  });
});

/** Specifiers of imports, re-exports and `import()`, types included; comments and texts in code hold none that look so. */
function specifiersIn(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const found = code.matchAll(/^\s*(?:import|export)\s(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*['"]([^'"]+)['"]/gm);
  return Array.from(found, ([, from, dynamic]) => from ?? dynamic ?? '');
}
