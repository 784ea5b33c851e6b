import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import type { Project } from '../project.fixture.ts';
import { resultsIn, scoredShop } from './scored-shop.fixture.ts';

describeWithRealServer('evenkeel scorecard on a real server with simulated nodes', () => {
  let server: RealServer;
  let project: Project;
  beforeAll(async () => {
    server = await startRealServer('nodes');
    project = await scoredShop();
  });
  afterAll(async () => {
    await project?.remove();
    await server?.stop();
  });

  async function names(path: string): Promise<readonly string[]> {
    const { body } = await server.send('GET', path);
    const { items } = body as { items: readonly { metadata: { name: string } }[] };
    return items.map(({ metadata }) => metadata.name);
  }

  it('has the results of the embedded server, and leaves nothing', async () => {
    const before = await names('/api/v1/namespaces');
    const options = ['--selector', 'suite in (built-in,kuttl)', '--output', 'json'];
    const embedded = await project.run('scorecard', 'bundle', ...options);
    const real = await project.run('scorecard', 'bundle', ...options, '--kubeconfig', server.kubeconfig);
    const results = (output: string): string[] =>
      resultsIn(output)
        .filter((line) => /^(?:pass|fail|error) /.test(line))
        // Objects of a bundle outside of its namespace are only rejected on a shared cluster.
        .filter((line) => !line.endsWith(' far'));
    expect(results(real.out)).toEqual(results(embedded.out));
    expect(results(real.out)).toContain('pass lifecycle');
    expect(await names('/api/v1/namespaces')).toEqual(before);
    expect(await names('/apis/apiextensions.k8s.io/v1/customresourcedefinitions')).toEqual([]);
  });
});
