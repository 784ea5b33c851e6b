import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment } from '@evenkeel/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Shop, ShopV1beta1 } from './shop.fixture.ts';

let environment: Environment;

beforeAll(async () => {
  const definition = await customResourceDefinitionOf([Shop, ShopV1beta1], await readSources('test/shop.fixture.ts'));
  environment = await Environment.create({ definitions: [definition] });
});

afterAll(() => environment?.close());

it('keeps the color of a shop in both versions', async () => {
  const { client } = environment;
  const namespace = await environment.createNamespace();
  await client.create(ShopV1beta1, { metadata: { name: 'corner', namespace }, spec: { color: 'red' } });
  await client.patch(Shop, `${namespace}/corner`, { merge: { metadata: { labels: { open: 'true' } } } });
  const { spec } = await client.get(ShopV1beta1, `${namespace}/corner`);
  expect(spec.color).toBe('red');
});
