import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validateBundle } from '@evenkeel/olm';
import { parse } from 'yaml';
import { root } from '../../../../test/imports.fixture.ts';
import { Project } from '../project.fixture.ts';
import { digestOf } from '../registry/digest.ts';
import { FakeRegistry } from '../registry/fake-registry.fixture.ts';
import { mediaTypes } from '../registry/media-types.ts';
import { run } from '../run.ts';
import { createTerminal } from '../terminal.ts';
import { type BundledProjectOptions, bundledProject, bundleMetadata } from './bundled-project.fixture.ts';

/** The text of each file below a folder, by its path. */
function filesIn(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    paths
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]),
  );
}

// examples/vitest only shows a test runner.
const examples = readdirSync(join(root, 'examples')).filter((name) => name !== 'vitest');

describe('the bundle of an example', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-bundles-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(examples)('%s passes every check', async (name) => {
    const evenkeel = async (...words: readonly string[]) => {
      const lines: string[] = [];
      const print = (line: string): number => lines.push(line);
      const terminal = createTerminal({ folder: join(root, 'examples', name), out: print, err: print });
      return { exitCode: await run(['bundle', ...words], terminal), output: lines.join('\n') };
    };
    const bundle = join(folder, name, 'bundle');
    const written = await evenkeel('--folder', bundle);
    expect(written).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('clusterserviceversion.yaml written'),
    });
    const { findings } = await validateBundle(bundle);
    expect(findings.filter(({ check }) => check !== 'image-without-digest')).toEqual([]);
    // The same bytes, from another run.
    if (name === 'cronjob') expect(await evenkeel('--folder', bundle, '--check')).toMatchObject({ exitCode: 0 });
  });
});

