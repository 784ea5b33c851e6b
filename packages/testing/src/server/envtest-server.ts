import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, httpsTransport, readBody } from '@evenkeel/client';
import { type Clock, EvenkeelError, SystemClock, type Transport } from '@evenkeel/core';
import { HttpsDoor } from '../webhook/https-door.ts';
import { freePorts } from './free-port.ts';
import { GuardedProcesses, type GuardedProgram } from './guarded-processes.ts';
import type { TestServer } from './test-server.ts';

/** The required programs in `KUBEBUILDER_ASSETS`, as in envtest (controller-runtime `pkg/envtest/server.go`). */
const assetNames = ['etcd', 'kube-apiserver'] as const;
/** envtest waits 20 s for a control plane. A machine that runs other tests at the same time needs longer. */
const startTimeoutMs = 60_000;
const pollMs = 25;
/** The number of attempts with other ports if another program took one. */
const attempts = 3;
const logLines = 10;

/**
 * A real kube-apiserver with an etcd, started only for this process on free ports of 127.0.0.1. As in envtest, there
 * are no controllers, so objects of deleted owners are not collected, namespaces are never removed, and Deployments
 * create no Pods. There is no ServiceAccount admission either, so Pods can be created.
 */
export class EnvtestServer implements TestServer {
  readonly kind = 'envtest';
  readonly door = new HttpsDoor(async () => '127.0.0.1', Date.now);
  readonly #processes: GuardedProcesses;
  readonly #connection: Connection;
  readonly #kubeconfig: string;

  private constructor(processes: GuardedProcesses, connection: Connection, kubeconfig: string) {
    this.#processes = processes;
    this.#connection = connection;
    this.#kubeconfig = kubeconfig;
  }

  /**
   * Starts both and waits until they are ready. Throws `test-assets-missing` if `assets` lacks one of the programs, and
   * `test-server-not-started` if one exits or is not ready within 60 s. After an error, everything is stopped.
   */
  static async start(assets: string | undefined, clock: Clock = new SystemClock()): Promise<EnvtestServer> {
    const folder = await assetsIn(assets);
    for (let attempt = 1; ; attempt++) {
      try {
        return await startOnce(folder, clock, (...parts) => new EnvtestServer(...parts));
      } catch (error) {
        if (attempt === attempts || !/address already in use/.test((error as Error).message)) throw error;
      }
    }
  }

  connect(): Transport {
    return httpsTransport(this.#connection);
  }

  async kubeconfig(): Promise<string> {
    return this.#kubeconfig;
  }

  close(): Promise<void> {
    return this.#processes.end();
  }
}

async function assetsIn(folder: string | undefined): Promise<string> {
  const fix = 'install them ("setup-envtest use -p path" prints the folder), or unset it for the embedded API server';
  if (folder === undefined || folder === '') {
    throw new EvenkeelError('test-assets-missing', `KUBEBUILDER_ASSETS is not set; ${fix}`);
  }
  for (const name of assetNames) {
    await access(join(folder, name), constants.X_OK).catch((cause: unknown) => {
      throw new EvenkeelError(
        'test-assets-missing',
        `KUBEBUILDER_ASSETS is ${folder}, which has no executable ${name}; ${fix}`,
        { cause },
      );
    });
  }
  return folder;
}

async function startOnce<T>(
  assets: string,
  clock: Clock,
  create: (processes: GuardedProcesses, connection: Connection, kubeconfig: string) => T,
): Promise<T> {
  // Readable only by this user (mode 0700), because it contains an administrator's token and a signing key.
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-envtest-'));
  const [etcdPort = 0, peerPort = 0, port = 0] = await freePorts(3);
  const token = randomBytes(32).toString('base64url');
  const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  await writeFile(join(folder, 'tokens.csv'), `${token},admin,admin,"system:masters"\n`);
  await writeFile(join(folder, 'service-account.key'), signingKey.export({ format: 'pem', type: 'sec1' }));
  const processes = new GuardedProcesses(folder, [
    etcd(assets, folder, etcdPort, peerPort),
    kubeApiServer(assets, folder, port, etcdPort),
  ]);
  const server = `https://127.0.0.1:${port}`;
  const deadline = clock.monotonic() + startTimeoutMs;
  for (;;) {
    // Check first for exited programs: another program may listen on the port now.
    if (processes.failure !== undefined || clock.monotonic() > deadline) {
      const how = processes.failure ?? `kube-apiserver was not ready within ${startTimeoutMs / 1000} s`;
      const log = await lastLines(folder, how);
      await processes.end();
      throw new EvenkeelError(
        'test-server-not-started',
        `the API server of ${assets} did not start: ${how}; see the end of its log:\n${log}`,
      );
    }
    // The server writes its certificate during its start. Requests are possible when the file is complete.
    const ca = await readFile(join(folder, 'apiserver.crt'), 'utf8').catch(() => '');
    if (ca.includes('-----END CERTIFICATE-----')) {
      const connection: Connection = {
        server,
        ca,
        credentials: async () => ({ headers: { authorization: `Bearer ${token}` } }),
        namespace: 'default',
        origin: `the API server of ${assets}`,
      };
      if (await isReady(connection)) {
        const kubeconfig = join(folder, 'kubeconfig');
        await writeFile(kubeconfig, kubeconfigText(server, ca, token), { mode: 0o600 });
        return create(processes, connection, kubeconfig);
      }
    }
    await clock.sleep(pollMs);
  }
}

function etcd(assets: string, folder: string, port: number, peerPort: number): GuardedProgram {
  const client = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  return {
    name: 'etcd',
    file: join(assets, 'etcd'),
    args: [
      `--data-dir=${join(folder, 'etcd')}`,
      '--unsafe-no-fsync',
      '--log-level=error',
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
    ],
  };
}

function kubeApiServer(assets: string, folder: string, port: number, etcdPort: number): GuardedProgram {
  const key = join(folder, 'service-account.key');
  return {
    name: 'kube-apiserver',
    file: join(assets, 'kube-apiserver'),
    args: [
      `--etcd-servers=http://127.0.0.1:${etcdPort}`,
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${folder}`,
      `--token-auth-file=${join(folder, 'tokens.csv')}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--service-account-issuer=https://localhost/',
      `--service-account-key-file=${key}`,
      `--service-account-signing-key-file=${key}`,
      '--disable-admission-plugins=ServiceAccount',
      '--allow-privileged=true',
    ],
  };
}

/**
 * Whether the server is ready according to its endpoint, and the namespace `default` exists, which is created a moment
 * later.
 */
async function isReady(connection: Connection): Promise<boolean> {
  const transport = httpsTransport(connection);
  try {
    for (const path of ['/readyz', '/api/v1/namespaces/default']) {
      const response = await transport.request({ method: 'GET', path });
      await readBody(response);
      if (response.status !== 200) return false;
    }
    return true;
  } catch {
    return false;
  } finally {
    await transport.close();
  }
}

async function lastLines(folder: string, how: string): Promise<string> {
  const name = assetNames.find((asset) => how.startsWith(`${asset} `)) ?? 'kube-apiserver';
  const text = await readFile(join(folder, `${name}.log`), 'utf8').catch(() => '');
  const lines = text.trimEnd().split('\n');
  return lines.slice(-logLines).join('\n');
}

/** Returns a kubeconfig as JSON, which is also YAML. */
function kubeconfigText(server: string, ca: string, token: string): string {
  const name = 'envtest';
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  });
}
