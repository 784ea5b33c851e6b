import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { root, sourceFilesBelow } from '../imports.fixture.ts';
import { entryPoints, folders, isBuilt, manifestOf, type Packed, pack } from './package.fixture.ts';

if (!isBuilt) console.log('skipped: the packages are not built, so they cannot be packed');

/** The maximum size of each tarball, in KB of 1,000 bytes: slightly more than its size, so that a large increase is noticed. */
const maxKilobytes: Readonly<Record<string, number>> = {
  apimachinery: 98,
  core: 195,
  kinds: 415,
  client: 75,
  schema: 304,
  olm: 105,
  runtime: 545,
  apiserver: 438,
  testing: 203,
  cli: 325,
  evenkeel: 15,
};

/**
 * The packages whose code users name in their own code. They contain their sources and declaration maps, so that an editor's "go to
 * definition" shows the source. Sources of the others would be two thirds of all, for few readers; the declarations of `kinds`
 * have the documentation of Kubernetes.
 */
const withSources: ReadonlySet<string> = new Set(['apimachinery', 'core', 'client', 'runtime', 'testing', 'evenkeel']);

(isBuilt ? describe : describe.skip)('the tarball of', () => {
  let tarballs: ReadonlyMap<string, Packed>;
  beforeAll(async () => {
    tarballs = new Map((await pack()).map((packed) => [packed.name, packed]));
  });

  function filesOf(folder: string): readonly string[] {
    return (tarballs.get(manifestOf(folder).name)?.files ?? []).map(({ path }) => path);
  }

  /** Returns the JavaScript that the entry points and commands of a package load, now or later, or run as a process. */
  function loadedOf(folder: string, files: readonly string[]): ReadonlySet<string> {
    const manifest = manifestOf(folder);
    const loaded = new Set([
      ...[...entryPoints(manifest, files).values()].flat().filter((file) => file.endsWith('.js')),
      ...Object.values(manifest.bin ?? {}).map((file) => file.slice('./'.length)),
    ]);
    // A set also visits what is added meanwhile.
    for (const file of loaded) {
      for (const specifier of [...specifiersIn(file, read(folder, file)), ...neighboursIn(read(folder, file))]) {
        if (specifier.startsWith('.')) loaded.add(join(file, '..', specifier));
      }
    }
    return loaded;
  }

  const read = (folder: string, file: string): string => readFileSync(join(root, 'packages', folder, file), 'utf8');

  it.each(folders)(
    'packages/%s contains the declarations of its sources, the bundles of its entry points, the sources that users navigate to, and no tests',
    (folder) => {
      const sources = sourceFilesBelow(`packages/${folder}/src`).map((file) =>
        file.slice(`packages/${folder}/src/`.length),
      );
      const built = sources
        .filter((file) => !/\.(?:test|fixture)\.ts$/.test(file))
        .map((file) => file.replace(/\.ts$/, ''))
        .flatMap((file) => [
          `dist/${file}.d.ts`,
          ...(withSources.has(folder) ? [`dist/${file}.d.ts.map`, `src/${file}.ts`] : []),
        ]);
      const files = filesOf(folder);
      const data = folder === 'cli' ? ['dist/CHANGELOG.md'] : [];
      const expected = [...built, ...data, ...loadedOf(folder, files), 'LICENSE', 'README.md', 'package.json'];
      expect(expected.filter((file) => !files.includes(file))).toEqual([]);
      // A build removes output of removed sources. After a move of files, run `npm run build`.
      expect(files.filter((file) => !expected.includes(file))).toEqual([]);
    },
  );

  it.each([...withSources])('packages/%s has declaration maps that lead to a source in the same tarball', (folder) => {
    const files = filesOf(folder);
    const maps = files.filter((file) => file.endsWith('.d.ts.map'));
    expect(maps.length).toBeGreaterThan(0);
    const targets = maps.flatMap((map) => {
      const { sources, sourceRoot = '' } = JSON.parse(read(folder, map)) as { sources: string[]; sourceRoot?: string };
      return sources.map((source) => join(map, '..', sourceRoot, source));
    });
    expect(targets.filter((source) => !files.includes(source))).toEqual([]);
  });

  it.each(folders)('packages/%s contains every file that its package.json names', (folder) => {
    const files = filesOf(folder);
    const entries = entryPoints(manifestOf(folder), files);
    expect(entries.size).toBeGreaterThanOrEqual(Object.keys(manifestOf(folder).exports).length);
    expect([...entries.values()].flat().filter((file) => !files.includes(file))).toEqual([]);
    for (const conditions of Object.values(manifestOf(folder).exports)) {
      // The first condition is only for tests in this repository; no other resolver requests it.
      expect(Object.keys(conditions)).toEqual(['evenkeel-source', 'types', 'default']);
    }
  });

  it.each(folders)(
    'packages/%s imports only its own files and the packages in its package.json, including types',
    (folder) => {
      const files = filesOf(folder);
      const manifest = manifestOf(folder);
      const named = [manifest.name, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })];
      const wrong = files
        .filter((file) => /^dist\/.*\.(?:js|d\.ts)$/.test(file))
        .flatMap((file) => specifiersIn(file, read(folder, file)).map((specifier) => ({ file, specifier })))
        .filter(({ file, specifier }) => {
          // In declarations, `./x.ts` means `./x.d.ts`, as the compiler writes them.
          if (specifier.startsWith('.')) return !files.includes(join(file, '..', specifier.replace(/\.ts$/, '.d.ts')));
          if (specifier.startsWith('node:')) return !builtinModules.includes(specifier.slice('node:'.length));
          return !named.some((name) => specifier === name || specifier.startsWith(`${name}/`));
        });
      expect(wrong).toEqual([]);
    },
  );

  it.each(folders)(
    'packages/%s imports each bundle of another package by one name, because Node searches for every name',
    (folder) => {
      const bundles = new Map(
        folders
          .map(manifestOf)
          .flatMap(({ name, exports }) =>
            Object.entries(exports).map(
              ([path, { default: file }]) => [name + path.slice(1), `${name}/${file}`] as const,
            ),
          ),
      );
      const javaScript = filesOf(folder).filter((file) => file.endsWith('.js'));
      const named = javaScript.flatMap((file) =>
        [...new Set(specifiersIn(file, read(folder, file)))].flatMap((specifier) => {
          const bundle = bundles.get(specifier);
          return bundle === undefined ? [] : [`${file} imports ${bundle}`];
        }),
      );
      expect(named.filter((one, index) => named.indexOf(one) !== index)).toEqual([]);
    },
  );

  it.each(folders)('packages/%s has a description and a licence', (folder) => {
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
    // All packages have the same version, because their internal interfaces may change between versions.
    const siblings = Object.entries(manifest.dependencies ?? {}).filter(([name]) => name.startsWith('@evenkeel/'));
    expect(siblings.filter(([, range]) => range !== manifest.version)).toEqual([]);
  });

  it.each(folders)('packages/%s is not larger than the recorded size', (folder) => {
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

/**
 * Returns the specifiers of imports, re-exports and `import()`, including types. No comments in the code look like these. In bundles,
 * templates of modules do, but the bundler writes double quotes and the templates have single ones.
 */
function specifiersIn(file: string, text: string): readonly string[] {
  const quote = /^dist\/.*\.js$/.test(file) ? '"' : '[\'"]';
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const specifier = `${quote}([^'"]+)${quote}`;
  const pattern = `^\\s*(?:import|export)\\s(?:[^'";]*?\\sfrom\\s+)?${specifier}|\\bimport\\(\\s*${specifier}`;
  return Array.from(code.matchAll(new RegExp(pattern, 'gm')), ([, from, dynamic]) => from ?? dynamic ?? '');
}

/** Returns the files that a module finds by its own place: programs that it starts, and what a command imports. */
function neighboursIn(text: string): readonly string[] {
  const found = text.matchAll(/new URL\([`"'](\.{1,2}\/[\w/-]+)(?:\.js|\$\{extension\})?[`"'], import\.meta\.url\)/g);
  return Array.from(found, ([, path]) => `${path}.js`);
}
