// A file of tests as users write them: a server, a CRD, ten tests.
import { ApiServer } from '@evenkeel/apiserver';
import { createClient } from '@evenkeel/client';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CustomResourceDefinition, Widget, widgetDefinition } from '../bench-widget.mjs';

let server;
let client;

beforeAll(async () => {
  server = await ApiServer.create();
  client = createClient(server.transport());
  await client.create(CustomResourceDefinition, widgetDefinition);
});

afterAll(() => server.close());

it.each(Array.from({ length: 10 }, (_, at) => at))('test %d', async (at) => {
  const widget = await client.create(Widget, { metadata: { name: `widget-${at}`, namespace: 'default' }, spec: {} });
  expect(widget.spec.size).toBe(1);
});
