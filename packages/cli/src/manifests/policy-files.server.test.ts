import type { KindClass, KubernetesObject } from '@evenkeel/core';
import {
  ConfigMap,
  CustomResourceDefinition,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@evenkeel/kinds';
import { Environment } from '@evenkeel/testing';
import { parseAllDocuments } from 'yaml';
import { describeWithRealServer, realServerAssets } from '../../../../test/real-server.fixture.ts';
import { Project } from '../project.fixture.ts';

const kinds: Readonly<Record<string, KindClass>> = {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
};

const files = {
  'evenkeel.config.ts': `
import { defineConfig } from '@evenkeel/cli/config';
export default defineConfig({ apis: ['./src/site.ts'], operator: './src/operator.ts' });
`,
  'src/site.ts': `
import { CustomResource, KubernetesObject, Spec } from '@evenkeel/core';
export class SiteSpec { replicas: number = 1; host?: string; }
@CustomResource({ group: 'generated.example.com', version: 'v1' })
export class Site extends KubernetesObject { @Spec() spec!: SiteSpec; }
`,
  'src/operator.ts': `
import { ConfigMap, defineOperator, Mutation, MutatingWebhook, Rule, ValidatingWebhook } from 'evenkeel';
import { Site } from './site.ts';

@ValidatingWebhook(Site, {
  policy: true,
  operations: ['create', 'update', 'delete'],
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  scope: 'Namespaced',
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
  objectSelector: { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] },
  matchConditions: [{ name: 'not-admin', expression: 'request.userInfo.username != "root"' }],
  variables: [{ name: 'replicas', expression: 'request.operation == "DELETE" ? 0 : object.spec.replicas' }],
  params: { kind: ConfigMap, selector: { matchLabels: { limit: 'yes' } }, parameterNotFoundAction: 'Allow' },
})
@Rule('variables.replicas <= int(params.data.most)', { messageExpression: '"at most " + params.data.most', reason: 'Forbidden' })
@Rule('namespaceObject.metadata.name != "x"', { message: 'no x' })
@Rule('authorizer.group("").resource("pods").check("list").allowed()')
export class SiteRules {}

@MutatingWebhook(Site, { policy: true, operations: ['create'], reinvocationPolicy: 'IfNeeded' })
@Mutation('Object{spec: Object.spec{host: object.metadata.name}}')
@Mutation('[JSONPatch{op: "add", path: "/metadata/labels", value: {"generated": "yes"}}]', { patchType: 'JSONPatch' })
export class SiteDefaults {}

export const operator = defineOperator({
  name: 'sites', controllers: [], webhooks: [SiteRules, SiteDefaults], minServerVersion: '1.36',
});
`,
};

describeWithRealServer('the generated policies on a real server', () => {
  it('are accepted without a type warning, and take effect', async () => {
    const project = await Project.create(files);
    await using environment = await Environment.create({ variables: { KUBEBUILDER_ASSETS: await realServerAssets() } });
    const { client } = environment;
    try {
      expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
      const read = async (file: string): Promise<readonly KubernetesObject[]> =>
        parseAllDocuments(await project.read(file)).map((document) => document.toJS() as KubernetesObject);
      const [definition] = await read('config/crd/generated.example.com_sites.yaml');
      await environment.install(definition as CustomResourceDefinition);
      await client.create(ConfigMap, {
        metadata: { name: 'limits', namespace: 'default', labels: { limit: 'yes' } },
        data: { most: '3' },
      });
      for (const object of await read('config/webhook/policies.yaml')) {
        const { kind, apiVersion: _, ...given } = object;
        await client.create(kinds[kind] as KindClass, given as never);
      }
      const site = { group: 'generated.example.com', version: 'v1', kind: 'Site', plural: 'sites', namespaced: true };
      const create = (replicas: number) =>
        client.create(site, { metadata: { name: 'blog', namespace: 'default' }, spec: { replicas } }, { dryRun: true });
      await environment.eventually(
        async () => {
          await expect(create(4)).rejects.toThrow('denied request: at most 3');
          expect(await create(3)).toMatchObject({ metadata: { labels: { generated: 'yes' } }, spec: { host: 'blog' } });
        },
        { timeout: '60s' },
      );
      const { status } = await client.get(ValidatingAdmissionPolicy, 'sites-vsite-v1.generated.example.com');
      expect(status?.typeChecking?.expressionWarnings ?? []).toEqual([]);
    } finally {
      await project.remove();
    }
  });
});
