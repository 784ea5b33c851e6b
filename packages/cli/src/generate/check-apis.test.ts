import { spawnSync } from 'node:child_process';
import { command } from '../command.fixture.ts';
import { Project } from '../project.fixture.ts';

const head = `import { CustomResource, KubernetesObject, Spec, Status } from '@evenkeel/core';
import * as core from '@evenkeel/core';
`;
const decorator = "@CustomResource({ group: 'web.example.com', version: 'v1' })";
const site = `${head}
export class SiteSpec {
  open = true;
}
${decorator}
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
}
`;
const page = site.replaceAll('Site', 'Page');
const crd = 'config/crd/web.example.com_sites.yaml';

let project: Project;

beforeEach(async () => {
  project = await Project.create({
    'evenkeel.config.ts': "export default { apis: ['./src/*.ts'] };",
    'src/site.ts': site,
    'src/page.ts': page,
  });
  expect((await project.run('generate')).exitCode).toBe(0);
});
afterEach(() => project.remove());

/** Returns the errors after a change, which must not remove the CRD. */
async function mistakes(files: Readonly<Record<string, string>>): Promise<string[]> {
  const before = await project.read(crd);
  await project.write(files);
  const { exitCode, out, err } = await project.run('generate');
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
  expect(await project.read(crd)).toBe(before);
  return err.split('\n');
}

const forgotten = (reason: string): string =>
  `it ${reason} but has no @CustomResource; add @CustomResource({ group, version }) above the class. If it is not a kind, make it abstract or move it to a module that is not in "apis" [missing-custom-resource]`;

describe('a class of a module of "apis" that looks like a kind', () => {
  it('is reported if it has lost its decorator, and its CRD is not removed', async () => {
    expect(await mistakes({ 'src/site.ts': site.replace(decorator, '') })).toEqual([
      `error: src/site.ts:8: Site: ${forgotten('has @Spec')}`,
    ]);
    expect(
      await mistakes({ 'src/site.ts': `${head}\nexport class Site extends KubernetesObject {\n  a = 1;\n}` }),
    ).toEqual([`error: src/site.ts:4: Site: ${forgotten('extends KubernetesObject')}`]);
    expect(await mistakes({ 'src/site.ts': `${head}\nexport class Site {\n  @Status() status?: object;\n}` })).toEqual([
      `error: src/site.ts:4: Site: ${forgotten('has @Status')}`,
    ]);
  });

  it('fails --check', async () => {
    await project.write({ 'src/site.ts': site.replace(decorator, '') });
    expect(await project.run('generate', '--check')).toMatchObject({ exitCode: 1, out: '' });
  });

  it('is reported with its line if it is the only class of a listed module', async () => {
    const named = { 'evenkeel.config.ts': "export default { apis: ['./src/site.ts'] };" };
    expect(await mistakes({ ...named, 'src/site.ts': site.replace(decorator, '') })).toEqual([
      `error: src/site.ts:8: Site: ${forgotten('has @Spec')}`,
    ]);
  });

  it('is reported by "evenkeel dev" too', async () => {
    await project.write({ 'src/site.ts': site.replace(decorator, '') });
    // It loads modules into its own process, which jest's process cannot be.
    const { status, stderr } = spawnSync(process.execPath, [...command, 'dev', '--once'], {
      cwd: project.folder,
      encoding: 'utf8',
    });
    expect(stderr).toContain(`src/site.ts:8: Site: ${forgotten('has @Spec')}`);
    expect(status).toBe(1);
  });

  it('is reported if it is not exported, also if another module re-exports its module', async () => {
    const unexported = site.replace('export class Site ', 'class Site ');
    const message =
      'Site: it has @CustomResource, but its module does not export it; write "export" before the class [missing-custom-resource]';
    expect(await mistakes({ 'src/site.ts': unexported })).toEqual([`error: src/site.ts:8: ${message}`]);
    const renamed = unexported
      .replace('CustomResource,', 'CustomResource as Kind,')
      .replace('@CustomResource', '@Kind');
    expect(await mistakes({ 'src/site.ts': renamed })).toEqual([`error: src/site.ts:8: ${message}`]);
    const files = {
      'src/site.ts': "export * from './below/site.js';\nexport * from './page.js';",
      'src/below/site.ts': unexported.replace('@CustomResource', '@core.CustomResource'),
    };
    expect(await mistakes(files)).toEqual([`error: src/below/site.ts:8: ${message}`]);
  });

  it('is reported if its decorator has no parentheses', async () => {
    expect(await mistakes({ 'src/site.ts': site.replace(decorator, '@CustomResource') })).toEqual([
      'error: src/site.ts:8: Site: @CustomResource has no effect without parentheses; write @CustomResource({ group, version }) [missing-custom-resource]',
    ]);
  });

  it('is accepted if it is a base, abstract, a part of a kind, exported under another name, or a built-in kind', async () => {
    await project.write({
      'src/site.ts': `${head}import { Base } from './base.ts';
export class SiteSpec {
  open = true;
}
export class Middle extends Base {
  @Spec() spec!: SiteSpec;
}
${decorator}
class Site extends Middle {}
export { Site as Website };
export class Fake extends Site {}
export { Pod } from '@evenkeel/kinds/core/v1';
export { KubernetesObject };
`,
      'src/base.ts': `${head}export abstract class Base extends KubernetesObject {\n  label = '';\n}`,
    });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
  });
});
