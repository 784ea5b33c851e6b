import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { Project } from '../packages/cli/src/project.fixture.ts';
import { controlPlaneAssets } from './control-plane.fixture.ts';
import { describeWithRealServer, type RealServer, startRealServer } from './real-server.fixture.ts';
import { siteConfig, siteDeclaration, siteSource } from './site-operator.fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any manifest
type Manifest = any;
const objectsIn = (text: string): Manifest[] => parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);
const idOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
const byId = (objects: readonly Manifest[]): ReadonlyMap<string, Manifest> =>
  new Map(objects.map((object) => [idOf(object), object]));

const allOfIt = 'leaderElection: true, metricsAuthentication: true, webhooks: [SiteValidator]';

describeWithRealServer('the Helm chart of evenkeel generate', () => {
  let server: RealServer;
  let project: Project;
  let assets: string;
  beforeAll(async () => {
    assets = await controlPlaneAssets();
    server = await startRealServer('nodes');
    project = await Project.create({
      'package.json': '{ "name": "sites", "version": "1.2.0", "type": "module" }',
      'src/site.ts': siteSource,
      'src/operator.ts': siteDeclaration(allOfIt),
      'evenkeel.config.ts': siteConfig(
        "networkPolicy: true, replicas: 2, env: { LOG_FORMAT: 'json' }",
        "chart: './chart', installer: './install.yaml'",
      ),
    });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
  });
  afterAll(async () => {
    await project?.remove();
    await server?.stop();
  });

  async function helm(...words: string[]): Promise<string> {
    const env = { ...process.env, KUBECONFIG: server.kubeconfig, HELM_CACHE_HOME: project.folder };
    const { stdout } = await promisify(execFile)(join(assets, 'helm'), words, { cwd: project.folder, env });
    return stdout;
  }

  const template = async (...words: string[]): Promise<Manifest[]> =>
    objectsIn(await helm('template', 'x', 'chart', '--namespace', 'web', '--kube-version', '1.36', ...words));

  it('has the objects of the other manifests', async () => {
    expect(await helm('lint', '--strict', '--kube-version', '1.36', 'chart')).toContain('0 chart(s) failed');
    const installed = byId(objectsIn(await project.read('install.yaml')));
    const released = byId(await template());
    const wanted = [...installed.keys()].filter((id) => id !== 'Namespace /web');
    expect([...released.keys()].sort()).toEqual(wanted.sort());
    for (const [id, object] of released) {
      const { annotations, ...metadata } = object.metadata;
      const same = { ...object, metadata };
      if (id === 'Deployment web/sites') {
        const [container] = same.spec.template.spec.containers;
        expect(container.imagePullPolicy).toBe('IfNotPresent');
        delete container.imagePullPolicy;
      }
      if (object.kind === 'CustomResourceDefinition') {
        expect(annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
      }
      for (const webhook of same.webhooks ?? []) {
        // Without watched namespaces, the selector is empty, which is the default.
        expect(webhook.namespaceSelector).toEqual({ matchExpressions: null });
        delete webhook.namespaceSelector;
      }
      expect(same).toEqual(installed.get(id));
    }
  });

  it('restricts roles, caches and webhooks to the namespaces of one value', async () => {
    const objects = await template('--set', 'namespaces={blog,shop}');
    const roles = objects.filter(({ kind, metadata }) => kind === 'Role' && metadata.name === 'sites');
    expect(roles.map(({ metadata }) => metadata.namespace)).toEqual(['blog', 'shop']);
    expect(objects.filter(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'sites')).toEqual([]);
    const deployment = objects.find(({ kind }) => kind === 'Deployment');
    expect(deployment.spec.template.spec.containers[0].args).toContain('--namespaces=blog,shop');
    const { webhooks } = objects.find(({ kind }) => kind === 'ValidatingWebhookConfiguration');
    expect(webhooks[0].namespaceSelector).toEqual({
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['blog', 'shop'] }],
    });
  });

  it('has alerts and a dashboard if its values ask for them, with the templates of Prometheus and Grafana', async () => {
    const objects = byId(await template('--set', 'metrics.alerts=true,metrics.dashboard=true'));
    const [down, notReady] = objects.get('PrometheusRule web/sites').spec.groups[0].rules;
    expect(down.expr).toBe('absent(up{namespace="web",job="sites-metrics"} == 1)');
    expect(notReady.annotations.summary).toBe('Pod {{ $labels.pod }} of sites is not ready');
    const { panels } = JSON.parse(objects.get('ConfigMap web/sites-dashboard').data['sites.json']);
    expect(panels[1].targets[0]).toMatchObject({
      expr: 'leader_election_master_status{namespace="web",job="sites-metrics"}',
      legendFormat: '{{pod}}',
    });
  });

  it('has values for what differs between clusters, and rejects others', async () => {
    await project.write({
      'given.yaml': `
image: { repository: registry.example.com/sites, digest: "sha256:0a" }
imagePullSecrets: [{ name: pull }]
replicas: 4
resources: {}
extraArgs: [--log-level=debug]
env: [{ name: A, value: "1" }]
volumes: [{ name: cache, emptyDir: {} }]
volumeMounts: [{ name: cache, mountPath: /cache }]
extraContainers: [{ name: proxy, image: proxy }]
podAnnotations: { a: b }
podLabels: { c: d }
tolerations: [{ operator: Exists }]
affinity: { nodeAffinity: {} }
nodeSelector: { disk: ssd }
priorityClassName: system-cluster-critical
serviceAccount: { create: false, name: "123" }
metrics: { enabled: false }
crds: { install: false }
userRoles: { create: false }
networkPolicy: { enabled: false }
`,
    });
    const objects = await template('--values', 'given.yaml');
    expect(objects.map(idOf).sort()).toEqual([
      'ClusterRole /sites',
      'ClusterRole /sites-certificates',
      'ClusterRoleBinding /sites',
      'ClusterRoleBinding /sites-certificates',
      'Deployment web/sites',
      'PodDisruptionBudget web/sites',
      'Role web/sites-certificates',
      'Role web/sites-leader-election',
      'RoleBinding web/sites-certificates',
      'RoleBinding web/sites-leader-election',
      'Service web/sites-webhook',
      'ValidatingWebhookConfiguration /sites',
    ]);
    const { spec } = objects.find(({ kind }) => kind === 'Deployment');
    expect(spec.replicas).toBe(4);
    expect(spec.template.metadata).toEqual({
      annotations: { a: 'b' },
      labels: { 'app.kubernetes.io/name': 'sites', c: 'd' },
    });
    expect(spec.template.spec).toMatchObject({
      serviceAccountName: '123',
      imagePullSecrets: [{ name: 'pull' }],
      priorityClassName: 'system-cluster-critical',
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ operator: 'Exists' }],
      volumes: [{ name: 'cache', emptyDir: {} }],
      containers: [
        {
          image: 'registry.example.com/sites@sha256:0a',
          args: ['--health-address=:8081', '--webhook-address=:9443', '--log-level=debug'],
          env: [{ name: 'A', value: '1' }],
          volumeMounts: [{ name: 'cache', mountPath: '/cache' }],
        },
        { name: 'proxy' },
      ],
    });
    await expect(template('--set', 'replica=2')).rejects.toThrow('replica');
    await expect(template('--set', 'replicas=many')).rejects.toThrow('replicas');
  });

  it('includes the templates and the defaults of the user', async () => {
    await project.write({
      'chart/values.custom.yaml': 'replicas: 3\nalerts: { severity: page }\n',
      'chart/custom/alerts.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: alerts }\ndata: { severity: {{ .Values.alerts.severity }} }\n',
    });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
    const objects = await template();
    expect(objects.find(({ kind }) => kind === 'ConfigMap')).toMatchObject({ data: { severity: 'page' } });
    expect(objects.find(({ kind }) => kind === 'Deployment').spec.replicas).toBe(3);
    for (const [text, message] of [
      ['- 1', 'chart/values.custom.yaml must contain a mapping'],
      ['a: [', 'chart/values.custom.yaml: '],
    ] as const) {
      await project.write({ 'chart/values.custom.yaml': text });
      const { exitCode, err } = await project.run('generate');
      expect([exitCode, err]).toEqual([1, expect.stringContaining(message)]);
    }
    await project.write({ 'chart/values.custom.yaml': 'replicas: 3\nalerts: { severity: page }\n' });
  });

  it('names an issuer of cert-manager, or a Secret with the files', async () => {
    const certificates = (source: string) =>
      siteDeclaration(`${allOfIt}, webhookServer: { certificates: '${source}' }`);
    await project.write({ 'src/operator.ts': certificates('cert-manager') });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
    const own = (await template()).filter(({ apiVersion }) => apiVersion === 'cert-manager.io/v1');
    expect(own.map(idOf).sort()).toEqual([
      'Certificate web/sites-webhook',
      'Certificate web/sites-webhook-ca',
      'Issuer web/sites-webhook-ca',
      'Issuer web/sites-webhook-selfsigned',
    ]);
    const issued = await template('--set', 'certificates.issuerRef.kind=ClusterIssuer,certificates.issuerRef.name=all');
    const objects = issued.filter(({ apiVersion }) => apiVersion === 'cert-manager.io/v1');
    expect(objects).toMatchObject([
      {
        kind: 'Certificate',
        spec: {
          issuerRef: { kind: 'ClusterIssuer', name: 'all' },
          dnsNames: ['sites-webhook.web.svc', expect.anything()],
        },
      },
    ]);
    const configuration = issued.find(({ kind }) => kind === 'ValidatingWebhookConfiguration');
    expect(configuration.metadata.annotations).toEqual({ 'cert-manager.io/inject-ca-from': 'web/sites-webhook' });

    await project.write({ 'src/operator.ts': certificates('files') });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
    const deployment = (await template('--set', 'certificates.secretName=tls')).find(
      ({ kind }) => kind === 'Deployment',
    );
    expect(deployment.spec.template.spec.volumes).toMatchObject([{ secret: { secretName: 'tls' } }]);
  });

  it('is installed, upgraded with its CRDs, rolled back and uninstalled', async () => {
    await project.write({ 'src/operator.ts': siteDeclaration(`${allOfIt}, webhookServer: {}`) });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
    const kubectl = async (...words: string[]): Promise<string> => {
      const env = { ...process.env, KUBECONFIG: server.kubeconfig };
      return (await promisify(execFile)('kubectl', words, { cwd: project.folder, env })).stdout;
    };
    const place = ['--namespace', 'web', '--wait', '--timeout', '60s'];
    await helm('install', 'sites', 'chart', ...place, '--create-namespace', '--set', 'namespaces={web}');
    expect(await helm('status', 'sites', '--namespace', 'web')).toContain('sites is installed in the namespace web.');

    const where = `
import { IsString } from 'class-validator';
import { Spec } from 'evenkeel';
export class Where {
  /** Not a template: {{ .Values.x }} */
  @IsString() place!: string;
}
`;
    const changed = siteSource.replace('KubernetesObject {}', 'KubernetesObject { @Spec() spec!: Where; }');
    await project.write({ 'src/site.ts': `${where}${changed}` });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0 });
    await helm('upgrade', 'sites', 'chart', ...place, '--set', 'replicas=1');
    const description = () =>
      kubectl('get', 'crd', 'sites.example.com', '-o', 'jsonpath={..properties.spec.properties.place.description}');
    expect(await description()).toBe('Not a template: {{ .Values.x }}');
    await kubectl('get', 'clusterrole', 'sites');
    await helm('rollback', 'sites', '1', ...place);
    expect(await description()).toBe('');
    await kubectl('get', 'role', 'sites', '--namespace', 'web');

    await helm('uninstall', 'sites', ...place);
    await kubectl('get', 'crd', 'sites.example.com');
    expect(await kubectl('get', 'deployments,roles,configmaps', '-n', 'web', '-o', 'name')).toBe(
      'configmap/kube-root-ca.crt\n',
    );
  });
});
