import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../imports.fixture.ts';
import { describePacked } from './describe-packed.fixture.ts';
import { Installation } from './installation.fixture.ts';
import { entryPoints, folders, manifestOf, pack } from './package.fixture.ts';

// Checks what users get: the packages as published, in otherwise empty projects. These checks need npm's registry and
// take longer than a test may, so `scripts/packed.sh` runs them.
/** The peers of an operator's project besides `evenkeel`, as in docs/own-project.md. */
const peers = manifestOf('evenkeel').peerDependencies ?? {};
const compilers = ['5.9', '6.0', '7.0'];
const definition = 'config/crd/packed.example.com_sites.yaml';

let folder: string;
let files: readonly string[];
let tarballs: Readonly<Record<string, string>>;
/** A project for each package, with the package and its dependencies. */
const alone = new Map<string, Installation>();

const install = (name: string, dependencies: Readonly<Record<string, string>>): Promise<Installation> =>
  Installation.create(join(folder, name), dependencies, tarballs);

describePacked('packed and installed into an empty project', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), 'evenkeel-packed-'));
    const packed = await pack(folder);
    files = packed.flatMap((tarball) => tarball.files.map(({ path }) => `${tarball.name}/${path}`));
    tarballs = Object.fromEntries(packed.map(({ name, filename }) => [name, `file:${join(folder, filename)}`]));
    await inTurns(2, folders, async (each) => {
      const { name } = manifestOf(each);
      alone.set(each, await install(`alone-${each}`, { [name]: tarballs[name] ?? '' }));
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('each package installs exactly the dependencies in docs/dependencies.md', () => {
    const recorded = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
    expect(recorded.split('\n').filter((line) => line.startsWith('|'))).toEqual(table());
  });

  it('no package has an install script', () => {
    expect([...alone.values()].flatMap(({ withInstallScript }) => withInstallScript)).toEqual([]);
  });

  it('an operator installs fewer than 40 packages, without client-node', () => {
    const { packages } = alone.get('evenkeel') as Installation;
    expect([...packages.keys()]).toEqual(expect.arrayContaining(Object.keys(peers)));
    expect(packages.size).toBeLessThan(40);
    expect(packages.has('@kubernetes/client-node')).toBe(false);
  });

  it.each(folders)(
    'packages/%s is complete according to npm, and can be imported by each of its specifiers',
    async (each) => {
      const project = alone.get(each) as Installation;
      await project.run('npm', 'ls', '--all');
      const program = specifiersOf(each)
        .map((specifier) => `await import('${specifier}');`)
        .join('\n');
      await project.run(process.execPath, '--input-type=module', '--eval', program);
    },
  );

  describe('a project that uses the packages', () => {
    let everything: Installation;
    let withClientNode: Installation;
    beforeAll(async () => {
      everything = await install('everything', { ...tarballs, ...peers, yaml: '*' });
      // The compilers are in another folder, so that no package of ours finds their dependencies.
      await Installation.create(join(folder, 'compilers'), {
        '@types/node': '^24.0.0',
        ...Object.fromEntries(compilers.map((version) => [`typescript-${version}`, `npm:typescript@~${version}.0`])),
      });
      await cp(join(root, 'test/packed/consumer'), join(everything.folder, 'src'), { recursive: true });
      const specifiers = folders.flatMap(specifiersOf);
      await everything.write({
        'src/entry-points.ts': entryPointsModule(specifiers),
        ...tsconfigs('../compilers/node_modules/@types'),
      });
      expect(specifiers.length).toBeGreaterThan(30);
      // Separate, so that the project above shows what compiles without client-node. client-node installs types of
      // Node, and uses types of ws without installing them.
      const types = { '@types/node': '^24.0.0', '@types/ws': '^8.18.1' };
      const optional = manifestOf('client').peerDependencies ?? {};
      withClientNode = await install('with-client-node', {
        evenkeel: tarballs['evenkeel'] ?? '',
        '@evenkeel/client': tarballs['@evenkeel/client'] ?? '',
        ...optional,
        ...peers,
        ...types,
      });
      await cp(join(root, 'test/packed/consumer-of-client-node'), join(withClientNode.folder, 'src'), {
        recursive: true,
      });
      const more = folders.flatMap(everySpecifierOf).filter(isForClientNode);
      expect(more).toEqual(['@evenkeel/client/client-node', 'evenkeel/client-node']);
      await withClientNode.write({
        'src/entry-points.ts': entryPointsModule(more),
        kubeconfig: kubeconfigOf('https://192.0.2.1:6443'),
        ...tsconfigs('node_modules/@types'),
      });
    });

    it.each(compilers)(
      'compiles with TypeScript %s without skipLibCheck, with module resolution of Node and of bundlers',
      async (version) => {
        expect(await compiled(everything, version)).toEqual(['', '']);
      },
    );

    it('generates a CRD', async () => {
      await cp(join(everything.folder, 'src/evenkeel.config.ts'), join(everything.folder, 'evenkeel.config.ts'));
      await everything.run(process.execPath, 'node_modules/.bin/evenkeel', 'generate');
      expect(await readFile(join(everything.folder, definition), 'utf8')).toContain('maxLength: 63');
    });

    it.each(compilers)('converges when compiled by TypeScript %s, with only evenkeel installed', async (version) => {
      const out = `out-${version}/tsconfig.json`;
      const operator = alone.get('evenkeel') as Installation;
      await cp(join(everything.folder, out), join(operator.folder, out), { recursive: true });
      const main = join(operator.folder, out, 'main.js');
      const said = await everything.run(process.execPath, join(out, 'converge.js'), main, definition);
      expect(JSON.parse(said)).toEqual({ text: 'Hello!', published: 2, exitCode: 0 });
    });

    it.each(compilers)(
      'compiles with TypeScript %s together with client-node and the types of ws, and gets a KubeConfig',
      async (version) => {
        expect(await compiled(withClientNode, version)).toEqual(['', '']);
        const kubeconfig = join(withClientNode.folder, 'kubeconfig');
        const main = `out-${version}/tsconfig.json/main.js`;
        const said = await withClientNode.run(process.execPath, main, kubeconfig);
        expect(JSON.parse(said)).toEqual({ server: 'https://192.0.2.1:6443', lists: 'function' });
      },
    );
  });
});

