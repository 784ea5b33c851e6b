import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import {
  type ControlPlane,
  commandOf,
  controlPlaneAssets,
  endOfLogs,
  hasControlPlane,
  killPrograms,
  startApiServer,
  startControllers,
  startProgram,
  untilEnded,
  untilReady,
} from './control-plane.fixture.ts';

/** A real Kubernetes control plane on this machine. */
export interface RealServer {
  readonly url: string;
  /** A kubeconfig with an administrator's credentials. */
  readonly kubeconfig: string;
  readonly token: string;
  readonly caPem: string;
  /** Sends one request as the administrator; parses a JSON body of the response. */
  send(method: string, path: string, options?: SendOptions): Promise<RealAnswer>;
  /** Repeats a request until the response is as expected: the server needs a moment after a CRD is applied. */
  sendUntil(isWanted: (answer: RealAnswer) => boolean, ...request: Parameters<RealServer['send']>): Promise<RealAnswer>;
  /**
   * Kills the API server, and starts it again with the same etcd, port and certificates after `whileAway` has finished,
   * even if that fails. Adds flags to its previous ones.
   */
  restart(whileAway: () => Promise<void>, ...flags: string[]): Promise<void>;
  stop(): Promise<void>;
}

export interface SendOptions {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RealAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any response of the server
  readonly body: any;
}

/** Whether the real control plane is on this machine. If CI requires it, its absence is an error instead of a skip. */
export function hasRealServer(): boolean {
  if (hasControlPlane()) return true;
  if (process.env['EVENKEEL_REQUIRE_REAL_SERVER'] === '1')
    throw new Error('no real control plane next to this checkout');
  return false;
}

/**
 * The servers of a run: `npm test` uses the embedded server, and `npm run conformance` the real one. Both configurations of
 * Jest set it. Without it, the tests run on all servers.
 */
const servers = process.env['EVENKEEL_TEST_SERVERS'];

/** `describe` for tests on the embedded server that a run with the real server need not repeat. */
export function describeOnEmbeddedServer(title: string, tests: () => void): void {
  if (servers !== 'real') describe(title, tests);
}

/**
 * `describe` for tests that need the real control plane. If it is not on this machine, skips the block and reports why.
 * Declares nothing in `npm test`, so the file's name must be one of those in `conformance.config.ts`.
 */
export function describeWithRealServer(title: string, tests: () => void): void {
  if (servers === 'embedded') return;
  if (hasRealServer()) {
    describe(title, tests);
    return;
  }
  process.stdout.write(`skipped: ${title}: no real control plane beside this checkout
`);
  describe.skip(title, tests);
}

/** The folder of the real server's programs, for `KUBEBUILDER_ASSETS`. */
export function realServerAssets(): Promise<string> {
  return controlPlaneAssets();
}

/**
 * Starts the control plane in a separate folder: only the API server, or with the controllers (`controllers`), or with
 * the scheduler and simulated nodes too (`nodes`). The kinds of `definitions` are served before the controllers start,
 * because the garbage collector looks for new kinds only every 30 s. Adds flags to those of the API server.
 */
export async function startRealServer(
  level?: 'controllers' | 'nodes',
  definitions: readonly object[] = [],
  flags: readonly string[] = [],
): Promise<RealServer> {
  const directory = await mkdtemp(join(tmpdir(), 'evenkeel-real-'));
  try {
    const plane = await startApiServer(directory, flags, isReady);
    const server = realServer(plane);
    // It reports that it is ready before it has created its default objects.
    await server.sendUntil(({ body }) => body.items?.length === 4, 'GET', '/api/v1/namespaces');
    await server.sendUntil(({ status }) => status === 200, 'GET', '/api/v1/namespaces/default/services/kubernetes');
    for (const body of definitions) {
      await create(server, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body);
    }
    await untilDiscovered(server, definitions);
    if (level !== undefined) await startControllers(plane, level);
    if (level === 'nodes') await create(server, '/api/v1/nodes', node);
    return server;
  } catch (error) {
    await remove(directory);
    throw error;
  }
}

