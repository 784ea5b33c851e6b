import { fileURLToPath } from 'node:url';
import { Project } from '../project.fixture.ts';

// Failures while modules load. Each case is a user's mistake, and is reported with file, line and fix.

const head = `import { Controller, CustomResource, KubernetesObject, Owns, Reconcile, Spec } from '@evenkeel/core';
import { Type } from 'class-transformer';
import { IsNumber, ValidateNested } from 'class-validator';
`;
const spec = `${head}
export class SiteSpec {
  @IsNumber() visitors = 10;
}
`;
const site = `${head}import { SiteSpec } from './site-spec.ts';

@CustomResource({ group: 'web.example.com', version: 'v1', kind: 'Site' })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
}
`;
const controller = `${head}import { Site } from './site.ts';

@Controller(Site)
export class SiteController {
  @Reconcile() run(): void {}
}
`;

const operator = `import { defineOperator } from 'evenkeel';
import { SiteController } from './site.controller.ts';
export const operator = defineOperator({ name: 'sites', controllers: [SiteController] });
`;

let project: Project;

afterEach(() => project.remove());

async function create(files: Readonly<Record<string, string>>): Promise<void> {
  project = await Project.create({
    'evenkeel.config.ts': "export default { apis: ['./src/site.ts'], operator: './src/operator.ts' };",
    'src/operator.ts': operator,
    'src/site-spec.ts': spec,
    'src/site.ts': site,
    'src/site.controller.ts': controller,
    ...files,
  });
}

async function mistakes(files: Readonly<Record<string, string>>, ...options: readonly string[]): Promise<string[]> {
  await create(files);
  const { exitCode, out, err } = await project.run('generate', ...options);
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
  return err.split('\n');
}

/** The same for modules that do not finish, with the time limit. Uses a longer limit if earlier steps were slow. */
async function mistakesWhile(
  doing: string,
  files: Readonly<Record<string, string>>,
  seconds: number,
): Promise<{ found: string[]; seconds: number }> {
  const found = await mistakes(files, '--timeout', `${seconds}s`);
  if (seconds > 100 || found[0]?.startsWith(`error: ${doing} `)) return { found, seconds };
  await project.remove();
  return mistakesWhile(doing, files, seconds * 5);
}

describe('a module that throws', () => {
  it('is reported once for all its importers, together with the mistakes of other modules', async () => {
    const found = await mistakes({
      'evenkeel.config.ts': `export default {
  apis: ['./src/site.ts', './src/page.ts', './src/empty.ts'],
  operator: './src/operator.ts',
};`,
      'src/site-spec.ts': `${spec}\nthrow new Error('no database');`,
      'src/page.ts': `${head}
@CustomResource({ group: 'web.example.com', version: 'v1' })
export class Page extends KubernetesObject {
  @IsNumber() size = 'large';
}`,
      'src/empty.ts': 'export {};',
    });
    expect(found).toEqual([
      'error: src/site-spec.ts:9: src/site.ts, src/operator.ts did not load: no database [module-not-loaded]',
      'error: src/empty.ts:1: it exports no class with @CustomResource; add @CustomResource({ group, version }) above the class, export it, or remove the module from "apis" [missing-custom-resource]',
      expect.stringMatching(/^error: src\/page\.ts:7: Page\.size: it is a string, but @IsNumber accepts only a number/),
      '3 errors; no file was written',
    ]);
  });

  it('may throw a value that is not an error', async () => {
    expect(await mistakes({ 'src/site-spec.ts': `${spec}\nthrow 'no database';` })).toEqual([
      'error: src/site.ts, src/operator.ts did not load: no database [module-not-loaded]',
    ]);
  });

  it('may throw in a decorator of a package', async () => {
    const found = await mistakes({
      'src/site-spec.ts': `${head}
const broken = (): PropertyDecorator => { throw new TypeError('it takes a number'); };
export class SiteSpec {
  @broken() visitors = 10;
}`,
    });
    expect(found).toEqual([
      'error: src/site-spec.ts:5: src/site.ts, src/operator.ts did not load: it takes a number [module-not-loaded]',
    ]);
  });

  it('may reject a promise that is not awaited', async () => {
    expect(await mistakes({ 'src/site.ts': `${site}\nvoid Promise.reject(new Error('no cluster'));` })).toEqual([
      'error: src/site.ts:11: an unhandled error was thrown while the modules loaded: no cluster [module-not-loaded]',
    ]);
  });

  it('may export a value that throws when it is read', async () => {
    const trap = "export const trap = new Proxy(class {}, { get() { throw new Error('hands off'); } });";
    expect(await mistakes({ 'src/site.ts': `${site}\n${trap}` })).toEqual([
      'error: building the CRDs failed: hands off; pass --verbose for the stack',
    ]);
  });

  it('may end the process', async () => {
    expect(
      await mistakes({ 'src/site-spec.ts': `${spec}\ntry { process.exit(); } catch {}\nprocess.abort();` }),
    ).toEqual([
      'error: loading src/site.ts ended the process (SIGABRT); modules should only declare classes; move code that connects, computes or waits to the main module [module-not-loaded]',
    ]);
  });
});

