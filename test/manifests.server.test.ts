import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@evenkeel/testing';
import type { CustomResourceDefinition } from 'evenkeel';
import { parseAllDocuments, stringify } from 'yaml';
import { Project } from '../packages/cli/src/project.fixture.ts';
import { readSettings } from '../packages/runtime/src/process/run-settings.ts';
import { root } from './imports.fixture.ts';
import { hasKubectl } from './kubectl/kubectl-on-path.fixture.ts';
import { describeWithRealServer, type RealServer, startRealServer } from './real-server.fixture.ts';
import { siteConfig, siteDeclaration, siteSource } from './site-operator.fixture.ts';

const soon = { timeout: '60s' } as const;
const examples = readdirSync(join(root, 'examples')).filter((name) =>
  existsSync(join(root, 'examples', name, 'config')),
);

const configOf = (options: string): string => siteConfig(options, "installer: './install.yaml'");

// biome-ignore lint/suspicious/noExplicitAny: tests read any manifest
const objectsIn = (text: string): any[] => parseAllDocuments(text).map((document) => document.toJS());

(hasKubectl() ? describeWithRealServer : describe.skip)('the manifests of evenkeel generate', () => {
  let server: RealServer;
  let project: Project;
  beforeAll(async () => {
    server = await startRealServer('nodes');
    project = await Project.create({
      'src/site.ts': siteSource,
      'src/operator.ts': siteDeclaration(
        'leaderElection: true, metricsAuthentication: true, webhooks: [SiteValidator]',
      ),
      'evenkeel.config.ts': configOf("replicas: 2, networkPolicy: true, gracePeriod: '1m'"),
    });
  });
  afterAll(async () => {
    await project?.remove();
    await server?.stop();
  });

  async function kubectl(command: string, cwd = project.folder): Promise<{ stdout: string; stderr: string }> {
    const env = { ...process.env, KUBECONFIG: server.kubeconfig };
    return promisify(execFile)('/bin/sh', ['-c', `kubectl ${command}`], { cwd, env });
  }

  it.each(examples)(
    'of examples/%s are accepted by a server without a warning, and so are its samples',
    async (name) => {
      const folder = join(root, 'examples', name);
      const objects = objectsIn((await kubectl('kustomize config', folder)).stdout);
      const namespaces = objects.filter(({ kind }) => kind === 'Namespace');
      // No webhook converts the versions here.
      const definitions = objects
        .filter(({ kind }) => kind === 'CustomResourceDefinition')
        .map((crd: CustomResourceDefinition) => ({ ...crd, spec: { ...crd.spec, conversion: { strategy: 'None' } } }));
      const before = [...namespaces, ...definitions].map((object) => stringify(object)).join('---\n');
      await project.write({ [`${name}.yaml`]: before });
      await kubectl(`apply -f ${name}.yaml`);

      const { stdout, stderr } = await kubectl('apply --dry-run=server -k config', folder);
      expect(stdout.split('\n')).toHaveLength(objects.length + 1);
      expect(stderr).toBe('');
      await eventually(async () => {
        const samples = await kubectl('apply --dry-run=server -f config/samples/generated', folder);
        expect(samples.stderr).toBe('');
        expect(samples.stdout).toContain('-minimal created');
      }, soon);
    },
  );

  it('run as pods where Pod Security enforces the level restricted', async () => {
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
    const [deployment] = objectsIn(await project.read('config/manager/deployment.yaml'));
    const { args } = deployment.spec.template.spec.containers[0];
    expect(Object.fromEntries(readSettings({ options: {}, arguments: args, environment: {} }).values)).toEqual({
      'health.address': ':8081',
      'metrics.address': ':8443',
      'webhook.address': ':9443',
      gracePeriod: '1m',
    });
    const { stderr } = await kubectl('apply -k config');
    expect(stderr).toBe('');
    await kubectl('wait deployment sites --namespace web --for condition=Available --timeout 60s');
    const { stdout } = await kubectl('get pods --namespace web --output json');
    const pods = JSON.parse(stdout).items as { spec: { serviceAccountName: string } }[];
    expect(pods.map(({ spec }) => spec.serviceAccountName)).toEqual(['sites', 'sites']);
    // So the level is enforced.
    await expect(kubectl('run loose --image=nginx --namespace web')).rejects.toThrow(
      'violates PodSecurity "restricted',
    );
    await eventually(async () => {
      const budget = await kubectl('get pdb sites --namespace web --output jsonpath={.status.disruptionsAllowed}');
      expect(budget.stdout).toBe('1');
    }, soon);
  });

  it('are the same in the installer, which is applied in the order of the file', async () => {
    const built = objectsIn((await kubectl('kustomize config')).stdout);
    const installed = objectsIn(await project.read('install.yaml'));
    const idOf = (object: { kind: string; metadata: { name: string } }) => `${object.kind} ${object.metadata.name}`;
    const sorted = (objects: typeof built) => objects.toSorted((left, right) => (idOf(left) < idOf(right) ? -1 : 1));
    expect(sorted(installed)).toEqual(sorted(built));
    await kubectl('delete --wait -f install.yaml');
    const { stdout, stderr } = await kubectl('apply -f install.yaml');
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toHaveLength(installed.length);
  });

  it('can be changed by an overlay as in the guide, which moves webhooks too', async () => {
    const guide = readFileSync(join(root, 'docs/generate.md'), 'utf8');
    const path = 'deploy/production/kustomization.yaml';
    const overlay = (guide.split(` ${path}\n`)[1]?.split('```')[0] ?? '').replaceAll('nginx-operator', 'sites');
    const withImage = configOf("image: 'registry.example.com/sites:1.0', networkPolicy: true");
    await project.write({ 'evenkeel.config.ts': withImage, [path]: overlay });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0 });
    const moved = objectsIn((await kubectl('kustomize deploy/production')).stdout);
    const [configuration] = moved.filter(({ kind }) => kind === 'ValidatingWebhookConfiguration');
    expect(configuration.webhooks[0].clientConfig.service).toMatchObject({
      name: 'sites-webhook',
      namespace: 'production',
    });

    // Without webhooks, the names can change too.
    await project.write({
      'src/operator.ts': siteDeclaration('leaderElection: true, metricsAuthentication: true'),
      [path]: `${overlay}namePrefix: our-\n`,
    });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0 });
    const objects = objectsIn((await kubectl('kustomize deploy/production')).stdout);
    const namespaces = objects.flatMap(({ kind, metadata }) =>
      kind === 'Namespace' ? metadata.name : (metadata.namespace ?? []),
    );
    expect(new Set(namespaces)).toEqual(new Set(['production']));
    const one = (kind: string, name: string) => objects.find((it) => it.kind === kind && it.metadata.name === name);
    const { spec } = one('Deployment', 'our-sites');
    expect(spec.template.spec).toMatchObject({
      serviceAccountName: 'our-sites',
      containers: [{ image: 'registry.example.com/sites:1.1', env: [{ name: 'EVENKEEL_LOG_LEVEL', value: 'debug' }] }],
    });
    for (const kind of ['ClusterRoleBinding', 'RoleBinding']) {
      const bindings = objects.filter((it) => it.kind === kind);
      expect(bindings.length).toBeGreaterThan(0);
      for (const { roleRef, subjects } of bindings) {
        expect(one(roleRef.kind, roleRef.name)).toBeDefined();
        expect(subjects).toEqual([{ kind: 'ServiceAccount', name: 'our-sites', namespace: 'production' }]);
      }
    }
    await project.write({ 'production.yaml': objects.map((object) => stringify(object)).join('---\n') });
    await kubectl('apply -f production.yaml');
    await kubectl('wait deployment our-sites --namespace production --for condition=Available --timeout 60s');
  });
});
