import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ownAddress } from '../../../../test/own-address.fixture.ts';
import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { embeddedServer, realServer } from '../comparison.fixture.ts';
import { AdmissionWebhookServer } from './admission-webhook.fixture.ts';
import {
  connectionFaults,
  connects,
  type FaultyAddresses,
  faultCases,
  serviceCases,
  services,
} from './webhook-fault-cases.fixture.ts';
import { WebhookSide } from './webhook-side.fixture.ts';

const yearMs = 365 * 24 * 3_600_000;

describeWithRealServer('faults of admission webhooks, on the real server and on the embedded one', () => {
  let sides: readonly WebhookSide[] = [];
  let faulty: FaultyAddresses;
  const closers: (() => unknown)[] = [];
  const hosts = [
    '127.0.0.1',
    ...serviceCases.map(({ service }) => `${(service as { name: string }).name}.default.svc`),
  ];

  beforeAll(async () => {
    const open = async (
      ...options: Parameters<typeof AdmissionWebhookServer.open>
    ): Promise<AdmissionWebhookServer> => {
      const opened = await AdmissionWebhookServer.open(...options);
      closers.push(() => opened.close());
      return opened;
    };
    const servers = await Promise.all([realServer(['--enable-aggregator-routing=true']), embeddedServer()]);
    sides = await Promise.all(
      servers.map(async (server) => {
        closers.push(() => server.stop());
        const side = new WebhookSide(server, await open(hosts));
        for (const [method, path, body] of services(ownAddress(), side.webhooks.port)) {
          const answer = await server.send(method, path, { body });
          expect({ path, status: answer.status, body: answer.body }).toMatchObject({ status: 201 });
        }
        return side;
      }),
    );
    const plain = createServer();
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    closers.push(() => plain.close());
    const [usual, other] = [await open(), await open()];
    const closed = await AdmissionWebhookServer.open();
    const refused = closed.config('v');
    closed.close();
    faulty = {
      expired: (await open(undefined, Date.now() - 2 * yearMs)).config('v'),
      notYetValid: (await open(undefined, Date.now() + yearMs)).config('v'),
      expiredAuthority: (await open(undefined, undefined, Date.now() - 2 * yearMs)).config('v'),
      futureAuthority: (await open(undefined, undefined, Date.now() + yearMs)).config('v'),
      otherHost: (await open(['other.example', '127.0.0.2'])).config('v'),
      noHost: (await open([])).config('v'),
      otherAuthority: { ...usual.config('v'), caBundle: other.caBundle },
      plain: { url: `https://127.0.0.1:${(plain.address() as AddressInfo).port}/v`, caBundle: usual.caBundle },
      refused,
    };
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });

  const compare = async (caseOf: (side: WebhookSide) => Parameters<WebhookSide['play']>[0], probe: string) => {
    const [real, embedded] = await Promise.all(sides.map((side) => side.play(caseOf(side), probe)));
    expect(embedded).toEqual(real);
  };

  it.each(faultCases.map((one, index) => [index, one.title, one] as const))('case %d: %s', (index, _, one) =>
    compare(() => one, `fault-${index}`),
  );

  it.each(connectionFaults)('reports a connection that is %s', (name) =>
    compare(() => connects(name, faulty[name]), `connection-${name}`),
  );

  it.each(serviceCases.map(({ title, service }, index) => [index, title, service] as const))(
    'calls a Service, case %d: %s',
    (index, title, service) =>
      compare(
        ({ webhooks: { caBundle } }) =>
          connects(title, { caBundle, service: { namespace: 'default', ...service } }, { timeoutSeconds: 2 }),
        `service-${index}`,
      ),
  );
});
