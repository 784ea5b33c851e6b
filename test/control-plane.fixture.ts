import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { freePorts } from './free-ports.fixture.ts';
import { root } from './imports.fixture.ts';

const run = promisify(execFile);
/** The folder of the programs, and of the command by which a person starts them. */
export const envtest = join(root, '..', 'shared', 'envtest');

/** The programs of a real control plane, which store all their data in one folder. */
export interface ControlPlane {
  readonly directory: string;
  readonly url: string;
  readonly token: string;
  readonly caPem: string;
  readonly kubeconfig: string;
}

/** Returns whether the API server reports that it is ready. */
type IsReady = (server: Pick<ControlPlane, 'url' | 'token' | 'caPem'>) => Promise<boolean>;

/** Whether the programs are on this machine, compressed or not. */
export function hasControlPlane(): boolean {
  return existsSync(join(envtest, 'unpack'));
}

/** Returns the folder of the programs, and decompresses them if needed. */
export async function controlPlaneAssets(): Promise<string> {
  const { stdout } = await run(join(envtest, 'unpack'));
  return stdout.trim();
}

const token = 'admin-token';
const name = '127.0.0.1';

/** The number of attempts with other ports if another program has taken one. */
const attempts = 3;

/**
 * Starts the API server and its etcd, and waits until it is ready. The flags are those of the command `up` next to the
 * programs, by which a person starts a server. Starting it here takes half the time, because there is no polling shell,
 * and the keys are cheap to create.
 */
export async function startApiServer(
  directory: string,
  flags: readonly string[],
  isReady: IsReady,
): Promise<ControlPlane> {
  const programs = await controlPlaneAssets();
  const authority = new CertificateAuthority('real', Date.now());
  const kubeconfig = join(directory, 'kubeconfig');
  await mkdir(join(directory, 'certs'), { recursive: true });
  await writeKeys(directory, authority);
  for (let attempt = 1; ; attempt++) {
    const [etcdPort = 0, peerPort = 0, port = 0] = await freePorts(3);
    const url = `https://${name}:${port}`;
    const server = { url, token, caPem: authority.certificatePem };
    const started = [
      await startProgram(directory, 'etcd', join(programs, 'etcd'), etcdFlags(directory, etcdPort, peerPort)),
      await startProgram(directory, 'apiserver', join(programs, 'kube-apiserver'), [
        ...apiServerFlags(directory, port, etcdPort),
        ...flags,
      ]),
    ];
    try {
      await untilReady(() => isReady(server), started, directory);
      await writeFile(kubeconfig, kubeconfigText(directory, url));
      return { ...server, directory, kubeconfig };
    } catch (error) {
      await killPrograms(directory);
      if (attempt === attempts || !String(error).includes('address already in use')) throw error;
    }
  }
}

/** Starts the controllers of the API server; for `nodes`, also the scheduler and simulated nodes. */
export async function startControllers(
  { directory, kubeconfig }: ControlPlane,
  level: 'controllers' | 'nodes',
): Promise<void> {
  const programs = await controlPlaneAssets();
  await startProgram(directory, 'kcm', join(programs, 'kube-controller-manager'), [
    '--kubeconfig',
    kubeconfig,
    '--service-account-private-key-file',
    'sa.key',
    '--leader-elect=false',
    '--secure-port=0',
    // The simulated node reports every 50 to 55 s, and would by default count as lost after 50 s.
    '--node-monitor-grace-period=1h',
  ]);
  if (level === 'controllers') return;
  await startProgram(directory, 'scheduler', join(programs, 'kube-scheduler'), [
    '--kubeconfig',
    kubeconfig,
    '--leader-elect=false',
    '--secure-port=0',
  ]);
  const [port = 0] = await freePorts(1);
  await startProgram(directory, 'kwok', join(programs, 'kwok'), [
    '--kubeconfig',
    kubeconfig,
    '--manage-all-nodes=true',
    `--node-ip=${name}`,
    `--server-address=${name}:${port}`,
  ]);
}

/** Waits until the API server is ready again. If a program exits, throws with the ends of the logs. */
export async function untilReady(
  isReady: () => Promise<boolean>,
  programs: readonly ChildProcess[],
  directory: string,
): Promise<void> {
  while (!(await isReady())) {
    if (programs.some(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)) {
      throw new Error(`the real control plane did not start\n${await endOfLogs(directory)}`);
    }
    await delay(50);
  }
}

