import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from '@evenkeel/apiserver';
import { type Connection, httpsTransport, loadConnection } from '@evenkeel/client';
import type { Transport } from '@evenkeel/core';
import { describeWithRealServer, startRealServer } from './real-server.fixture.ts';

/** An API server of some sort, and ways to it. */
export interface ApiBackend {
  /** A way in as the administrator, or as the user that he pretends to be. Closed with the backend. */
  transport(user?: string): Transport;
  /** Undefined where there is no socket. */
  readonly connection: Connection | undefined;
  /** A file for other programs. Undefined where there is no socket. */
  readonly kubeconfig: string | undefined;
  stop(): Promise<void>;
}

export interface EveryServerOptions {
  /** Also on a real one without what a server of 1.31 lacks of lists and watches. Default false. */
  readonly olderToo?: boolean;
  /** How the embedded server is reached. Default: both. */
  readonly embedded?: 'in process' | 'over HTTPS';
}

/**
 * Runs one list of tests on the embedded server without a socket, on the same over HTTPS, and on the real one.
 */
export function describeOnEveryServer(
  title: string,
  tests: (
    start: () => Promise<ApiBackend>,
    is: { readonly overHttps: boolean; readonly hasWatchList: boolean },
  ) => void,
  { olderToo = false, embedded }: EveryServerOptions = {},
): void {
  if (embedded !== 'over HTTPS') {
    describe(`${title}: the embedded server, in process`, () =>
      tests(startInProcess, { overHttps: false, hasWatchList: true }));
  }
  if (embedded !== 'in process') {
    describe(`${title}: the embedded server, over HTTPS`, () =>
      tests(startListening, { overHttps: true, hasWatchList: true }));
  }
  describeWithRealServer(`${title}: a real server`, () => {
    tests(() => startReal([]), { overHttps: true, hasWatchList: true });
  });
  if (!olderToo) return;
  describeWithRealServer(`${title}: a real server that lacks what came after 1.31`, () => {
    tests(() => startReal(without131), { overHttps: true, hasWatchList: false });
  });
}

/** 1.33 is the oldest version that 1.36 can play, and in that, these can be switched off still. */
const without131: readonly string[] = [
  '--emulated-version=1.33',
  `--feature-gates=${[
    'ConsistentListFromCache',
    'ListFromCacheSnapshot',
    'ResilientWatchCacheInitialization',
    'SeparateCacheWatchRPC',
    'StreamingCollectionEncodingToJSON',
    'StreamingCollectionEncodingToProtobuf',
    'WatchCacheInitializationPostStartHook',
    'WatchList',
  ]
    .map((gate) => `${gate}=false`)
    .join(',')}`,
];

async function startInProcess(): Promise<ApiBackend> {
  // Nobody acts on objects behind the tests' back, as on a real server without its controller manager.
  const server = await ApiServer.create({ controllers: false });
  const plain = server.transport();
  return {
    connection: undefined,
    kubeconfig: undefined,
    transport: (user) =>
      user === undefined
        ? plain
        : {
            request: (request) =>
              plain.request({ ...request, headers: { ...request.headers, 'impersonate-user': user } }),
            close: async () => undefined,
          },
    stop: () => server.close(),
  };
}

async function startListening(): Promise<ApiBackend> {
  const server = await ApiServer.create({ controllers: false });
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-backend-'));
  await server.listen();
  await server.writeKubeconfig(join(folder, 'kubeconfig'));
  return overHttps(join(folder, 'kubeconfig'), async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
}

async function startReal(flags: readonly string[]): Promise<ApiBackend> {
  const server = await startRealServer(undefined, [], flags);
  return overHttps(server.kubeconfig, () => server.stop());
}

async function overHttps(kubeconfig: string, stop: () => Promise<void>): Promise<ApiBackend> {
  const connection = await loadConnection({ kubeconfig, environment: {} });
  const transports: Transport[] = [];
  const open = (to: Connection): Transport => {
    const transport = httpsTransport(to);
    transports.push(transport);
    return transport;
  };
  return {
    connection,
    kubeconfig,
    transport: (user) =>
      open(user === undefined ? connection : { ...connection, credentials: () => impersonated(connection, user) }),
    stop: async () => {
      for (const transport of transports) await transport.close();
      await stop();
    },
  };
}

async function impersonated(connection: Connection, user: string): Promise<{ headers: Record<string, string> }> {
  const given = await connection.credentials?.();
  return { ...given, headers: { ...(given?.headers as Record<string, string> | undefined), 'impersonate-user': user } };
}
