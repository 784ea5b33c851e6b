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

  it('leaves a file alone that would not change', async () => {
    await create();
    await project.run('generate');
    const before = await project.changedAt(crd);
    expect(await project.run('generate')).toEqual({ exitCode: 0, out: `${crd} is current`, err: '' });
    expect(await project.changedAt(crd)).toBe(before);
  });

  it('checks without writing, and says what to run', async () => {
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

  it('reports to programs as JSON', async () => {
    await create({ 'src/site-spec.ts': siteSpec.replace('@Max(100)', '@Max(100, { validateIf: () => true })') });
    const { exitCode, out, err } = await project.run('generate', '--output', 'json');
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(JSON.parse(out)).toEqual({
      files: [{ path: crd, state: 'missing', written: true }],
      findings: [
        {
          level: 'notice',
          code: 'inexact-constraint',
          className: 'SiteSpec',
          property: 'visitors',
          location: { file: 'src/site-spec.ts', line: 7 },
          message: '@Max is not in the schema: its validateIf cannot be read',
        },
      ],
    });
  });

  it('writes nothing where a class has a mistake, and names its place', async () => {
    await create({ 'src/site-spec.ts': siteSpec.replace('visitors = 10', "visitors = 'ten'") });
    const { exitCode, out, err } = await project.run('generate');
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toMatchInlineSnapshot(
      `"error: src/site-spec.ts:7: SiteSpec.visitors: it is a string, but @IsInt accepts only an integer; change the type or the decorator [conflicting-types]"`,
    );
    await expect(project.read(crd)).rejects.toThrow('ENOENT');
  });

  it('keeps what modules print out of its own output', async () => {
    await create({ 'src/site.ts': `${site}\nconsole.log('hello');` });
    expect((await project.run('generate')).out).toBe(`${crd} written`);
  });
});

describe('a mistake around the classes is one clear line', () => {
  it.each([
    [
      'no configuration',
      { 'evenkeel.config.ts': undefined },
      'no evenkeel.config.ts in <project>; run the command in the folder of your project, or name the file with --config [invalid-config]',
    ],
    [
      'an unknown option',
      { 'evenkeel.config.ts': 'export default { api: [] };' },
      '<project>/evenkeel.config.ts: unknown option "api"; did you mean "apis"? [invalid-config]',
    ],
    [
      'a module that is not there',
      { 'evenkeel.config.ts': "export default { apis: ['./src/sight.ts'] };" },
      '<project>/evenkeel.config.ts: apis names ./src/sight.ts, which does not exist; paths are relative to the file [invalid-config]',
    ],
    [
      'no default export',
      { 'evenkeel.config.ts': 'export const config = {};' },
      '<project>/evenkeel.config.ts: it has no default export; write "export default defineConfig({ apis: [...] })" [invalid-config]',
    ],
    [
      'a module without a resource',
      { 'src/site.ts': 'export class Site {}' },
      'src/site.ts:1: it exports no class with @CustomResource; add @CustomResource({ group, version }) above the class, export it, or take the module out of "apis" [missing-custom-resource]',
    ],
    [
      'a module that throws',
      { 'src/site.ts': "throw new Error('no database');" },
      'src/site.ts did not load: no database (src/site.ts:1) [module-not-loaded]',
    ],
    [
      'a module that does not parse',
      { 'src/site.ts': 'export class {' },
      'src/site.ts did not load: Expected `}` but found `EOF` (src/site.ts:1) [module-not-loaded]',
    ],
    [
      'a module that exits',
      { 'src/site.ts': 'process.exit(3);' },
      'the modules of the configuration ended the process (exit 3) instead of only declaring classes; move what runs to the main module [module-not-loaded]',
    ],
  ])('%s', async (_title, files: Readonly<Record<string, string | undefined>>, expected) => {
    const all = { 'evenkeel.config.ts': config, 'src/site.ts': site, 'src/site-spec.ts': siteSpec, ...files };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    project = await Project.create(Object.fromEntries(given));
    const { exitCode, out, err } = await project.run('generate');
    expect({ exitCode, out, err }).toEqual({ exitCode: 1, out: '', err: `error: ${expected}` });
  });

  it('shows the stack on demand', async () => {
    await create({ 'src/site.ts': "\nthrow new Error('no database');" });
    expect((await project.run('generate')).err.split('\n')).toHaveLength(1);
    expect((await project.run('generate', '--verbose')).err).toContain('/src/site.ts:2:7');
  });

  it('names the modules of an import cycle', async () => {
    await create({ 'src/site-spec.ts': `import { Site } from './site.ts';\n${siteSpec}\nvoid Site;` });
    const { exitCode, err } = await project.run('generate');
    expect(exitCode).toBe(1);
    expect(err).toMatchInlineSnapshot(
      `"error: src/site.ts: Site is used before its module has run (src/site-spec.ts:11), because these import one another: src/site-spec.ts -> src/site.ts -> src/site-spec.ts; hand the class over as a thunk, such as @Type(() => Site), or move it to a module of its own [import-cycle]"`,
    );
  });

  it('gives up on a module that does not finish', async () => {
    await create({ 'src/site.ts': 'setInterval(() => {}, 1000); await new Promise(() => {});' });
    const { exitCode, err } = await project.run('generate', '--timeout', '1s');
    expect(exitCode).toBe(1);
    expect(err).toMatchInlineSnapshot(
      `"error: the modules of the configuration did not load within 1 s; they should only declare classes: move what connects or waits to the main module, or allow more with --timeout [module-not-loaded]"`,
    );
  });
});
