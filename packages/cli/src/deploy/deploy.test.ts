import { SystemClock } from '@evenkeel/core';
import {
  ClusterRole,
  ConfigMap,
  CoreEvent,
  CustomResourceDefinition,
  Deployment,
  Pod,
  ServiceAccount,
  ValidatingWebhookConfiguration,
} from '@evenkeel/kinds';
import { eventually } from '@evenkeel/testing';
import { changedLines, DeployedSites, namespace, type SitesOptions, siteFiles } from './deployed-sites.fixture.ts';
import { DeploymentRecord } from './deployment-record.ts';

let sites: DeployedSites;
afterEach(async () => sites.close());

const start = async (...options: Parameters<typeof DeployedSites.create>): Promise<void> => {
  sites = await DeployedSites.create(...options);
};
const deployment = { namespace, name: 'sites' };

/** Runs a deployment whose only pod has this status when the Deployment gives up. Returns what the command prints at the end. */
async function failingDeployment(status: object, events: readonly object[] = []): Promise<string[]> {
  await start({}, { controllers: false });
  const { client } = sites;
  const running = sites.run('deploy');
  await eventually(() => client.get(Deployment, deployment), { timeout: '60s' });
  const { spec } = await client.get(Deployment, deployment);
  const pod = { ...deployment, name: 'sites-0' };
  const template = { metadata: { ...pod, labels: spec?.template.metadata?.labels ?? {} }, spec: spec?.template.spec };
  await client.create(Pod, template as never);
  await client.subresource(Pod, pod, 'status').patch({ merge: { status } as never });
  for (const event of events) {
    const involvedObject = { kind: 'Pod', ...pod };
    await client.create(CoreEvent, { metadata: { namespace, name: 'event' }, involvedObject, ...event } as never);
  }
  const given = {
    type: 'Progressing',
    status: 'False',
    reason: 'ProgressDeadlineExceeded',
    message: 'it has timed out',
  };
  const failed = {
    observedGeneration: 1,
    replicas: 1,
    updatedReplicas: 1,
    unavailableReplicas: 1,
    conditions: [given],
  };
  await client.subresource(Deployment, deployment, 'status').patch({ merge: { status: failed } as never });
  const { exitCode, err } = await running;
  expect(exitCode).toBe(1);
  const lines = err.split('\n');
  return lines.slice(lines.findIndex((line) => line.startsWith('error: ')));
}

