import { Controller, CustomResource, KubernetesObject, Owns, Rbac, Reconcile, Spec } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { createManager, ReconcileContext } from '@evenkeel/runtime';
import type { Environment } from '@evenkeel/testing';
import { IsIn, IsInt, IsOptional } from 'class-validator';

class NewSpec {
  @IsInt() replicas = 1;
  @IsOptional() @IsIn(['red', 'blue']) color?: string;
}

class OldSpec {
  @IsInt() size = 1;
}

@CustomResource({ group: 'sweep.example.com', version: 'v2', kind: 'Shop', storage: true })
export class Shop extends KubernetesObject {
  @Spec() spec!: NewSpec;
}

@CustomResource({
  group: 'sweep.example.com',
  version: 'v1',
  kind: 'Shop',
  conversion: { hub: () => Shop, moves: { 'spec.size': 'spec.replicas' }, keep: { hub: ['spec.color'] } },
})
export class OldShop extends KubernetesObject {
  @Spec() spec!: OldSpec;
}

@Controller(Shop)
@Owns(ConfigMap)
export class ShopController {
  @Reconcile()
  async reconcile({ metadata: { name }, spec }: Shop, context: ReconcileContext): Promise<void> {
    const data = { replicas: String(spec.replicas) };
    await context.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data } as ConfigMap);
  }
}

/** Writes an old version, whose conversion keeps the new field. */
@Controller(OldShop)
@Rbac(OldShop, ['patch'], { reason: 'labels what it has seen' })
export class OldShopController {
  @Reconcile()
  async reconcile({ metadata: { name, namespace, labels } }: OldShop, context: ReconcileContext): Promise<void> {
    if (labels?.['seen'] === 'yes') return;
    await context.client.patch(OldShop, `${namespace}/${name}`, { merge: { metadata: { labels: { seen: 'yes' } } } });
  }
}

/** Runs an operator of the old version until it has written an object, and returns the spec of the object in the new one. */
export async function specAfterOldWrite(environment: Environment): Promise<Shop['spec']> {
  const namespace = await environment.createNamespace();
  await environment.run(async (connection) => {
    const controllers = [OldShopController];
    const manager = await createManager({
      ...connection,
      controllers,
      conversions: [OldShop],
      namespaces: [namespace],
    });
    await manager.start();
    return manager;
  });
  const key = `${namespace}/a`;
  await environment.eventually(() =>
    environment.client.apply(Shop, { metadata: { name: 'a', namespace }, spec: { replicas: 3, color: 'red' } }),
  );
  return environment.eventually(async () => {
    const { metadata, spec } = await environment.client.get(Shop, key);
    expect(metadata.labels).toEqual({ seen: 'yes' });
    return spec;
  });
}
