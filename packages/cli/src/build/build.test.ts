import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Project } from '../project.fixture.ts';
import { projectFiles } from '../scaffold/project-files.ts';
import { planProject } from '../scaffold/project-plan.ts';

/** The project of `evenkeel init`, with the packages of this repository. */
async function created(controllers: 'classes' | 'functions'): Promise<Project> {
  const plan = planProject({ folder: 'shops', kinds: 'Shop,DNSZone', group: 'shop.example.com' }, '/');
  return Project.create(projectFiles({ ...plan, controllers }));
}

describe.each(['classes', 'functions'] as const)('a new project with controllers as %s', (controllers) => {
  let project: Project;
  beforeAll(async () => {
    project = await created(controllers);
  });
  afterAll(() => project?.remove());

  it('is generated, compiles, and is bundled into one file that starts alone', async () => {
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
    project.compile();
    const { exitCode, output } = await project.process('build');
    expect(output).toMatch(/^dist\/operator\.mjs written: [\d,]+ KB\n$/);
    expect(exitCode).toBe(0);
    const { status, stdout } = spawnSync(process.execPath, [join(project.folder, 'dist/operator.mjs'), '--help'], {
      cwd: '/',
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('--metrics-address') });
  });

  it('converges with its samples', async () => {
    const { exitCode, output } = await project.process('dev', '--once');
    expect(output).toMatch(/available +default\/shop-sample +2 of 2 pods are ready/);
    expect(output).toMatch(/available +default\/dns-zone-sample +2 of 2 pods are ready/);
    expect(exitCode).toBe(0);
  });
});

describe('evenkeel build', () => {
  let project: Project;
  beforeAll(async () => {
    project = await created('classes');
  });
  afterAll(() => project?.remove());

  it('says which file to generate first', async () => {
    const { exitCode, output } = await project.process('build');
    expect(output).toMatch(
      /^error: src\/main\.ts.*'\.\/fields\.ts'.*; run evenkeel generate, which writes it \[bundle-failed\]\n$/,
    );
    expect(exitCode).toBe(1);
  });

  it.each([
    [
      'a missing package',
      "import 'nowhere';\n",
      /^error: src\/broken\.ts.*'nowhere'.*; correct the path, or install the package \[bundle-failed\]\n$/,
    ],
    ['a syntax error', 'const = 1;\n', /^error: src\/broken\.ts:1: .*; fix the module \[bundle-failed\]\n$/],
  ])('reports %s in a line, and writes nothing', async (_what, text, message) => {
    await project.write({ 'src/broken.ts': text });
    const { exitCode, output } = await project.process('build', 'src/broken.ts', '--outfile', 'out/broken.mjs');
    expect(output).toMatch(message);
    expect(exitCode).toBe(1);
    await expect(project.read('out/broken.mjs')).rejects.toThrow('ENOENT');
  });

  it('reports a main module that does not exist', async () => {
    const { output } = await project.process('build', 'src/none.ts');
    expect(output).toBe(
      'error: src/none.ts does not exist; pass the module that runs the operator: evenkeel build <main> [bundle-failed]\n',
    );
  });
});
