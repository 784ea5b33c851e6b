import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SystemClock } from '@evenkeel/core';
import { reportUpgradeable } from '@evenkeel/runtime/lifecycle';
import { root } from '../../../../test/imports.fixture.ts';
import { hasKubectl } from '../../../../test/kubectl/kubectl-on-path.fixture.ts';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { withCluster } from '../cluster/cluster-client.ts';
import { Project } from '../project.fixture.ts';
import { run } from '../run.ts';
import { createTerminal } from '../terminal.ts';
import { bundledProject, bundleMetadata } from './bundled-project.fixture.ts';

const definitions = join(root, 'packages/olm/src/csv/recorded/crds');

(hasKubectl() ? describeWithRealServer : describe.skip)('a server with the CRDs of OLM', () => {
  let server: RealServer;
  let project: Project;

  async function kubectl(...words: readonly string[]): Promise<string> {
    const env = { ...process.env, KUBECONFIG: server.kubeconfig };
    const { stdout, stderr } = await promisify(execFile)('kubectl', words, { cwd: project.folder, env });
    // Warnings, such as those of deprecated fields.
    expect(stderr).toBe('');
    return stdout;
  }

  beforeAll(async () => {
    server = await startRealServer();
    project = await Project.create(
      bundledProject({
        bundle: `${bundleMetadata}
    catalogImage: 'registry.example.com/sites-catalog:latest',
    kinds: { Site: { actions: { replicas: { displayName: 'Scale' } } } },`,
        operator: 'leaderElection: true, metricsAuthentication: true,',
      }),
    );
    await kubectl('apply', '--server-side', '-f', definitions);
    await kubectl('wait', '--for=condition=Established', '--timeout=60s', '-f', definitions);
  });
  afterAll(async () => {
    await project?.remove();
    await server?.stop();
  });

  /** Applies what OLM reads, with unknown fields as errors. */
  async function applyManifests(folder: string): Promise<string> {
    return kubectl(
      'apply',
      '--server-side',
      '--validate=strict',
      '--namespace',
      'default',
      '-f',
      join(folder, 'manifests'),
    );
  }

  it.each(['nginx', 'memcached', 'cronjob'])('accepts the bundle of examples/%s', async (name) => {
    const folder = join(project.folder, name);
    const print = () => undefined;
    const terminal = createTerminal({ folder: join(root, 'examples', name), out: print, err: print });
    expect(await run(['bundle', '--folder', folder], terminal)).toBe(0);
    const applied = await applyManifests(folder);
    expect(applied.trim().split('\n')).toHaveLength(readdirSync(join(folder, 'manifests')).length);
    expect(applied).toMatch(/^clusterserviceversion\.operators\.coreos\.com\/\S+ serverside-applied$/m);
  });

  it('rejects an object with the size of the check object-too-large, and accepts a smaller one', async () => {
    const apply = (kib: number): Promise<string> => {
      const csv = {
        apiVersion: 'operators.coreos.com/v1alpha1',
        kind: 'ClusterServiceVersion',
        metadata: { name: 'large.v1.0.0' },
        spec: {
          displayName: 'Large',
          description: 'x'.repeat(kib * 1024),
          install: { strategy: 'deployment', spec: { deployments: [] } },
        },
      };
      const file = join(project.folder, 'large.json');
      writeFileSync(file, JSON.stringify(csv));
      return kubectl('apply', '--server-side', '--namespace', 'default', '-f', file);
    };
    await expect(apply(1536)).rejects.toThrow('too large');
    expect(await apply(1500)).toContain('serverside-applied');
  });

  it('accepts the manifests that install the operator, for OLM v0 and v1', async () => {
    expect(await project.run('bundle')).toMatchObject({ exitCode: 0 });
    await applyManifests(join(project.folder, 'bundle'));
    const applied: string[] = [];
    for (const version of ['v0', 'v1']) {
      const file = `bundle.install-${version}.yaml`;
      applied.push(...(await kubectl('apply', '--server-side', '--validate=strict', '-f', file)).trim().split('\n'));
    }
    expect(applied.map((line) => line.replace(' serverside-applied', ''))).toEqual([
      'namespace/sites-system',
      'catalogsource.operators.coreos.com/sites-catalog',
      'operatorgroup.operators.coreos.com/sites',
      'subscription.operators.coreos.com/sites',
      'namespace/sites-system',
      'clustercatalog.olm.operatorframework.io/sites-catalog',
      'clusterextension.olm.operatorframework.io/sites',
    ]);
  });

  it('accepts what an operator reports about its upgrades', async () => {
    const condition = {
      apiVersion: 'operators.coreos.com/v2',
      kind: 'OperatorCondition',
      metadata: { name: 'sites.v1' },
    };
    await project.write({ 'condition.json': JSON.stringify(condition) });
    await kubectl('apply', '--server-side', '--namespace', 'default', '-f', 'condition.json');
    const clock = new SystemClock();
    const place = { clock, namespace: 'default', environment: { OPERATOR_CONDITION_NAME: 'sites.v1' } };
    const busy = { isUpgradeable: false, reason: 'RestoreRunning', message: 'restores the Site blog' };
    await withCluster(
      server.kubeconfig,
      clock,
      createTerminal({ folder: project.folder, out: () => undefined, err: () => undefined }),
      async (client) => {
        expect(await reportUpgradeable(client, busy, place)).toBe('reported');
        expect(await reportUpgradeable(client, busy, place)).toBe('unchanged');
      },
    );
  });
});
