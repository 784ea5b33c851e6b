import { schemaOf } from '@evenkeel/kinds/schemas';
import { inGoOrder, metadataInGoOrder } from './go-order.ts';

const orderOf = (value: unknown): string[] => Object.keys(value as object);

describe('inGoOrder()', () => {
  it('orders structs as Go declares them, and sorts maps', async () => {
    const schema = await schemaOf('io.k8s.api.core.v1.ConfigMap');
    const ordered = inGoOrder({ data: { b: '', a: '' }, immutable: true, metadata: { uid: 'u', name: 'a' } }, schema);
    expect(orderOf(ordered)).toEqual(['metadata', 'immutable', 'data']);
    const { metadata, data } = ordered as { metadata: object; data: object };
    expect([orderOf(metadata), orderOf(data)]).toEqual([
      ['name', 'uid'],
      ['a', 'b'],
    ]);
  });

  it('orders schemas below items, which OpenAPI does not describe', async () => {
    const schema = await schemaOf('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
    const ordered = inGoOrder({ items: { format: 'int32', type: 'integer', default: { b: 1, a: 2 } } }, schema);
    const { items } = ordered as { items: { default: object } };
    expect([orderOf(items), orderOf(items.default)]).toEqual([
      ['type', 'format', 'default'],
      ['a', 'b'],
    ]);
  });

  it('orders metadata of unknown kinds as that of built-in ones', async () => {
    const schema = await schemaOf('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
    const metadata = Object.fromEntries(
      Object.keys(schema.properties ?? {})
        .reverse()
        .map((name) => [name, {}]),
    );
    expect(orderOf(metadataInGoOrder({ metadata } as never))).toEqual(Object.keys(schema.properties ?? {}));
  });
});
