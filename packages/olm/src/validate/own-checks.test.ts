import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type BundleCheck, bundleChecks, type OlmFinding, validateBundle } from '../index.ts';
import { baseBundle } from './recorded-verdicts.fixture.ts';

/** The parsed files of a bundle that a case changes. */
// biome-ignore lint/suspicious/noExplicitAny: a case sets any field, also invalid ones
type Parsed = any;

interface BundleUnderTest {
  readonly csv: Parsed;
  readonly annotations: Record<string, string | undefined>;
  /** More files, by path. Undefined removes a file. */
  readonly files: Record<string, string | undefined>;
}

const prefix = 'operators.operatorframework.io.bundle';
const webhook = {
  type: 'ValidatingAdmissionWebhook',
  generateName: 'vwidget.acme.example',
  deploymentName: 'widgets-manager',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [
    { apiGroups: ['widgets.acme.example'], apiVersions: ['v1alpha1'], operations: ['CREATE'], resources: ['widgets'] },
  ],
};
const conversion = {
  ...{ type: 'ConversionWebhook', generateName: 'cwidget.acme.example', deploymentName: 'widgets-manager' },
  ...{ sideEffects: 'None', admissionReviewVersions: ['v1'], conversionCRDs: ['widgets.widgets.acme.example'] },
};
const onlyAll = [{ type: 'AllNamespaces', supported: true }];
const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

