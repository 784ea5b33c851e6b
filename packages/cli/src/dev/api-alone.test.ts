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

  it('reports an operator without controllers', async () => {
    await project.write({
      'evenkeel.config.ts': "export default { apis: ['./src/site.ts'], operator: './src/operator.ts' };",
      'src/operator.ts': `import { defineOperator } from 'evenkeel';
export const operator = defineOperator({ name: 'sites', controllers: [] });
`,
    });
    expect(await project.process('dev', '--once')).toEqual({
      exitCode: 1,
      output:
        'error: src/operator.ts:2: defineOperator(): the option "controllers" is empty and there are no "webhooks" or "runnables", so nothing would run; pass controllers, such as controllers: [TheController] [invalid-option]\n',
    });
  });

  it('reports a sample in a namespace that the operator does not watch', async () => {
    await project.write({
      'evenkeel.config.ts':
        "export default { apis: ['./src/site.ts'], operator: './src/operator.ts', samples: ['./sample.yaml'] };",
      'src/operator.ts': `import { controllerFor, defineOperator } from 'evenkeel';
import { Site } from './site.ts';
const controllers = [controllerFor(Site).reconcile(() => {})];
export const operator = defineOperator({ name: 'sites', controllers, namespaces: ['blue'] });
`,
    });
    const { exitCode, output } = await project.process('dev', '--once');
    expect(output).toContain(
      'sample.yaml, document 1: the operator does not watch the namespace default, only blue; set metadata.namespace of the sample, or "namespaces" of defineOperator() [invalid-sample]',
    );
    expect(exitCode).toBe(1);
  });
});