/** Starts a program that is stopped with its folder. Its output goes to `<title>.log` there. */
export async function startProgram(
  directory: string,
  title: string,
  program: string,
  flags: readonly string[],
): Promise<ChildProcess> {
  const log = await open(join(directory, `${title}.log`), 'a');
  const started = spawn(program, flags, {
    cwd: directory,
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
    // These programs run only for seconds, and a fifth of their start is garbage collection.
    env: { ...process.env, GOGC: '400' },
  });
  started.unref();
  await log.close();
  await writeFile(join(directory, `${title}.pid`), String(started.pid));
  return started;
}

/** Kills all programs. Their state is deleted too, so nothing is lost; waiting for a normal exit would take 4 s. */
export async function killPrograms(directory: string): Promise<void> {
  for (const file of await readdir(directory)) {
    if (!file.endsWith('.pid')) continue;
    const pid = Number(await readFile(join(directory, file), 'utf8'));
    await rm(join(directory, file));
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already exited.
    }
    await untilEnded(pid);
  }
}

/**
 * Waits until a killed process has released everything. It keeps its ports until its last thread has ended, which is
 * after its command line has disappeared.
 */
export async function untilEnded(pid: number): Promise<void> {
  for (;;) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
    const isUnreaped = stat.slice(stat.lastIndexOf(')')).startsWith(') Z') && threads.length === 1;
    if (stat === '' || isUnreaped) return;
    await delay(5);
  }
}

/** Returns the program and arguments of a process; empty if it has exited. */
export async function commandOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text.split('\0').filter(Boolean);
}

/** Returns the last lines of each log, which show why a program did not start. */
export async function endOfLogs(directory: string): Promise<string> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.log'));
  const ends = files.map(async (file) => {
    const lines = (await readFile(join(directory, file), 'utf8')).trimEnd().split('\n');
    return `the end of ${file}:\n${lines.slice(-10).join('\n')}`;
  });
  return (await Promise.all(ends)).join('\n');
}

/** Writes keys of elliptic curves. Otherwise the server creates RSA keys, which takes a third of a second. */
async function writeKeys(directory: string, authority: CertificateAuthority): Promise<void> {
  const hosts = [name, 'localhost', 'kubernetes.default.svc'];
  const serving = authority.issue({ commonName: 'real', usage: 'server', hosts });
  const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const files = {
    'tokens.csv': `${token},admin,admin,"system:masters"\n`,
    'sa.key': signing.privateKey.export({ format: 'pem', type: 'sec1' }),
    'sa.pub': signing.publicKey.export({ format: 'pem', type: 'spki' }),
    'certs/ca.crt': authority.certificatePem,
    'certs/apiserver.crt': serving.certificatePem,
    'certs/apiserver.key': serving.privateKeyPem,
  };
  for (const [file, text] of Object.entries(files)) await writeFile(join(directory, file), text);
}

export function etcdFlags(directory: string, port: number, peerPort: number): string[] {
  const client = `http://${name}:${port}`;
  const peer = `http://${name}:${peerPort}`;
  return [
    '--data-dir',
    join(directory, 'etcd'),
    '--unsafe-no-fsync',
    '--log-level=error',
    '--listen-client-urls',
    client,
    '--advertise-client-urls',
    client,
    '--listen-peer-urls',
    peer,
    '--initial-advertise-peer-urls',
    peer,
    `--initial-cluster=default=${peer}`,
  ];
}

export function apiServerFlags(directory: string, port: number, etcdPort: number): string[] {
  return [
    `--etcd-servers=http://${name}:${etcdPort}`,
    `--secure-port=${port}`,
    `--bind-address=${name}`,
    `--cert-dir=${join(directory, 'certs')}`,
    '--token-auth-file=tokens.csv',
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--service-account-issuer=https://localhost/',
    '--service-account-key-file=sa.pub',
    '--service-account-signing-key-file=sa.key',
    '--disable-admission-plugins=ServiceAccount',
    '--allow-privileged=true',
    '--enable-priority-and-fairness=false',
    '--max-requests-inflight=0',
    '--max-mutating-requests-inflight=0',
  ];
}

function kubeconfigText(directory: string, url: string): string {
  return `apiVersion: v1
kind: Config
clusters: [{name: real, cluster: {server: "${url}", certificate-authority: "${join(directory, 'certs', 'ca.crt')}"}}]
users: [{name: admin, user: {token: ${token}}}]
contexts: [{name: real, context: {cluster: real, user: admin, namespace: default}}]
current-context: real
`;
}
