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

  it('expands a volume if its StorageClass allows it, and rejects the larger claim otherwise', async () => {
    const classes = '/apis/storage.k8s.io/v1/storageclasses';
    const classOf = (name: string, allowVolumeExpansion: boolean): Promise<unknown> =>
      server.send('POST', classes, { metadata: { name }, provisioner: 'example.com/disks', allowVolumeExpansion });
    await classOf('growing', true);
    await classOf('fixed', false);
    const bound = async (name: string): Promise<string> => {
      for (;;) {
        const { status, spec } = await server.send('GET', `${claims}/${name}`);
        if (status.phase === 'Bound') return spec.volumeName;
      }
    };
    const grow = (name: string): ReturnType<ControlledServer['answer']> =>
      server.answer('PATCH', `${claims}/${name}`, { spec: { resources: { requests: { storage: '8Gi' } } } });
    await create('grown', 'growing');
    const volume = await bound('grown');
    await grow('grown');
    await server.quiet();
    expect((await server.send('GET', `${claims}/grown`)).status.capacity).toEqual({ storage: '8Gi' });
    expect((await server.send('GET', `${volumes}/${volume}`)).spec.capacity).toEqual({ storage: '8Gi' });
    for (const [name, className] of [
      ['kept', 'fixed'],
      ['unknown', 'no-such-class'],
      ['classless', undefined],
    ] as const) {
      await create(name, className);
      await bound(name);
      expect((await grow(name)).body.message).toBe(
        `persistentvolumeclaims "${name}" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize`,
      );
    }
  });

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