/** For each check that only Evenkeel makes, a change of the valid bundle which it must find, and where. */
const cases: readonly (readonly [BundleCheck, (bundle: BundleUnderTest) => void, string])[] = [
  [
    'file-several-documents',
    ({ files }) => (files['manifests/two.yaml'] = `${configMap('a')}---\n${configMap('b')}`),
    'manifests/two.yaml',
  ],
  [
    'object-kind-unsupported',
    ({ files }) => (files['manifests/ns.yaml'] = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n'),
    'manifests/ns.yaml kind',
  ],
  ['annotations-file-missing', ({ files }) => (files['metadata/annotations.yaml'] = undefined), ''],
  [
    'bundle-annotation-invalid',
    ({ annotations }) => (annotations[`${prefix}.mediatype.v1`] = 'plain+v0'),
    'metadata/annotations.yaml annotations["operators.operatorframework.io.bundle.mediatype.v1"]',
  ],
  [
    'default-channel-unlisted',
    ({ annotations }) => (annotations[`${prefix}.channel.default.v1`] = 'stable-v9'),
    'metadata/annotations.yaml annotations["operators.operatorframework.io.bundle.channel.default.v1"]',
  ],
  [
    'dependencies-invalid',
    ({ files }) => (files['metadata/dependencies.yaml'] = 'dependencies: [{type: olm.gvk, value: {group: a}}]'),
    'metadata/dependencies.yaml dependencies[0].value',
  ],
  [
    'properties-invalid',
    ({ files }) => (files['metadata/properties.yaml'] = 'properties: [{value: 1}]'),
    'metadata/properties.yaml properties[0]',
  ],
  [
    'install-mode-duplicate',
    ({ csv }) => csv.spec.installModes.push({ type: 'AllNamespaces', supported: true }),
    'csv spec.installModes[4].type',
  ],
  [
    'install-mode-unknown',
    ({ csv }) => csv.spec.installModes.push({ type: 'SomeNamespaces', supported: true }),
    'csv spec.installModes[4].type',
  ],
  [
    'deployment-duplicate',
    ({ csv }) => csv.spec.install.spec.deployments.push(csv.spec.install.spec.deployments[0]),
    'csv spec.install.spec.deployments[1].name',
  ],
  [
    'deployment-name-invalid',
    ({ csv }) => (csv.spec.install.spec.deployments[0].name = 'A_b'),
    'csv spec.install.spec.deployments[0].name',
  ],
  [
    'webhook-duplicate',
    ({ csv }) => (csv.spec.webhookdefinitions = [webhook, webhook]),
    'csv spec.webhookdefinitions[1].generateName',
  ],
  [
    'webhook-name-invalid',
    ({ csv }) => (csv.spec.webhookdefinitions = [{ ...webhook, generateName: 'A_b' }]),
    'csv spec.webhookdefinitions[0].generateName',
  ],
  [
    'webhook-deployment-missing',
    ({ csv }) => (csv.spec.webhookdefinitions = [{ ...webhook, deploymentName: 'other' }]),
    'csv spec.webhookdefinitions[0].deploymentName',
  ],
  [
    'webhook-rule-forbidden',
    ({ csv }) => (csv.spec.webhookdefinitions = [{ ...webhook, rules: [{ apiGroups: ['*'], resources: ['*'] }] }]),
    'csv spec.webhookdefinitions[0].rules[0]',
  ],
  [
    'conversion-duplicate',
    ({ csv }) =>
      Object.assign(csv.spec, {
        installModes: onlyAll,
        webhookdefinitions: [conversion, { ...conversion, generateName: 'other.acme.example' }],
      }),
    'csv spec.webhookdefinitions[1].conversionCRDs[0]',
  ],
  [
    'conversion-not-owned',
    ({ csv }) =>
      Object.assign(csv.spec, {
        installModes: onlyAll,
        webhookdefinitions: [{ ...conversion, conversionCRDs: ['gears.acme.example'] }],
      }),
    'csv spec.webhookdefinitions[0].conversionCRDs[0]',
  ],
  ['csv-name-mismatch', ({ csv }) => (csv.metadata.name = 'widgets.v0.3.0'), 'csv metadata.name'],
  ['version-form', ({ csv }) => (csv.spec.version = 'v0.2.0'), 'csv spec.version'],
  ['display-name-length', ({ csv }) => (csv.spec.displayName = 'W'), 'csv spec.displayName'],
  ['description-short', ({ csv }) => (csv.spec.description = 'Makes widgets.'), 'csv spec.description'],
  ['provider-short', ({ csv }) => (csv.spec.provider.name = 'Ac'), 'csv spec.provider.name'],
  ['maintainers-missing', ({ csv }) => (csv.spec.maintainers = []), 'csv spec.maintainers'],
  ['links-missing', ({ csv }) => (csv.spec.links = undefined), 'csv spec.links'],
  ['icon-not-base64', ({ csv }) => (csv.spec.icon[0].base64data = '<svg/>'), 'csv spec.icon[0].base64data'],
  [
    'image-without-digest',
    ({ csv }) => (csv.spec.relatedImages[0].image = 'acme/widgets:1'),
    'csv spec.relatedImages[0].image',
  ],
  [
    'image-unlisted',
    ({ csv }) => (csv.spec.relatedImages = []),
    'csv spec.install.spec.deployments[0].spec.template.spec.containers[0].image',
  ],
  [
    'container-request-incomplete',
    ({ csv }) =>
      (csv.spec.install.spec.deployments[0].spec.template.spec.containers[0].resources.requests = { cpu: '10m' }),
    'csv spec.install.spec.deployments[0].spec.template.spec.containers[0].resources.requests',
  ],
  [
    'dependency-unsupported-in-v1',
    ({ files }) => (files['metadata/properties.yaml'] = 'properties: [{type: olm.constraint, value: {}}]'),
    'metadata/properties.yaml',
  ],
  ['install-mode-unsupported-in-v1', ({ csv }) => csv.spec.installModes.pop(), 'csv spec.installModes'],
  [
    'object-too-large',
    ({ csv }) => (csv.spec.icon[0].base64data = 'AAAA'.repeat(500_000)),
    'csv spec.icon[0].base64data',
  ],
];

const csvFile = 'manifests/widgets.clusterserviceversion.yaml';
const annotationsFile = 'metadata/annotations.yaml';

describe('a check that only Evenkeel makes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-own-checks-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function findings(
    name: string,
    change: (bundle: BundleUnderTest) => void,
  ): Promise<readonly OlmFinding<BundleCheck>[]> {
    const target = join(folder, name);
    cpSync(baseBundle, target, { recursive: true });
    const read = (file: string): Parsed => parse(readFileSync(join(target, file), 'utf8'));
    const { annotations } = read(annotationsFile);
    const csv = read(csvFile);
    const image = `acme/widgets-operator@sha256:${'0'.repeat(64)}`;
    csv.spec.relatedImages[0].image = image;
    csv.spec.install.spec.deployments[0].spec.template.spec.containers[0].image = image;
    const files: Record<string, string | undefined> = {};
    change({ csv, annotations, files });
    const written = { [csvFile]: stringify(csv), [annotationsFile]: stringify({ annotations }), ...files };
    for (const [file, content] of Object.entries(written)) {
      if (content === undefined) rmSync(join(target, file));
      else writeFileSync(join(target, file), content);
    }
    return (await validateBundle(target)).findings;
  }

  it('accepts the valid bundle', async () => {
    expect(await findings('valid', () => undefined)).toEqual([]);
  });

  it.each(cases)('finds what it is for: %s', async (check, change, place) => {
    const found = (await findings(check, change)).find((finding) => finding.check === check);
    expect(found).toMatchObject({ level: bundleChecks[check].level, message: expect.stringMatching(/[;,] |: /) });
    const file = found?.file === csvFile ? 'csv' : found?.file;
    expect([file, found?.field].filter((part) => part !== undefined).join(' ')).toBe(place);
  });

  it('has a case', () => {
    const own = Object.entries(bundleChecks).filter(
      // upgrade-checks.test.ts and submission-checks.test.ts have the cases of the others.
      ([id, { validators }]) => validators.length === 0 && !/^(?:previous|upgrade|submission)-/.test(id),
    );
    expect(cases.map(([check]) => check)).toEqual(own.map(([check]) => check));
  });
});
