import { Project } from '../project.fixture.ts';

const crd = 'config/crd/web.example.com_sites.yaml';
const role = 'config/rbac/role.yaml';

const site = `import { Controller, CustomResource, KubernetesObject, Reconcile } from 'evenkeel';
@CustomResource({ group: 'web.example.com', version: 'v1' })
export class Site extends KubernetesObject {}
@Controller(Site)
export class SiteController {
  @Reconcile() reconcile(): void {}
}
`;

const operator = `import { defineOperator } from 'evenkeel';
import { SiteController } from './site.ts';
export const operator = defineOperator({ name: 'sites', controllers: [SiteController] });
`;

const config = `import { defineConfig } from '@evenkeel/cli/config';
// apis: what output: 'is', fields: none
export default defineConfig({
  apis: ['./src/s*.ts'],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
});
`;

describe('an existing file at the path of a generated file', () => {
  let project: Project;
  beforeEach(async () => {
    project = await Project.create({ 'src/site.ts': site, 'src/operator.ts': operator, 'evenkeel.config.ts': config });
  });
  afterEach(() => project.remove());

  it('is not overwritten if the user wrote it; no other file is written, and each is reported with its option', async () => {
    const own = {
      [crd]: '# mine\nkind: CustomResourceDefinition\n',
      [role]: 'kind: ClusterRole\n# Made by "evenkeel generate"\n',
      'src/fields.ts': '',
    };
    await project.write(own);
    const overwriting = (path: string, place: string, replacement: string) =>
      `error: evenkeel.config.ts:${place}: generate would overwrite ${path}, which it did not write (the first line has no "evenkeel generate" mark); move or delete that file, or set another ${replacement} [output-not-written]`;
    const expected = {
      exitCode: 1,
      out: '',
      err: [
        overwriting(crd, '4: apis', 'folder with "output"'),
        overwriting(role, '5: operator', 'folder with "output"'),
        overwriting('src/fields.ts', '6: fields', 'file with "fields"'),
        '3 errors; no file was written',
      ].join('\n'),
    };
    expect(await project.run('generate')).toEqual(expected);
    for (const [name, text] of Object.entries(own)) expect(await project.read(name)).toBe(text);
    await expect(project.read('config/rbac/service_account.yaml')).rejects.toThrow('ENOENT');

    // --check reports the same, and does not report the file as stale.
    const { err } = await project.run('generate', '--check');
    expect(err).toContain(overwriting(crd, '4: apis', 'folder with "output"'));
    expect(err).not.toContain(`${crd} is stale`);
  });

  it('is overwritten if an earlier generate wrote it, whatever follows its first line', async () => {
    const earlier = '# Made by "evenkeel generate" from the class Site: change that, not this.\r\n\r\nold: true\r\n';
    await project.write({
      [crd]: earlier,
      [role]: earlier,
      'src/fields.ts': '// Made by "evenkeel generate" from long ago\n',
    });
    const { exitCode, out } = await project.run('generate');
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: [crd, role, 'config/rbac/service_account.yaml', 'src/fields.ts'].map((path) => `${path} written`).join('\n'),
    });
    expect(await project.read(crd)).not.toContain('old');

    await project.write({
      'evenkeel.config.ts': config.replace('  fields:', "  output: './config',\n  fields:"),
      [crd]: 'mine',
    });
    expect((await project.run('generate')).err).toContain(
      `evenkeel.config.ts:6: output: generate would overwrite ${crd}, which`,
    );
  });

  it('is rejected before any module loads if the configuration also lists it as a source', async () => {
    const broken = `// Made by "evenkeel generate"\n${site}throw new Error('loaded');\n`;
    await project.write({
      'src/cafe.ts': broken,
      'evenkeel.config.ts': config
        .replace("apis: ['./src/s*.ts'],", "apis: ['./src/cafe.ts'],")
        .replace('./src/fields.ts', 'src/cafe.ts'),
    });
    expect(await project.run('generate')).toEqual({
      exitCode: 1,
      out: '',
      err: 'error: evenkeel.config.ts: fields: generate would overwrite src/cafe.ts, which is a module of apis; set a new file, such as ./src/fields.ts [invalid-config]',
    });
    expect(await project.read('src/cafe.ts')).toBe(broken);
  });

  it('is not overwritten if it is a source that a pattern matches and fields names', async () => {
    await project.write({ 'evenkeel.config.ts': config.replace('./src/fields.ts', './src/site.ts') });
    expect((await project.run('generate')).err).toContain(
      'evenkeel.config.ts:6: fields: generate would overwrite src/site.ts, which',
    );
    expect(await project.read('src/site.ts')).toBe(site);
  });
});
