import { Project } from '../project.fixture.ts';

const mistaken = {
  'evenkeel.config.ts': "export default { apis: ['./src/site.ts', './src/page.ts'], operator: './src/operator.ts' };",
  'src/operator.ts': `import { defineOperator } from 'evenkeel';
import { NoMethod } from './a.ts';
export const operator = defineOperator({ name: 'Sites', controllers: [NoMethod] });
`,
  'src/site.ts': `import { IsInt, MaxLength } from 'class-validator';
import { CustomResource, KubernetesObject, Spec } from 'evenkeel';
export class SiteSpec {
  @IsInt() visitors = 'ten';
  @MaxLength(-1) title = 'a';
}
@CustomResource({ group: 'web.example.com', version: 'v1' })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
}
export class Page extends KubernetesObject {}
`,
  'src/a.ts': `import { Controller } from 'evenkeel';
import { Site } from './site.ts';
@Controller(Site)
export class NoMethod {}
`,
  'src/page.ts': `import { Nothing } from './nothing.ts';
export const b = Nothing;
`,
};

describe('evenkeel dev and evenkeel generate', () => {
  let project: Project;
  beforeEach(async () => {
    project = await Project.create(mistaken);
  });
  afterEach(() => project.remove());

  it('report the same mistakes of a project, all at once, each with its location and code', async () => {
    const { err } = await project.run('generate');
    const lines = err.split('\n');
    expect(lines.at(-1)).toBe(`${lines.length - 1} errors; no file was written`);
    const { exitCode, output } = await project.process('dev', '--once');
    expect(output.trimEnd().split('\n')).toEqual(lines.slice(0, -1));
    expect(exitCode).toBe(1);
    expect(lines.map((line) => /^error: (\S+?):.* \[(.+)\]$/.exec(line)?.slice(1).join(' '))).toEqual([
      'src/page.ts module-not-loaded',
      'src/site.ts conflicting-types',
      'src/site.ts impossible-constraint',
      'src/site.ts missing-custom-resource',
      'src/operator.ts invalid-option',
      'src/a.ts controller-without-reconcile',
      undefined,
    ]);
  });
});
