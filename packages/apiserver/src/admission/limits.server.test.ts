import { setTimeout as delay } from 'node:timers/promises';
import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { type ComparedServer, embeddedServer, realServer } from '../comparison.fixture.ts';
import { limitRangeCases } from './limit-range-cases.fixture.ts';
import { playInNamespace } from './namespace-cases.fixture.ts';
import { quotaCases, widgetDefinition } from './quota-cases.fixture.ts';

describeWithRealServer('limits of a namespace, on the real server and on the embedded one', () => {
  let servers: readonly ComparedServer[] = [];
  beforeAll(async () => {
    servers = await Promise.all([realServer(), embeddedServer()]);
    for (const server of servers) {
      await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: widgetDefinition });
      while ((await server.send('GET', '/apis/example.com/v1/widgets')).status !== 200) await delay(20);
    }
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it.each(limitRangeCases.map((one, index) => [index, one.title, one] as const))(
    'enforces a LimitRange, case %d: %s',
    async (index, _, one) => {
      const [real, embedded] = await Promise.all(
        servers.map((server) => playInNamespace(server, one, `limits-${index}`)),
      );
      expect(embedded).toEqual(real);
    },
  );

  it.each(quotaCases.map((one, index) => [index, one.title, one] as const))(
    'enforces a ResourceQuota, case %d: %s',
    async (index, _, one) => {
      const [real, embedded] = await Promise.all(
        servers.map((server) => playInNamespace(server, one, `quota-${index}`)),
      );
      expect(embedded).toEqual(real);
    },
  );
});
