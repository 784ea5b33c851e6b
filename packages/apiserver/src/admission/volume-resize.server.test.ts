import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { type ComparedServer, embeddedServer, normalise, realServer } from '../comparison.fixture.ts';

const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const contentType = 'application/merge-patch+json';

describeWithRealServer('a larger request of a PersistentVolumeClaim', () => {
  let servers: ComparedServer[] = [];

  beforeAll(async () => {
    servers = await Promise.all([realServer(), embeddedServer()]);
    const classOf = (name: string, allowVolumeExpansion: boolean): object => ({
      metadata: { name },
      provisioner: 'csi.example.com',
      allowVolumeExpansion,
    });
    for (const server of servers) {
      for (const body of [classOf('elastic', true), classOf('fixed', false)]) {
        await server.send('POST', '/apis/storage.k8s.io/v1/storageclasses', { body });
      }
    }
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it.each([
    ['is accepted if its StorageClass allows the expansion', 'elastic', 'Bound', 200],
    ['is rejected if its StorageClass does not', 'fixed', 'Bound', 403],
    ['is rejected without a StorageClass of that name', 'none', 'Bound', 403],
    ['is rejected if the claim is not bound', 'elastic', 'Pending', 422],
  ])('%s', async (title, storageClassName, phase, status) => {
    const name = title.replaceAll(' ', '-').toLowerCase();
    const spec = { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: '1Gi' } } };
    const [expected, actual] = await Promise.all(
      servers.map(async (server) => {
        await server.send('POST', claims, { body: { metadata: { name }, spec } });
        await server.send('PATCH', `${claims}/${name}/status`, { body: { status: { phase } }, contentType });
        const body = { spec: { resources: { requests: { storage: '2Gi' } } } };
        const { body: answer, ...rest } = await server.send('PATCH', `${claims}/${name}`, { body, contentType });
        const message = (answer as { message?: string }).message?.split('\n')[0];
        return normalise({ ...rest, message, spec: (answer as { spec?: object }).spec });
      }),
    );
    expect((expected as { status: number }).status).toBe(status);
    expect(actual).toEqual(expected);
  });
});
