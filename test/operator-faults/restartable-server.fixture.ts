import { cp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ApiServer } from '@evenkeel/apiserver';
import { type Client, type Connection, createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { SeededRandom, type Transport, type TransportRequest } from '@evenkeel/core';
import { commandOf, startProgram, untilEnded } from '../control-plane.fixture.ts';
import { FaultProxy } from '../fault-proxy.fixture.ts';
import { describeOnEmbeddedServer, describeWithRealServer, startRealServer } from '../real-server.fixture.ts';
import { installSites } from './backend-environment.fixture.ts';

/** An API server with the kind Site that a test can kill, and set back to older data. */
export interface RestartableServer {
  /** The operator's transport. */
  readonly connection: Connection;
  /** The user's transport; do not use it while the server is stopped. */
  readonly client: Client;
  /** Kills it, and starts it with the same data and port after `whileAway` has finished. */
  restart(whileAway: () => Promise<void>): Promise<void>;
  /** Saves the current data for one {@link setBack}. */
  backUp(): Promise<void>;
  /** Kills it and starts it with the backup: versions are used again, and newer objects are lost. */
  setBack(whileAway: () => void): Promise<void>;
  stop(): Promise<void>;
}

/** Runs tests on the embedded server behind a socket, and on the real one. */
export function describeOnRestartableServers(
  title: string,
  tests: (start: () => Promise<RestartableServer>) => void,
): void {
  describeOnEmbeddedServer(`${title}: the embedded server`, () => tests(startEmbedded));
  describeWithRealServer(`${title}: a real server`, () => tests(startReal));
}

const seed = 7;

/**
 * The server behind the proxy depends only on its requests: with the same random numbers, the same writes give the same
 * uids and versions. A backup is therefore a number of writes.
 */
async function startEmbedded(): Promise<RestartableServer> {
  const written: TransportRequest[] = [];
  let backup = 0;
  let last: Promise<unknown> = Promise.resolve();
  const create = (): Promise<ApiServer> => ApiServer.create({ controllers: false, random: new SeededRandom(seed) });
  let server = await create();
  let inner = server.transport();
  const recording: Transport = {
    request: (request) => {
      if (request.method === 'GET') return inner.request(request);
      const { signal: _signal, beforeSend: _beforeSend, ...sent } = request;
      // One after another, so that they use their random numbers in the recorded order.
      const answer = last.then(() => {
        written.push(sent);
        return inner.request(sent);
      });
      last = answer.catch(() => undefined);
      return answer;
    },
    close: async () => undefined,
  };
  const client = createClient(recording, { fieldManager: 'test' });
  await installSites(client);
  const proxy = await FaultProxy.start(recording);
  return {
    connection: proxy.connection,
    client,
    restart: async (whileAway) => {
      await proxy.stopListening();
      try {
        await whileAway();
      } finally {
        await proxy.listenAgain();
      }
    },
    backUp: async () => {
      await last;
      backup = written.length;
    },
    setBack: async (whileAway) => {
      await proxy.stopListening();
      await last;
      await server.close();
      server = await create();
      inner = server.transport();
      for (const request of written.splice(0).slice(0, backup)) {
        const { body } = await recording.request(request);
        for await (const _ of body);
      }
      whileAway();
      await proxy.listenAgain();
    },
    stop: async () => {
      await proxy.close();
      await server.close();
    },
  };
}

async function startReal(): Promise<RestartableServer> {
  const server = await startRealServer();
  const folder = dirname(server.kubeconfig);
  const data = join(folder, 'etcd');
  const connection = await loadConnection({ kubeconfig: server.kubeconfig, environment: {} });
  const transport = httpsTransport(connection);
  const client = createClient(transport, { fieldManager: 'test' });
  await installSites(client);
  const etcdPid = async (): Promise<number> => Number(await readFile(join(folder, 'etcd.pid'), 'utf8'));
  return {
    connection,
    client,
    restart: (whileAway) => server.restart(whileAway),
    backUp: async () => {
      const pid = await etcdPid();
      process.kill(pid, 'SIGSTOP');
      await cp(data, `${data}.backup`, { recursive: true });
      process.kill(pid, 'SIGCONT');
    },
    setBack: (whileAway) =>
      server.restart(async () => {
        whileAway();
        const pid = await etcdPid();
        const [program = '', ...flags] = await commandOf(pid);
        process.kill(pid, 'SIGKILL');
        // It keeps its ports until it has exited.
        await untilEnded(pid);
        await rm(data, { recursive: true });
        await rename(`${data}.backup`, data);
        await startProgram(folder, 'etcd', program, flags);
      }),
    stop: async () => {
      await transport.close();
      await server.stop();
    },
  };
}
