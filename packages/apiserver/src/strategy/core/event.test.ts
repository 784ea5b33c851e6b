import { ApiServer } from '../../api-server.ts';
import { request } from '../../request.fixture.ts';

const core = '/api/v1/namespaces/default/events';
const events = '/apis/events.k8s.io/v1/namespaces/default/events';

describe('events', () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await ApiServer.create({ controllers: false });
    const event = (name: string, rest: object): object => ({
      metadata: { name },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'web' },
      ...rest,
    });
    const send = (body: object) => request(server.transport(), 'POST', core, body);
    await send(event('pulled', { reason: 'Pulled', type: 'Normal', source: { component: 'kubelet' } }));
    await send(event('failed', { reason: 'Failed', type: 'Warning', reportingComponent: 'robot' }));
  });
  afterAll(() => server.close());

  async function selected(path: string, selector: string): Promise<unknown> {
    const { body } = await request(server.transport(), 'GET', `${path}?fieldSelector=${encodeURIComponent(selector)}`);
    return body.items?.map(({ metadata }: { metadata: { name: string } }) => metadata.name) ?? body.message;
  }

  it('are selected by the names that the core group has for their fields', async () => {
    expect(await selected(core, 'reason=Pulled')).toEqual(['pulled']);
    expect(await selected(core, 'type!=Normal')).toEqual(['failed']);
    expect(await selected(core, 'source=kubelet')).toEqual(['pulled']);
    expect(await selected(core, 'source=robot')).toEqual(['failed']);
    expect(await selected(core, 'involvedObject.name=web,involvedObject.kind=Pod')).toEqual(['failed', 'pulled']);
    expect(await selected(core, 'regarding.name=web')).toBe('field label not supported: regarding.name');
  });

  it('are shown in events.k8s.io without a reporter that nobody named', async () => {
    const { body } = await request(server.transport(), 'GET', `${events}/pulled`);
    expect(body).not.toHaveProperty('reportingController');
    expect(body).not.toHaveProperty('reportingInstance');
    expect((await request(server.transport(), 'GET', `${core}/pulled`)).body.reportingComponent).toBe('');
  });

  it('are selected by the names that events.k8s.io has for them', async () => {
    expect(await selected(events, 'reason=Pulled')).toEqual(['pulled']);
    expect(await selected(events, 'type=Warning')).toEqual(['failed']);
    expect(await selected(events, 'reportingController=robot')).toEqual(['failed']);
    expect(await selected(events, 'regarding.name=web,regarding.kind=Pod')).toEqual(['failed', 'pulled']);
    expect(await selected(events, 'regarding.name=other')).toEqual([]);
    expect(await selected(events, 'source=kubelet')).toBe('field label not supported: source');
    expect(await selected(events, 'involvedObject.name=web')).toBe('field label not supported: involvedObject.name');
  });
});
