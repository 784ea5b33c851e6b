// Uses of the other packages, for the type check only; nothing calls these functions.
import { ApiServer } from '@evenkeel/apiserver';
import { type EvenkeelConfig, run } from '@evenkeel/cli';
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { type Condition, findCondition, ObjectKey } from '@evenkeel/core';
import { ConfigMap, Deployment } from '@evenkeel/kinds';
import { HorizontalPodAutoscaler } from '@evenkeel/kinds/autoscaling/v2';
import { createManager, type ManagerHealth } from '@evenkeel/runtime';
import { Cache } from '@evenkeel/runtime/cache';
import { Workqueue } from '@evenkeel/runtime/workqueue';
import { readSources, validate } from '@evenkeel/schema';
import { compileSchema } from '@evenkeel/schema/evaluate';
import { classValidator } from '@evenkeel/schema/validator';
import { Environment, eventually } from '@evenkeel/testing';
import { SiteController } from './site.controller.ts';
import { Site } from './site.ts';

export const config: EvenkeelConfig = { apis: ['./src/site.ts'] };

export async function readCluster(): Promise<number> {
  const transport = httpsTransport(await loadConnection({ kubeconfig: 'kubeconfig' }));
  const client = createClient(transport, { fieldManager: 'reader' });
  const cache = new Cache({ client, kinds: [{ kind: ConfigMap, keep: ['data.count'] }] });
  const byCount = cache.informer(ConfigMap).addIndex('count', ({ data }) => [data?.['count'] ?? '0']);
  const scaler = await client.get(HorizontalPodAutoscaler, 'default/web');
  const replicas: number | undefined = (await client.get(Deployment, 'default/web')).spec?.replicas;
  const queue = new Workqueue<string>();
  queue.add(String(ObjectKey.of(scaler)));
  return byCount('1').length + (replicas ?? 0);
}

export async function testOperator(): Promise<ManagerHealth> {
  await using environment = await Environment.create({ kind: 'embedded' });
  const manager = await environment.run((connection) =>
    createManager({ ...connection, controllers: [SiteController], validator: classValidator() }),
  );
  const ready = await eventually(async (): Promise<Condition | undefined> => {
    const site = await environment.client.get(Site, 'default/web');
    return findCondition(site.status?.conditions ?? [], 'Ready');
  });
  if (ready?.status !== 'True') throw new Error(`not ready: ${ready?.message}`);
  return manager.health;
}

export async function checkSite(): Promise<readonly string[]> {
  const server = await ApiServer.create();
  await server.close();
  const exitCode: number = await run(['generate'], { folder: '.', out: console.log, err: console.error });
  const evaluation = compileSchema({ type: 'object' });
  const { messages } = await validate(Site, { spec: { text: 'hello' } }, { sources: await readSources('src/site.ts') });
  return [...messages, String(exitCode), typeof evaluation];
}
