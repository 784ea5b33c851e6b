import { Project } from '../project.fixture.ts';

const mistaken = {
  'evenkeel.config.ts':
    "export default { apis: ['./src/site.ts'], controllers: ['./src/a.ts', './src/b.ts'], services: ['./src/prices.ts'] };",
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
  'src/a.ts': `import { Controller, Reconcile } from 'evenkeel';
import { Site } from './site.ts';
@Controller(Site)
export class NoMethod {}
@Controller
export class Uncalled { @Reconcile() run(): void {} }
`,
  'src/b.ts': `import { Nothing } from './nothing.ts';
export const b = Nothing;
`,
  'src/prices.ts': 'export class Prices {}\nthrow new Error("no prices");\n',
};

describe('a project with mistakes', () => {
  let project: Project;
  beforeEach(async () => {
    project = await Project.create(mistaken);
  });
  afterEach(() => project.remove());

  it('is told all of them by dev as by generate, each with its place in the project and its own code', async () => {
    const { err } = await project.run('generate');
    const lines = err.split('\n');
    expect(lines.at(-1)).toBe(`${lines.length - 1} errors; nothing is written`);
    const { exitCode, told } = await project.process('dev', '--once');
    expect(told.trimEnd().split('\n')).toEqual(lines.slice(0, -1));
    expect(exitCode).toBe(1);
    expect(lines.map((line) => /^error: (\S+?):.* \[(.+)\]$/.exec(line)?.slice(1).join(' '))).toEqual([
      'src/a.ts controller-without-reconcile',
      'src/a.ts decorator-not-called',
      'src/b.ts module-not-loaded',
      'src/prices.ts module-not-loaded',
      'src/site.ts conflicting-types',
      'src/site.ts impossible-constraint',
      'src/site.ts missing-custom-resource',
      undefined,
    ]);
  });
});
