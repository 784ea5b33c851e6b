import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Ports on loopback that were free a moment ago, all different. Another program may take one meanwhile: whoever uses them
 * tries again with others.
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
