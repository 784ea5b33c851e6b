import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Project } from './project.fixture.ts';
import { projectFiles } from './scaffold/project-files.ts';
import { planProject } from './scaffold/project-plan.ts';

const plan = planProject({ folder: 'cache-operator', kinds: 'Memcached', group: 'cache.example.com' }, '/');
const { 'src/memcached.test.ts': _test, ...files } = projectFiles(plan);

let project: Project;
afterEach(() => project.remove());

describe('a project whose folder was moved and renamed', () => {
  it('has current files, and runs', async () => {
    project = await Project.create(files, 'here');
    await project.run('generate');
    expect(await project.process('dev', '--once')).toMatchObject({ exitCode: 0 });
    project = await project.moved('there/another-name');
    expect(await project.run('generate', '--check')).toEqual({ exitCode: 0, out: '10 files are current', err: '' });
    const { exitCode, output } = await project.process('dev', '--once');
    expect(output).toContain('available  default/memcached-sample');
    expect(exitCode).toBe(0);
    expect(await readdir(join(project.folder, '.evenkeel'))).toEqual(['generated.json']);
  });

  it('writes the files of a renamed operator, and keeps all files that are still needed', async () => {
    project = await Project.create(files, 'here');
    await project.run('generate');
    const operator = await project.read('src/operator.ts');
    await project.write({ 'src/operator.ts': operator.replace("'cache-operator'", "'another-name'") });
    const check = await project.run('generate', '--check');
    expect(check.err).toContain('config/manager/deployment.yaml is stale');
    expect(check.exitCode).toBe(1);
    const { exitCode, out } = await project.run('generate');
    expect(out).toContain('config/manager/deployment.yaml written');
    expect(exitCode).toBe(0);
    expect(await project.run('generate', '--check')).toMatchObject({ exitCode: 0 });
  });
});