describe('a module that never finishes', () => {
  const onlyDeclare =
    'modules should only declare classes; move code that connects, computes or waits to the main module';

  it('is reported at once if nothing can fulfil its top-level await', async () => {
    expect(await mistakes({ 'src/site-spec.ts': `${spec}\nawait new Promise(() => {});` })).toEqual([
      `error: loading src/site.ts never finishes: a top-level await waits for something that can no longer happen; ${onlyDeclare} [module-not-loaded]`,
    ]);
  });

  it.each([
    [
      'is reported at the time limit if it awaits while a timer runs',
      'setInterval(() => {}, 1000);\nawait new Promise(() => {});',
    ],
    ['is reported at the time limit if it computes forever', 'while (true) {}'],
  ])('%s', async (_title, code) => {
    const doing = 'loading src/operator.ts';
    const { found, seconds } = await mistakesWhile(doing, { 'src/site.controller.ts': `${controller}\n${code}` }, 2);
    expect(found).toEqual([
      `error: ${doing} did not finish within ${seconds} s; ${onlyDeclare}, or set a longer --timeout [module-not-loaded]`,
    ]);
  });

  it('is reported if an initialiser computes forever', async () => {
    const looping = spec.replace('visitors = 10', 'visitors = (() => { for (;;) {} })()');
    const { found, seconds } = await mistakesWhile('building the CRDs', { 'src/site-spec.ts': looping }, 5);
    expect(found).toEqual([
      `error: building the CRDs did not finish within ${seconds} s; ${onlyDeclare}, or set a longer --timeout [module-not-loaded]`,
    ]);
  });

  it('is reported if it uses too much memory', async () => {
    const hog = `${spec}\nconst all: unknown[] = [];\nfor (;;) all.push(new Array(20_000_000).fill(0.5));`;
    // The time until then depends on the machine.
    expect(await mistakes({ 'src/site-spec.ts': hog }, '--timeout', '5m')).toEqual([
      `error: loading src/site.ts used more than 1024 MB of memory; ${onlyDeclare} [module-not-loaded]`,
    ]);
  });
});

