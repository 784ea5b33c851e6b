import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ClassSources } from './class-sources.ts';
import type { ResolveModule } from './module-resolution.ts';
import { OxcSourceReader } from './oxc-source-reader.ts';

class Spec {}
class Tls {}
class Hidden {}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-sources-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Writes modules and reads the `entries`. `exports` has the exports of each module. */
async function read(
  files: Readonly<Record<string, string>>,
  entries: readonly string[],
  exports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  resolveModule?: ResolveModule,
): Promise<{ sources: ClassSources; loaded: string[] }> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const urlOf = (name: string) => pathToFileURL(join(folder, name)).href;
  const loaded: string[] = [];
  const sources = await ClassSources.read(entries.map(urlOf), {
    ...(resolveModule === undefined ? {} : { resolveModule }),
    reader: new OxcSourceReader(),
    importModule: async (url) => {
      const name = Object.keys(files).find((file) => urlOf(file) === url) ?? url;
      loaded.push(name);
      return exports[name] ?? {};
    },
  });
  return { sources, loaded };
}

describe('ClassSources', () => {
  it('follows imports and re-exports to the class of a name', async () => {
    const { sources } = await read(
      {
        'spec.ts': "import { Encryption } from './index.js';\nexport class Spec { tls?: Encryption }",
        'index.ts': "export * from './other.ts';\nexport { Tls as Encryption } from './tls.ts';",
        'other.ts': 'export const other = 1;',
        'tls.ts': 'export class Tls {}',
      },
      ['spec.ts'],
      { 'spec.ts': { Spec }, 'tls.ts': { Tls } },
    );
    const source = sources.sourceOf(Spec);
    expect(source).toMatchObject({ name: 'Spec', file: join(folder, 'spec.ts'), line: 2 });
    if (source === undefined) throw new Error('no source');
    expect(sources.resolve('Encryption', source)).toMatchObject({ is: 'class', type: Tls, source: { name: 'Tls' } });
    expect(sources.resolve('Other', source)).toBeUndefined();
  });

  it('reads types from modules without loading them', async () => {
    const { sources, loaded } = await read(
      {
        'spec.ts': "import type { Size } from './main.ts';\nexport class Spec { size: Size }",
        'main.ts': "export type Size = 'small';\nexport class Main {}",
      },
      ['spec.ts'],
      { 'spec.ts': { Spec } },
    );
    const source = sources.sourceOf(Spec);
    if (source === undefined) throw new Error('no source');
    expect(sources.resolve('Size', source)).toMatchObject({
      is: 'type',
      type: { is: 'literal', value: 'small' },
    });
    expect(loaded).toEqual(['spec.ts']);
  });

  it.each([
    ['size.d.ts', './size.js'],
    ['size.ts', './size'],
    ['size/index.ts', './size'],
    ['size.tsx', './size.js'],
    ['size.mts', './size.mjs'],
  ])('finds %s by %s', async (file, specifier) => {
    const { sources, loaded } = await read(
      {
        'spec.ts': `import { Size } from '${specifier}';\nexport class Spec { size: Size }`,
        [file]: `export type Size = 'small';${file.endsWith('.d.ts') ? '\nexport declare class Foreign {}' : ''}`,
      },
      ['spec.ts'],
      { 'spec.ts': { Spec } },
    );
    expect(sources.resolve('Size', join(folder, 'spec.ts'))).toMatchObject({ is: 'type', type: { value: 'small' } });
    expect(loaded).toEqual(['spec.ts']);
  });

  it('finds a class that is not exported through the class that uses it', async () => {
    const { sources } = await read(
      { 'spec.ts': 'class Hidden {}\nexport class Spec { hidden?: Hidden }' },
      ['spec.ts'],
      { 'spec.ts': { Spec } },
    );
    expect(sources.sourceOf(Hidden)).toBeUndefined();
    expect(sources.sourceOf(Hidden, sources.sourceOf(Spec))).toMatchObject({ name: 'Hidden', line: 1 });
  });

  it('resolves Kubernetes types from every module that exports them', async () => {
    const { sources, loaded } = await read(
      {
        'spec.ts': [
          "import { type IntOrString, PodTemplateSpec as Template } from 'evenkeel';",
          "import type * as core from '@evenkeel/kinds/core/v1';",
          "import * as api from './api.ts';",
          "import type { Nothing } from '@evenkeel/kinds/nothing/v1';",
          "import type { Labels } from './api.ts';",
          'export class Spec {}',
        ].join('\n'),
        'api.ts':
          "export { LabelSelector as Labels, Quantity } from '@evenkeel/kinds';\nexport * as batch from '@evenkeel/kinds/batch/v1';",
      },
      ['spec.ts'],
      { 'spec.ts': { Spec } },
    );
    const source = sources.sourceOf(Spec);
    if (source === undefined) throw new Error('no source');
    const definitions = Object.fromEntries(
      [
        ...['Template', 'IntOrString', 'core.Affinity', 'core.Nothing', 'core', 'Nothing', 'PodTemplateSpec'],
        ...['Labels', 'api.Labels', 'api.Quantity', 'api.batch.JobSpec', 'api.batch.toString'],
      ].map((name) => {
        const resolved = sources.resolve(name, source);
        return [name, resolved?.is === 'builtIn' ? resolved.definition.replace(/^io\.k8s\./, '') : resolved];
      }),
    );
    expect(definitions).toEqual({
      Template: 'api.core.v1.PodTemplateSpec',
      IntOrString: 'apimachinery.pkg.util.intstr.IntOrString',
      'core.Affinity': 'api.core.v1.Affinity',
      'core.Nothing': undefined,
      core: undefined,
      Nothing: undefined,
      PodTemplateSpec: undefined,
      Labels: 'apimachinery.pkg.apis.meta.v1.LabelSelector',
      'api.Labels': 'apimachinery.pkg.apis.meta.v1.LabelSelector',
      'api.Quantity': 'apimachinery.pkg.api.resource.Quantity',
      'api.batch.JobSpec': 'api.batch.v1.JobSpec',
      'api.batch.toString': undefined,
    });
    expect(loaded).toEqual(['spec.ts']);
  });

  it('follows imports of the program itself, but not into node_modules', async () => {
    const { sources } = await read(
      {
        'package.json': JSON.stringify({
          name: 'self',
          type: 'module',
          exports: { './tls': './src/tls.ts' },
          imports: { '#api/*': './src/*.ts' },
        }),
        'src/spec.ts':
          "import { Tls } from '#api/tls';\nimport { Tls as Own } from 'self/tls';\nimport { Tls as Foreign } from 'foreign';\nexport class Spec {}",
        'src/tls.ts': 'export class Tls {}',
        'node_modules/foreign/package.json': JSON.stringify({ name: 'foreign', exports: './tls.ts' }),
        'node_modules/foreign/tls.ts': 'export class Tls {}',
      },
      ['src/spec.ts'],
      { 'src/spec.ts': { Spec }, 'src/tls.ts': { Tls } },
    );
    const source = sources.sourceOf(Spec);
    if (source === undefined) throw new Error('no source');
    expect(sources.resolve('Tls', source)).toMatchObject({ is: 'class', type: Tls });
    expect(sources.resolve('Own', source)).toMatchObject({ is: 'class', type: Tls });
    expect(sources.resolve('Foreign', source)).toBeUndefined();
  });

  it('follows imports as the loader did', async () => {
    const { sources } = await read(
      { 'spec.ts': "import { Tls } from '@/tls';\nexport class Spec {}", 'tls.ts': 'export class Tls {}' },
      ['spec.ts'],
      { 'spec.ts': { Spec }, 'tls.ts': { Tls } },
      (specifier, from) => (specifier === '@/tls' ? new URL('./tls.ts', from).href : undefined),
    );
    const source = sources.sourceOf(Spec);
    if (source === undefined) throw new Error('no source');
    expect(sources.resolve('Tls', source)).toMatchObject({ is: 'class', type: Tls });
  });

  it('distinguishes classes of one name in two modules', async () => {
    const other = { Tls: class Tls {} };
    const { sources } = await read(
      {
        'a.ts': "import { Tls as Other } from './b.ts';\nexport class Tls {}\nexport class Spec {}",
        'b.ts': '\n/** The other. */\nexport class Tls {}',
      },
      ['a.ts'],
      { 'a.ts': { Spec, Tls }, 'b.ts': other },
    );
    const source = sources.sourceOf(Spec);
    if (source === undefined) throw new Error('no source');
    expect(sources.sourceOf(other.Tls)).toMatchObject({ line: 3, description: 'The other.' });
    expect(sources.sourceOf(Tls)).toMatchObject({ line: 2 });
    expect(sources.resolve('Other', source)).toMatchObject({ type: other.Tls });
    expect(sources.resolve('Tls', source)).toMatchObject({ type: Tls });
  });

  it('reports the line of a syntax error', async () => {
    const { sources } = await read(
      {
        'spec.ts': "import type { Size } from './size.ts';\nexport class Spec {}",
        'size.ts': '\nexport type Size = ;',
      },
      ['spec.ts'],
      { 'spec.ts': { Spec } },
    );
    expect(sources.findings).toEqual([
      expect.objectContaining({
        level: 'error',
        code: 'source-not-parsed',
        location: { file: join(folder, 'size.ts'), line: 2 },
      }),
    ]);
  });

  it('handles modules that export each other in a cycle', async () => {
    const { sources } = await read(
      {
        'spec.ts': "export * from './index.ts';\nimport { Gone } from './index.ts';\nexport class Spec { gone: Gone }",
        'index.ts': "export * from './spec.ts';",
      },
      ['spec.ts'],
      { 'spec.ts': { Spec } },
    );
    const source = sources.sourceOf(Spec);
    if (source === undefined) throw new Error('no source');
    expect(sources.resolve('Gone', source)).toBeUndefined();
  });
});

