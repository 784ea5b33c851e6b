import { ApiServer } from '../api-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';

/** The events of a watch up to the bookmark after the initial objects, read one at a time. */
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

describe('a watch that starts with the existing objects', () => {
  it('sends all of them, however many there are, and then the changes made meanwhile', async () => {
    const server = await ApiServer.create({ controllers: false });
    const create = (name: string, data: object) =>
      server.transport().request({
        method: 'POST',
        path: maps,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ metadata: { name }, data }),
      });
    // More bytes than the limit for a slow reader of changes.
    const names = Array.from({ length: 45 }, (_, at) => `large-${String(at).padStart(2, '0')}`);
    for (const name of names) expect((await create(name, { text: 'x'.repeat(900_000) })).status).toBe(201);
    const seen = await initialEvents(server, async () => {
      await create('late', {});
    });
    expect(seen).toEqual([...names.map((name) => `ADDED ${name}`), 'BOOKMARK', 'ADDED late']);
    await server.close();
  });
});

describe('a watch of a custom kind', () => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const sites = '/apis/example.com/v1/namespaces/default/sites';
  const definition = (properties: object): object => ({
    metadata: { name: 'sites.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'sites', singular: 'site', kind: 'Site', listKind: 'SiteList' },
      scope: 'Namespaced',
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
      ],
    },
  });

  /** The types of the events of a watch until it ends, while `change` runs. */
  async function eventsDuring(
    change: (
      send: (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => Promise<number>,
    ) => Promise<void>,
  ): Promise<string[]> {
    const server = await ApiServer.create({ controllers: false });
    const transport = server.transport();
    const send = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<number> => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const { status } = await transport.request({ method, path, headers: { 'content-type': type }, ...sent });
      return status;
    };
    expect(await send('POST', definitions, definition({ spec: { type: 'object' } }))).toBe(201);
    const watching = await transport.request({ method: 'GET', path: `${sites}?watch=true`, headers: {} });
    expect(await send('POST', sites, { apiVersion: 'example.com/v1', kind: 'Site', metadata: { name: 'a' } })).toBe(
      201,
    );
    await change(send);
    let text = '';
    for await (const chunk of watching.body) text += Buffer.from(chunk).toString('utf8');
    await server.close();
    return text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
  }

  it('ends when its definition changes, except if only the labels change', async () => {
    const path = `${definitions}/sites.example.com`;
    const events = await eventsDuring(async (send) => {
      expect(await send('PATCH', path, { metadata: { labels: { some: 'label' } } })).toBe(200);
      expect(await send('DELETE', `${sites}/a`)).toBe(200);
      expect(await send('PATCH', path, definition({ spec: { type: 'object' }, status: { type: 'object' } }))).toBe(200);
    });
    expect(events).toEqual(['ADDED', 'DELETED']);
  });

  it('ends when its definition is deleted, after the deletion events of its objects', async () => {
    const events = await eventsDuring(async (send) => {
      expect(await send('DELETE', `${definitions}/sites.example.com`)).toBe(200);
    });
    expect(events).toEqual(['ADDED', 'DELETED']);
  });
});