describe('an unresolved import of', () => {
  it.each([
    [
      'a file',
      "import { b } from './b.js';\nvoid b;",
      'it imports "./b.js", but the file does not exist; check the path',
    ],
    [
      'a package',
      "import b from '@acme/b/sub';\nvoid b;",
      'it imports "@acme/b/sub", but the package is not installed; run npm install @acme/b',
    ],
    [
      'a package that is not built',
      "import b from 'unbuilt';\nvoid b;",
      'it imports "unbuilt", whose file <project>/src/node_modules/unbuilt/dist/index.js does not exist; build that package',
    ],
    [
      'a path that only the compiler maps',
      "import { b } from '@api/b';\nvoid b;",
      'it imports "@api/b", which is mapped by "paths" in tsconfig.json, and Node does not support "paths"; write a relative path, or use "imports" in package.json, with names that start with "#"',
    ],
    [
      'a type, imported as a value',
      "import { Round } from './shape.ts';\nimport { IsNumber } from 'class-validator';\nexport class A { @IsNumber() shape?: Round; }",
      '"./shape.ts" has no export "Round"; if it is a type, write "import type", because types do not exist at run time',
    ],
    [
      'a misspelt export',
      "import { Sape } from './shape.ts';\nvoid Sape;",
      '"./shape.ts" has no export "Sape"; did you mean "shape"?',
    ],
    [
      'a misspelt export of a package',
      "import { Cutomresource } from 'evenkeel';\nvoid Cutomresource;",
      '"evenkeel" has no export "Cutomresource"; did you mean "CustomResource"?',
    ],
    [
      'JSON without an import attribute',
      "import b from './b.json';\nvoid b;",
      'it imports "./b.json" without an attribute for JSON; write from "./b.json" with { type: "json" }',
    ],
  ])('%s', async (_title, code, reason) => {
    const [found] = await mistakes({
      'src/site-spec.ts': `// one\n${code}`,
      'src/shape.ts': 'export interface Round { a: string }\nexport const shape = 1;',
      'src/b.json': '{}',
      'src/node_modules/unbuilt/package.json': '{ "exports": "./dist/index.js" }',
      'tsconfig.json': '{\n  // mapped\n  "compilerOptions": { "paths": { "@api/*": ["./src/*"] } }\n}',
    });
    const [, message = ''] =
      /^error: src\/site-spec\.ts:2: src\/site\.ts, src\/operator\.ts did not load: (.*) \[module-not-loaded\]$/.exec(
        found ?? '',
      ) ?? [found];
    expect(message).toEqual(reason);
  });
});

describe('a class that is used above its declaration', () => {
  const early = (place: string, fix: string) =>
    `error: ${place}: src/site.ts, src/operator.ts did not load: Later is used before it is declared in line 9 of the same file; ${fix} [module-not-loaded]`;
  const later = 'export class Later {\n  @IsNumber() size = 1;\n}\n';

  it('is reported with the line of its declaration if it is the type of a property', async () => {
    const text = `${head}export class SiteSpec {\n  @ValidateNested()\n  later!: Later;\n}\n\n${later}`;
    expect(await mistakes({ 'src/site-spec.ts': text })).toEqual([early('src/site-spec.ts:5', 'move it up')]);
  });

  it('is reported with a function to pass if it is in a decorator', async () => {
    const text = `${head}@Owns(Later as never)\nexport class SiteSpec {\n  size = 1;\n}\n\n${later}`;
    expect(await mistakes({ 'src/site-spec.ts': text })).toEqual([
      early('src/site-spec.ts:4', 'move it up, or pass a function: @Owns(() => Later)'),
    ]);
  });
});

