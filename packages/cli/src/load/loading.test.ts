import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Project } from '../project.fixture.ts';

// The kinds of user projects. Each case runs the command as a user does, and checks the written CRD.

const config = `
import { defineConfig } from '@evenkeel/cli/config';
export default defineConfig({ apis: ['./src/site.ts'], deployment: false });
`;

/** A module with one kind. */
function site({ head = '', spec = '@IsNumber() visitors = 10;', kind = 'Site' } = {}): string {
  return `import { CustomResource, KubernetesObject, Spec } from '@evenkeel/core';
import { IsNumber } from 'class-validator';
${head}
export class ${kind}Spec {
  /** How many at once. */
  ${spec}
}
@CustomResource({ group: 'web.example.com', version: 'v1', kind: '${kind}' })
export class ${kind} extends KubernetesObject {
  @Spec() spec!: ${kind}Spec;
}
`;
}

const crd = 'config/crd/web.example.com_sites.yaml';
const written = { exitCode: 0, out: `${crd} written`, err: '' };

let project: Project;

afterEach(() => project.remove());

async function create(files: Readonly<Record<string, string>>, below?: string): Promise<void> {
  project = await Project.create({ 'evenkeel.config.ts': config, 'src/site.ts': site(), ...files }, below);
}

/** Returns the schema of the spec in the CRD. */
async function spec(): Promise<string> {
  const text = await project.read(crd);
  return text.slice(text.indexOf('            spec:'));
}

describe('evenkeel generate for TypeScript', () => {
  it('supports what Node does not strip: enums, parameter properties, namespaces, declared fields', async () => {
    await create({
      'src/site.ts': site({
        head: `import { IsEnum, IsOptional } from 'class-validator';
export enum Color { Red = 'red', Green = 'green' }
export const enum Level { Low = 1, High }
export namespace Defaults { export const visitors = 7; }
class Clockwork { constructor(private readonly start: number, public readonly name = 'clock') {} }
if (new Clockwork(1).name !== 'clock') throw new Error('no parameter properties');`,
        spec: `declare readonly brand: 'spec';
  @IsNumber() visitors = Defaults.visitors;
  @IsEnum(Color) color: Color = Color.Red;
  @IsNumber() level: number = Level.High;
  @IsOptional() @IsNumber() later?: number;`,
      }),
    });
    expect(await project.run('generate')).toEqual(written);
    const schema = await spec();
    for (const part of ['brand:', 'default: 7', 'default: red', '- green', 'default: 2', 'later:'])
      expect(schema).toContain(part);
  });

  it('writes no default for a property without an initialiser', async () => {
    await create({ 'src/site.ts': site({ spec: '@IsNumber() visitors!: number;' }) });
    expect(await project.run('generate')).toEqual(written);
    expect(await spec()).toMatch(/required:\n\s+- visitors/);
    expect(await spec()).not.toContain('default');
  });

  it('supports imports of types, of JSON, of CommonJS packages, and without endings', async () => {
    await create({
      'src/site.ts': site({
        head: `import { Max, Min } from 'class-validator';
import legacy, { most } from 'legacy';
import type { Limits } from './limits.js';
import { Color, least, type Other } from './limits';
import type { Phase } from './phase';
import limits from './limits.json' with { type: 'json' };
import { tags } from './tags';
const given: Limits & { other?: Other } = limits;
if (tags[0] !== 'a') throw new Error('no tags');`,
        spec: `@IsNumber() @Min(least) @Max(most) visitors: number = given.visitors + legacy.more;
  color = new Color();
  phase: Phase = 'New';`,
      }),
      'src/limits.ts':
        "import { IsNumber } from 'class-validator';\nexport interface Limits { visitors: number }\nexport type Other = string;\nexport const least = 2;\nexport class Color {\n  /** From black on. */\n  @IsNumber() hue = 1;\n}",
      'src/phase.ts': "export type Phase = 'New' | 'Old';",
      'src/limits.json': '{ "visitors": 5 }',
      'src/tags/index.ts': "export const tags = ['a'];",
      'src/node_modules/legacy/index.js': 'exports.more = 3; exports.most = 99;',
    });
    expect(await project.run('generate')).toEqual(written);
    const schema = await spec();
    for (const part of ['default: 8', 'minimum: 2', 'maximum: 99', 'From black on.', '- Old'])
      expect(schema).toContain(part);
  });

  it('supports a project that is not "type": "module"', async () => {
    await create({ 'package.json': '{}' });
    expect(await project.run('generate')).toEqual(written);
  });

  it('supports a folder whose path has spaces and non-ASCII letters', async () => {
    await create({}, 'mon projet/é%20#1');
    expect(await project.run('generate')).toEqual(written);
    expect(await spec()).toContain('How many at once.');
    await project.write({ 'src/site.ts': "\nthrow new Error('no database');" });
    expect((await project.run('generate')).err).toBe(
      'error: src/site.ts:2: this module did not load: no database [module-not-loaded]',
    );
  });

  it('supports a package of the same workspace, linked into node_modules', async () => {
    await create({
      'src/site.ts': site({
        head: "import { Shared } from '@acme/shared';\nimport { Type } from 'class-transformer';",
        spec: '@Type(() => Shared) shared = new Shared();',
      }),
      'shared/package.json': '{ "name": "@acme/shared", "type": "module", "exports": "./index.ts" }',
      'shared/index.ts': "import { IsNumber } from 'class-validator';\nexport class Shared { @IsNumber() size = 3; }",
      'src/node_modules/@acme/readme.txt': '',
    });
    await symlink(join(project.folder, 'shared'), join(project.folder, 'src/node_modules/@acme/shared'));
    expect((await project.run('generate')).exitCode).toBe(0);
    expect(await spec()).toContain('default: 3');
  });

  it('supports patterns, which skip declarations and tests', async () => {
    await create({
      'evenkeel.config.ts': "export default { apis: ['./src/**/*.ts'], deployment: false };",
      'src/a/page.ts': site({ kind: 'Page' }),
      'src/a/shared.ts': 'export const nothing = 1;',
      'src/a/page.test.ts': "throw new Error('a test');",
      'src/a/page.d.ts': 'export {};',
      'src/node_modules/other/index.ts': "throw new Error('a package');",
    });
    expect(await project.run('generate')).toEqual({
      exitCode: 0,
      out: `config/crd/web.example.com_pages.yaml written\n${crd} written`,
      err: '',
    });
  });
});