describe('evenkeel bundle', () => {
  let project: Project | undefined;
  const epoch = process.env['SOURCE_DATE_EPOCH'];
  beforeEach(() => {
    process.env['SOURCE_DATE_EPOCH'] = '1767225600';
  });
  afterEach(async () => {
    if (epoch === undefined) delete process.env['SOURCE_DATE_EPOCH'];
    else process.env['SOURCE_DATE_EPOCH'] = epoch;
    await project?.remove();
  });

  async function projectWith(options: BundledProjectOptions = {}): Promise<Project> {
    project = await Project.create(bundledProject(options));
    return project;
  }

  async function csvOf(made: Project) {
    return parse(await made.read('bundle/manifests/sites.clusterserviceversion.yaml'));
  }

  it('writes what follows from the classes, the operator and the configuration', async () => {
    const made = await projectWith({
      bundle: `${bundleMetadata}
    categories: ['Networking', 'Developer Tools'],
    kinds: { Site: { spec: { 'cache.seconds': { xDescriptors: ['urn:alm:descriptor:com.tectonic.ui:advanced'] } } } },
    dependencies: [{ package: 'cert-manager', version: '>=1.0.0' }],
    properties: [{ type: 'olm.maxOpenShiftVersion', value: '4.20' }],`,
      operator: 'leaderElection: true,',
    });
    const { exitCode, out, err } = await made.run('bundle', '--channels', 'candidate, stable');
    expect({ exitCode, out, err }).toMatchObject({ exitCode: 0 });
    expect(err).toBe(
      `notice: without a digest, and so without a fixed content: sites:1.2.0; pass --resolve-images to ask the registries, or push the operator's image with "evenkeel build --push" first [image-without-digest]
notice: bundle/metadata/dependencies.yaml:3: OLM v1 does not install dependencies; let the operator check at its start that they are installed [dependency-unsupported-in-v1]`,
    );
    const { metadata, spec } = await csvOf(made);
    expect(metadata).toMatchObject({
      name: 'sites.v1.2.0',
      annotations: {
        capabilities: 'Basic Install',
        categories: 'Networking,Developer Tools',
        containerImage: 'sites:1.2.0',
        createdAt: '2026-01-01T00:00:00Z',
        description: 'Serves web sites from ConfigMaps',
        'operatorframework.io/suggested-namespace': 'sites-system',
        repository: 'https://github.com/example/sites',
        support: 'Example Inc.',
      },
    });
    expect(JSON.parse(metadata.annotations['alm-examples'])).toEqual([
      { apiVersion: 'web.example.com/v1', kind: 'Site', metadata: { name: 'site-sample' } },
    ]);
    expect(spec).toMatchObject({
      keywords: ['web'],
      maturity: 'stable',
      minKubeVersion: '1.31.0',
      version: '1.2.0',
      icon: [{ mediatype: 'image/svg+xml' }],
      installModes: [
        { type: 'OwnNamespace', supported: false },
        { type: 'SingleNamespace', supported: false },
        { type: 'MultiNamespace', supported: false },
        { type: 'AllNamespaces', supported: true },
      ],
      relatedImages: [{ name: 'sites', image: 'sites:1.2.0' }],
    });
    const [owned] = spec.customresourcedefinitions.owned;
    expect(owned).toMatchObject({
      name: 'sites.web.example.com',
      displayName: 'Site',
      description: 'A web site.',
      resources: [{ kind: 'Deployment', version: 'v1' }],
    });
    const ui = 'urn:alm:descriptor:com.tectonic.ui:';
    const shown = (descriptors: Record<string, unknown>[]) =>
      descriptors.map((each) => [each['path'], each['displayName'], each['x-descriptors']]);
    expect(shown(owned.specDescriptors)).toEqual([
      ['cache', 'Cache', undefined],
      ['cache.seconds', 'Seconds', [`${ui}advanced`]],
      ['host', 'Public host name', [`${ui}text`]],
      ['replicas', 'Replicas', [`${ui}podCount`]],
      ['speed', 'Speed', [`${ui}select:fast`, `${ui}select:slow`]],
      ['tlsSecretName', 'Tls Secret Name', ['urn:alm:descriptor:io.kubernetes:Secret']],
    ]);
    expect(shown(owned.statusDescriptors)).toEqual([
      ['conditions', 'Conditions', ['urn:alm:descriptor:io.kubernetes.conditions']],
      ['readyReplicas', 'Ready Replicas', [`${ui}podCount`]],
    ]);
    const { permissions, clusterPermissions, deployments } = spec.install.spec;
    const resources = (granted: { rules: { resources: string[] }[] }[]) =>
      granted.flatMap(({ rules }) => rules.flatMap((rule) => rule.resources));
    expect(resources(permissions)).toEqual(['leases', 'leases', 'events']);
    expect(resources(clusterPermissions)).toEqual([
      'deployments',
      'events',
      'sites',
      'sites/finalizers',
      'sites/status',
    ]);
    expect(deployments).toMatchObject([{ name: 'sites', spec: { replicas: 1 } }]);
    expect(parse(await made.read('bundle/metadata/annotations.yaml')).annotations).toMatchObject({
      'operators.operatorframework.io.bundle.channels.v1': 'candidate,stable',
      'operators.operatorframework.io.bundle.channel.default.v1': 'candidate',
    });
    expect(parse(await made.read('bundle/metadata/dependencies.yaml'))).toEqual({
      dependencies: [{ type: 'olm.package', value: { packageName: 'cert-manager', version: '>=1.0.0' } }],
    });
    expect(parse(await made.read('bundle/metadata/properties.yaml'))).toEqual({
      properties: [{ type: 'olm.maxOpenShiftVersion', value: '4.20' }],
    });
    expect(await made.read('bundle.Dockerfile')).toContain('COPY bundle/tests/scorecard /tests/scorecard/');
  });

  it('asks for all missing metadata at once, with code to paste', async () => {
    const files = bundledProject({ bundle: "displayName: 'Sites', links: []," });
    project = await Project.create(files);
    expect(await project.run('bundle')).toEqual({
      exitCode: 1,
      out: '',
      err: `error: evenkeel.config.ts: the classes do not contain description, provider, maintainers, icon, links of the bundle; add to bundle, with your own values: [bundle-metadata-missing]
    description: 'What the operator does, in at least 20 characters of Markdown.',
    provider: { name: 'Example Inc.' },
    maintainers: [{ name: 'Jane Doe', email: 'jane@example.com' }],
    icon: './icon.svg',
    links: [{ name: 'Documentation', url: 'https://example.com/docs' }],`,
    });
    const config = "export default { apis: ['./src/site.ts'], operator: './src/operator.ts' };";
    await project.write({ 'evenkeel.config.ts': config });
    const { exitCode, err } = await project.run('bundle');
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining('add to defineConfig()') });
    expect(err).toMatch(/^ {4}bundle: \{\n {6}displayName: 'My Operator',/m);
    // What it asks for is enough.
    const pasted = err.split('\n').filter((line) => line.startsWith('    '));
    await project.write({ 'evenkeel.config.ts': config.replace(' };', `,\n${pasted.join('\n')}\n};`) });
    expect(await project.run('bundle')).toMatchObject({ exitCode: 0 });
  });

  it('reports all invalid values at once, and writes nothing', async () => {
    const made = await projectWith({
      bundle: `${bundleMetadata.replace('./icon.svg', './icon.png')}
    package: 'My Sites', version: '1.2',`,
    });
    const mistakes = [
      `bundle.package is "My Sites"; set a name of lower-case letters, digits, '-' and '.'`,
      'bundle.version: "1.2" is not a version; set a semantic version, such as 1.2.0',
      'bundle.icon: icon.png does not exist; write a path relative to the configuration',
    ].map((mistake) => `error: evenkeel.config.ts: ${mistake}`);
    expect(await made.run('bundle')).toEqual({ exitCode: 1, out: '', err: `${mistakes.join('\n')} [invalid-config]` });
    const icon = async (text: string) => {
      await made.write({ 'icon.png': text });
      return (await made.run('bundle', '--version', '1.2.0')).err;
    };
    expect(await icon('x'.repeat(300 * 1024))).toContain('has 300 KiB, and the whole bundle must fit into 1 MiB');
    expect(await icon('no image')).toContain('is not an image of the type image/png');
    expect(readdirSync(made.folder)).not.toContain('bundle');
  });

  it('reports invalid forms of options', async () => {
    const made = await projectWith({ bundle: "displayName: 5, colour: 'red', links: [{ name: 'Docs' }]," });
    const { exitCode, err } = await made.run('generate', '--check');
    expect({ exitCode, err: err.split('\n') }).toEqual({
      exitCode: 1,
      err: [
        "error: evenkeel.config.ts: bundle.displayName is 5; set a string, such as 'Nginx'",
        expect.stringContaining('unknown option "bundle.colour"; use one of displayName, description'),
        `error: evenkeel.config.ts: bundle.links is [{"name":"Docs"}]; set a list, such as [{ name: 'Documentation', url: 'https://example.com/docs' }] [invalid-config]`,
      ],
    });
  });

  it('checks the bundle before it writes it', async () => {
    const made = await projectWith({ bundle: bundleMetadata.replace('jane@example.com', 'jane') });
    const { exitCode, out, err } = await made.run('bundle');
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toContain('"jane" is not a mail address; write it as name@example.com [maintainer-email-invalid]');
    expect(readdirSync(made.folder)).not.toContain('bundle');
  });

  it('writes the place of the bundle in its channels', async () => {
    const made = await projectWith();
    const place = ['--replaces', '1.1.0', '--skips', '1.1.1,sites.v1.1.2', '--skip-range', '>=1.0.0 <1.2.0'];
    expect(await made.run('bundle', ...place)).toMatchObject({ exitCode: 0 });
    expect(await csvOf(made)).toMatchObject({
      metadata: { annotations: { 'olm.skipRange': '>=1.0.0 <1.2.0' } },
      spec: { replaces: 'sites.v1.1.0', skips: ['sites.v1.1.1', 'sites.v1.1.2'] },
    });
    for (const [option, value, problem] of [
      ['--skip-range', 'newer', '"newer" is not a range of versions'],
      ['--channels', 'stable,,x', '"stable,,x" is not a list of names'],
      ['--default-channel', 'fast', 'fast is not one of the channels stable'],
      ['--version', '2', '"2" is not a version'],
      ['--image', 'sites:1', 'has no effect without an output; add --push'],
      ['--push', '--check', '--check writes nothing'],
      ['--archive', 'x.tar', 'need the name of the image; add --image NAME'],
    ] as const) {
      const { exitCode, err } = await made.run('bundle', option, value);
      expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining(problem) });
    }
  });

  it('replaces the newest older bundle of the catalog', async () => {
    const made = await projectWith({ bundle: `${bundleMetadata} catalog: './catalog',` });
    const image = `registry.example.com/sites-bundle@sha256:${'1'.repeat(64)}`;
    expect(await made.run('bundle', '--version', '1.1.0')).toMatchObject({ exitCode: 0 });
    expect((await csvOf(made)).spec.replaces).toBeUndefined();
    expect(await made.run('catalog', 'catalog', 'bundle', '--image', image)).toMatchObject({ exitCode: 0 });
    expect(await made.run('bundle')).toMatchObject({ exitCode: 0 });
    expect((await csvOf(made)).spec.replaces).toBe('sites.v1.1.0');
    // The same after it has been added.
    const next = image.replaceAll('1', '2');
    expect(await made.run('catalog', 'catalog', 'bundle', '--image', next)).toMatchObject({ exitCode: 0 });
    expect(await made.run('bundle', '--check')).toMatchObject({ exitCode: 0 });
    await made.write({ 'catalog/broken.yaml': 'schema: [' });
    expect(await made.run('bundle')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(
        'error: bundle.catalog: correct catalog, or pass --replaces: the catalog cannot be read',
      ),
    });
  });

  it('reports with --check what is stale, and keeps files of the user and dates of earlier commits', async () => {
    const made = await projectWith();
    expect(await made.run('bundle')).toMatchObject({ exitCode: 0 });
    const before = filesIn(join(made.folder, 'bundle'));
    process.env['SOURCE_DATE_EPOCH'] = '1777225600';
    expect(await made.run('bundle', '--check')).toMatchObject({ exitCode: 0 });
    expect(await made.run('bundle')).toMatchObject({ exitCode: 0, out: 'bundle is current' });
    expect(filesIn(join(made.folder, 'bundle'))).toEqual(before);
    const rule = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: pages }\n';
    await made.write({
      'bundle/manifests/pages.yaml': rule,
      'bundle/manifests/old.yaml': `# Generated by "evenkeel bundle" earlier\n\n${rule}`,
      'evenkeel.config.ts': (await made.read('evenkeel.config.ts')).replace('Example Inc.', 'Example Ltd.'),
    });
    const { exitCode, err } = await made.run('bundle', '--check');
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.any(String) });
    expect(err.split('\n').filter((line) => line.startsWith('error'))).toEqual([
      'error: bundle/manifests/old.yaml is obsolete: nothing generates it; run "evenkeel bundle" and commit the removal [stale-output]',
      'error: bundle/manifests/sites.clusterserviceversion.yaml is stale: run "evenkeel bundle" and commit it [stale-output]',
    ]);
    expect(await made.run('bundle')).toMatchObject({
      exitCode: 0,
      out: 'bundle/manifests/old.yaml removed\nbundle/manifests/sites.clusterserviceversion.yaml written',
    });
    expect(await made.read('bundle/manifests/pages.yaml')).toBe(rule);
    await made.write({ 'bundle/metadata/annotations.yaml': 'annotations: {}\n' });
    expect(await made.run('bundle')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('bundle/metadata/annotations.yaml exists, and evenkeel did not generate it'),
    });
  });

  describe('with images in a registry', () => {
    let registry: FakeRegistry;
    beforeAll(async () => {
      registry = await FakeRegistry.start();
    });
    afterAll(() => registry.close());

    it('writes their digests wherever the bundle names them, and pushes its own image', async () => {
      const operand = `${registry.host}/cache:1`;
      // It has one repository.
      const digests = ['1.2.0', '1'].map((tag) => {
        const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, tag }));
        registry.put(tag, bytes, mediaTypes.manifest);
        return digestOf(bytes);
      });
      const [own = '', cache = ''] = digests;
      const made = await projectWith({
        config: `deployment: { image: '${registry.host}/sites', env: { RELATED_IMAGE_PAGE_CACHE: '${operand}' } },`,
      });
      const { exitCode, err } = await made.run('bundle', '--resolve-images');
      expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
      const csv = await csvOf(made);
      const [pinned, pinnedCache] = [`${registry.host}/sites@${own}`, `${registry.host}/cache@${cache}`];
      expect(csv.spec.relatedImages).toEqual([
        { name: 'sites', image: pinned },
        { name: 'page-cache', image: pinnedCache },
      ]);
      expect(csv.metadata.annotations.containerImage).toBe(pinned);
      const [{ image, env }] = csv.spec.install.spec.deployments[0].spec.template.spec.containers;
      expect({ image, env }).toEqual({
        image: pinned,
        env: [{ name: 'RELATED_IMAGE_PAGE_CACHE', value: pinnedCache }],
      });
      // A checkout of the sources has no record of digests.
      await rm(join(made.folder, '.evenkeel'), { recursive: true });
      expect(await made.run('bundle', '--check')).toMatchObject({ exitCode: 0, err: '' });

      const name = `${registry.host}/sites-bundle:1.2.0`;
      const pushed = await made.run('bundle', '--resolve-images', '--image', name, '--push', '--output', 'json');
      const document = JSON.parse(pushed.out);
      expect(document).toMatchObject({
        bundle: 'sites.v1.2.0',
        folder: 'bundle',
        relatedImages: [
          { name: 'sites', digest: own },
          { name: 'page-cache', digest: cache },
        ],
        image: { reference: name, pushed: true },
      });
      const { bytes } = registry.manifests.get(document.image.digest) ?? { bytes: Buffer.from('{}') };
      const manifest = JSON.parse(bytes.toString());
      const config = JSON.parse(registry.blobs.get(manifest.config.digest)?.toString() ?? '{}');
      expect(config.config.Labels).toMatchObject({ 'operators.operatorframework.io.bundle.package.v1': 'sites' });
      const again = await made.run('bundle', '--image', 'x:1', '--layout', 'layout', '--output', 'json');
      expect(JSON.parse(again.out).image.digest).toBe(document.image.digest);
    });
  });

  it('limits the operator to the namespaces for which OLM installs it', async () => {
    const made = await projectWith({
      bundle: `${bundleMetadata}\n    installModes: ['OwnNamespace', 'AllNamespaces'],`,
      operator: 'metricsAuthentication: true,',
    });
    expect(await made.run('bundle')).toMatchObject({ exitCode: 0 });
    const { spec } = await csvOf(made);
    const { permissions, clusterPermissions, deployments } = spec.install.spec;
    const resources = (granted: { rules: { resources: string[] }[] }[]) =>
      granted.flatMap(({ rules }) => rules.flatMap((rule) => rule.resources));
    expect(resources(permissions)).toEqual(['deployments', 'events', 'sites', 'sites/finalizers', 'sites/status']);
    expect(resources(clusterPermissions)).toEqual(['tokenreviews', 'subjectaccessreviews']);
    expect(deployments[0].spec.template.spec.containers[0].env).toEqual([
      {
        name: 'EVENKEEL_NAMESPACES',
        valueFrom: { fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" } },
      },
    ]);
  });

  it('derives install modes from the declared namespaces, and rejects impossible ones', async () => {
    const bundle = (modes: string) => `${bundleMetadata}\n    installModes: [${modes}],`;
    const made = await projectWith({ operator: "namespaces: ['one', 'two']," });
    expect(await made.run('bundle')).toMatchObject({ exitCode: 0 });
    const { spec } = await csvOf(made);
    expect(spec.installModes.filter(({ supported }: { supported: boolean }) => supported)).toEqual([
      { type: 'MultiNamespace', supported: true },
    ]);
    await made.write(bundledProject({ operator: "namespaces: ['one'],", bundle: bundle("'AllNamespaces', 'Some'") }));
    expect((await made.run('bundle')).err).toBe(
      `error: evenkeel.config.ts: bundle.installModes: AllNamespaces is impossible, because defineOperator() limits the operator to namespaces; remove it
error: evenkeel.config.ts: bundle.installModes: "Some" is unknown; use OwnNamespace, SingleNamespace, MultiNamespace, AllNamespaces [invalid-config]`,
    );
    const clusterWide = `import { Namespace } from 'evenkeel';`;
    await made.write(
      bundledProject({
        head: clusterWide,
        operator: `...{ controllers: [controllerFor(Namespace, { name: 'labels' }).reconcile(async () => {})] },`,
        bundle: bundle("'OwnNamespace'"),
      }),
    );
    expect((await made.run('bundle')).err).toContain(
      'OwnNamespace is impossible, because controllerFor(Namespace, "labels") is called for every Namespace, and these objects are in no namespace; remove it',
    );
  });

  it('lets OLM mount the certificate of webhooks, and reports what OLM cannot express', async () => {
    const head = (options: string) => `import { Admit, ValidatingWebhook } from 'evenkeel';
@ValidatingWebhook(Site, { ${options} })
export class SiteValidator {
  @Admit() check(): void {}
}`;
    const condition = "matchConditions: [{ name: 'named', expression: 'has(object.spec.host)' }]";
    const made = await projectWith({ head: head(condition), operator: 'webhooks: [SiteValidator],' });
    const { exitCode, err } = await made.run('bundle');
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: expect.any(String) });
    expect(err).toContain(
      'notice: the webhook vsite-v1.web.example.com declares matchConditions, which OLM cannot express, so the API server calls it for more objects; check them in the methods of the webhook too [bundle-unsupported]',
    );
    const { spec } = await csvOf(made);
    expect(spec.webhookdefinitions).toEqual([
      {
        type: 'ValidatingAdmissionWebhook',
        generateName: 'vsite-v1.web.example.com',
        deploymentName: 'sites',
        containerPort: 443,
        targetPort: 9443,
        webhookPath: '/validate-web-example-com-v1-site',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        rules: [
          {
            apiGroups: ['web.example.com'],
            apiVersions: ['v1'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['sites'],
          },
        ],
      },
    ]);
    const { template } = spec.install.spec.deployments[0].spec;
    expect(template.spec.volumes).toBeUndefined();
    expect(template.spec.containers[0].args).toContain('--webhook-certificates=/tmp/k8s-webhook-server/serving-certs');
    expect(JSON.stringify(spec.install)).not.toContain('webhookconfigurations');
    expect(readdirSync(join(made.folder, 'bundle/manifests')).filter((name) => /webhook|service_/.test(name))).toEqual(
      [],
    );

    await made.write(
      bundledProject({
        head: `import { Rule, ValidatingWebhook } from 'evenkeel';
@ValidatingWebhook(Site, { policy: true })
@Rule('object.spec.replicas < 5', { message: 'too many' })
export class SiteRules {}`,
        operator: 'webhooks: [SiteRules],',
      }),
    );
    expect((await made.run('bundle')).err).toContain('[bundle-unsupported]');
  });
});
