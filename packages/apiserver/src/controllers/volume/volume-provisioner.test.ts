import { ControlledServer } from '../controlled-server.fixture.ts';

const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const volumes = '/api/v1/persistentvolumes';

describe('the volume provisioner', () => {
  let server: ControlledServer;
  beforeEach(async () => {
    server = await ControlledServer.start();
  });
  afterEach(() => server.close());

  const create = (name: string, storageClassName?: string): Promise<unknown> => {
    const resources = { requests: { storage: '5Gi' } };
    const spec = {
      accessModes: ['ReadWriteMany'],
      resources,
      ...(storageClassName !== undefined && { storageClassName }),
    };
    return server.send('POST', claims, { metadata: { name }, spec });
  };

  it.each([undefined, 'fast'])(
    'creates the volume that a claim of class %p requests, and deletes it with the claim',
    async (type) => {
      await create('data', type);
      let claim = await server.send('GET', `${claims}/data`);
      while (claim.status.phase !== 'Bound') claim = await server.send('GET', `${claims}/data`);
      expect(claim.status).toMatchObject({ accessModes: ['ReadWriteMany'], capacity: { storage: '5Gi' } });
      const volume = await server.send('GET', `${volumes}/${claim.spec.volumeName}`);
      expect(volume.status.phase).toBe('Bound');
      expect(volume.spec.claimRef).toMatchObject({ namespace: 'default', name: 'data', uid: claim.metadata.uid });
      expect(volume.spec.storageClassName).toBe(type);
      await server.send('DELETE', `${claims}/data`);
      while ((await server.send('GET', volumes)).items.length > 0) await server.quiet();
    },
  );

  it('creates no volume for a claim of the empty class or a claim with a matching volume', async () => {
    const there = { accessModes: ['ReadWriteMany'], capacity: { storage: '9Gi' }, hostPath: { path: '/a' } };
    await server.send('POST', volumes, { metadata: { name: 'there' }, spec: { ...there, storageClassName: 'slow' } });
    await create('none', '');
    await create('found', 'slow');
    let found = await server.send('GET', `${claims}/found`);
    while (found.status.phase !== 'Bound') found = await server.send('GET', `${claims}/found`);
    await server.quiet();
    expect(found.spec.volumeName).toBe('there');
    expect((await server.send('GET', `${claims}/none`)).status.phase).toBe('Pending');
    expect((await server.send('GET', volumes)).items).toHaveLength(1);
  });
});
