import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { type ComparedServer, embeddedServer, realServer } from '../comparison.fixture.ts';
import { limitRangeCases } from './limit-range-cases.fixture.ts';
import { playInNamespace } from './namespace-cases.fixture.ts';

describeWithRealServer('limits of a namespace, on the real server and on the embedded one', () => {
  let servers: readonly ComparedServer[] = [];
  beforeAll(async () => {
    servers = await Promise.all([realServer(), embeddedServer()]);
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
});
