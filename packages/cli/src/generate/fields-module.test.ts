import { Project } from '../project.fixture.ts';

const site = `import { CustomResource, KubernetesObject, Spec } from '@evenkeel/core';
export class SiteSpec {
  open = true;
}
@CustomResource({ group: 'web.example.com', version: 'v1' })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
}
`;

let project: Project;

beforeEach(async () => {
  project = await Project.create({ 'src/site.ts': site, 'src/page.ts': site.replaceAll('Site', 'Page') });
});
afterEach(() => project.remove());

describe('the module with the fields of all kinds', () => {
  const config = (fields: string): Record<string, string> => ({
    'evenkeel.config.ts': `export default { apis: ['./src/*.ts'], fields: ${fields} };`,
  });

  it('is written and checked, and may be matched by a pattern of apis', async () => {
    await project.write(config("'./src/fields.ts'"));
    expect(await project.run('generate', '--check')).toMatchObject({ exitCode: 1 });
    expect((await project.run('generate')).exitCode).toBe(0);
    const module = await project.read('src/fields.ts');
    expect(module).toContain(`  'pages.web.example.com/v1': [
    'spec.open',
  ],
  'sites.web.example.com/v1': [
    'spec.open',
  ],
`);
    expect((await project.run('generate', '--check')).exitCode).toBe(0);
    await project.write({ 'src/site.ts': site.replace('open = true;', "open = true;\n  color = '';") });
    expect((await project.run('generate')).exitCode).toBe(0);
    expect(await project.read('src/fields.ts')).toBe(
      module.replace("'spec.open',\n  ],\n};", "'spec.color',\n    'spec.open',\n  ],\n};"),
    );
  });

  it.each(["''", "'./src/fields.json'", "'./src/fields.d.ts'", 'true'])('rejects fields: %s', async (fields) => {
    await project.write(config(fields));
    const { exitCode, err } = await project.run('generate');
    expect(exitCode).toBe(1);
    expect(err).toContain("fields must be the path of a TypeScript module to write, such as './src/fields.ts'");
  });
});
