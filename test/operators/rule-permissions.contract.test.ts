import { CustomResource, type HostedWebhooks, KubernetesObject, Rule, Spec, ValidatingWebhook } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { createManager } from '@evenkeel/runtime';
import { classValidator } from '@evenkeel/schema/validator';
import { Environment, RbacAudit } from '@evenkeel/testing';
import { callOf, siteReview } from '../../packages/runtime/src/webhook/admission/review.fixture.ts';
import { describeWithRealServer, realServerAssets } from '../real-server.fixture.ts';

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Site extends KubernetesObject {
  @Spec() spec!: { size: number };
}

@ValidatingWebhook(Site, { params: { kind: ConfigMap, name: 'limits', namespace: 'default' } })
@Rule('object.spec.size > int(params.data.least)', {
  messageExpression: '"more than " + params.data.least + " in " + namespaceObject.metadata.name',
})
class SiteRules {}

function permissionContract(start: () => Promise<Environment>): void {
  it('can read its parameters and namespaces with its derived roles, and no other ConfigMap', async () => {
    await using environment = await start();
    const { client } = environment;
    for (const name of ['limits', 'others']) {
      await client.create(ConfigMap, { metadata: { name, namespace: 'default' }, data: { least: '2' } });
    }
    const audit = await RbacAudit.create({ transport: environment.transport, controllers: [], webhooks: [SiteRules] });
    const hosted = Promise.withResolvers<HostedWebhooks>();
    const webhookHost = {
      policyKinds: async () => [],
      serve: async (webhooks: HostedWebhooks) => {
        hosted.resolve(webhooks);
        return async () => undefined;
      },
    };
    const { request, close } = audit.transport;
    const manager = await createManager({
      ...{ name: 'sites', controllers: [], webhooks: [SiteRules], validator: classValidator() },
      transport: { request, close, webhookHost },
    });
    try {
      await manager.start();
      await manager.waitUntilReady();
      const { handle } = await hosted.promise;
      const call = (namespace: string) => handle(callOf(siteReview({ namespace })));
      const messageIn = async (namespace: string): Promise<unknown> =>
        JSON.parse((await call(namespace)).body).response.status?.message;
      expect(await messageIn('default')).toBe('more than 2 in default');
      // It is not cached yet.
      const created = await environment.createNamespace();
      expect(await messageIn(created)).toBe(`more than 2 in ${created}`);
      expect(await messageIn('missing')).toContain('"missing" not found');
      expect(audit.refused).toEqual([]);
      const rules = audit.roles.flatMap(({ namespace, rules: of }) => of.map((rule) => ({ namespace, ...rule })));
      expect(rules).toMatchObject([
        { namespace: undefined, resource: 'namespaces', names: [], verbs: ['get', 'list', 'watch'] },
        { namespace: 'default', resource: 'configmaps', names: ['limits'], verbs: ['list', 'watch'] },
      ]);
    } finally {
      await manager.stop();
      await audit.close();
    }
  });
}

describe('a webhook with rules, on an embedded server', () => {
  permissionContract(() => Environment.create({ variables: {} }));
});

describeWithRealServer('a webhook with rules, on a real server', () => {
  permissionContract(async () => Environment.create({ variables: { KUBEBUILDER_ASSETS: await realServerAssets() } }));
});
