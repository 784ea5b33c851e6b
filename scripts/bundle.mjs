// Bundles the JavaScript of the packages: a file for each entry point, and chunks for what several share or load later. Node
// needs about 0.2 ms for each file that it loads, and the packages have 900 source files. The compiler writes the declarations.
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shippedChangelog } from './changelog.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'node_modules', '.cache', 'evenkeel', 'bundled');

/**
 * The programs that a package starts as separate processes, besides its entry points. Their bundles are in dist itself, next to
 * every chunk, so that `new URL('./program.js', import.meta.url)` finds them as in the sources.
 */
const programs = {
  cli: ['main.ts', 'generate/generation-child.ts', 'dev/operator/operator-child.ts', 'scorecard/module-test-child.ts'],
  testing: ['server/process-guard.ts', 'pods/pod-process-guard.ts'],
};

const joinedPrefix = 'joined:';

/**
 * Writes one chunk for all code that a single entry point shares with code that is loaded later. By default, rolldown writes a chunk
 * for each combination, and each file costs half a millisecond.
 */
const withEntry = { groups: [{ name: 'shared', tags: ['$initial'], minShareCount: 2 }] };

/** Chunks of packages with several entry points, for modules that are nearly always loaded together. */
const chunks = {
  schema: [
    // What validators of operators load at their start.
    { name: 'pattern', test: /[\\/](?:nesting|pattern)\.ts$/, priority: 1 },
    { name: 'evaluate', test: /[\\/]src[\\/]evaluate[\\/]/ },
  ],
  kinds: [
    // What the classes of kinds import.
    { name: 'schema-definition', test: /[\\/]schema-definition\.ts$/, priority: 1 },
    { name: 'definitions', test: /[\\/](?:definition|schema-of)\.ts$/ },
    { name: 'meta', test: /[\\/]schemas[\\/](?:meta-v1|util-intstr|api-resource|pkg-runtime)\.ts$/ },
  ],
};

const folders = readdirSync(join(root, 'packages')).filter((name) =>
  existsSync(join(root, 'packages', name, 'tsconfig.json')),
);
const sharedNames = sharedNamesOf(folders);

/**
 * A plugin that imports a bundle of another package by one name. Node finds the file again for each name, in each importing
 * file, which takes 0.2 ms.
 */
const oneNameForEachBundle = {
  name: 'one-name-for-each-bundle',
  resolveId: (id) => (sharedNames.has(id) ? { id: sharedNames.get(id), external: true } : undefined),
};

if (!isCurrent()) {
  rmSync(stamp, { force: true });
  const { rolldown } = await import('rolldown');
  await Promise.all(folders.map((folder) => bundle(rolldown, folder)));
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
}

writeChangelog();

/** For `evenkeel upgrade`. */
function writeChangelog() {
  const text = shippedChangelog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  const path = join(root, 'packages', 'cli', 'dist', 'CHANGELOG.md');
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

/** The compiler writes a package's .tsbuildinfo when a source has changed. */
function isCurrent() {
  if (!existsSync(stamp)) return false;
  const bundled = statSync(stamp).mtimeMs;
  return [
    fileURLToPath(import.meta.url),
    ...folders.flatMap((folder) =>
      ['package.json', 'dist/.tsbuildinfo'].map((file) => join(root, 'packages', folder, file)),
    ),
  ].every((file) => statSync(file).mtimeMs <= bundled);
}

async function bundle(rolldown, folder) {
  const directory = join(root, 'packages', folder);
  const entries = entriesOf(folder, directory);
  const several = Object.fromEntries(Object.entries(entries).filter(([, sources]) => sources.length > 1));
  const build = await rolldown({
    cwd: directory,
    input: Object.fromEntries(
      Object.entries(entries).map(([name, [source]]) => [name, name in several ? `${joinedPrefix}${name}` : source]),
    ),
    platform: 'node',
    // Other packages, also those of this repository.
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && !id.startsWith(joinedPrefix) && !sharedNames.has(id),
    tsconfig: false,
    plugins: [joined(several), oneNameForEachBundle],
  });
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    hoistTransitiveImports: false,
    ...(Object.keys(entries).length === 1 ? { codeSplitting: withEntry } : {}),
    ...(folder in chunks ? { codeSplitting: { groups: chunks[folder] } } : {}),
    // The declarations have the documentation.
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  await build.close();
  // Chunks before the entries that import them, and removals last, so that a program that starts meanwhile finds its files.
  const files = output.toSorted((left, right) => Number(left.isEntry) - Number(right.isEntry));
  const dist = join(directory, 'dist');
  for (const { fileName, code } of files) {
    const path = join(dist, fileName);
    if (existsSync(path) && readFileSync(path, 'utf8') === code) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
  const written = new Set(files.map(({ fileName }) => fileName));
  for (const file of globSync('**/*.js', { cwd: dist })) if (!written.has(file)) rmSync(join(dist, file));
}

/**
 * The names of the bundles with their sources. Entry points of package.json with the same `default` have one bundle, which
 * exports everything of all of them: many small files take longer to load than a larger one.
 */
function entriesOf(folder, directory) {
  const { exports } = manifestOf(folder);
  const entries = {};
  for (const { 'evenkeel-source': source, default: target } of Object.values(exports)) {
    for (const file of globSync(source.replace('*', '**'), { cwd: directory })) {
      const name = target.includes('*') ? nameOf(file) : target.replace(/^\.\/dist\/|\.js$/g, '');
      entries[name] = [...(entries[name] ?? []), join(directory, file)];
    }
  }
  for (const program of programs[folder] ?? [])
    entries[nameOf(program).split('/').at(-1)] = [join(directory, 'src', program)];
  return entries;
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
}

function nameOf(source) {
  return source.replace(/^(?:\.\/)?src\//, '').replace(/\.ts$/, '');
}

/** The entry points of packages whose bundle has an earlier entry point too, with the name of the earlier one. */
function sharedNamesOf(folders) {
  const names = new Map();
  for (const folder of folders) {
    const { name, exports } = manifestOf(folder);
    const first = new Map();
    for (const [path, { default: target }] of Object.entries(exports)) {
      const specifier = name + path.slice(1);
      if (first.has(target)) names.set(specifier, first.get(target));
      else first.set(target, specifier);
    }
  }
  return names;
}

/** Returns a plugin that makes a module of several sources, which exports everything that they export. */
function joined(entries) {
  return {
    name: 'joined',
    resolveId: (id) => (id.startsWith(joinedPrefix) ? id : undefined),
    load: (id) =>
      entries[id.slice(joinedPrefix.length)]?.map((source) => `export * from ${JSON.stringify(source)};`).join('\n'),
    generateBundle(_options, output) {
      // `export *` silently omits a name that two sources export with different values.
      for (const [name, sources] of Object.entries(entries)) {
        const exported = new Set(output[`${name}.js`].exports);
        const lost = sources
          .flatMap((source) => this.getModuleInfo(source).exports)
          .filter((one) => !exported.has(one));
        if (lost.length > 0)
          throw new Error(`${lost.join(', ')}: exported by two of ${sources.join(', ')}; rename one`);
      }
    },
  };
}
