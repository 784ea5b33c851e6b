import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Returns different ports on the loopback interface that were free a moment ago. Another program may take one
 * meanwhile, so the caller must retry with others.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
