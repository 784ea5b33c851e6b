import { chmod, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { GenerateReport } from '../generate/report.ts';
import { Project } from '../project.fixture.ts';

const config = `
import { defineConfig } from '@evenkeel/cli/config';
export default defineConfig({ apis: ['./src/site.ts'] });
`;

const site = `
import { CustomResource, KubernetesObject, Spec } from '@evenkeel/core';
import { SiteSpec } from './site-spec.js';

/** A web site. */
@CustomResource({ group: 'web.example.com', version: 'v1', kind: 'Site' })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
}
`;

const siteSpec = `
import { IsInt, Max, Min } from 'class-validator';

export class SiteSpec {
  /** How many visitors at once. */
  @IsInt() @Min(1) @Max(100)
  visitors = 10;
}
`;

const crd = 'config/crd/web.example.com_sites.yaml';

let project: Project;

async function create(files: Readonly<Record<string, string>> = {}): Promise<Project> {
  project = await Project.create({
    'evenkeel.config.ts': config,
    'src/site.ts': site,
    'src/site-spec.ts': siteSpec,
    ...files,
  });
  return project;
}

afterEach(() => project.remove());

describe('evenkeel generate', () => {
  it('combines minor notices in one line, and lists each with its location for --verbose', async () => {
    await create({
      'src/site-spec.ts': `
import { MaxLength } from 'class-validator';

export class SiteSpec {
  @MaxLength(9) title = 'a';
  @MaxLength(9) owner = 'b';
}
`,
    });
    const { exitCode, err } = await project.run('generate');
    expect({ exitCode, err }).toEqual({
      exitCode: 0,
      err: 'notice: the schema differs from the decorators of SiteSpec.title, SiteSpec.owner in minor details; --verbose lists them, and docs/class-validator.md explains them [inexact-constraint]',
    });
    expect((await project.run('generate', '--verbose')).err).toMatchInlineSnapshot(`
"notice: @MaxLength is in the schema, which accepts less: the API server counts a variation selector (U+FE0E, U+FE0F) as a character, but the validator does not; exclude it with a @Matches() of ASCII characters [inexact-constraint]
    src/site-spec.ts:5: SiteSpec.title
    src/site-spec.ts:6: SiteSpec.owner
2 decorators are not exactly represented in the schema; docs/class-validator.md explains why, and what checks the rest"
`);
    const { out } = await project.run('generate', '--output', 'json');
    const report = JSON.parse(out) as GenerateReport;
    expect(report.findings.map(({ property }) => property)).toEqual(['title', 'owner']);
  });

  it('rejects an expression that the API server does not support, and names alternatives', async () => {
    await create({
      'src/site-spec.ts': `
import { Matches } from 'class-validator';

export class SiteSpec {
  @Matches(/^a(?=b).*c$/) title = 'abc';
  @Matches(/^(.)\\1$/) twice = 'aa';
}
`,
    });
    const { exitCode, err } = await project.run('generate');
    expect(exitCode).toBe(1);
    expect(err).toMatchInlineSnapshot(`
"error: src/site-spec.ts:5: SiteSpec.title: @Matches: RE2 has no lookahead; rewrite the expression (several @Matches() must all match, @NotContains() and @Rule() exclude values), or check it only in the operator with @ValidateBy() [untranslatable-expression]
error: src/site-spec.ts:6: SiteSpec.twice: @Matches: RE2 has no backreferences; rewrite the expression (several @Matches() must all match, @NotContains() and @Rule() exclude values), or check it only in the operator with @ValidateBy() [untranslatable-expression]
2 errors; no file was written"
`);
  });

  it('writes the CRD of a class, with its comments and defaults', async () => {
    await create();
    expect(await project.run('generate')).toEqual({ exitCode: 0, out: `${crd} written`, err: '' });
    expect(await project.read(crd)).toMatchInlineSnapshot(`
"# Made by "evenkeel generate" from the class Site: change that, not this.

apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: sites.web.example.com
spec:
  group: web.example.com
  names:
    kind: Site
    listKind: SiteList
    plural: sites
    singular: site
  scope: Namespaced
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          description: A web site.
          properties:
            apiVersion:
              type: string
            kind:
              type: string
            metadata:
              type: object
            spec:
              default: {}
              properties:
                visitors:
                  default: 10
                  description: How many visitors at once.
                  maximum: 100
                  minimum: 1
                  type: integer
              type: object
          type: object
      served: true
      storage: true
"
`);
  });

  it('does not touch a current file', async () => {
    await create();
    await project.run('generate');
    const before = await project.changedAt(crd);
    expect(await project.run('generate')).toEqual({ exitCode: 0, out: `${crd} is current`, err: '' });
    expect(await project.changedAt(crd)).toBe(before);
  });

  it('checks without writing, and names the command to run', async () => {
    await create();
    expect(await project.run('generate', '--check')).toEqual({
      exitCode: 1,
      out: '',
      err: `error: ${crd} is missing; run "evenkeel generate" and commit it [stale-output]`,
    });
    await project.run('generate');
    expect(await project.run('generate', '--check')).toEqual({ exitCode: 0, out: `${crd} is current`, err: '' });
    await project.write({ 'src/site-spec.ts': siteSpec.replace('100', '200') });
    const before = await project.read(crd);
    expect(await project.run('generate', '--check')).toEqual({
      exitCode: 1,
      out: '',
      err: `error: ${crd} is stale; run "evenkeel generate" and commit it [stale-output]`,
    });
    expect(await project.read(crd)).toBe(before);
  });

  it('removes the generated file of a removed kind, and no file that it did not generate', async () => {
    await create();
    await project.run('generate');
    const old = 'config/crd/old.example.com_pages.yaml';
    const mine = 'config/crd/mine.yaml';
    const generated = (await project.read(crd)).replaceAll('Site', 'Page');
    await project.write({ [old]: generated, [mine]: `# mine\n${generated}`, 'config/other.yaml': generated });
    expect(await project.run('generate', '--check')).toEqual({
      exitCode: 1,
      out: `${crd} is current`,
      err: `error: ${old} is obsolete: no class generates it; run "evenkeel generate" and commit the removal [stale-output]`,
    });
    expect(await project.read(old)).toBe(generated);
    expect(await project.run('generate')).toEqual({
      exitCode: 0,
      out: `${old} removed\n${crd} is current`,
      err: '',
    });
    await expect(project.read(old)).rejects.toThrow('ENOENT');
    expect(await project.read(mine)).toContain('# mine');
    expect(await project.read('config/other.yaml')).toBe(generated);
  });

  it('removes nothing while a class has a mistake', async () => {
    await create();
    await project.run('generate');
    await project.write({ 'src/site.ts': "throw new Error('no database');" });
    expect((await project.run('generate')).exitCode).toBe(1);
    expect(await project.read(crd)).toContain('Site');
  });

  it('treats a checkout with CRLF as current', async () => {
    await create();
    await project.run('generate');
    const withCrlf = (await project.read(crd)).replaceAll('\n', '\r\n');
    await project.write({ [crd]: withCrlf });
    expect(await project.run('generate', '--check')).toMatchObject({ exitCode: 0 });
    expect(await project.run('generate')).toMatchObject({ out: `${crd} is current` });
    expect(await project.read(crd)).toBe(withCrlf);
  });

  it('replaces a file atomically, keeps its mode, and leaves no temporary file', async () => {
    await create();
    await project.run('generate');
    const path = join(project.folder, crd);
    await chmod(path, 0o640);
    await project.write({ 'src/site-spec.ts': siteSpec.replace('100', '200') });
    expect(await project.run('generate')).toEqual({ exitCode: 0, out: `${crd} written`, err: '' });
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect(await readdir(dirname(path))).toEqual([basename(crd)]);
  });

  it.each([
    [
      'a read-only file',
      async () => {
        await project.write({ [crd]: '# Made by "evenkeel generate" long ago' });
        await chmod(join(project.folder, crd), 0o444);
      },
      `<project>/${crd}: cannot write the file: it or its folder is read-only; make it writable, or set another folder with "output"`,
    ],
    [
      'a folder where a file belongs',
      async () => project.write({ [`${crd}/inside`]: 'x' }),
      `<project>/${crd}: cannot write the file: it is a folder; move or delete the folder`,
    ],
    [
      'a file where the output folder belongs',
      async () => project.write({ config: 'x' }),
      `<project>/${crd}: cannot write the file: a part of its path is a file; move or delete that file, or set another folder with "output"`,
    ],
  ])('does not write over %s', async (_title, prepare, message) => {
    await create();
    await prepare();
    expect(await project.run('generate')).toEqual({
      exitCode: 1,
      out: '',
      err: `error: ${message} [output-not-written]`,
    });
  });

  it('checks the controllers, and reports each mistake with its line', async () => {
    await create({
      'evenkeel.config.ts': "export default { apis: ['./src/site.ts'], operator: './src/operator.ts' };",
      'src/operator.ts': `import { defineOperator } from 'evenkeel';
import { A, Derived, NoMethod } from './a.ts';
import { B, Foreign, Forgotten } from './b.ts';
import { Nothing } from './empty.ts';
const controllers = [A, NoMethod, Derived, Foreign, B, Forgotten, Nothing];
export const operator = defineOperator({ name: 'sites', controllers });`,
      'src/a.ts': `import { Controller, Owns, Reconcile } from '@evenkeel/core';
import { Deployment } from '@evenkeel/kinds';
import { Site } from './site.ts';
@Controller(Site)
@Owns(Deployment)
export class A { @Reconcile() run(): void {} }
@Controller(Site)
export class NoMethod {}
export class Base { @Reconcile() run(): void {} }
@Controller(Deployment)
export class Derived extends Base {}`,
      'src/b.ts': `import { Controller, CustomResource, KubernetesObject, Owns, Reconcile } from '@evenkeel/core';
import { Site } from './site.ts';
@CustomResource({ group: 'other.example.com', version: 'v1' })
class Certificate extends KubernetesObject {}
@Controller(Certificate)
export class Foreign { @Reconcile() run(): void {} }
@Controller(Site)
export class B { @Reconcile() run(): void {} }
@Owns(Site)
export class Forgotten {}`,
      'src/empty.ts': 'export class Nothing {}',
    });
    const { exitCode, out, err } = await project.run('generate');
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toMatchInlineSnapshot(`
"notice: src/b.ts:6: Foreign: it reconciles Certificate, which no module of "apis" exports, so no CRD is generated for certificates.other.example.com; add its module to "apis", or ignore this if the CRD comes from another project [kind-not-generated]
error: src/a.ts:8: NoMethod: the class has @Controller(Site) but no @Reconcile; add @Reconcile() above the method that reconciles a Site [controller-without-reconcile]
error: src/b.ts:8: B: the controller name "site" is already used by A, so their logs, metrics and children cannot be distinguished; rename one with @Controller(Kind, { name: "..." }) [duplicate-declaration]
error: src/b.ts:10: Forgotten: the class has @Owns but no @Controller; add @Controller(YourKind) above it [missing-controller]
error: src/empty.ts:1: Nothing: the class is listed as a controller but has no @Controller; add @Controller(YourKind) above it [missing-controller]
4 errors; no file was written"
`);
    await expect(project.read(crd)).rejects.toThrow('ENOENT');
  });

  it('applies the class-validator groups of the configuration', async () => {
    await create({
      'evenkeel.config.ts':
        "export default { apis: ['./src/site.ts'], validator: { groups: ['create'], always: true } };",
      'src/site-spec.ts': siteSpec.replace('@Max(100)', "@Max(100, { groups: ['update'] })"),
    });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0 });
    expect(await project.read(crd)).toContain('minimum: 1');
    expect(await project.read(crd)).not.toContain('maximum: 100');
  });

  it('shortens descriptions to the configured length', async () => {
    await create({ 'evenkeel.config.ts': "export default { apis: ['./src/site.ts'], maxDescriptionLength: 12 };" });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0 });
    expect(await project.read(crd)).toContain('description: A web site.');
    expect(await project.read(crd)).not.toContain('How many visitors at once.');
  });

  it('reports invalid configurations as JSON', async () => {
    await create({ 'evenkeel.config.ts': 'export default { api: [] };' });
    const { exitCode, out, err } = await project.run('generate', '--output', 'json');
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: '' });
    expect(JSON.parse(out)).toMatchObject({
      version: 1,
      ok: false,
      files: [],
      findings: [{ level: 'error', code: 'invalid-config', className: '' }],
    });
    const notThere = await project.run('generate', '-o', 'json', '--config', 'no.ts');
    expect(JSON.parse(notThere.out)).toMatchObject({ ok: false, findings: [{ code: 'invalid-config' }] });
  });

  it('prints JSON to stdout, and the output of modules to stderr', async () => {
    await create({ 'src/site.ts': `${site}\nconsole.log('{');\nprocess.stdout.write('no end of line');` });
    const { out, err } = await project.run('generate', '--output', 'json');
    expect(JSON.parse(out)).toMatchObject({ ok: true });
    expect(err).toBe('{\nno end of line');
  });

  it('prints a JSON report', async () => {
    await create({
      'src/site-spec.ts': siteSpec.replace('@Max(100)', '@Max(999) @Max(100, { validateIf: () => true })'),
    });
    const { exitCode, out, err } = await project.run('generate', '--output', 'json');
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    const { timings, ...report } = JSON.parse(out) as GenerateReport;
    expect(Object.values(timings).every((ms) => Number.isInteger(ms) && ms >= 0)).toBe(true);
    expect(Object.keys(timings)).toEqual([
      'startMs',
      'loadMs',
      'sourceMs',
      'schemaMs',
      'yamlMs',
      'outputMs',
      'totalMs',
    ]);
    expect(report).toEqual({
      version: 1,
      ok: true,
      files: [{ path: crd, state: 'missing', action: 'written' }],
      findings: [
        {
          level: 'notice',
          code: 'inexact-constraint',
          className: 'SiteSpec',
          property: 'visitors',
          location: { file: 'src/site-spec.ts', line: 7 },
          message: '@Max is not in the schema: its validateIf cannot be translated',
        },
      ],
    });
  });

  it('writes nothing if a class has a mistake, and names its location', async () => {
    await create({ 'src/site-spec.ts': siteSpec.replace('visitors = 10', "visitors = 'ten'") });
    const { exitCode, out, err } = await project.run('generate');
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toMatchInlineSnapshot(
      `"error: src/site-spec.ts:7: SiteSpec.visitors: it is a string, but @IsInt accepts only an integer; change the type or the decorator [conflicting-types]"`,
    );
    await expect(project.read(crd)).rejects.toThrow('ENOENT');
  });

  it('escapes what modules print and throw', async () => {
    const evil = "'x\\u001b[2J\\u202e\\nerror: forged'";
    await create({ 'src/site.ts': `console.log(${evil});\nthrow new Error(${evil});` });
    const { err } = await project.run('generate', '--verbose');
    expect(err.split('\n').slice(0, 4)).toEqual([
      'x\\u001b[2J\\u202e',
      'error: forged',
      'error: src/site.ts:2: this module did not load: x\\u001b[2J\\u202e',
      'error: error: forged [module-not-loaded]',
    ]);
    expect(
      err
        .split('\n')
        .slice(4)
        .every((line) => line.startsWith('  | ')),
    ).toBe(true);
  });

  it('does not print the output of modules to stdout', async () => {
    await create({ 'src/site.ts': `${site}\nconsole.log('hello');` });
    expect((await project.run('generate')).out).toBe(`${crd} written`);
  });
});

