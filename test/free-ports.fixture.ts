import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * The number of ports that are reserved for a worker of Jest, so that no other program takes the port of a killed
 * server. The ports of all workers are below the range from which systems assign ports, and below the range of
 * NodePorts.
 */
const portsOfWorker = 1000;
const workersAtMost = 8;

/** Returns free ports on loopback. All are opened at once, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const worker = Number(process.env['JEST_WORKER_ID'] ?? 0) % workersAtMost;
  const servers: Server[] = [];
  const ports: number[] = [];
  while (ports.length < count) {
    const server = createServer();
    const port = 21_000 + worker * portsOfWorker + Math.floor(Math.random() * portsOfWorker);
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    servers.push(server);
    ports.push(port);
  }
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
