import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from './imports.fixture.ts';

const run = promisify(execFile);
const envtest = join(root, '..', 'shared', 'envtest');

/** A real Kubernetes control plane on this machine. */
export interface RealServer {
  readonly url: string;
  /** A file with an administrator's credentials. */
  readonly kubeconfig: string;
  readonly token: string;
  readonly caPem: string;
  /** Sends one request as the administrator; the body of the answer is parsed where it is JSON. */
  send(method: string, path: string, options?: SendOptions): Promise<RealAnswer>;
  /** Sends again until the answer is as wanted: what follows from a CRD takes the server a moment. */
  sendUntil(isWanted: (answer: RealAnswer) => boolean, ...request: Parameters<RealServer['send']>): Promise<RealAnswer>;
  /**
   * Ends the API server as a crash does, and starts it again on the same etcd, port and certificates once `whileAway` has
   * ended, also when that fails. Flags are added to those it ran with.
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
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the server answers
  readonly body: any;
}

/** Whether the real control plane is on this machine. Where CI demands it, its absence is an error and not a skip. */
export function hasRealServer(): boolean {
  if (existsSync(join(envtest, 'up'))) return true;
  if (process.env['EVENKEEL_REQUIRE_REAL_SERVER'] === '1') throw new Error(`no real control plane at ${envtest}`);
  return false;
}

/**
 * `describe` where the real control plane is on this machine; elsewhere the block is skipped, and the report says why.
 */
export function describeWithRealServer(title: string, tests: () => void): void {
  if (hasRealServer()) {
    describe(title, tests);
    return;
  }
  process.stdout.write(`skipped: ${title}: no real control plane beside this checkout
`);
  describe.skip(title, tests);
}

/** The folder of the real server's programs, as `KUBEBUILDER_ASSETS` names it. */
export async function realServerAssets(): Promise<string> {
  const { stdout } = await run(join(envtest, 'unpack'));
  return stdout.trim();
}

/**
 * Starts the control plane in a folder of its own: the API server alone, with the controllers (`controllers`), or with
 * the scheduler and simulated nodes too (`nodes`). CRDs given as `definitions` are there before the controllers, of which
 * the garbage collector looks for new kinds only every 30 s. Flags are added to those of the API server.
 */
export async function startRealServer(
  level?: 'controllers' | 'nodes',
  definitions: readonly object[] = [],
  flags: readonly string[] = [],
): Promise<RealServer> {
  const directory = await mkdtemp(join(tmpdir(), 'evenkeel-real-'));
  if (definitions.length > 0) {
    const server = await startIn(directory, undefined, flags);
    for (const body of definitions) {
      const { status, text } = await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        body,
      });
      if (status !== 201) throw new Error(`the definition was refused: ${text}`);
    }
    // What it stored stays in the folder.
    await run(join(envtest, 'down'), [directory]);
  }
  return await startIn(directory, level, flags);
}

/** How often it is tried on other ports when another program took one that was free a moment before. */
const attempts = 3;

async function startIn(
  directory: string,
  level: 'controllers' | 'nodes' | undefined,
  flags: readonly string[],
): Promise<RealServer> {
  const kubeconfig = await up(directory, level, flags);
  const text = await readFile(kubeconfig, 'utf8');
  const partOf = (pattern: RegExp): string => {
    const part = pattern.exec(text)?.[1];
    if (part === undefined) throw new Error(`${kubeconfig} has nothing like ${pattern}:\n${text}`);
    return part;
  };
  const url = partOf(/server: "([^"]+)"/);
  const caPem = await readFile(partOf(/certificate-authority: "([^"]+)"/), 'utf8');
  const token = partOf(/token: ([\w-]+)/);
  const sendToServer: RealServer['send'] = (...sent) => send({ url, token, caPem }, ...sent);
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
      }
    },
    restart: (whileAway, ...more) => restart(directory, sendToServer, whileAway, more),
    stop: () => remove(directory),
  };
}

async function up(
  directory: string,
  level: 'controllers' | 'nodes' | undefined,
  flags: readonly string[],
): Promise<string> {
  // These servers live for seconds: a fifth of their start is collecting garbage.
  const env = { ...process.env, EXTRA_APISERVER_FLAGS: flags.join(' '), GOGC: '400' };
  for (let attempt = 1; ; attempt++) {
    try {
      const { stdout } = await run(join(envtest, 'up'), [directory, ...(level === undefined ? [] : [`--${level}`])], {
        env,
      });
      return stdout.trim();
    } catch (error) {
      const logs = await endOfLogs(directory);
      if (attempt < attempts && logs.includes('address already in use')) {
        await killAll(directory);
        continue;
      }
      await remove(directory);
      throw new Error(`the real control plane did not start: ${(error as Error).message}\n${logs}`, { cause: error });
    }
  }
}

async function restart(
  directory: string,
  sendToServer: RealServer['send'],
  whileAway: () => Promise<void>,
  moreFlags: readonly string[],
): Promise<void> {
  const pidFile = join(directory, 'apiserver.pid');
  const pid = Number(await readFile(pidFile, 'utf8'));
  const [program = '', ...flags] = await commandOf(pid);
  if (program === '') throw new Error(`the API server has ended already\n${await endOfLogs(directory)}`);
  process.kill(pid, 'SIGKILL');
  // Until it has gone, it has the port.
  while ((await commandOf(pid)).length > 0) await delay(5);
  try {
    await whileAway();
  } finally {
    await startAgain();
  }

  async function startAgain(): Promise<void> {
    const log = await open(join(directory, 'apiserver.log'), 'a');
    const started = spawn(program, [...flags, ...moreFlags], {
      cwd: directory,
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    });
    started.unref();
    await log.close();
    await writeFile(pidFile, String(started.pid));
    while ((await sendToServer('GET', '/readyz').catch(() => undefined))?.status !== 200) {
      if (started.exitCode !== null || started.signalCode !== null) {
        throw new Error(`the API server did not start again\n${await endOfLogs(directory)}`);
      }
      await delay(50);
    }
  }
}

/** Program and arguments of a process; nothing where it has ended. */
async function commandOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text.split('\0').filter(Boolean);
}

/** What a person needs to see why a program did not start: each log's last lines. */
async function endOfLogs(directory: string): Promise<string> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.log'));
  const ends = files.map(async (file) => {
    const lines = (await readFile(join(directory, file), 'utf8')).trimEnd().split('\n');
    return `the end of ${file}:\n${lines.slice(-10).join('\n')}`;
  });
  return (await Promise.all(ends)).join('\n');
}

async function remove(directory: string): Promise<void> {
  await killAll(directory);
  await run(join(envtest, 'down'), [directory]);
  await rm(directory, { recursive: true, force: true });
}

/** Its state goes too, so nothing is lost by not waiting the 4 s that the API server takes to end by itself. */
async function killAll(directory: string): Promise<void> {
  for (const file of await readdir(directory)) {
    if (!file.endsWith('.pid')) continue;
    try {
      process.kill(Number(await readFile(join(directory, file), 'utf8')), 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }
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