describe('evenkeel generate, with a mistake outside of the classes, prints one line for', () => {
  it.each([
    [
      'no configuration',
      { 'evenkeel.config.ts': undefined },
      'no evenkeel.config.ts in <project>; run the command in the folder of your project, or pass --config FILE [invalid-config]',
    ],
    [
      'an unknown option',
      { 'evenkeel.config.ts': 'export default { api: [] };' },
      'evenkeel.config.ts: unknown option "api"; did you mean "apis"? [invalid-config]',
    ],
    [
      'several mistakes in the configuration, all at once',
      {
        'evenkeel.config.ts':
          "export default { apis: ['./src', './src/x*.ts', 1], operator: ['./a.ts'], outputs: 'x', validator: { group: [], always: 1, groups: 'a' }, maxDefinitionBytes: -1 };",
      },
      [
        'unknown option "outputs"; did you mean "output"?',
        'apis: 1 is not a path; list only paths',
        'apis: ./src is not a file; for all modules in a folder, write ./src/*.ts',
        'apis: no module matches ./src/x*.ts',
        "operator must be the path of the module that exports it, such as './src/operator.ts'",
        'unknown option "validator.group"; did you mean "groups"?',
        'validator.groups must be a list of group names',
        'validator.always must be true or false',
        'maxDefinitionBytes must be an integer of at least 0',
      ]
        .map((line) => `evenkeel.config.ts: ${line}`)
        .join('\nerror: ')
        .concat(' [invalid-config]'),
    ],
    [
      'a missing file for --config',
      {},
      '--config no.ts: the file does not exist; pass the path of the configuration [invalid-config]',
      ['--config', 'no.ts'],
    ],
    [
      'a configuration that is not a module',
      { 'evenkeel.config.json': '{ "apis": ["./src/site.ts"] }' },
      '--config evenkeel.config.json: not a module; pass a file that ends with .ts or .js [invalid-config]',
      ['--config', 'evenkeel.config.json'],
    ],
    [
      'an invalid time limit',
      {},
      '--timeout: "soon" is not a duration; write a number and its unit, such as 250ms, 30s, 5m or 1h30m [invalid-option]',
      ['--timeout', 'soon'],
    ],
    [
      'a time limit without a unit',
      {},
      '--timeout: "30" has no unit; write 30s for seconds, or 30ms for milliseconds [invalid-option]',
      ['--timeout', '30'],
    ],
    [
      'a time limit of zero',
      {},
      '--timeout: "0" must be greater than zero; pass a duration such as 30s [invalid-option]',
      ['--timeout', '0'],
    ],
    [
      'a missing module',
      { 'evenkeel.config.ts': "export default { apis: ['./src/sight.ts'] };" },
      'evenkeel.config.ts: apis: ./src/sight.ts does not exist; write a path relative to the configuration [invalid-config]',
    ],
    [
      'no default export',
      { 'evenkeel.config.ts': 'export const config = {};' },
      'evenkeel.config.ts: missing default export; write "export default defineConfig({ apis: [...] })" [invalid-config]',
    ],
    [
      'a module without a resource',
      { 'src/site.ts': 'export class Site {}' },
      'src/site.ts:1: it exports no class with @CustomResource; add @CustomResource({ group, version }) above the class, export it, or remove the module from "apis" [missing-custom-resource]',
    ],
    [
      'a module that throws',
      { 'src/site.ts': "throw new Error('no database');" },
      'src/site.ts:1: this module did not load: no database [module-not-loaded]',
    ],
    [
      'a module that does not parse',
      { 'src/site.ts': 'export class {' },
      'src/site.ts:1: this module did not load: Expected `}` but found `EOF` [module-not-loaded]',
    ],
    [
      'a module that exits',
      { 'src/site.ts': 'process.exit(3);' },
      'src/site.ts:1: this module did not load: it calls process.exit(3); move code that runs the operator to the main module [module-not-loaded]',
    ],
  ] as readonly [string, Readonly<Record<string, string | undefined>>, string, string[]?][])(
    '%s',
    async (_title, files, expected, options = []) => {
      const all = { 'evenkeel.config.ts': config, 'src/site.ts': site, 'src/site-spec.ts': siteSpec, ...files };
      const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
      project = await Project.create(Object.fromEntries(given));
      const { exitCode, out, err } = await project.run('generate', ...options);
      expect({ exitCode, out, err }).toEqual({ exitCode: 1, out: '', err: `error: ${expected}` });
    },
  );

  it('prints the stack for --verbose', async () => {
    await create({ 'src/site.ts': "\nthrow new Error('no database');" });
    expect((await project.run('generate')).err.split('\n')).toHaveLength(1);
    expect((await project.run('generate', '--verbose')).err).toContain('/src/site.ts:2:7');
  });
});

