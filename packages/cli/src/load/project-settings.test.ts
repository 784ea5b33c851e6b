import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Project } from '../project.fixture.ts';

const root = dirname(dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url))))));
// tsc needs the declarations of the packages.
const isBuilt = existsSync(join(root, 'packages/evenkeel/dist/index.d.ts'));
if (!isBuilt) console.log('skipped: comparisons with tsc: the packages are not built');

const sources = {
  'evenkeel.config.ts': "export default { apis: ['./src/site.ts'], operator: './src/operator.ts' };",
  'src/site.ts': `import { CustomResource, KubernetesObject } from 'evenkeel';
@CustomResource({ group: 'web.example.com', version: 'v1' })
export class Site extends KubernetesObject {}
`,
  'src/site.controller.ts': `import {
  Controller,
  Reconcile,
} from 'evenkeel';
import { Site } from './site.ts';
@Controller(Site)
export class SiteController {
  @Reconcile() reconcile(): void {}
}
`,
  'src/operator.ts': `import { defineOperator } from 'evenkeel';
import { SiteController } from './site.controller.ts';
export const operator = defineOperator({ name: 'sites', controllers: [SiteController] });
`,
  'src/main.ts': `import { Manager } from 'evenkeel';
import { operator } from './operator.ts';
await Manager.run(operator);
`,
};

const options = {
  module: 'nodenext',
  target: 'es2022',
  rootDir: 'src',
  outDir: 'dist',
  types: [],
  skipLibCheck: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  rewriteRelativeImportExtensions: true,
};

function tsconfig(changes: object, others: object = {}): string {
  return JSON.stringify({ compilerOptions: { ...options, ...changes }, include: ['src'], ...others }, undefined, 2);
}

/** The sources with imports in another style. */
function importing(style: (path: string) => string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sources).map(([name, text]) => [
      name,
      name.startsWith('src/')
        ? text.replaceAll(/'(\.\/[\w.]+)\.ts'/g, (_all, path: string) => `'${style(path)}'`)
        : text,
    ]),
  );
}

let project: Project;
afterEach(() => project?.remove());

async function findings(files: Readonly<Record<string, string>>): Promise<string[]> {
  project = await Project.create({ ...sources, ...files });
  const { err } = await project.run('generate');
  return err === '' ? [] : err.split('\n').filter((line) => !line.endsWith('no file was written'));
}

/** Whether tsc accepts the project; undefined if it cannot be asked. */
function compiles(): boolean | undefined {
  if (!isBuilt) return undefined;
  try {
    project.compile();
    return true;
  } catch {
    return false;
  }
}

const tag = '[project-misconfigured]';