/** Returns the output of a compiler for a project, with module resolution of Node and of bundlers. */
function compiled(project: Installation, version: string): Promise<string[]> {
  const tsc = `../compilers/node_modules/typescript-${version}/bin/tsc`;
  return Promise.all(
    ['tsconfig.json', 'tsconfig.bundler.json'].map((config) =>
      project.run(process.execPath, tsc, '-p', config, '--outDir', `out-${version}/${config}`),
    ),
  );
}

/** A module that uses the types of all others. */
function entryPointsModule(specifiers: readonly string[]): string {
  return specifiers.map((specifier, index) => `export * as entry${index} from '${specifier}';\n`).join('');
}

/** Returns the specifiers of a package, except those that need client-node, an optional peer. */
function specifiersOf(each: string): readonly string[] {
  return everySpecifierOf(each).filter((specifier) => !isForClientNode(specifier));
}

function everySpecifierOf(each: string): readonly string[] {
  const manifest = manifestOf(each);
  const own = files.filter((file) => file.startsWith(`${manifest.name}/`));
  const paths = own.map((file) => file.slice(manifest.name.length + 1));
  return [...entryPoints(manifest, paths).keys()];
}

function isForClientNode(specifier: string): boolean {
  return specifier.endsWith('/client-node');
}

function kubeconfigOf(server: string): string {
  return JSON.stringify({
    clusters: [{ name: 'far', cluster: { server } }],
    contexts: [{ name: 'far', context: { cluster: 'far' } }],
    'current-context': 'far',
  });
}

/** Returns the current table for docs/dependencies.md. */
function table(): readonly string[] {
  const askers = new Map<string, Set<string>>();
  for (const { packages } of alone.values()) {
    for (const [name, by] of packages) askers.set(name, new Set([...(askers.get(name) ?? []), ...by]));
  }
  const rows = [...askers.keys()].toSorted().map((name) => {
    const marks = folders.map((each) => (alone.get(each)?.packages.has(name) ? 'x' : ''));
    return [name, [...(askers.get(name) ?? [])].toSorted().join(', '), ...marks];
  });
  const sums = folders.map((each) => String(alone.get(each)?.packages.size));
  const header = ['package', 'asked for by', ...folders];
  return [header, header.map(() => '---'), ...rows, ['all', '', ...sums]].map((cells) => `| ${cells.join(' | ')} |`);
}

/** For Node and for bundlers; `typeRoot` is the folder of types that no module imports. */
function tsconfigs(typeRoot: string): Readonly<Record<string, string>> {
  const bundled = { module: 'esnext', moduleResolution: 'bundler', exactOptionalPropertyTypes: true };
  return {
    'tsconfig.json': tsconfig({ module: 'nodenext', typeRoots: [typeRoot] }),
    'tsconfig.bundler.json': tsconfig({ ...bundled, typeRoots: [typeRoot] }),
  };
}

function tsconfig(compilerOptions: object): string {
  return JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      lib: ['es2022'],
      rootDir: 'src',
      strict: true,
      skipLibCheck: false,
      types: ['node'],
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      isolatedModules: true,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
      ...compilerOptions,
    },
    include: ['src'],
  });
}

/** Calls a function for each item, at most `atOnce` at a time. */
async function inTurns<T>(atOnce: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
