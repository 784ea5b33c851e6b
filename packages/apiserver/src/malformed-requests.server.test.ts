import { describeWithRealServer, type RealServer, startRealServer } from '../../../test/real-server.fixture.ts';
import { ApiServer } from './api-server.ts';
import { jsonEqual } from './apimachinery/index.ts';
import { normalise } from './comparison.fixture.ts';
import { hiddenByParser, malformedHeads } from './malformed-heads.fixture.ts';
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

  const responses = async (bytes: string): Promise<readonly unknown[]> =>
    (await Promise.all(ports.map((port) => sendRaw(port, bytes)))).map(shown);

  it.each(malformedRequests)('get the same response: %s', async (_, bytes) => {
    const [expected, actual] = await responses(bytes);
    expect(actual).toEqual(expected);
  });

  it('get the same response in all parts of the head that Node shows', async () => {
    const differing: unknown[] = [];
    for (const [title, bytes] of malformedHeads) {
      const [expected, actual] = await responses(bytes);
      if (!jsonEqual(actual, expected)) differing.push(hiddenByParser.has(title) ? title : { title, expected, actual });
    }
    expect(differing.toSorted()).toEqual([...hiddenByParser].toSorted());
  });
});

function shown(answer: RawAnswer | undefined): unknown {
  if (answer === undefined) return undefined;
  const { body, ...rest } = answer;
  try {
    const value = JSON.parse(body);
    // The version differs in the build.
    return { ...rest, body: value.gitVersion === undefined ? normalise(value) : 'version' };
  } catch {
    return { ...rest, body };
  }
}