describe('ClassSources of compiled modules', () => {
  const typescript = '/** What is asked for. */\nexport class Spec {}';
  const compiled = 'export class Spec {}\n//# sourceMappingURL=spec.js.map\n';
  const map = { version: 3, sources: ['../src/spec.ts'], mappings: '' };
  const exports = { 'dist/spec.js': { Spec } };

  it('finds the TypeScript through the source map', async () => {
    const { sources } = await read(
      { 'dist/spec.js': compiled, 'dist/spec.js.map': JSON.stringify(map), 'src/spec.ts': typescript },
      ['dist/spec.js'],
      exports,
    );
    expect(sources.sourceOf(Spec)).toMatchObject({
      file: join(folder, 'src/spec.ts'),
      description: 'What is asked for.',
    });
    expect(sources.findings).toEqual([]);
  });

  it('uses the source in a map if the file was not shipped, also for an inline map', async () => {
    const json = JSON.stringify({ ...map, sourcesContent: [typescript] });
    const inline = `data:application/json;base64,${Buffer.from(json).toString('base64')}`;
    const { sources } = await read(
      { 'dist/spec.js': compiled.replace('spec.js.map', inline) },
      ['dist/spec.js'],
      exports,
    );
    expect(sources.sourceOf(Spec)).toMatchObject({ description: 'What is asked for.' });
  });

  it.each([
    ['the map is missing', {}],
    ['the map does not parse', { 'dist/spec.js.map': '{' }],
    ['the map is not an object', { 'dist/spec.js.map': 'null' }],
    [
      'the map is incomplete',
      { 'dist/spec.js.map': JSON.stringify({ ...map, sourceRoot: null, sourcesContent: null }) },
    ],
    ['the map names nothing', { 'dist/spec.js.map': JSON.stringify({ ...map, sources: [null] }) }],
    [
      'the module is a bundle',
      {
        'dist/spec.js.map': JSON.stringify({ ...map, sources: ['../src/spec.ts', '../src/tls.ts'] }),
        'src/spec.ts': typescript,
        'src/tls.ts': 'export class Tls {}',
      },
    ],
    ['the TypeScript is gone', { 'dist/spec.js.map': JSON.stringify(map) }],
  ])('continues and reports it if %s', async (_title, files) => {
    const { sources } = await read({ 'dist/spec.js': compiled, ...files }, ['dist/spec.js'], exports);
    expect(sources.sourceOf(Spec)).toBeUndefined();
    expect(sources.findings).toEqual([
      expect.objectContaining({
        level: 'notice',
        code: 'source-not-found',
        message: expect.stringContaining('spec.js'),
      }),
    ]);
  });
});