describe('evenkeel generate for compiled JavaScript', () => {
  const compiledConfig = "export default { apis: ['./dist/site.js'], deployment: false };";
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    rootDir: 'src',
    outDir: 'dist',
    sourceMap: true,
    types: [],
  };
  const compiled = (options: object) => ({
    'evenkeel.config.ts': compiledConfig,
    'tsconfig.json': JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, include: ['src'] }),
    'src/site.ts': site({
      head: "import { IsOptional } from 'class-validator';\nimport { SiteLimits } from './limits.js';",
      spec: '@IsOptional() @IsNumber() visitors?: number;\n  /** What it may take. */\n  limits = new SiteLimits();',
    }),
    'src/limits.ts':
      "import { IsNumber } from 'class-validator';\nexport class SiteLimits {\n  @IsNumber() cpu = 2;\n}",
  });

  it.each([
    ['with external maps, and maps of declarations', { declaration: true, declarationMap: true }],
    ['with maps inside', { sourceMap: false, inlineSourceMap: true, inlineSources: true }],
    ['with a source root', { sourceRoot: '../src' }],
    ['with fields that are assigned, not defined', { useDefineForClassFields: false }],
  ])('works %s', async (_title, options) => {
    await create(compiled(options));
    project.compile();
    expect(await project.run('generate')).toEqual(written);
    // From the source: a comment, and that visitors is optional.
    expect(await spec()).toContain('How many at once.');
    expect(await spec()).toContain('What it may take.');
    expect(await spec()).not.toContain('required');
  });

  it('supports CommonJS', async () => {
    await create({ ...compiled({}), 'package.json': '{}' });
    project.compile();
    expect(await project.read('dist/site.js')).toContain('exports.Site');
    expect(await project.run('generate')).toEqual(written);
    expect(await spec()).toContain('How many at once.');
  });

  it('works without source maps, and reports what is missing', async () => {
    await create({ ...compiled({ sourceMap: false }) });
    project.compile();
    const { exitCode, err } = await project.run('generate');
    expect({ exitCode, err }).toEqual({
      exitCode: 0,
      err: expect.stringMatching(/^notice: .*dist\/site\.js: its TypeScript was not found.*\[source-not-found\]$/m),
    });
    expect(await spec()).not.toContain('How many at once.');
  });

  it('reports the line of the source that throws', async () => {
    const files = compiled({});
    await create({ ...files, 'src/site.ts': `// one\n// two\nthrow new Error('no database');` });
    project.compile();
    expect((await project.run('generate')).err).toBe(
      'error: src/site.ts:3: dist/site.js did not load: no database [module-not-loaded]',
    );
  });
});