/**
 * Starts the control plane with controllers, and waits until they work. Until then, they would not remove a namespace, for
 * example, and not report what blocks it.
 */
export async function startRealCluster(): Promise<RealServer> {
  const server = await startRealServer('controllers');
  const account = '/api/v1/namespaces/default/serviceaccounts/default';
  await server.sendUntil(({ status }) => status === 200, 'GET', account);
  return server;
}

/** The controllers find kinds by discovery. The server lists a kind there a moment after its CRD is created. */
async function untilDiscovered(server: RealServer, definitions: readonly object[]): Promise<void> {
  for (const { spec } of definitions as readonly CustomResourceDefinition[]) {
    const hasKind = ({ metadata, versions }: DiscoveredGroup): boolean =>
      metadata.name === spec.group &&
      versions.some(({ resources }) => resources.some(({ resource }) => resource === spec.names.plural));
    await server.sendUntil(({ body }) => body.items?.some(hasKind), 'GET', '/apis', { accept: aggregatedDiscovery });
  }
}

const aggregatedDiscovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface DiscoveredGroup {
  readonly metadata: { readonly name: string };
  readonly versions: readonly { readonly resources: readonly { readonly resource: string }[] }[];
}

async function create(server: RealServer, path: string, body: object): Promise<void> {
  const { status, text } = await server.send('POST', path, { body });
  if (status !== 201) throw new Error(`the real server rejected ${path}: ${text}`);
}

function realServer(plane: ControlPlane): RealServer {
  const { url, kubeconfig, token, caPem } = plane;
  const sendToServer: RealServer['send'] = (...sent) => send(plane, ...sent);
  return {
    url,
    kubeconfig,
    token,
    caPem,
    send: sendToServer,
    sendUntil: async (isWanted, ...sent) => {
      for (;;) {
        const answer = await sendToServer(...sent);
        if (isWanted(answer)) return answer;
        await delay(10);
      }
    },
    restart: (whileAway, ...more) => restart(plane, whileAway, more),
    stop: () => remove(plane.directory),
  };
}

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-0', annotations: { 'kwok.x-k8s.io/node': 'fake' } },
  status: {
    allocatable: { cpu: '64', memory: '256Gi', pods: '1000' },
    capacity: { cpu: '64', memory: '256Gi', pods: '1000' },
  },
};

async function isReady(server: Pick<RealServer, 'url' | 'token' | 'caPem'>): Promise<boolean> {
  return (await send(server, 'GET', '/readyz').catch(() => undefined))?.status === 200;
}

async function restart(
  { directory, ...server }: ControlPlane,
  whileAway: () => Promise<void>,
  moreFlags: readonly string[],
): Promise<void> {
  const pid = Number(await readFile(join(directory, 'apiserver.pid'), 'utf8'));
  const [program = '', ...flags] = await commandOf(pid);
  if (program === '') throw new Error(`the API server has already exited\n${await endOfLogs(directory)}`);
  process.kill(pid, 'SIGKILL');
  // It keeps the port until it has exited.
  await untilEnded(pid);
  try {
    await whileAway();
  } finally {
    const started = await startProgram(directory, 'apiserver', program, [...flags, ...moreFlags]);
    await untilReady(() => isReady(server), [started], directory);
  }
}

async function remove(directory: string): Promise<void> {
  await killPrograms(directory);
  await rm(directory, { recursive: true, force: true });
}

function send(
  server: Pick<RealServer, 'url' | 'token' | 'caPem'>,
  method: string,
  path: string,
  options: SendOptions = {},
): Promise<RealAnswer> {
  const body =
    options.body === undefined || typeof options.body === 'string' ? options.body : JSON.stringify(options.body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${server.url}${path}`,
      {
        method,
        ca: server.caPem,
        headers: {
          authorization: `Bearer ${server.token}`,
          accept: options.accept ?? 'application/json',
          ...(body === undefined ? {} : { 'content-type': options.contentType ?? 'application/json' }),
          ...options.headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            get body() {
              return JSON.parse(text);
            },
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
