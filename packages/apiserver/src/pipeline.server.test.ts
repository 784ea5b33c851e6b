import { isDeepStrictEqual } from 'node:util';
import { describeWithRealServer } from '../../../test/real-server.fixture.ts';
import {
  type ComparedAnswer,
  type ComparedServer,
  embeddedServer,
  normalise,
  realServer,
} from './comparison.fixture.ts';
import { jobScripts } from './job-requests.fixture.ts';
import { requestScripts, type ScriptedRequest } from './pipeline-requests.fixture.ts';

describeWithRealServer('the same requests to the real server and to the embedded one', () => {
  let real: ComparedServer;
  let embedded: ComparedServer;

  beforeAll(async () => {
    [real, embedded] = await Promise.all([realServer(), embeddedServer()]);
  });

  afterAll(() => Promise.all([real?.stop(), embedded?.stop()]));

  /** Waits until a new kind is served. The real server takes a moment, in which it returns 404 first, then 429. */
  async function settled({ path, method }: ScriptedRequest): Promise<void> {
    if (method !== 'GET' || !path.startsWith('/apis/compare.example.com/v1/')) return;
    for (;;) {
      const { status } = await real.send('GET', path.split('?')[0] ?? '');
      if (status !== 429 && (status !== 404 || path.includes('missing'))) return;
    }
  }

  it.each([...requestScripts, ...jobScripts].map((script) => [script.title, script] as const))(
    '%s like the real server',
    async (_, { requests }) => {
      const differences: unknown[] = [];
      for (const [index, request] of requests.entries()) {
        const { method, path, statusOnly, ...options } = request;
        await settled(request);
        const shown = (answer: ComparedAnswer): unknown =>
          statusOnly === undefined ? normalise(answer) : { status: answer.status };
        const compare = async (attemptsLeft: number): Promise<void> => {
          const [expected, actual] = await Promise.all([
            real.send(method, path, options),
            embedded.send(method, path, options),
          ]);
          if (attemptsLeft > 0 && !isDeepStrictEqual(shown(actual), shown(expected))) return compare(attemptsLeft - 1);
          expect(shown(actual)).toEqual(shown(expected));
        };
        try {
          // On a busy machine, a watch of one second may end before it has sent all existing objects.
          await compare(path.includes('timeoutSeconds=') ? 5 : 0);
        } catch (error) {
          differences.push(`${index}: ${method} ${path}\n${(error as Error).message}`);
        }
      }
      if (differences.length > 0)
        throw new Error(`${differences.length} answers differ\n\n${differences.join('\n\n')}`);
    },
  );
});