describe('the settings of a project', () => {
  it('are accepted as docs/own-project.md has them, by generate and by tsc', async () => {
    expect(await findings({ 'tsconfig.json': tsconfig({}) })).toEqual([]);
    expect(compiles()).not.toBe(false);
  });

  it.each<[string, Record<string, string>, string[]]>([
    [
      'decorators are standard decorators',
      { 'tsconfig.json': tsconfig({ experimentalDecorators: undefined, emitDecoratorMetadata: undefined }) },
      [
        'tsconfig.json:2: "experimentalDecorators" is not set, so the compiler treats decorators as standard decorators, which Evenkeel does not support; set "experimentalDecorators": true',
      ],
    ],
    [
      'package.json has no type',
      { 'tsconfig.json': tsconfig({}), 'package.json': '{\n  "name": "sites"\n}' },
      [
        `package.json:1: "type" is not set, so TypeScript and Node treat the project's .ts and .js files as CommonJS, without top-level await; add "type": "module"`,
      ],
    ],
    [
      'package.json has another type',
      { 'tsconfig.json': tsconfig({}), 'package.json': '{\n  "name": "sites",\n  "type": "commonjs"\n}' },
      [
        `package.json:3: "type" is "commonjs", so TypeScript and Node treat the project's .ts and .js files as CommonJS, without top-level await; add "type": "module"`,
      ],
    ],
    [
      'imports end with .ts, which is not allowed',
      { 'tsconfig.json': tsconfig({ rewriteRelativeImportExtensions: undefined }) },
      [
        'tsconfig.json:2: "rewriteRelativeImportExtensions" is not set, so the compiler rejects imports that end with .ts (2 imports, the first in src/operator.ts:2); add "rewriteRelativeImportExtensions": true',
      ],
    ],
    [
      'imports end with .ts in the output',
      { 'tsconfig.json': tsconfig({ rewriteRelativeImportExtensions: undefined, allowImportingTsExtensions: true }) },
      [
        'tsconfig.json:11: "rewriteRelativeImportExtensions" is not set, so the compiled program would import .ts files (2 imports, the first in src/operator.ts:2); add "rewriteRelativeImportExtensions": true',
      ],
    ],
    [
      'imports have no extension',
      {
        'tsconfig.json': tsconfig({ rewriteRelativeImportExtensions: undefined }),
        ...importing((path) => path),
      },
      [
        'src/operator.ts:2: it imports "./site.controller" without the extension, which neither tsc (with "module": "nodenext") nor Node resolves; write "./site.controller.js"',
        'src/site.controller.ts:5: it imports "./site" without the extension, which neither tsc (with "module": "nodenext") nor Node resolves; write "./site.js"',
      ],
    ],
    [
      'modules are compiled to CommonJS',
      { 'tsconfig.json': tsconfig({ module: 'CommonJS' }) },
      [
        `tsconfig.json:3: "module" is "commonjs", and commonjs is not a format of ES modules, which Evenkeel's packages are; set "module": "nodenext"`,
      ],
    ],
    [
      'modules have no top-level await',
      { 'tsconfig.json': tsconfig({ module: 'es2020' }) },
      ['tsconfig.json:3: "module" is "es2020", and es2020 has no top-level await; set "module": "nodenext"'],
    ],
    [
      'the target has no top-level await',
      { 'tsconfig.json': tsconfig({ target: 'ES2015' }) },
      ['tsconfig.json:4: "target" is "es2015", and es2015 has no top-level await; set "target": "es2022"'],
    ],
    [
      'packages are resolved without exports',
      { 'tsconfig.json': tsconfig({ module: 'esnext', moduleResolution: 'node' }) },
      [
        'tsconfig.json:12: "moduleResolution" is "node", and node resolution does not find packages with "exports", such as evenkeel; set "moduleResolution": "nodenext", and "module" too',
      ],
    ],
  ])('are reported if %s, and tsc would fail', async (_what, files, expected) => {
    expect(await findings(files)).toEqual(expected.map((line) => `error: ${line} ${tag}`));
    expect(compiles()).not.toBe(true);
  });

  it('are reported all at once, by generate and by dev', async () => {
    const found = await findings({
      'package.json': '{}',
      'tsconfig.json': tsconfig({ experimentalDecorators: false, rewriteRelativeImportExtensions: undefined }),
    });
    expect(found.map((line) => /^error: (\S+?): "(\w+)"/.exec(line)?.slice(1).join(' '))).toEqual([
      'tsconfig.json:2 rewriteRelativeImportExtensions',
      'tsconfig.json:9 experimentalDecorators',
      'package.json:1 type',
    ]);
    const { exitCode, output } = await project.process('dev', '--once');
    expect({ exitCode, output: output.trimEnd().split('\n') }).toEqual({ exitCode: 1, output: found });
  });

  it('are reported with a module that does not load', async () => {
    const found = await findings({
      'tsconfig.json': tsconfig({ experimentalDecorators: false }),
      'src/site.ts': `${sources['src/site.ts']}throw new Error('no cluster');`,
    });
    expect(found).toEqual([
      expect.stringContaining('no cluster [module-not-loaded]'),
      expect.stringContaining('"experimentalDecorators" is false'),
    ]);
  });

  it('need emitDecoratorMetadata only if a constructor has parameters', async () => {
    const config = { 'tsconfig.json': tsconfig({ emitDecoratorMetadata: false }) };
    expect(await findings(config)).toEqual([]);
    await project.write({
      'src/site.controller.ts': sources['src/site.controller.ts']
        .replace('  Controller,', '  Client,\n  Controller,')
        .replace('  @Reconcile', '  constructor(private readonly client: Client) {}\n  @Reconcile'),
    });
    expect((await project.run('generate')).err).toBe(
      `error: tsconfig.json:10: "emitDecoratorMetadata" is false, so the compiled program does not know the classes of constructor parameters, and cannot inject them; set "emitDecoratorMetadata": true ${tag}`,
    );
  });

  it('need no experimentalDecorators if the decorators are called as functions', async () => {
    expect(
      await findings({
        'tsconfig.json': tsconfig({ experimentalDecorators: undefined, emitDecoratorMetadata: undefined }),
        'src/site.ts': `import { CustomResource, KubernetesObject } from 'evenkeel';
export class Site extends KubernetesObject {}
CustomResource({ group: 'web.example.com', version: 'v1' })(Site);
`,
        'src/site.controller.ts': `import { controllerFor } from 'evenkeel';
import { Site } from './site.ts';
export const SiteController = controllerFor(Site).reconcile(() => {});
`,
      }),
    ).toEqual([]);
  });

  it('with verbatimModuleSyntax keep the import of a type, which is reported', async () => {
    const found = await findings({
      'tsconfig.json': tsconfig({ verbatimModuleSyntax: true }),
      'src/site.controller.ts': sources['src/site.controller.ts']
        .replace('  Reconcile,', '  Reconcile,\n  ReconcileResult,')
        .concat('export const results: ReconcileResult[] = [];\n'),
    });
    expect(found).toEqual([
      'error: src/site.controller.ts:5: src/operator.ts did not load: "evenkeel" has no export "ReconcileResult"; if it is a type, write "import type", because types do not exist at run time [module-not-loaded]',
    ]);
    expect(compiles()).not.toBe(true);
    await project.write({ 'tsconfig.json': tsconfig({}) });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
  });

  it('may be those of a bundler, with any imports', async () => {
    const bundled = {
      module: 'preserve',
      moduleResolution: 'bundler',
      noEmit: true,
      rewriteRelativeImportExtensions: undefined,
    };
    expect(
      await findings({ 'package.json': '{}', 'tsconfig.json': tsconfig(bundled), ...importing((path) => path) }),
    ).toEqual([]);
    expect(compiles()).not.toBe(false);
    await project.write({ ...sources, 'tsconfig.json': tsconfig({ ...bundled, allowImportingTsExtensions: true }) });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
  });

  it('are read through extends, with comments, trailing commas, packages and arrays', async () => {
    const base = `// The "experimentalDecorators": true of others
{
  "compilerOptions": {
    /* "module": "commonjs" */ "module": "nodenext",
    "rewriteRelativeImportExtensions": true, // yes
    "experimentalDecorators": false,
  },
}
`;
    expect(
      await findings({
        'tsconfig.json':
          '{ "extends": ["./base", "@acme/tsconfig", "./late.json"], "compilerOptions": { "target": null } }',
        'base.json': base,
        'late.json': '\ufeff{ "compilerOptions": { "target": "es5", "outDir": "http://x/*" } }',
        'src/none.json': '{}',
      }),
    ).toEqual([
      `error: tsconfig.json:1: it extends "@acme/tsconfig", which does not exist; fix the path, or install the package ${tag}`,
    ]);
    await project.write({
      'tsconfig.json': '{ "extends": ["./base", "./late.json"], "compilerOptions": { "target": null } }',
    });
    expect((await project.run('generate')).err).toBe(
      `error: base.json:6: "experimentalDecorators" is false, so the compiler treats decorators as standard decorators, which Evenkeel does not support; set "experimentalDecorators": true ${tag}`,
    );
    await project.write({ 'base.json': base.replace('false', 'true') });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
  });

  it('may be those of a workspace, above the folder of the configuration', async () => {
    const inFolder = Object.fromEntries(
      Object.entries(sources).map(([name, text]) => [`operators/sites/${name}`, text]),
    );
    project = await Project.create({
      ...inFolder,
      'tsconfig.json': tsconfig({ experimentalDecorators: false }),
    });
    const { err } = await project.run('generate', '--config', 'operators/sites/evenkeel.config.ts');
    expect(err).toContain('error: tsconfig.json:9: "experimentalDecorators" is false');
  });

  it('are those of the only reference of a solution, and unknown if it has several', async () => {
    const solution = (...names: string[]) =>
      JSON.stringify({ files: [], references: names.map((name) => ({ path: `./${name}` })) });
    const app = { 'tsconfig.app.json': tsconfig({ experimentalDecorators: false }) };
    expect(await findings({ ...app, 'tsconfig.json': solution('tsconfig.app.json') })).toEqual([
      expect.stringContaining('error: tsconfig.app.json:9: "experimentalDecorators" is false'),
    ]);
    await project.write({ 'tsconfig.json': solution('tsconfig.app.json', 'tsconfig.test.json') });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
  });

  it('depend on the defaults of the installed TypeScript', async () => {
    const old = { 'operator/node_modules/typescript/package.json': '{ "version": "5.9.3" }' };
    const inFolder = Object.fromEntries(Object.entries(sources).map(([name, text]) => [`operator/${name}`, text]));
    const bare = JSON.stringify({
      compilerOptions: { experimentalDecorators: true, rewriteRelativeImportExtensions: true },
    });
    project = await Project.create({ ...inFolder, 'operator/tsconfig.json': bare, 'operator/package.json': '{}' });
    const config = ['--config', 'operator/evenkeel.config.ts'];
    expect(await project.run('generate', ...config)).toMatchObject({ exitCode: 0, err: '' });
    await project.write(old);
    expect((await project.run('generate', ...config)).err.split('\n')).toEqual([
      `error: operator/tsconfig.json:1: "target" is not set, and es5 has no top-level await; set "target": "es2022" ${tag}`,
      `error: operator/tsconfig.json:1: "module" is not set, and commonjs is not a format of ES modules, which Evenkeel's packages are; set "module": "nodenext" ${tag}`,
      '2 errors; no file was written',
    ]);
  });

  it('are not read for a project without tsconfig.json, and reported if they are not JSON', async () => {
    expect(await findings({ 'package.json': '{}' })).toEqual([]);
    await project.write({ 'tsconfig.json': '{ "compilerOptions": ' });
    expect((await project.run('generate')).err).toMatch(
      /^error: tsconfig\.json:1: it is not valid JSON: .*; fix the syntax \[project-misconfigured\]$/,
    );
  });
});
