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

describe('evenkeel dev for a project without controllers', () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create(files);
  });
  afterAll(() => project.remove());

  it('serves its kinds and samples, and does not wait for a reconcile', async () => {
    const { exitCode, output } = await project.process('dev', '--once');
    expect(output).toMatch(/crd +generated and installed sites\.web\.example\.com/);
    expect(output).toMatch(/sample +applied Site default\/home/);
    expect(output).toMatch(/manager +none: the project has no controllers/);
    expect(output).not.toContain('started');
    expect(exitCode).toBe(0);
  });

  it('runs on a cluster until it is stopped, although it has nothing to do', async () => {
    const server = await ApiServer.create();
    try {
      await server.listen();
      await server.writeKubeconfig(join(project.folder, 'cluster'));
      const { exitCode, output } = await project.interrupted('kubectl edit ', 'dev', '--kubeconfig', 'cluster');
      expect(output).toContain('the CRDs and samples stay on the cluster');
      expect(exitCode).toBe(130);
    } finally {
      await server.close();
    }
  });

  it('reports a controllers pattern that finds no controller', async () => {
    await project.write({
      'evenkeel.config.ts': "export default { apis: ['./src/site.ts'], controllers: ['./src/*.ts'] };",
    });
    expect(await project.process('dev', '--once')).toEqual({
      exitCode: 1,
      output:
        'error: evenkeel.config.ts: no module in "controllers" exports a class with @Controller; add one, or remove "controllers" to serve only the API [missing-controller]\n',
    });
  });
});
