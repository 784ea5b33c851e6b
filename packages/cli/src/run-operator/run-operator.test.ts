import { Lease } from '@evenkeel/kinds/coordination/v1';
import { createManager, type Manager } from '@evenkeel/runtime';
import { Environment } from '@evenkeel/testing';
import { Project } from '../project.fixture.ts';
import { installSite, operatorOf, siteProject } from './site-project.fixture.ts';

describe('evenkeel run', () => {
  let environment: Environment;
  let kubeconfig: string;
  let project: Project;

  beforeAll(async () => {
    environment = await Environment.create({ kind: 'embedded' });
    kubeconfig = await environment.kubeconfig();
    await installSite(environment);
    project = await Project.create(siteProject);
  });
  afterAll(async () => {
    await project?.remove();
    await environment?.close();
  });

  const lease = () => environment.client.get(Lease, 'default/sites');
  const replica = (): Promise<Manager> =>
    environment.run(async (connection) => {
      const leaderElection = {
        name: 'sites',
        namespace: 'default',
        leaseDuration: '15s',
        retryPeriod: '200ms',
      } as const;
      const manager = await createManager({ ...connection, controllers: [], runnables: [], leaderElection });
      await manager.start();
      return manager;
    });

  it('steps in for the replica in the cluster, and gives the Lease back', async () => {
    const leader = await replica();
    await leader.waitUntilReady(AbortSignal.timeout(60_000));
    const { exitCode, output } = await project.interrupted(
      '"became leader"',
      ...['run', '--module', 'src/main.ts', '--kubeconfig', kubeconfig, '--', '--log-level', 'info'],
    );
    expect(output).toContain('requested the lease; the leader finishes its runs and releases it');
    expect(exitCode).toBe(0);
    await expect(leader.failure).resolves.toMatchObject({ code: 'leadership-requested' });
    expect(await leader.stop()).toEqual({ drained: true });
    const { spec, metadata } = await lease();
    expect(spec?.holderIdentity ?? '').toBe('');
    expect(metadata.annotations ?? {}).toEqual({});
    const next = await replica();
    await next.waitUntilReady(AbortSignal.timeout(60_000));
    await next.stop();
  });

  it('names the program that is missing, and how to make it', async () => {
    expect(await project.run('run')).toMatchObject({
      exitCode: 1,
      err: 'error: --module dist/operator.mjs: the file does not exist; run evenkeel build, or pass the module that runs the operator, such as --module src/main.ts [invalid-option]',
    });
  });

  it('refuses to run beside a replica unless it is told to', async () => {
    const unelected = await Project.create({ ...siteProject, 'src/operator.ts': operatorOf('') });
    try {
      const { exitCode, output } = await unelected.process(
        'run',
        '--module',
        'src/main.ts',
        '--kubeconfig',
        kubeconfig,
      );
      expect(output).toBe(
        'error: sites declares no leaderElection, so this process and the replica in the cluster would both reconcile; set leaderElection: true in defineOperator() and deploy it, or stop the replica and pass --without-lease [lease-not-declared]\n',
      );
      expect(exitCode).toBe(1);
      const alone = await unelected.interrupted(
        '"manager started"',
        ...['run', '--module', 'src/main.ts', '--kubeconfig', kubeconfig, '--without-lease'],
      );
      expect(alone.output).toContain(
        'notice: the operator in the cluster continues to reconcile the same objects; stop it first\n',
      );
      expect(alone.exitCode).toBe(0);
    } finally {
      await unelected.remove();
    }
  });
});
