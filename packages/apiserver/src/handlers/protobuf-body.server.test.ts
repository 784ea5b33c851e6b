import { request } from 'node:https';
import { builtinGroups } from '@evenkeel/kinds/discovery';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { validObjects } from '../strategy/valid-objects.fixture.ts';
import { printedObjects } from '../table/printed-objects.fixture.ts';
import { parseProtobufBody } from './protobuf-body.ts';
import { protobufObjects } from './protobuf-objects.fixture.ts';

interface Created {
  readonly path: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/**
 * Removes the values that protobuf does not carry: nulls, since it does not distinguish an empty list from a missing one,
 * and the types of a StatefulSet's claims, which the server writes into any JSON.
 */
function carried(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, member) => {
    if (key === 'volumeClaimTemplates') for (const claim of member) for (const type of types) delete claim[type];
    return member === null ? undefined : member;
  });
}

const types = ['apiVersion', 'kind'];

function getBytes(server: RealServer, path: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${server.token}`, accept: 'application/vnd.kubernetes.protobuf' };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server.url}${path}`, { ca: server.caPem, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => resolve(Buffer.concat(chunks)));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** Kinds whose objects have a meaningful name. */
const ownNames = new Set(['CustomResourceDefinition', 'APIService', 'IPAddress']);

/** Whether an object affects other objects, which the server would reject or change because of it. */
const limits = ({ object }: Created): boolean => object['kind'] === 'ResourceQuota' || object['kind'] === 'LimitRange';

async function create(server: RealServer, { path, object, status }: Created): Promise<void> {
  const { kind, metadata } = object as unknown as ApiObject;
  const { name, ...rest } = metadata;
  // Several fixtures use the same name.
  const named = ownNames.has(kind) ? metadata : { ...rest, generateName: `${name}-` };
  const created = await server.send('POST', path, { body: { ...object, metadata: named } });
  // An IPAddress exists already if a Service has that address.
  if (created.status === 409 && kind === 'IPAddress') return;
  expect({ kind, name, status: created.status, text: created.status < 300 ? '' : created.text }).toMatchObject({
    status: 201,
    text: '',
  });
  if (status === undefined) return;
  const self = `${path}/${created.body.metadata.name}/status`;
  await server.send('PATCH', self, { contentType: 'application/merge-patch+json', body: { status } });
}

const lists = builtinGroups.flatMap(({ name, versions }) =>
  versions.flatMap(({ version, resources }) =>
    resources
      .filter(({ verbs, listKind }) => verbs.includes('list') && listKind !== undefined)
      .map((resource) => ({ root: name === '' ? `/api/${version}` : `/apis/${name}/${version}`, resource })),
  ),
);

describeWithRealServer('objects that the real server writes as protobuf', () => {
  let server: RealServer;
  const compared = new Set<string>();
  beforeAll(async () => {
    server = await startRealServer();
    const objects: Created[] = [...protobufObjects, ...printedObjects, ...validObjects];
    for (const created of objects) if (!limits(created)) await create(server, created);
    for (const created of objects) if (limits(created)) await create(server, created);
  });
  afterAll(() => server.stop());

  it.each(lists.map(({ root, resource }) => [`${root}/${resource.resource}`, { root, resource }] as const))(
    'are decoded to the same JSON: %s',
    async (path, { root, resource }) => {
      const { items } = (await server.send('GET', path)).body as { items: ApiObject[] };
      for (const { metadata } of items) {
        const folder = metadata.namespace === undefined ? root : `${root}/namespaces/${metadata.namespace}`;
        const self = `${folder}/${resource.resource}/${metadata.name}`;
        const [json, bytes] = await Promise.all([server.send('GET', self), getBytes(server, self)]);
        if (json.status === 404) continue;
        const decoded = await parseProtobufBody(bytes, resource.kind);
        expect(carried(decoded)).toEqual(carried(json.body));
        compared.add(path);
      }
    },
  );

  it('cover more than forty kinds', () => {
    expect(compared.size).toBeGreaterThan(40);
  });
});
