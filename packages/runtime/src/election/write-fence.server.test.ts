import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';

describeWithRealServer('the timeout that the fence sets for a write on a real server', () => {
  let server: RealServer;

  beforeAll(async () => {
    server = await startRealServer();
  });

  afterAll(() => server?.stop());

  it('ends a write that hangs in a webhook for longer', async () => {
    const sockets: Socket[] = [];
    // Accepts connections, and never sends anything.
    const silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    try {
      const body = {
        metadata: { name: 'silent' },
        webhooks: [
          {
            name: 'silent.example.com',
            clientConfig: { url: `https://127.0.0.1:${port}/` },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
            timeoutSeconds: 30,
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      };
      const { status } = await server.send('POST', webhooks, { body });
      expect(status).toBe(201);
      const path = '/api/v1/namespaces/default/configmaps';
      const create = async (): Promise<{ created: boolean; ms: number }> => {
        const before = performance.now();
        const body = { metadata: { generateName: 'late-' } };
        // A server that has started its response can only close the connection.
        const answer = await server.send('POST', `${path}?timeout=1500ms`, { body }).catch(() => undefined);
        return { created: answer?.status === 201, ms: performance.now() - before };
      };
      let tried = await create();
      // The server needs a moment to load a webhook.
      while (tried.created) tried = await create();
      expect(tried.ms).toBeGreaterThan(1000);
      expect(tried.ms).toBeLessThan(20_000);
      const { body: before } = await server.send('GET', path);
      await create();
      const { body: after } = await server.send('GET', path);
      expect(after.items).toHaveLength(before.items.length);
    } finally {
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  });
});
