import { Controller, CustomResource, KubernetesObject, Owns, Reconcile, Spec } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { ReconcileContext } from '@evenkeel/runtime';
import { IsInt } from 'class-validator';

class NewSpec {
  @IsInt() replicas = 1;
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
  conversion: { hub: () => Shop, moves: { 'spec.size': 'spec.replicas' } },
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
