import { ApiServer } from '../api-server.ts';
import { request } from '../request.fixture.ts';

const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const volumes = '/api/v1/persistentvolumes';

describe('the provisioner of volumes', () => {
  let server: ApiServer;
  beforeEach(async () => {
    server = await ApiServer.create();
    // Controllers at work while no test runs would load modules then, which Jest forbids.
    await turns();
  });
  afterEach(() => server.close());

  async function turns(): Promise<void> {
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
    (await request(server.transport(), method, path, body)).body;

  const create = (name: string, storageClassName?: string): Promise<unknown> => {
    const resources = { requests: { storage: '5Gi' } };
    const spec = {
      accessModes: ['ReadWriteMany'],
      resources,
      ...(storageClassName !== undefined && { storageClassName }),
    };
    return ask('POST', claims, { metadata: { name }, spec });
  };

  it.each([undefined, 'fast'])('makes what a claim of class %p asks for, which goes with the claim', async (type) => {
    await create('data', type);
    let claim = await ask('GET', `${claims}/data`);
    while (claim.status.phase !== 'Bound') claim = await ask('GET', `${claims}/data`);
    expect(claim.status).toMatchObject({ accessModes: ['ReadWriteMany'], capacity: { storage: '5Gi' } });
    const volume = await ask('GET', `${volumes}/${claim.spec.volumeName}`);
    expect(volume.status.phase).toBe('Bound');
    expect(volume.spec.claimRef).toMatchObject({ namespace: 'default', name: 'data', uid: claim.metadata.uid });
    expect(volume.spec.storageClassName).toBe(type);
    await ask('DELETE', `${claims}/data`);
    while ((await ask('GET', volumes)).items.length > 0) await turns();
  });

  it('makes nothing for a claim of the empty class, nor for one that finds a volume', async () => {
    const there = { accessModes: ['ReadWriteMany'], capacity: { storage: '9Gi' }, hostPath: { path: '/a' } };
    await ask('POST', volumes, { metadata: { name: 'there' }, spec: { ...there, storageClassName: 'slow' } });
    await create('none', '');
    await create('found', 'slow');
    let found = await ask('GET', `${claims}/found`);
    while (found.status.phase !== 'Bound') found = await ask('GET', `${claims}/found`);
    await turns();
    expect(found.spec.volumeName).toBe('there');
    expect((await ask('GET', `${claims}/none`)).status.phase).toBe('Pending');
    expect((await ask('GET', volumes)).items).toHaveLength(1);
  });
});
