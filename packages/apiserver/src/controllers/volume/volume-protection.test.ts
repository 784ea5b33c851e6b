import { ControlledServer } from '../controlled-server.fixture.ts';

const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const pods = '/api/v1/namespaces/default/pods';
const volumes = '/api/v1/persistentvolumes';
const storage = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

describe('the volume protection', () => {
  let server: ControlledServer;
  beforeEach(async () => {
    server = await ControlledServer.start();
  });
  afterEach(() => server.close());

  const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<number> =>
    (await server.answer(method, path, body)).status;

  async function gone(path: string): Promise<void> {
    while ((await send('GET', path)) !== 404) await server.quiet();
  }

  it('keeps a deleted claim as long as a scheduled pod uses it, also if it was created for that pod', async () => {
    await send('POST', claims, { metadata: { name: 'user-scratch' }, spec: storage });
    const volume = { name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: storage } } };
    const spec = {
      schedulerName: 'nobody',
      nodeName: 'n',
      containers: [{ name: 'a', image: 'a:1' }],
      volumes: [volume],
    };
    expect(await send('POST', pods, { metadata: { name: 'user' }, spec })).toBe(201);
    expect(await send('DELETE', `${claims}/user-scratch`)).toBe(200);
    await server.quiet();
    expect(await send('GET', `${claims}/user-scratch`)).toBe(200);
    await send('DELETE', `${pods}/user?gracePeriodSeconds=0`);
    await gone(`${claims}/user-scratch`);
  });

  it('keeps a deleted volume as long as it is bound', async () => {
    const spec = { ...storage, capacity: { storage: '1Gi' }, hostPath: { path: '/a' } };
    await send('POST', volumes, { metadata: { name: 'v' }, spec });
    await send('POST', claims, { metadata: { name: 'data' }, spec: { ...storage, volumeName: 'v' } });
    const isBound = async (): Promise<boolean> => (await server.send('GET', `${volumes}/v`)).status.phase === 'Bound';
    while (!(await isBound())) await server.quiet();
    expect(await send('DELETE', `${volumes}/v`)).toBe(200);
    await server.quiet();
    expect(await send('GET', `${volumes}/v`)).toBe(200);
    await send('DELETE', `${claims}/data`);
    await gone(`${volumes}/v`);
  });

  it('does not block the deletion of a namespace that contains a claim', async () => {
    await send('POST', '/api/v1/namespaces', { metadata: { name: 'brief' } });
    await send('POST', claims.replace('default', 'brief'), { metadata: { name: 'data' }, spec: storage });
    await send('DELETE', '/api/v1/namespaces/brief');
    await gone('/api/v1/namespaces/brief');
  });
});
