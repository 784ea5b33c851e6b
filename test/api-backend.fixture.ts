import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from '@evenkeel/apiserver';
import { type Connection, httpsTransport, loadConnection } from '@evenkeel/client';
import type { Transport } from '@evenkeel/core';
import { describeOnEmbeddedServer, describeWithRealServer, startRealServer } from './real-server.fixture.ts';

/** An API server of one of the tested types, and transports to it. */
export interface ApiBackend {
  /** Opens a transport as the administrator, or as the given user. The backend closes it. */
  transport(user?: string): Transport;
  /** Undefined without a socket. */
  readonly connection: Connection | undefined;
  /** A kubeconfig for other programs. Undefined without a socket. */
  readonly kubeconfig: string | undefined;
  stop(): Promise<void>;
}

export interface EveryServerOptions {
  /**
   * Whether to run also on a real server without the features of lists and watches that servers of 1.31 lack. Default:
   * false.
   */
  readonly olderToo?: boolean;
  /** The connections to the embedded server. Default: both. */
  readonly embedded?: 'in process' | 'over HTTPS';
}

/**
 * Runs a list of tests on the embedded server without a socket, on the embedded server over HTTPS, and on the real server;
 * in `npm test` only the first two, in `npm run conformance` only the last.
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
    describeOnEmbeddedServer(`${title}: the embedded server, in process`, () =>
      tests(startInProcess, { overHttps: false, hasWatchList: true }),
    );
  }
  if (embedded !== 'in process') {
    describeOnEmbeddedServer(`${title}: the embedded server, over HTTPS`, () =>
      tests(startListening, { overHttps: true, hasWatchList: true }),
    );
  }
  describeWithRealServer(`${title}: a real server`, () => {
    tests(() => startReal([]), { overHttps: true, hasWatchList: true });
  });
  if (!olderToo) return;
  describeWithRealServer(`${title}: a real server without features newer than 1.31`, () => {
    tests(() => startReal(without131), { overHttps: true, hasWatchList: false });
  });
}

/** 1.33 is the oldest version that 1.36 can emulate. There, these features can still be disabled. */
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
  // No controllers change objects during the tests, as on a real server without a controller manager.
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
