import { ApiServer } from '../api-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';

/** The events of a watch up to the bookmark that ends what is there, read a piece at a time. */
async function initialEvents(server: ApiServer, between: () => Promise<void>): Promise<string[]> {
  const ended = new AbortController();
  const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const response = await server.transport().request({
    method: 'GET',
    path: `${maps}?${query}`,
    headers: {},
    signal: ended.signal,
  });
  const seen: string[] = [];
  let rest = '';
  for await (const chunk of response.body) {
    const lines = (rest + Buffer.from(chunk).toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { type, object } = JSON.parse(line) as { type: string; object: { metadata: { name?: string } } };
      seen.push(`${type} ${object.metadata.name ?? ''}`.trim());
    }
    if (seen.length === 1) await between();
    if (seen.at(-1) === 'ADDED late') break;
  }
  ended.abort();
  return seen;
}

describe('a watch that begins with what is there', () => {
  it('has all of it, however much that is, and what came meanwhile behind it', async () => {
    const server = await ApiServer.create({ controllers: false });
    const create = (name: string, data: object) =>
      server.transport().request({
        method: 'POST',
        path: maps,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ metadata: { name }, data }),
      });
    // More than may wait for a reader of changes, who is expected to keep up.
    const names = Array.from({ length: 45 }, (_, at) => `large-${String(at).padStart(2, '0')}`);
    for (const name of names) expect((await create(name, { text: 'x'.repeat(900_000) })).status).toBe(201);
    const seen = await initialEvents(server, async () => {
      await create('late', {});
    });
    expect(seen).toEqual([...names.map((name) => `ADDED ${name}`), 'BOOKMARK', 'ADDED late']);
    await server.close();
  });
});
