import { ApiServer } from '../api-server.ts';
import { request, watchEvents } from '../request.fixture.ts';
import { definitionOf } from './definition-server.fixture.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const name = 'crontabs.stable.example.com';
const objects = '/apis/stable.example.com/v1/namespaces/default/crontabs';

describe('the deletion of a definition', () => {
  it('deletes the objects and the definition, sends the deletion to a watch, and stops serving the kind', async () => {
    const server = await ApiServer.create({ controllers: false });
    const transport = server.transport();
    await request(transport, 'POST', definitions, definitionOf('crontabs', 'CronTab'));
    const object = { apiVersion: 'stable.example.com/v1', kind: 'CronTab', metadata: { name: 'a' } };
    expect((await request(transport, 'POST', objects, object)).status).toBe(201);
    const events = watchEvents(transport, `${definitions}?watch=1&fieldSelector=metadata.name%3D${name}`);
    expect((await events.next()).value.type).toBe('ADDED');
    const { status, body } = await request(transport, 'DELETE', `${definitions}/${name}`, {
      propagationPolicy: 'Background',
    });
    expect([status, body.metadata.finalizers]).toEqual([200, ['customresourcecleanup.apiextensions.k8s.io']]);
    expect((await request(transport, 'GET', `${definitions}/${name}`)).status).toBe(404);
    expect((await request(transport, 'GET', objects)).status).toBe(404);
    const types: string[] = [];
    for await (const { type } of events) {
      types.push(type);
      if (type !== 'MODIFIED') break;
    }
    expect(types.at(-1)).toBe('DELETED');
    await server.close();
  });

  it('ends when the finalizers of the objects are removed, and rejects new objects until then', async () => {
    const server = await ApiServer.create({ controllers: false });
    const transport = server.transport();
    await request(transport, 'POST', definitions, definitionOf('crontabs', 'CronTab'));
    const object = { apiVersion: 'stable.example.com/v1', kind: 'CronTab', metadata: { name: 'held' } };
    const held = { ...object, metadata: { name: 'held', finalizers: ['example.com/held'] } };
    expect((await request(transport, 'POST', objects, held)).status).toBe(201);
    await request(transport, 'DELETE', `${definitions}/${name}`);
    const refused = await request(transport, 'POST', objects, object);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'crontabs.stable.example.com "held" is forbidden: create not allowed while custom resource definition is terminating',
    ]);
    const patch = { metadata: { finalizers: null } };
    const headers = { 'content-type': 'application/merge-patch+json' };
    const events = watchEvents(transport, `${definitions}?watch=1&fieldSelector=metadata.name%3D${name}`);
    expect((await events.next()).value.type).toBe('ADDED');
    expect((await request(transport, 'PATCH', `${objects}/held`, patch, headers)).status).toBe(200);
    for await (const { type } of events) if (type === 'DELETED') break;
    expect((await request(transport, 'GET', `${definitions}/${name}`)).status).toBe(404);
    await server.close();
  });
});
