import { isJsonObject } from '@evenkeel/apimachinery/json';
import { comparableAnswer, withSortedErrors } from '../../../../test/differences/comparable.fixture.ts';
import { differingLines, isSame } from '../../../../test/differences/differing-lines.fixture.ts';
import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { type ComparedAnswer, type ComparedServer, embeddedServer, realServer } from '../comparison.fixture.ts';
import { type Mutation, mutationsOf } from './mutations.fixture.ts';
import { type SampleObject, sampleObjects } from './sample-objects.fixture.ts';

interface Sent {
  readonly title: string;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  body(side: Side): unknown;
}

interface Side {
  readonly server: ComparedServer;
  /** The object as it is stored, to which updates are sent. */
  stored: Record<string, unknown>;
}

/** The requests in flight at once. */
const width = 16;

/** All changes of a sample: as new objects, as updates of the sample, and as updates of its status. */
function requestsOf({ object, path, status, restless = false }: SampleObject): Sent[] {
  const { apiVersion, kind, metadata, ...content } = object;
  const name = (metadata as { name: string }).name;
  const contents = mutationsOf(content) as (Mutation & { value: object })[];
  const created = contents.map(
    ({ title, value }): Sent => ({
      title: `create ${title}`,
      method: 'POST',
      path: `${path}?dryRun=All`,
      body: () => ({ apiVersion, kind, metadata: { name: name.replace(/^sample/, 'new') }, ...value }),
    }),
  );
  if (restless) return created;
  const put = (what: string, to: string, mutations: readonly (Mutation & { value: object })[]): Sent[] =>
    mutations.map(({ title, value }) => ({
      title: `${what} ${title}`,
      method: 'PUT',
      path: `${path}/${name}${to}?dryRun=All`,
      body: ({ stored }) => ({ ...stored, ...value }),
    }));
  const statuses = mutationsOf({ status }) as (Mutation & { value: object })[];
  return [
    ...created,
    ...put('update', '', contents),
    ...(status === undefined
      ? []
      : put('update status', '/status', [{ title: 'to the sample', value: { status } }, ...statuses])),
  ];
}

/** A response without what two servers may write differently, and without the diffs of Go structs in messages. */
const compared = (answer: ComparedAnswer): unknown => withoutDiffs(comparableAnswer(answer));

function withoutDiffs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDiffs);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => {
    // Other tests compare them.
    if (key === 'managedFields') return [key, undefined];
    if (key === 'message' && typeof member === 'string') return [key, withoutStructs(member)];
    return [key, withoutDiffs(member)];
  });
  return Object.fromEntries(entries);
}

/** A message without values that Go prints as internal structs, and without the diffs of two of them. */
function withoutStructs(message: string): string {
  return (
    message
      // An empty map or list in a message may be null.
      .replaceAll(/ value: (?:\{\}|\[\])/g, ' value: null')
      .replaceAll(/(?<=Syntax error: ).*$/gs, '<syntax>')
      .replace(/(immutable after creation[^\n]*)\n.*/s, '$1')
      .replaceAll(/(Invalid value: )(?:[[{].*?[\]}]|null|<empty>)(?=: field is immutable)/g, '$1<struct>')
  );
}

describeWithRealServer('changes of valid objects', () => {
  let servers: ComparedServer[] = [];

  beforeAll(async () => {
    servers = await Promise.all([realServer(), embeddedServer()]);
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it.each(sampleObjects.map((sample) => [`${sample.title} (${sample.path})`, sample] as const))(
    'get the same responses: %s',
    async (_, sample) => {
      const sides = await Promise.all(
        servers.map(async (server): Promise<Side> => {
          const { status, body } = await server.send('POST', sample.path, { body: sample.object });
          expect({ status, body }).toEqual({ status: 201, body: expect.anything() });
          return { server, stored: body as Record<string, unknown> };
        }),
      );
      const send = ({ method, path, body }: Sent, side: Side): Promise<ComparedAnswer> =>
        side.server.send(method, path, { body: body(side) });
      const requests = requestsOf(sample).reverse();
      const differences: string[] = [];
      const work = async (): Promise<void> => {
        for (let next = requests.pop(); next !== undefined; next = requests.pop()) {
          const request = next;
          const [real, embedded] = await Promise.all(sides.map((side) => send(request, side)));
          if (real === undefined || embedded === undefined) throw new Error('there are two servers');
          const [expected, actual] = [compared(real), compared(embedded)];
          if (isSame(withSortedErrors(expected), withSortedErrors(actual))) continue;
          differences.push([request.title, ...differingLines(expected, actual)].join('\n    '));
        }
      };
      await Promise.all(Array.from({ length: width }, work));
      expect(differences).toEqual([]);
    },
  );
});