describe('the command line', () => {
  it.each([
    [['generate', '--foo'], "error: unknown option '--foo'; run 'evenkeel generate --help'"],
    [['genrate'], "error: unknown command 'genrate'\n(Did you mean generate?)"],
    [['generate', '--chek'], "error: unknown option '--chek'\n(Did you mean --check?)"],
    [
      ['generate', '--output', 'yaml'],
      "error: option '-o, --output <format>' argument 'yaml' is invalid. Allowed choices are text, json.",
    ],
  ])('rejects %j with a hint', async (commandLine, err) => {
    await create();
    expect(await project.run(...commandLine)).toEqual({ exitCode: 1, out: '', err });
  });

  it('shows examples and exit codes', async () => {
    await create();
    const { exitCode, out } = await project.run('generate', '--help');
    expect(exitCode).toBe(0);
    expect(out).toContain('$ evenkeel generate --check');
    expect(out).toContain('Exit code 0: ');
  });
});

describe('in a terminal', () => {
  const looping = 'const until = Date.now() + 2500;\nwhile (Date.now() < until);';

  it('reports slow steps, and colours only the level of a finding', async () => {
    await create({ 'src/site-spec.ts': `${looping}\n${siteSpec.replace('visitors = 10', "visitors = 'ten'")}` });
    const { err } = await project.inTerminal('generate');
    const lines = err.split('\n');
    // On a busy machine, other steps may be slow too.
    expect(lines).toContain('loading src/site.ts ...');
    expect(lines.filter((line) => !line.endsWith(' ...'))).toEqual([
      expect.stringContaining('\u001b[1m\u001b[31merror\u001b[39m\u001b[22m: src/site-spec.ts:9: SiteSpec.visitors'),
    ]);
  });

  it('says after a success that types are not checked', async () => {
    await create();
    const reminder = 'types are not checked; run "npx tsc --noEmit"';
    const lines = (await project.inTerminal('generate')).err.split('\n');
    expect(lines.filter((line) => !line.endsWith(' ...'))).toEqual([reminder]);
    expect((await project.inTerminal('generate', '--check')).err).not.toContain(reminder);
    await project.write({ 'src/site-spec.ts': siteSpec.replace('visitors = 10', "visitors = 'ten'") });
    expect((await project.inTerminal('generate')).err).not.toContain(reminder);
  });

  it('does not report slow steps outside of a terminal', async () => {
    await create({ 'src/site-spec.ts': `${looping}\n${siteSpec}` });
    expect(await project.run('generate')).toEqual({ exitCode: 0, out: `${crd} written`, err: '' });
  });
});
