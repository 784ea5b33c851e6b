import { fileURLToPath } from 'node:url';
import { Project } from '../project.fixture.ts';

// What goes wrong while modules load: each case a user's mistake, told with file and line, and what to do.

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

let project: Project;

afterEach(() => project.remove());

async function create(files: Readonly<Record<string, string>>): Promise<void> {
  project = await Project.create({
    'evenkeel.config.ts':
      "export default { apis: ['./src/site.ts'], controllers: ['./src/site.controller.ts'], services: [] };",
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

/** The same of modules that do not end while this is done, with the time limit: more of it where other things were slow. */
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
  it('is told once for all that import it, and hides nothing of the others', async () => {
    const found = await mistakes({
      'evenkeel.config.ts': `export default {
  apis: ['./src/site.ts', './src/page.ts', './src/empty.ts'],
  controllers: ['./src/site.controller.ts', './src/other.controller.ts'],
  services: ['./src/prices.ts'],
};`,
      'src/site-spec.ts': `${spec}\nthrow new Error('no database');`,
      'src/page.ts': `${head}
@CustomResource({ group: 'web.example.com', version: 'v1' })
export class Page extends KubernetesObject {
  @IsNumber() size = 'large';
}`,
      'src/empty.ts': 'export {};',
      'src/other.controller.ts': `${head}
@Owns(KubernetesObject)
export class OtherController {
  @Reconcile() run(): void {}
}`,
      'src/prices.ts': 'export const prices = 1;',
    });
    expect(found).toEqual([
      'error: src/empty.ts:1: it exports no class with @CustomResource; add @CustomResource({ group, version }) above the class, export it, or take the module out of "apis" [missing-custom-resource]',
      'error: src/other.controller.ts:6: OtherController: the class has @Owns but no @Controller; add @Controller(YourKind) above it [missing-controller]',
      expect.stringMatching(
        /^error: src\/other\.controller\.ts:6: OtherController: @Owns: KubernetesObject is used as a kind/,
      ),
      expect.stringMatching(/^error: src\/page\.ts:7: Page\.size: it is a string, but @IsNumber accepts only a number/),
      'error: src/prices.ts:1: it exports no class, so it has no service; export the class, or take the module out of "services" [missing-service]',
      'error: src/site-spec.ts:9: src/site.ts, src/site.controller.ts did not load: no database [module-not-loaded]',
      '6 errors; nothing is written',
    ]);
  });

  it('throws something that is no error', async () => {
    expect(await mistakes({ 'src/site-spec.ts': `${spec}\nthrow 'no database';` })).toEqual([
      'error: src/site.ts, src/site.controller.ts did not load: no database [module-not-loaded]',
    ]);
  });

  it('throws where a decorator of a package is called with what it does not take', async () => {
    const found = await mistakes({
      'src/site-spec.ts': `${head}
const broken = (): PropertyDecorator => { throw new TypeError('it takes a number'); };
export class SiteSpec {
  @broken() visitors = 10;
}`,
    });
    expect(found).toEqual([
      'error: src/site-spec.ts:5: src/site.ts, src/site.controller.ts did not load: it takes a number [module-not-loaded]',
    ]);
  });

  it('rejects a promise that nobody looks at', async () => {
    expect(await mistakes({ 'src/site.ts': `${site}\nvoid Promise.reject(new Error('no cluster'));` })).toEqual([
      'error: src/site.ts:11: while the modules loaded, this was thrown and not handled: no cluster [module-not-loaded]',
    ]);
  });

  it('exports something that throws when it is looked at', async () => {
    const trap = "export const trap = new Proxy(class {}, { get() { throw new Error('hands off'); } });";
    expect(await mistakes({ 'src/site.ts': `${site}\n${trap}` })).toEqual([
      'error: making the CRDs failed: hands off; --verbose shows where',
    ]);
  });

  it('ends the process, or tries to', async () => {
    expect(
      await mistakes({ 'src/site-spec.ts': `${spec}\ntry { process.exit(); } catch {}\nprocess.abort();` }),
    ).toEqual([
      'error: loading src/site.ts ended the process (SIGABRT); modules should only declare classes: move what connects, computes or waits to the main module [module-not-loaded]',
    ]);
  });
});

describe('a module that does not end', () => {
  const onlyDeclare = 'modules should only declare classes: move what connects, computes or waits to the main module';

  it('awaits what nothing will bring about, which is known at once', async () => {
    expect(await mistakes({ 'src/site-spec.ts': `${spec}\nawait new Promise(() => {});` })).toEqual([
      `error: loading src/site.ts does not end: it awaits at its top level what nothing is left to bring about; ${onlyDeclare} [module-not-loaded]`,
    ]);
  });

  it.each([
    ['awaits while something else goes on', 'setInterval(() => {}, 1000);\nawait new Promise(() => {});'],
    ['computes for ever', 'while (true) {}'],
  ])('%s, until the time limit', async (_title, code) => {
    const doing = 'loading src/site.controller.ts';
    const { found, seconds } = await mistakesWhile(doing, { 'src/site.controller.ts': code }, 2);
    expect(found).toEqual([
      `error: ${doing} did not end within ${seconds} s; ${onlyDeclare}, or allow more with --timeout [module-not-loaded]`,
    ]);
  });

  it('computes for ever in an initialiser', async () => {
    const looping = spec.replace('visitors = 10', 'visitors = (() => { for (;;) {} })()');
    const { found, seconds } = await mistakesWhile('making the CRDs', { 'src/site-spec.ts': looping }, 5);
    expect(found).toEqual([
      `error: making the CRDs did not end within ${seconds} s; ${onlyDeclare}, or allow more with --timeout [module-not-loaded]`,
    ]);
  });

  it('takes all memory', async () => {
    const hog = `${spec}\nconst all: unknown[] = [];\nfor (;;) all.push(new Array(20_000_000).fill(0.5));`;
    // How long that takes is the machine's affair.
    expect(await mistakes({ 'src/site-spec.ts': hog }, '--timeout', '5m')).toEqual([
      `error: loading src/site.ts took more than 1024 MB of memory; ${onlyDeclare} [module-not-loaded]`,
    ]);
  });
});

describe('an import that leads nowhere', () => {
  it.each([
    ['a file', "import { b } from './b.js';\nvoid b;", 'it imports "./b.js", and there is no such file'],
    [
      'a package',
      "import b from '@acme/b/sub';\nvoid b;",
      'it imports "@acme/b/sub", and the package is not installed; run npm install @acme/b',
    ],
    [
      'a package that is not built',
      "import b from 'unbuilt';\nvoid b;",
      'it imports "unbuilt", whose file <project>/src/node_modules/unbuilt/dist/index.js does not exist; is it built?',
    ],
    [
      'a path that only the compiler maps',
      "import { b } from '@api/b';\nvoid b;",
      'it imports "@api/b", which "paths" in tsconfig.json maps for the compiler but Node does not follow: write a relative path, or name it under "imports" in package.json with a "#" in front',
    ],
    [
      'a type, imported as a value',
      "import { Shape } from './shape.ts';\nimport { IsNumber } from 'class-validator';\nexport class A { @IsNumber() shape?: Shape; }",
      '"./shape.ts" has no export "Shape"; if that is a type, write "import type", for types are gone when modules run',
    ],
    [
      'JSON that is not said to be',
      "import b from './b.json';\nvoid b;",
      'it imports "./b.json" without saying that it is JSON; write from "./b.json" with { type: "json" }',
    ],
  ])('%s', async (_title, code, reason) => {
    const [found] = await mistakes({
      'src/site-spec.ts': `// one\n${code}`,
      'src/shape.ts': 'export interface Shape { a: string }',
      'src/b.json': '{}',
      'src/node_modules/unbuilt/package.json': '{ "exports": "./dist/index.js" }',
      'tsconfig.json': '{\n  // mapped\n  "compilerOptions": { "paths": { "@api/*": ["./src/*"] } }\n}',
    });
    const [, message = ''] =
      /^error: src\/site-spec\.ts:2: src\/site\.ts, src\/site\.controller\.ts did not load: (.*) \[module-not-loaded\]$/.exec(
        found ?? '',
      ) ?? [found];
    expect(message).toEqual(reason);
  });
});

describe('a class that is used above its declaration', () => {
  const early = (place: string, mend: string) =>
    `error: ${place}: src/site.ts, src/site.controller.ts did not load: Later is used before its class has run: it is declared further down in the same file, in line 9; ${mend} [module-not-loaded]`;
  const later = 'export class Later {\n  @IsNumber() size = 1;\n}\n';

  it('as the type of a property, is told with the line of its declaration', async () => {
    const text = `${head}export class SiteSpec {\n  @ValidateNested()\n  later!: Later;\n}\n\n${later}`;
    expect(await mistakes({ 'src/site-spec.ts': text })).toEqual([early('src/site-spec.ts:5', 'move it up')]);
  });

  it('in a decorator, is told with the thunk that serves', async () => {
    const text = `${head}@Owns(Later as never)\nexport class SiteSpec {\n  size = 1;\n}\n\n${later}`;
    expect(await mistakes({ 'src/site-spec.ts': text })).toEqual([
      early('src/site-spec.ts:4', 'move it up, or hand it over as a thunk, @Owns(() => Later)'),
    ]);
  });
});

describe('modules that import one another', () => {
  const error = (place: string, name: string, circle: string, mend: string) =>
    `error: ${place}: src/site.ts, src/site.controller.ts did not load: ${name} is used before its module has run, because these import one another: ${circle}; ${mend} [import-cycle]`;

  it('with a class in a decorator of a class', async () => {
    expect(await mistakes({ 'src/site.ts': `import './site.controller.ts';\n${site}` })).toEqual([
      error(
        'src/site.controller.ts:6',
        'Site',
        'src/site.controller.ts -> src/site.ts -> src/site.controller.ts',
        'hand the class over as a thunk, @Controller(() => Site), or move Site to a module that imports none of these',
      ),
    ]);
  });

  it('in a circle of three, with a class in a decorator of a class', async () => {
    expect(await mistakes({ 'src/site-spec.ts': `import './site.controller.ts';\n${spec}` })).toEqual([
      error(
        'src/site.controller.ts:6',
        'Site',
        'src/site.controller.ts -> src/site.ts -> src/site-spec.ts -> src/site.controller.ts',
        'hand the class over as a thunk, @Controller(() => Site), or move Site to a module that imports none of these',
      ),
    ]);
  });

  it('which the thunk that was told lets load', async () => {
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

  it('with a class as the declared type of a property', async () => {
    expect(await mistakes({ 'src/site-spec.ts': specWithQuota, 'src/quota.ts': quota('Unit') })).toEqual([
      error(
        'src/quota.ts:8',
        'Unit',
        'src/quota.ts -> src/site-spec.ts -> src/quota.ts',
        'the compiler records the declared type: move Unit to a module that imports none of these, or declare the property with a name that is only a type (import type { Unit as UnitType }) and say the class in @Type(() => Unit)',
      ),
    ]);
  });

  it('which the name that was told lets load', async () => {
    await create({
      'src/site-spec.ts': specWithQuota,
      'src/quota.ts': `import type { Unit as UnitType } from './site-spec.ts';\n${quota('UnitType')}`,
    });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
    expect(await project.read('config/crd/web.example.com_sites.yaml')).toContain('default: 1');
  });

  it('with a class that another extends', async () => {
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
  it('are an error where what one records the other does not find', async () => {
    await create({});
    await project.copyPackage('class-transformer', 'src');
    const { exitCode, err } = await project.run('generate');
    expect({ exitCode, err: err.replace(/ and \S+\/node_modules\/class-transformer;/, ' and <ours>;') }).toEqual({
      exitCode: 1,
      err: 'error: there are two copies of class-transformer: src/node_modules/class-transformer (imported by src/site.ts) and <ours>; what decorators of one record the other does not find: npm ls class-transformer says who brings them, npm dedupe may join them [duplicate-package]',
    });
  });

  it('are a notice where they share what they record', async () => {
    await create({});
    await project.copyPackage('class-validator', 'src');
    const { exitCode, out, err } = await project.run('generate');
    expect(exitCode).toBe(0);
    expect(out).toContain('config/crd/web.example.com_sites.yaml written');
    expect(err).toMatch(
      /^notice: there are two copies of class-validator: src\/node_modules\/class-validator \(imported by src\/site\.ts\) and .*; they work together only while their versions agree \(0\.15\.\d+ and 0\.15\.\d+\): .* \[duplicate-package\]$/,
    );
    expect(await project.read('config/crd/web.example.com_sites.yaml')).toContain('default: 10');
  });

  it('are an error where it is the framework itself', async () => {
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
