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
import { publishedDefinition } from './openapi/published-definition.fixture.ts';
import { requestScripts } from './pipeline-requests.fixture.ts';
import { signingScripts } from './strategy/certificates/signing-requests.fixture.ts';

describeWithRealServer('the same requests to the real server and to the embedded one', () => {
  let real: ComparedServer;
  let embedded: ComparedServer;

  beforeAll(async () => {
    [real, embedded] = await Promise.all([realServer(), embeddedServer()]);
  });

  afterAll(() => Promise.all([real?.stop(), embedded?.stop()]));

  it.each(
    [...requestScripts, ...jobScripts, ...formScripts, ...signingScripts].map(
      (script) => [script.title, script] as const,
    ),
  )('%s like the real server', async (_, { requests }) => {
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
    if (differences.length > 0) throw new Error(`${differences.length} answers differ\n\n${differences.join('\n\n')}`);
  });

  it('publishes the schemas of custom kinds like the real server', async () => {
    const servers = [real, embedded];
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    for (const server of servers) {
      expect((await server.send('POST', definitions, { body: publishedDefinition })).status).toBe(201);
    }
    const ofKind = ([name]: [string, unknown]): boolean => name.startsWith('com.example.published.');
    const published = async (server: ComparedServer): Promise<object> => {
      const answers = await Promise.all([
        server.send('GET', '/openapi/v3/apis/published.example.com/v1'),
        server.send('GET', '/openapi/v3/apis/published.example.com/v2'),
        server.send('GET', '/openapi/v2'),
      ]);
      const [v1, v2, both] = answers.map(({ body }) => body as PublishedDocument);
      return {
        v1: Object.entries(v1?.components?.schemas ?? {}).filter(ofKind),
        v2: Object.entries(v2?.components?.schemas ?? {}).filter(ofKind),
        scale: v1?.components?.schemas['io.k8s.api.autoscaling.v1.Scale'],
        bodies: Object.entries(v1?.paths ?? {}).map(([path, { get, put }]) => [path, get?.responses, put?.requestBody]),
        openApi2: Object.entries(both?.definitions ?? {}).filter(ofKind),
      };
    };
    const wanted = await published(embedded);
    const deadline = Date.now() + 60_000;
    let found = await published(real);
    // The real server updates each document a moment after the definition is established.
    while (!isDeepStrictEqual(found, wanted) && Date.now() < deadline) found = await published(real);
    expect(wanted).toEqual(found);
  });
});

interface PublishedDocument {
  readonly components?: { readonly schemas: Readonly<Record<string, object>> };
  readonly paths?: Readonly<Record<string, { readonly get?: PublishedOperation; readonly put?: PublishedOperation }>>;
  readonly definitions?: Readonly<Record<string, object>>;
}

interface PublishedOperation {
  readonly responses: object;
  readonly requestBody: object;
}
