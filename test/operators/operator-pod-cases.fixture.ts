import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { planControllers } from '@evenkeel/core';
import { deriveRoles } from '@evenkeel/core/rbac';
import { Lease } from '@evenkeel/kinds/coordination/v1';
import { Environment, type EnvironmentOptions, PodRunner } from '@evenkeel/testing';
import { type CustomResourceDefinition, Deployment, Pod } from 'evenkeel';
import { parse } from 'yaml';
import { Nginx } from '../../examples/nginx/src/nginx.ts';
import { grantRoles } from '../../packages/testing/src/rbac/operator-account.ts';
import { root } from '../imports.fixture.ts';
import { electedNginx } from './elected-nginx-operator.fixture.ts';

const crd = join(root, 'examples/nginx/config/crd/web.example.com_nginxes.yaml');

/** The example operator as a pod: it leads, is killed, is started again, and converges. */
export function operatorPodCases(options: () => Promise<EnvironmentOptions>): void {
  let folder: string;
  let environment: Environment;
  let pods: PodRunner;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-operator-pod-'));
    await bundle(join(folder, 'operator.mjs'));
    const definitions = [parse(await readFile(crd, 'utf8')) as CustomResourceDefinition];
    environment = await Environment.create({ ...(await options()), definitions });
    pods = await PodRunner.start({
      environment,
      select: { app: 'nginx-operator' },
      run: { manager: { command: [process.execPath, join(folder, 'operator.mjs')] } },
    });
  });
  afterAll(async () => {
    await environment?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('leads, converges, is killed, starts again, and converges', async () => {
    const { client, transport } = environment;
    const namespace = await environment.createNamespace();
    await grantOperator(transport, namespace);
    await client.create(Deployment, deployment(namespace) as never);
    const eventually = <T>(assertion: () => Promise<T>): Promise<T> =>
      environment.eventually(assertion, { timeout: '60s' });

    const site = `${namespace}/site`;
    await client.create(Nginx, { metadata: { name: 'site', namespace }, spec: { replicaCount: 2 } });
    await eventually(async () => expect((await client.get(Nginx, site)).status?.readyReplicas).toBe(2));
    const operator = `${namespace}/nginx-operator`;
    await eventually(async () => expect((await client.get(Deployment, operator)).status?.availableReplicas).toBe(1));
    const before = (await client.get(Lease, operator)).spec;
    expect(before?.holderIdentity).not.toBe('');

    const [pod] = (await client.list(Pod, { namespace, labels: { app: 'nginx-operator' } })).items;
    const key = `${namespace}/${pod?.metadata.name}`;
    expect(pods.logs(key)).toContain('became leader');
    pods.kill(key);
    await client.patch(Nginx, site, { merge: { spec: { replicaCount: 3 } } });
    await eventually(async () => expect((await client.get(Nginx, site)).status?.readyReplicas).toBe(3));
    const after = (await client.get(Lease, operator)).spec;
    expect(after?.holderIdentity).not.toBe(before?.holderIdentity);
    expect((await client.get(Pod, key)).status?.containerStatuses?.[0]?.restartCount).toBe(1);

    await client.delete(Deployment, operator);
    // It releases the Lease when it is stopped by SIGTERM.
    await eventually(async () => expect((await client.get(Lease, operator)).spec?.holderIdentity ?? '').toBe(''));
  });
}

/** Bundles the operator from the sources of the packages, in a process of its own: the bundler does not work in a sandbox. */
async function bundle(file: string): Promise<void> {
  const options = {
    input: join(root, 'test/operators/elected-nginx.fixture.ts'),
    platform: 'node',
    tsconfig: join(root, 'examples/nginx/tsconfig.json'),
    resolve: { mainFields: ['module', 'main'], conditionNames: ['evenkeel-source', 'node', 'import', 'default'] },
    external: ['@kubernetes/client-node'],
    logLevel: 'silent',
    output: { file, codeSplitting: false, keepNames: true },
  };
  const program = `import { build } from 'rolldown'; await build(${JSON.stringify(options)});`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd: root });
}

/** Creates the ServiceAccount and the roles that the operator declares. */
async function grantOperator(admin: Environment['transport'], namespace: string): Promise<void> {
  const { plans } = planControllers(electedNginx.controllers);
  const { name } = electedNginx;
  const roles = deriveRoles({ plans, leaderElection: { name, namespace } });
  const identity = { name, serviceAccount: name, namespace };
  await grantRoles(admin, roles, identity);
}

function deployment(namespace: string): object {
  const labels = { app: 'nginx-operator' };
  const manager = {
    name: 'manager',
    image: 'example/nginx-operator',
    args: ['--health-address=$(EVENKEEL_POD_IP):8081'],
    ports: [{ name: 'health', containerPort: 8081 }],
    readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, periodSeconds: 1 },
  };
  return {
    metadata: { name: 'nginx-operator', namespace },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { serviceAccountName: 'nginx-operator', containers: [manager] } },
    },
  };
}
