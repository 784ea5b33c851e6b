import { describeWithRealServer, type RealServer, startRealServer } from '../../../test/real-server.fixture.ts';
import { ApiServer } from './api-server.ts';
import { normalise } from './comparison.fixture.ts';
import { malformedRequests, token } from './malformed-requests.fixture.ts';
import { type RawAnswer, sendRaw } from './raw-request.fixture.ts';

describeWithRealServer('malformed requests to the real server and to the embedded one', () => {
  let real: RealServer;
  let embedded: ApiServer;
  let ports: readonly [real: number, embedded: number];

  beforeAll(async () => {
    const user = { name: 'admin', groups: ['system:masters'] };
    real = await startRealServer();
    embedded = await ApiServer.create({ controllers: false, tokens: { [token]: user } });
    ports = [Number(new URL(real.url).port), (await embedded.listen()).port];
  });
  afterAll(() => Promise.all([real?.stop(), embedded?.close()]));

  it.each(malformedRequests)('get the same response: %s', async (_, bytes) => {
    const [expected, actual] = await Promise.all(ports.map((port) => sendRaw(port, bytes)));
    expect(shown(actual)).toEqual(shown(expected));
  });
});

function shown(answer: RawAnswer | undefined): unknown {
  if (answer === undefined) return undefined;
  const { body, ...rest } = answer;
  try {
    return { ...rest, body: normalise(JSON.parse(body)) };
  } catch {
    return { ...rest, body };
  }
}
