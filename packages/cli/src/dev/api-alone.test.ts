import { join } from 'node:path';
import { ApiServer } from '@evenkeel/apiserver';
import { Project } from '../project.fixture.ts';

const files = {
  'evenkeel.config.ts': "export default { apis: ['./src/site.ts'], samples: ['./sample.yaml'] };",
  'src/site.ts': `import { CustomResource, KubernetesObject } from 'evenkeel';
@CustomResource({ group: 'web.example.com', version: 'v1' })
export class Site extends KubernetesObject {}
`,
  'sample.yaml': 'apiVersion: web.example.com/v1\nkind: Site\nmetadata: { name: home }\n',
};

describe('evenkeel dev of a project that has no controllers', () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create(files);
  });
  afterAll(() => project.remove());

  it('serves its kinds with the samples in them, which nobody is waited for to reconcile', async () => {
    const { exitCode, told } = await project.process('dev', '--once');
    expect(told).toMatch(/crd +generated and installed sites\.web\.example\.com/);
    expect(told).toMatch(/sample +applied Site default\/home/);
    expect(told).toMatch(/manager +none: the project has no controllers/);
    expect(told).not.toContain('started');
    expect(exitCode).toBe(0);
  });

  it('stays on a cluster until it is told to end, though nothing of it is at work there', async () => {
    const server = await ApiServer.create();
    try {
      await server.listen();
      await server.writeKubeconfig(join(project.folder, 'cluster'));
      const { exitCode, told } = await project.interrupted('kubectl edit ', 'dev', '--kubeconfig', 'cluster');
      expect(told).toContain('what it installed and applied stays on the cluster');
      expect(exitCode).toBe(0);
    } finally {
      await server.close();
    }
  });

  it('says so where a pattern for controllers finds none', async () => {
    await project.write({
      'evenkeel.config.ts': "export default { apis: ['./src/site.ts'], controllers: ['./src/*.ts'] };",
    });
    expect(await project.process('dev', '--once')).toEqual({
      exitCode: 1,
      told: 'error: evenkeel.config.ts names no module that exports a class with @Controller; add one to "controllers", or leave that out for the API alone [missing-controller]\n',
    });
  });
});
