import { CustomResource, KubernetesObject, SelectableField, Spec } from 'evenkeel';

export class ShopSpec {
  color: 'blue' | 'red' = 'blue';
}

@CustomResource({ group: 'docs.example.com', version: 'v1', kind: 'Shop', storage: true, shortNames: ['sh'] })
@SelectableField('.spec.color')
export class Shop extends KubernetesObject {
  @Spec() spec!: ShopSpec;
}

@CustomResource({
  group: 'docs.example.com',
  version: 'v1beta1',
  kind: 'Shop',
  deprecated: 'Shop v1beta1 ends in 2027; use v1',
})
@SelectableField('.spec.color')
export class ShopV1beta1 extends KubernetesObject {
  @Spec() spec!: ShopSpec;
}
