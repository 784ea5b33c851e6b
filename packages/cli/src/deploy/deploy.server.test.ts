import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { Project } from '../project.fixture.ts';
import { changedLines, siteFiles } from './deployed-sites.fixture.ts';

describeWithRealServer('evenkeel deploy on a real server with simulated nodes', () => {
  const full = { declares: 'leaderElection: true, metricsAuthentication: true', deployment: 'networkPolicy: true' };
  let server: RealServer;
  let project: Project;
  beforeAll(async () => {
    server = await startRealServer('nodes');
    project = await Project.create(siteFiles(full));
  });
  afterAll(async () => {
    await project?.remove();
    await server?.stop();
  });
  const run = (...words: string[]) => project.run(...words, '--kubeconfig', server.kubeconfig);
  const sites = '/apis/example.com/v1/namespaces/default/sites';
  const site = {
    apiVersion: 'example.com/v1',
    kind: 'Site',
    metadata: { name: 'blog', finalizers: ['example.com/cleanup'] },
    spec: {},
  };

  it('deploys, changes nothing the second time, upgrades, prunes and undeploys', async () => {
    const dry = await run('deploy', '--dry-run=server');
    expect(dry).toMatchObject({ exitCode: 0, out: expect.stringContaining('would deploy: 16 created') });
    const first = await run('deploy');
    expect(first).toMatchObject({ exitCode: 0, out: expect.stringContaining('deployed: 16 created') });
    expect(changedLines((await run('deploy')).out)).toEqual(['Deployment sites is available: 1 of 1 pods']);
    // The pods of kwok run no operator, so there is no leader.
    const checked = JSON.parse((await run('doctor', '-o', 'json')).out) as {
      checks: { check: string; status: string }[];
    };
    expect(checked.checks.filter(({ status }) => status !== 'ok').map(({ check }) => check)).toEqual(['leader']);

    // Both directions of the strategy: an operator without leader election is stopped before the new one starts.
    await project.write(siteFiles({ deployment: "image: 'sites:2'" }));
    const second = await run('deploy');
    expect({ exitCode: second.exitCode, err: second.err.match(/error: .*/)?.[0] }).toEqual({
      exitCode: 0,
      err: undefined,
    });
    expect(second.out).toContain('  spec.template.spec.containers[manager].image: "sites:1.2.0" -> "sites:2"');
    expect(second.out.split('\n').filter((line) => /^\S+ deleted$/.test(line))).toEqual([
      'networkpolicy.networking.k8s.io/sites deleted',
      'service/sites-metrics deleted',
      'clusterrole.rbac.authorization.k8s.io/sites-metrics-reader deleted',
      'clusterrolebinding.rbac.authorization.k8s.io/sites-metrics deleted',
      'clusterrole.rbac.authorization.k8s.io/sites-metrics deleted',
      'rolebinding.rbac.authorization.k8s.io/sites-leader-election deleted',
      'role.rbac.authorization.k8s.io/sites-leader-election deleted',
    ]);
    await project.write(siteFiles(full));
    expect((await run('deploy')).exitCode).toBe(0);

    expect((await server.send('POST', sites, { body: site })).status).toBe(201);
    const stuck = await run('undeploy', '--delete-crds', '--yes', '--timeout', '2s');
    expect(stuck).toMatchObject({ exitCode: 1, err: expect.stringContaining('blog: finalizers example.com/cleanup') });
    const body = { metadata: { finalizers: null } };
    await server.send('PATCH', `${sites}/blog`, { body, contentType: 'application/merge-patch+json' });
    const removed = await run('undeploy', '--delete-crds', '--delete-namespace', '--yes', '--timeout', '3m');
    expect(removed).toMatchObject({ exitCode: 0, out: expect.stringContaining('namespace/sites-system deleted') });
    expect(removed.out).not.toContain(' kept');
    expect((await server.send('GET', '/api/v1/namespaces/sites-system')).status).toBe(404);
  });

  it('finds the owner of a field, and a breaking change of a live CRD', async () => {
    await project.write(siteFiles());
    expect((await run('deploy')).exitCode).toBe(0);
    const scale = '/apis/apps/v1/namespaces/sites-system/deployments/sites?fieldManager=somebody';
    const body = { spec: { replicas: 2 } };
    await server.send('PATCH', scale, { body, contentType: 'application/merge-patch+json' });
    const refused = await run('deploy');
    expect(refused.exitCode).toBe(1);
    expect(refused.err).toContain('[apply-conflict]\n    spec.replicas: owned by "somebody" using apps/v1');
    expect((await run('deploy', '--force-conflicts')).out).toContain('  spec.replicas: 2 -> 1');
    await project.write(siteFiles({ spec: "host: string = 'other.example.com';" }));
    const breaking = await run('install');
    expect(breaking.err).toContain('v1: spec.host: changes from "example.com" to "other.example.com"');
    expect((await run('install', '--allow-breaking')).exitCode).toBe(0);
    // A CRD that the server has stored is equal to the one that was generated.
    expect((await run('install')).out).toContain('installed: 1 unchanged');
  });
});
