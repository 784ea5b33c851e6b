import { isDeepStrictEqual } from 'node:util';
import { describeWithRealServer } from '../../../test/real-server.fixture.ts';
import {
  type ComparedAnswer,
  type ComparedServer,
  embeddedServer,
  normalise,
  realServer,
} from './comparison.fixture.ts';
import { formScripts } from './form-requests.fixture.ts';
import { jobScripts } from './job-requests.fixture.ts';
import { requestScripts } from './pipeline-requests.fixture.ts';

describeWithRealServer('the same requests to the real server and to the embedded one', () => {
  let real: ComparedServer;
  let embedded: ComparedServer;

  beforeAll(async () => {
    [real, embedded] = await Promise.all([realServer(), embeddedServer()]);
  });

  afterAll(() => Promise.all([real?.stop(), embedded?.stop()]));

  it.each([...requestScripts, ...jobScripts, ...formScripts].map((script) => [script.title, script] as const))(
    '%s like the real server',
    async (_, { requests }) => {
      const differences: unknown[] = [];
      for (const [index, request] of requests.entries()) {
        const { method, path, statusOnly, eventually, ...options } = request;
        const shown = (answer: ComparedAnswer): unknown =>
          statusOnly === undefined ? normalise(answer) : { status: answer.status };
        const compare = async (mayRepeat: (attempts: number) => boolean, attempts = 1): Promise<void> => {
          const [expected, actual] = await Promise.all([
            real.send(method, path, options),
            embedded.send(method, path, options),
          ]);
          if (!isDeepStrictEqual(shown(actual), shown(expected)) && mayRepeat(attempts)) {
            return compare(mayRepeat, attempts + 1);
          }
          expect(shown(actual)).toEqual(shown(expected));
        };
        try {
          // On a busy machine, a watch of one second may end before it has sent all existing objects.
          const attemptsMax = path.includes('timeoutSeconds=') ? 6 : 1;
          const deadline = Date.now() + 60_000;
          await compare((attempts) => (eventually === true ? Date.now() < deadline : attempts < attemptsMax));
        } catch (error) {
          differences.push(`${index}: ${method} ${path}\n${(error as Error).message}`);
        }
      }
      if (differences.length > 0)
        throw new Error(`${differences.length} answers differ\n\n${differences.join('\n\n')}`);
    },
  );
});