describe('an import cycle', () => {
  const error = (place: string, name: string, circle: string, fix: string) =>
    `error: ${place}: src/site.ts, src/operator.ts did not load: ${name} is used before its module has run, because of an import cycle: ${circle}; ${fix} [import-cycle]`;

  it('is reported if a decorator of a class uses a class of the cycle', async () => {
    expect(await mistakes({ 'src/site.ts': `import './site.controller.ts';\n${site}` })).toEqual([
      error(
        'src/site.controller.ts:6',
        'Site',
        'src/site.controller.ts -> src/site.ts -> src/site.controller.ts',
        'pass the class as a function, @Controller(() => Site), or move Site to a module that imports none of these',
      ),
    ]);
  });

  it('is reported with all three modules', async () => {
    expect(await mistakes({ 'src/site-spec.ts': `import './site.controller.ts';\n${spec}` })).toEqual([
      error(
        'src/site.controller.ts:6',
        'Site',
        'src/site.controller.ts -> src/site.ts -> src/site-spec.ts -> src/site.controller.ts',
        'pass the class as a function, @Controller(() => Site), or move Site to a module that imports none of these',
      ),
    ]);
  });

  it('loads with the suggested function', async () => {
    await create({
      'src/site.ts': `import './site.controller.ts';\n${site}`,
      'src/site.controller.ts': controller.replace('(Site)', '(() => Site)'),
    });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
  });

  const quota = (declared: string) => `${head}import { Unit } from './site-spec.ts';
export class Quota {
  /** How much of it. */
  @ValidateNested()
  @Type(() => Unit)
  unit: ${declared} = new Unit();
}
`;
  const specWithQuota = `${head}import { Quota } from './quota.ts';
export class Unit {
  @IsNumber() size = 1;
}
export class SiteSpec {
  @ValidateNested() @Type(() => Quota) quota = new Quota();
}
`;

  it('is reported if a class of the cycle is the declared type of a property', async () => {
    expect(await mistakes({ 'src/site-spec.ts': specWithQuota, 'src/quota.ts': quota('Unit') })).toEqual([
      error(
        'src/quota.ts:8',
        'Unit',
        'src/quota.ts -> src/site-spec.ts -> src/quota.ts',
        'the compiler records the declared type; move Unit to a module that imports none of these, or declare the property with a type-only name (import type { Unit as UnitType }) and pass the class to @Type(() => Unit)',
      ),
    ]);
  });

  it('loads with the suggested type-only name', async () => {
    await create({
      'src/site-spec.ts': specWithQuota,
      'src/quota.ts': `import type { Unit as UnitType } from './site-spec.ts';\n${quota('UnitType')}`,
    });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
    expect(await project.read('config/crd/web.example.com_sites.yaml')).toContain('default: 1');
  });

  it('is reported if a class extends a class of the cycle', async () => {
    expect(
      await mistakes({
        'src/site-spec.ts': `${head}import { Quota } from './quota.ts';\nexport class Base {}\nexport class SiteSpec { quota = new Quota(); }`,
        'src/quota.ts': `import { Base } from './site-spec.ts';\nexport class Quota extends Base {}`,
      }),
    ).toEqual([
      error(
        'src/quota.ts:2',
        'Base',
        'src/quota.ts -> src/site-spec.ts -> src/quota.ts',
        'move Base to a module that imports none of these',
      ),
    ]);
  });
});

describe('two copies of a package', () => {
  it('are an error if they do not share what they record', async () => {
    await create({});
    await project.copyPackage('class-transformer', 'src');
    const { exitCode, err } = await project.run('generate');
    expect({ exitCode, err: err.replace(/ and \S+\/node_modules\/class-transformer;/, ' and <ours>;') }).toEqual({
      exitCode: 1,
      err: 'error: there are two copies of class-transformer: src/node_modules/class-transformer (imported by src/site.ts) and <ours>; one copy does not see what decorators of the other record; run "npm ls class-transformer" to find what installs them, and try "npm dedupe" [duplicate-package]',
    });
  });

  it('are a notice if they share what they record', async () => {
    await create({});
    await project.copyPackage('class-validator', 'src');
    const { exitCode, out, err } = await project.run('generate');
    expect(exitCode).toBe(0);
    expect(out).toContain('config/crd/web.example.com_sites.yaml written');
    expect(err).toMatch(
      /^notice: there are two copies of class-validator: src\/node_modules\/class-validator \(imported by src\/site\.ts\) and .*; they only work together if their versions are compatible \(0\.15\.\d+ and 0\.15\.\d+\); .* \[duplicate-package\]$/,
    );
    expect(await project.read('config/crd/web.example.com_sites.yaml')).toContain('default: 10');
  });

  it('are an error for the framework itself', async () => {
    const core = fileURLToPath(new URL('../../../core/src/index.ts', import.meta.url));
    await create({
      'src/node_modules/@evenkeel/core/package.json': '{ "name": "@evenkeel/core", "exports": "./index.mjs" }',
      'src/node_modules/@evenkeel/core/index.mjs': `export * from ${JSON.stringify(core)};`,
    });
    expect((await project.run('generate')).err).toMatch(
      /^error: there are two copies of @evenkeel\/core: src\/node_modules\/@evenkeel\/core \(imported by src\/site\.ts\) and .*packages\/core; /,
    );
  });
});