describe('evenkeel deploy', () => {
  it('applies all objects in order, waits until the operator is available, and then changes nothing', async () => {
    await start();
    const { exitCode, out, err } = await sites.run('deploy');
    expect({ exitCode, err: err.replace(/https:\S+?\)/, 'URL)') }).toEqual({
      exitCode: 0,
      err: 'deploying sites in the namespace sites-system: context evenkeel (URL)',
    });
    expect(out.split('\n')).toEqual([
      'namespace/sites-system created',
      'customresourcedefinition.apiextensions.k8s.io/sites.example.com created',
      ...['admin', 'editor', 'viewer'].map(
        (level) => `clusterrole.rbac.authorization.k8s.io/sites.example.com-${level} created`,
      ),
      'serviceaccount/sites created',
      'clusterrole.rbac.authorization.k8s.io/sites created',
      'clusterrolebinding.rbac.authorization.k8s.io/sites created',
      'deployment.apps/sites created',
      'Deployment sites is available: 1 of 1 pods',
      'deployed: 9 created',
    ]);
    const again = await sites.run('deploy');
    expect(changedLines(again.out)).toEqual(['Deployment sites is available: 1 of 1 pods']);
    await expect(sites.project.read('config/crd')).rejects.toThrow('ENOENT');
  });

  it('prints one document for programs', async () => {
    await start();
    const { exitCode, out } = await sites.run('deploy', '--output', 'json', '--image', 'registry.example.com/sites:2');
    const report = JSON.parse(out);
    expect({ exitCode, ...report, objects: report.objects.length }).toMatchObject({
      ...{ exitCode: 0, version: 1, command: 'deploy', ok: true, dryRun: false, context: 'evenkeel' },
      operator: { name: 'sites', namespace },
      ...{ objects: 9, findings: [] },
    });
    const { spec } = await sites.client.get(Deployment, deployment);
    expect(spec?.template.spec?.containers[0]?.image).toBe('registry.example.com/sites:2');
  });

  it('writes nothing in a dry run, also before and after the first deployment', async () => {
    await start();
    const first = await sites.run('deploy', '--dry-run', 'server');
    expect(first.exitCode).toBe(0);
    expect(first.out).toContain(
      'deployment.apps/sites created (dry run)\nwould deploy: 9 created; nothing was written',
    );
    await expect(sites.client.get(CustomResourceDefinition, 'sites.example.com')).rejects.toThrow('not found');
    await sites.run('deploy');
    const before = await sites.client.get(Deployment, deployment);
    const second = await sites.run('deploy', '--dry-run=server', '--image', 'other:1');
    expect(changedLines(second.out)).toEqual([
      'deployment.apps/sites configured (dry run)',
      '  spec.template.spec.containers[manager].image: "sites:1.2.0" -> "other:1"',
      'would deploy: 1 configured, 8 unchanged; nothing was written',
    ]);
    expect(await sites.client.get(Deployment, deployment)).toEqual(before);
  });

  it('deletes what an older version has left, unless others have created it again', async () => {
    const full: SitesOptions = { declares: 'leaderElection: true, metricsAuthentication: true' };
    await start(full);
    await sites.run('deploy');
    await sites.client.delete(ClusterRole, 'sites-metrics-reader');
    await sites.client.create(ClusterRole, { metadata: { name: 'sites-metrics-reader' }, rules: [] });
    await sites.change({});
    const { exitCode, out } = await sites.run('deploy');
    expect(exitCode).toBe(0);
    expect(out.split('\n').filter((line) => /deleted|kept/.test(line))).toEqual([
      'service/sites-metrics deleted',
      'clusterrole.rbac.authorization.k8s.io/sites-metrics-reader kept: it belongs to somebody',
      'clusterrolebinding.rbac.authorization.k8s.io/sites-metrics deleted',
      'clusterrole.rbac.authorization.k8s.io/sites-metrics deleted',
      'rolebinding.rbac.authorization.k8s.io/sites-leader-election deleted',
      'role.rbac.authorization.k8s.io/sites-leader-election deleted',
      'deployed: 1 configured, 8 unchanged, 5 deleted, 1 kept',
    ]);
    expect(changedLines((await sites.run('deploy')).out)).toEqual(['Deployment sites is available: 1 of 1 pods']);
  });

  it('names the owner of a field in a conflict, and takes it over only on demand', async () => {
    await start();
    await sites.run('deploy');
    await sites.client.apply(Deployment, { metadata: { namespace, name: 'sites' }, spec: { replicas: 3 } } as never, {
      force: true,
      fieldManager: 'autoscaler',
    });
    const refused = await sites.run('deploy');
    expect(refused.exitCode).toBe(1);
    expect(refused.err.split('\n').slice(1)).toEqual([
      'error: deployment.apps/sites: other field managers own fields with other values; make them stop writing these fields, or take the fields over with --force-conflicts [apply-conflict]',
      '    spec.replicas: owned by "autoscaler"',
    ]);
    const forced = await sites.run('deploy', '--force-conflicts');
    expect(changedLines(forced.out)).toContain('  spec.replicas: 3 -> 1');
  });

  it('writes nothing if an object has a conflict, and names all of them', async () => {
    await start({ declares: 'leaderElection: true' });
    await sites.run('deploy');
    for (const role of ['sites', 'sites.example.com-viewer']) {
      const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
      await sites.client.apply(ClusterRole, { metadata: { name: role }, rules } as never, {
        force: true,
        fieldManager: 'auditor',
      });
    }
    const before = await sites.client.get(Deployment, deployment);
    const record = await sites.client.get(ConfigMap, { namespace, name: 'sites-deployment' });
    const { exitCode, out, err } = await sites.run('deploy', '--image', 'other:2');
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    const conflicts = [
      ...err.matchAll(/^error: clusterrole\.rbac\.authorization\.k8s\.io\/(\S+): other field managers/gm),
    ];
    expect(conflicts.map(([, role]) => role)).toEqual(['sites.example.com-viewer', 'sites']);
    expect(err.match(/ {4}rules: owned by "auditor"/g)).toHaveLength(2);
    expect(await sites.client.get(Deployment, deployment)).toEqual(before);
    expect(await sites.client.get(ConfigMap, { namespace, name: 'sites-deployment' })).toEqual(record);
    expect((await sites.run('deploy', '--image', 'other:2', '--force-conflicts')).exitCode).toBe(0);
  });

  it('accepts a new version with other fields if lossy.versions accepts their loss', async () => {
    await start();
    await sites.run('install');
    const { 'src/site.ts': source = '' } = siteFiles();
    const current = `export class SiteV2Spec { host: string = 'example.com'; port?: number; }
@CustomResource({ group: 'example.com', version: 'v2', kind: 'Site', lossy: { versions: { 'spec.port': 'v1 ends soon' } } })
export class SiteV2 extends KubernetesObject { @Spec() spec!: SiteV2Spec; }
`;
    await sites.project.write({
      'src/site.ts': `${source.replace("version: 'v1' }", "version: 'v1', storage: true }")}${current}`,
    });
    const { exitCode, out } = await sites.run('install');
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringContaining('sites.example.com configured') });
  });

  it('refuses breaking changes of CRDs, and always the removal of a stored version', async () => {
    await start();
    await sites.run('install');
    await sites.change({ spec: 'port: number = 80;' });
    for (const command of ['install', 'deploy']) {
      const { exitCode, out, err } = await sites.run(command);
      expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
      expect(err).toContain('or accept them with --allow-breaking [breaking-definition]');
      expect(err).toContain('    sites.example.com: v1: spec.host: is removed');
    }
    const allowed = await sites.run('install', '--allow-breaking');
    expect(allowed.exitCode).toBe(0);
    expect(allowed.err).toContain('notice: allowed by --allow-breaking: sites.example.com: v1: spec.host: is removed');
    await sites.client
      .subresource(CustomResourceDefinition, 'sites.example.com', 'status')
      .patch({ merge: { status: { storedVersions: ['v1beta1', 'v1'] } } as never });
    const stored = await sites.run('install', '--allow-breaking');
    expect(stored.exitCode).toBe(1);
    expect(stored.err).toContain(
      'version v1beta1 is removed, but objects are stored in it; run "evenkeel migrate sites.example.com" first',
    );
  });

  it('refuses a context that the configuration does not name', async () => {
    await start({ deployment: "contexts: ['kind-dev']" });
    const { exitCode, out, err } = await sites.run('deploy');
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toMatch(
      /^error: the context is "evenkeel" \(https:\S+\), and deployment.contexts of the configuration allows only "kind-dev"; pass --context NAME, or add it to deployment.contexts \[context-not-allowed\]$/,
    );
    expect((await sites.run('deploy', '--context', 'kind-dev')).err).toContain('[invalid-kubeconfig]');
  });

  it('lists all missing permissions before it writes', async () => {
    await start({}, { tokens: { weak: { name: 'eve', uid: 'eve', groups: ['system:authenticated'], extra: {} } } });
    await sites.writeToken('weak', 'weak');
    const { exitCode, out, err } = await sites.project.run('deploy', '--kubeconfig', 'weak');
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toContain(
      'lacks 18 permissions; nothing was written. Use another user, or grant: [cluster-access-denied]',
    );
    expect(err).toContain('    patch deployments.apps in the namespace sites-system');
    await sites.writeToken('wrong', 'wrong');
    const wrong = await sites.project.run('deploy', '--kubeconfig', 'wrong');
    expect(wrong.err).toContain('the API server does not accept the credentials');
    expect(wrong.err).toContain('[cluster-access-denied]');
  });

  it('reports a cluster that does not respond, in both formats', async () => {
    await start();
    await sites.server.close();
    const { err } = await sites.run('deploy');
    expect(err).toContain('connection refused; check that the cluster is running');
    // The kubeconfig of a session that was killed.
    expect(err).toContain('server of a session of evenkeel dev; start evenkeel dev again, or use another kubeconfig');
    const { exitCode, out } = await sites.run('deploy', '-o', 'json');
    expect({ exitCode, ...JSON.parse(out) }).toMatchObject({
      ...{ exitCode: 1, ok: false },
      findings: [{ level: 'error', code: 'cluster-unreachable' }],
    });
  });

  it('says why the pods are not available', async () => {
    const manager = { name: 'manager', image: 'sites:1.2.0', imageID: '', ready: false, restartCount: 0 };
    const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image "sites:1.2.0"' };
    const containerStatuses = [{ ...manager, state: { waiting } }];
    const event = { type: 'Warning', reason: 'Failed', message: 'no such host', count: 3 };
    expect(await failingDeployment({ phase: 'Pending', containerStatuses }, [event])).toEqual([
      'error: Deployment sites is not available, 0 of 1 pods: it has timed out; fix the problems of its pods [not-rolled-out]',
      '    pod sites-0: container manager waits: ImagePullBackOff: Back-off pulling image "sites:1.2.0"; check the name and the tag of the image, and that the cluster may pull it',
      '      event: Failed: no such host (3 times)',
    ]);
  });

  it('says that a pod cannot be scheduled', async () => {
    const message = '0/3 nodes are available: 3 Insufficient memory.';
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }];
    const event = { type: 'Warning', reason: 'FailedScheduling', message };
    expect((await failingDeployment({ conditions }, [event])).slice(1)).toEqual([
      `    pod sites-0: is not scheduled: Unschedulable: ${message}`,
    ]);
  });

  it('waits for another deployment of the same operator, and refuses to write at the same time', async () => {
    await start();
    await sites.run('deploy');
    const { client } = sites;
    const [clock, { signal }] = [new SystemClock(), new AbortController()];
    const other = new DeploymentRecord({ client, clock, manager: 'other', operator: { name: 'sites', namespace } });
    await other.acquire(0, signal, () => undefined);
    const { exitCode, err } = await sites.run('deploy', '--timeout', '1s', '--image', 'sites:2');
    expect(exitCode).toBe(1);
    expect(err).toMatch(
      /waiting for the deployment by \S+@\S+\nerror: \S+@\S+ is deploying sites .*\[deployment-locked\]$/,
    );
    const waiting = sites.run('deploy', '--image', 'sites:2');
    await other.release();
    expect((await waiting).exitCode).toBe(0);
    const both = await Promise.all([sites.run('deploy'), sites.run('deploy', '--image', 'sites:3')]);
    expect(both.map((one) => one.exitCode)).toEqual([0, 0]);
    const record = await sites.client.get(ConfigMap, { namespace, name: 'sites-deployment' });
    expect(record.metadata.annotations).not.toHaveProperty('evenkeel.dev/deploying');
    expect(JSON.parse(record.data?.['objects'] ?? '')).toHaveLength(9);
  });

  it('lets the API server call webhooks only when the operator is available', async () => {
    await start({ hasWebhook: true }, { controllers: { kubelet: false } });
    const failed = await sites.run('deploy', '--timeout', '1s');
    expect(failed.exitCode).toBe(1);
    await expect(sites.client.get(ValidatingWebhookConfiguration, 'sites')).rejects.toThrow('not found');
    await sites.close();
    await start({ hasWebhook: true });
    const caBundle = Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64');
    expect(await sites.deployWithWebhook(caBundle)).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('the API server can call the webhooks'),
    });
    // Not taken back from the operator.
    await sites.run('deploy');
    const { webhooks } = await sites.client.get(ValidatingWebhookConfiguration, 'sites');
    expect(webhooks?.[0]?.clientConfig.caBundle).toBe(caBundle);
  });

  it('refuses a project without an operator', async () => {
    await start();
    await sites.project.write({ 'evenkeel.config.ts': "export default { apis: ['./src/site.ts'] };" });
    expect((await sites.run('deploy')).err).toContain('deploy: the project has no operator to deploy');
    expect(await sites.run('install')).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('installed: 1 created'),
    });
    await expect(sites.client.get(ServiceAccount, { namespace, name: 'sites' })).rejects.toThrow('not found');
  });

  it('stops at Ctrl-C with code 130, and gives the lock back', async () => {
    await start({}, { controllers: { kubelet: false } });
    const { exitCode, output } = await sites.project.interrupted(
      'waiting for Deployment',
      ...['deploy', '--kubeconfig', 'kubeconfig'],
    );
    expect({ exitCode, isSaid: output.includes('interrupted; run the same command again') }).toEqual({
      exitCode: 130,
      isSaid: true,
    });
    const { metadata } = await sites.client.get(ConfigMap, { namespace, name: 'sites-deployment' });
    expect(metadata.annotations).not.toHaveProperty('evenkeel.dev/deploying');
  });
});
