import { parse } from 'yaml';
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

  it('creates only objects of the kinds of a bundle that it does not trust, and leaves existing CRDs as they are', async () => {
    const file = 'bundle/manifests/shops.clusterserviceversion.yaml';
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'mine' },
      rules: [],
    };
    const original = await project.read(file);
    const csv = JSON.parse(original) as { metadata: { annotations: Record<string, string> } };
    csv.metadata.annotations['alm-examples'] = JSON.stringify([role]);
    const definition = JSON.parse(
      JSON.stringify(parse(await project.read('config/crd/scorecard.example.com_shops.yaml'))),
    );
    definition.metadata.labels = { kept: 'yes' };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    expect((await server.send('POST', definitions, { body: definition })).status).toBe(201);
    await project.write({ [file]: JSON.stringify(csv) });
    const options = ['--selector', 'test=basic-check-spec-test', '--no-operator', '--kubeconfig', server.kubeconfig];
    const { out } = await project.run('scorecard', 'bundle', ...options);
    await project.write({ [file]: original });
    expect(out).toContain(
      'alm-examples[0]: ClusterRole mine: it is not of a kind of the bundle, so it is not created on a cluster; remove it',
    );
    expect((await server.send('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/mine')).status).toBe(404);
    const { body } = await server.send('GET', `${definitions}/shops.scorecard.example.com`);
    expect(body).toMatchObject({ metadata: { labels: { kept: 'yes' } } });
    expect((await server.send('DELETE', `${definitions}/shops.scorecard.example.com`)).status).toBe(200);
  });

  it('leaves nothing after Ctrl-C', async () => {
    const before = await names('/api/v1/namespaces');
    const options = [
      '--selector',
      'suite=slow',
      '--trust-bundle',
      '--timeout',
      '5m',
      '--kubeconfig',
      server.kubeconfig,
    ];
    const session = project.session('scorecard', 'bundle', '--verbose', ...options);
    await session.prints(/available: scorecard-\w+\/corner/);
    expect(await session.interrupt()).toBe('SIGINT');
    expect(await names('/api/v1/namespaces')).toEqual(before);
  });
});
