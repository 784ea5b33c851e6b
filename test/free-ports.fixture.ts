import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * How many ports a worker of Jest has for itself, so that nobody takes one while a server that was killed is away. With all
 * workers' they lie below those that systems give to whoever asks for any port, and below those that Services get on nodes.
 */
const portsOfWorker = 1000;
const workersAtMost = 8;

/** Ports of loopback that nobody listens on: all are open at once, so that they differ. */
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
