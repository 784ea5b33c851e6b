import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { Project } from '../project.fixture.ts';

const group = 'scorecard.example.com';
const settings = 'apiVersion: kuttl.dev/v1beta1\n';

function shop(name: string, size: number): string {
  return `apiVersion: ${group}/v1\nkind: Shop\nmetadata: {name: ${name}}\nspec: {size: ${size}}\n`;
}

const sources: Readonly<Record<string, string>> = {
  'tsconfig.json':
    '{ "compilerOptions": { "experimentalDecorators": true, "emitDecoratorMetadata": true, "rewriteRelativeImportExtensions": true } }',
  'evenkeel.config.ts':
    "export default { apis: ['./src/shop.ts'], operator: './src/operator.ts', samples: ['./shop.yaml'], deployment: false };",
  'shop.yaml': shop('sample', 2),
  'src/shop.ts': `import { Condition, Conditions, CustomResource, KubernetesObject, Spec, Status } from 'evenkeel';
import { IsInt, IsOptional, Max } from 'class-validator';
export class ShopSpec {
  /** How many pods sell. */
  @IsInt() @Max(5) size = 1;
}
export class ShopStatus {
  @IsOptional() @IsInt() ready?: number;
  @Conditions() conditions?: Condition[];
}
@CustomResource({ group: '${group}', version: 'v1', kind: 'Shop' })
export class Shop extends KubernetesObject {
  @Spec() spec!: ShopSpec;
  @Status() status!: ShopStatus;
}
`,
  'src/operator.ts': `import { awaitChange, controllerFor, defineOperator, Deployment } from 'evenkeel';
import { Shop } from './shop.ts';
const labels = { app: 'shop' };
export const operator = defineOperator({
  name: 'shops',
  controllers: [
    controllerFor(Shop, { name: 'shop' })
      .owns(Deployment)
      .reconcile(async (shop, context) => {
        const { status } = await context.apply({
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: shop.metadata.name },
          spec: {
            replicas: shop.spec.size,
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: { containers: [{ name: 'shop', image: 'shop:1' }] } },
          },
        });
        shop.status.ready = status?.readyReplicas ?? 0;
        context.conditions.set('Available', shop.status.ready === shop.spec.size, 'Counted');
        return awaitChange();
      }),
  ],
});
`,
};

const examples = [
  { apiVersion: `${group}/v1`, kind: 'Shop', metadata: { name: 'corner', namespace: 'elsewhere' }, spec: { size: 2 } },
  { apiVersion: `${group}/v1`, kind: 'Shop', metadata: { name: 'huge' }, spec: { size: 9 } },
];

const owned = {
  ...{ name: `shops.${group}`, version: 'v1', kind: 'Shop', displayName: 'Shop', description: 'Sells.' },
  resources: [{ kind: 'Pod', version: 'v1' }],
  specDescriptors: [{ path: 'size', displayName: 'Size' }],
  statusDescriptors: [{ path: 'ready', displayName: 'Ready' }],
};

const csv = {
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'ClusterServiceVersion',
  metadata: { name: 'shops.v1.0.0', annotations: { 'alm-examples': JSON.stringify(examples) } },
  spec: {
    ...{ displayName: 'Shops', version: '1.0.0', minKubeVersion: '1.30.0' },
    installModes: [{ type: 'AllNamespaces', supported: true }],
    customresourcedefinitions: { owned: [owned] },
    install: { strategy: 'deployment', spec: { deployments: [{ name: 'shops', spec: {} }] } },
  },
};

const annotations = {
  'mediatype.v1': 'registry+v1',
  'manifests.v1': 'manifests/',
  'metadata.v1': 'metadata/',
  'package.v1': 'shops',
  'channels.v1': 'stable',
};

const builtIn = ['basic-check-spec', 'olm-crds-have-resources', 'olm-status-descriptors'].map((name) => ({
  image: 'quay.io/operator-framework/scorecard-test:v1.42.0',
  entrypoint: ['scorecard-test', name],
  labels: { suite: 'built-in', test: `${name}-test` },
}));

const configuration = {
  apiVersion: 'scorecard.operatorframework.io/v1alpha3',
  kind: 'Configuration',
  stages: [
    { parallel: true, tests: builtIn },
    {
      tests: [
        { image: 'quay.io/operator-framework/scorecard-test-kuttl:v2.0.0', labels: { suite: 'kuttl' } },
        { image: 'acme/tests:1', entrypoint: ['a'], labels: { suite: 'image' } },
        { entrypoint: ['./check.sh', 'a b'], labels: { suite: 'own', test: 'check' } },
        { entrypoint: ['./silent.sh'], labels: { suite: 'own' } },
        { entrypoint: ['./shop.ts', 'sells'], labels: { suite: 'own', test: 'sells' } },
        { entrypoint: ['./shop.ts', 'fails'], labels: { suite: 'own' } },
        { entrypoint: ['./shop.ts', 'missing'], labels: { suite: 'own' } },
        { entrypoint: ['./shop.ts', 'hangs'], labels: { suite: 'slow' } },
        { entrypoint: ['sleep', '3600'], labels: { suite: 'slow' } },
      ],
    },
  ],
};

const tests: Readonly<Record<string, string>> = {
  'config.yaml': JSON.stringify(configuration, undefined, 2),
  'check.sh': `#!/bin/sh
echo "$1 of $(basename "$BUNDLE")" >&2
[ -f "$KUBECONFIG" ] && [ -n "$NAMESPACE" ] && echo '{"results": [{"name": "check", "state": "pass"}]}'
`,
  'silent.sh': '#!/bin/sh\necho nothing\n',
  'shop.ts': `import assert from 'node:assert/strict';
import type { ScorecardTestFunction } from '@evenkeel/cli/config';
import { Deployment } from 'evenkeel';
export const sells: ScorecardTestFunction = async ({ client, namespace, examples }) => {
  const { spec } = await client.get(Deployment, \`\${namespace}/corner\`);
  return { state: 'pass', log: \`\${examples.length} with \${spec?.replicas}\` };
};
export const fails: ScorecardTestFunction = () => assert.fail('sold out');
export const hangs: ScorecardTestFunction = () => new Promise(() => setInterval(() => undefined, 1000));
`,
  // The garbage collector of a real cluster learns of new CRDs only every 30 s.
  'kuttl/kuttl-test.yaml': `${settings}kind: TestSuite\ntimeout: 60\n`,
  'kuttl/lifecycle/00-open.yaml': shop('kiosk', 1),
  'kuttl/lifecycle/00-assert.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: kiosk, ownerReferences: [{kind: Shop}]}
status: {readyReplicas: 1}
---
apiVersion: v1
kind: Pod
metadata: {labels: {app: shop}}
`,
  'kuttl/lifecycle/01-grow.yaml': shop('kiosk', 2),
  'kuttl/lifecycle/01-assert.yaml': `${settings}kind: TestAssert\ntimeout: 20\n---\n${shop('kiosk', 2)}status: {ready: 2}\n`,
  'kuttl/lifecycle/02-close.yaml': `${settings}kind: TestStep
delete: [{apiVersion: ${group}/v1, kind: Shop, name: kiosk}]
`,
  'kuttl/lifecycle/02-errors.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: kiosk}\n',
  'kuttl/wrong/00-open.yaml': shop('stall', 1),
  'kuttl/wrong/00-assert.yaml': `${settings}kind: TestAssert\ntimeout: 1\n---\n${shop('stall', 7)}`,
  'kuttl/commands/00-run.yaml': `${settings}kind: TestStep
commands:
- {command: "sh -c 'echo \\"in $NAMESPACE\\" >&2'"}
- {script: exit 3, ignoreFailure: true}
- {script: "echo done; exit 4"}
`,
  'kuttl/far/00-role.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: scorecard-far}\n',
};

/** A project with an operator, and a bundle with one test of each kind. */
export async function scoredShop(): Promise<Project> {
  const bundle = Object.entries({
    'manifests/shops.clusterserviceversion.yaml': JSON.stringify(csv, undefined, 2),
    'metadata/annotations.yaml': JSON.stringify({
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([name, value]) => [`operators.operatorframework.io.bundle.${name}`, value]),
      ),
    }),
    ...Object.fromEntries(Object.entries(tests).map(([name, text]) => [`tests/scorecard/${name}`, text])),
  }).map(([name, text]) => [`bundle/${name}`, text] as const);
  const project = await Project.create({ ...sources, ...Object.fromEntries(bundle) });
  for (const name of ['check.sh', 'silent.sh'])
    await chmod(join(project.folder, 'bundle/tests/scorecard', name), 0o755);
  const { exitCode, err } = await project.run('generate');
  if (exitCode !== 0) throw new Error(err);
  const crd = `${group}_shops.yaml`;
  await project.write({ [`bundle/manifests/${crd}`]: await project.read(`config/crd/${crd}`) });
  return project;
}

/** The results of a run as lines: `pass check`, with the errors and the log of those that have some. */
export function resultsIn(output: string): string[] {
  const { items } = JSON.parse(output) as {
    items: readonly {
      status: { results?: readonly { name: string; state: string; errors?: string[]; log?: string }[] };
    }[];
  };
  return items.flatMap(({ status }) =>
    (status.results ?? []).flatMap(({ name, state, errors = [] }) => [`${state} ${name}`, ...errors]),
  );
}
