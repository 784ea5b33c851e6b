import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { ApiServer } from '@evenkeel/apiserver';
import { type Client, createClient } from '@evenkeel/client';
import { ConfigMap, Namespace } from '@evenkeel/kinds';
import { Lease } from '@evenkeel/kinds/coordination/v1';
import { freePorts } from '../../../../test/free-ports.fixture.ts';
import { root } from '../../../../test/imports.fixture.ts';

interface Line {
  readonly level?: string;
  readonly msg: string;
  readonly [key: string]: unknown;
}

const compiled = join(root, 'node_modules/.cache/run-manager');

/** The time limit for a stop that waits neither for the grace period of 30 s nor for a response. It usually takes 0.2 s. */
const atOnceMs = 8000;

/** `Manager.run` in its own process. */
class Operator {
  readonly lines: Line[] = [];
  readonly #child: ChildProcess;
  #output = '';
  #waiting: (() => void)[] = [];
  readonly exit: Promise<number | NodeJS.Signals | null>;

  constructor(given: readonly string[], environment: Record<string, string>) {
    this.#child = spawn(
      join(root, 'node_modules/.bin/node'),
      [
        '--conditions=evenkeel-source',
        '--no-warnings',
        'packages/runtime/src/manager/run-manager.fixture.ts',
        ...given,
      ],
      {
        cwd: root,
        // Later processes reuse the code that the first one compiles, which saves two thirds of the start time.
        env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiled, ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let rest = '';
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('{')) this.lines.push(JSON.parse(line) as Line);
      for (const waiting of this.#waiting) waiting();
    });
    this.exit = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve(code ?? signal));
    });
  }

  get output(): string {
    return this.#output;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** From now on, its writes to stdout fail with EPIPE. */
  stopReading(): void {
    this.#child.stdout?.destroy();
  }

  send(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits for the first line whose message includes the text and for which `holds` returns true. */
  async line(text: string, holds: (line: Line) => boolean = () => true): Promise<Line> {
    for (;;) {
      const found = this.lines.find((line) => line.msg.includes(text) && holds(line));
      if (found !== undefined) return found;
      const more = new Promise<void>((resolve) => this.#waiting.push(resolve));
      const ended = this.exit.then((code) => {
        throw new Error(`it exited with ${code} and printed:\n${this.output}`);
      });
      await Promise.race([more, ended]);
    }
  }

  /** The messages of a level, except that of a blocked event loop, which a busy machine can cause too. */
  messages(level: string): string[] {
    const messages = this.lines.filter((line) => line.level === level).map(({ msg }) => msg);
    return messages.filter((msg) => !msg.startsWith('the event loop was blocked'));
  }
}

describe('Manager.run()', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-run-'));
  const kubeconfig = join(folder, 'kubeconfig');
  let server: ApiServer;
  let client: Client;
  const operators: Operator[] = [];

  function run(
    given: readonly string[] = [],
    environment: Record<string, string> = { KUBECONFIG: kubeconfig },
  ): Operator {
    const operator = new Operator(given, environment);
    operators.push(operator);
    return operator;
  }

  const ask = (name: string, what: string) =>
    client.create(ConfigMap, { metadata: { name, namespace: 'default' }, data: { do: what } });

  beforeAll(async () => {
    server = await ApiServer.create({ controllers: false });
    await server.listen();
    await server.writeKubeconfig(kubeconfig);
    client = createClient(server.transport(), { fieldManager: 'test' });
  });

  afterEach(async () => {
    for (const operator of operators.splice(0)) {
      operator.send('SIGKILL');
      await operator.exit;
    }
    await client.deleteCollection(ConfigMap, { namespace: 'default' });
  });

  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('finishes the current run on %s, and exits with 0', async (signal) => {
    await ask('a', 'last');
    const operator = run();
    await operator.line('entered');
    operator.send(signal);
    expect(await operator.exit).toBe(0);
    expect(operator.lines.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['manager started', 'entered', 'stopping', 'left']),
    );
    expect([...operator.messages('warn'), ...operator.messages('error')]).toEqual([]);
  });

  it('exits with 1 if a run does not finish within the grace period, and logs its object', async () => {
    await ask('b', 'for ever');
    const operator = run(['--grace-period', '200ms']);
    await operator.line('entered');
    operator.send('SIGTERM');
    expect(await operator.exit).toBe(1);
    expect(await operator.line('reconcile did not finish before the manager stopped')).toMatchObject({
      namespace: 'default',
      name: 'b',
    });
    expect(operator.messages('error')).toEqual(['not everything finished within the grace period']);
  });

  it('exits with 1 after an unhandled rejection of a promise that a run created, and logs controller and object', async () => {
    await ask('c', 'float');
    const operator = run();
    expect(await operator.exit).toBe(1);
    expect(await operator.line('unhandled promise rejection')).toMatchObject({
      level: 'error',
      controller: 'scripted',
      controllerGroup: '',
      controllerKind: 'ConfigMap',
      ConfigMap: { name: 'c', namespace: 'default' },
      namespace: 'default',
      name: 'c',
      reconcileID: expect.stringMatching(/^[\da-f-]{36}$/),
      error: { message: 'nobody cares', stack: expect.stringContaining('run-manager.fixture.ts') },
      code: 'floating-rejection',
    });
    expect(operator.messages('error')).toHaveLength(1);
  });

  it('exits with 1 if a timer that a run created throws, and logs controller and object', async () => {
    await ask('g', 'throw later');
    const operator = run();
    expect(await operator.exit).toBe(1);
    expect(await operator.line('uncaught exception')).toMatchObject({
      level: 'error',
      controller: 'scripted',
      namespace: 'default',
      name: 'g',
      error: { message: 'nobody catches', stack: expect.stringContaining('run-manager.fixture.ts') },
      code: 'uncaught-exception',
    });
    expect(operator.messages('error')).toHaveLength(1);
    expect(operator.lines.map(({ msg }) => msg)).not.toContain('reconcile did not finish before the manager stopped');
  });

  it('logs the run that blocked the event loop for more than a second, and continues', async () => {
    const operator = run();
    await operator.line('controller started');
    await ask('d', 'block');
    const line = await operator.line('the event loop was blocked', ({ name }) => name === 'd');
    expect(line).toMatchObject({ level: 'warn', controller: 'scripted', namespace: 'default', name: 'd' });
    expect(line['blockedMs']).toBeGreaterThan(1000);
    operator.send('SIGTERM');
    expect(await operator.exit).toBe(0);
  });

  it('exits with 1 at once if it loses the Lease', async () => {
    const operator = run(['--leader-election-namespace=default', '--grace-period=1h'], {
      KUBECONFIG: kubeconfig,
      LEASE: 'runs',
    });
    await operator.line('became leader');
    await ask('e', 'for ever');
    await operator.line('entered');
    await client.patch(Lease, 'default/runs', { merge: { spec: { holderIdentity: 'thief' } } });
    expect(await operator.exit).toBe(1);
    expect(operator.lines).toContainEqual(expect.objectContaining({ level: 'error', code: 'leadership-lost' }));
  });

  it('no longer writes after a pause in which another process took over, and exits with 1', async () => {
    // On a busy machine a process may wait, but not for as long as this deadline.
    const times = ['--leader-election-lease-duration=5s', '--leader-election-renew-deadline=4s'];
    const election = ['--leader-election-namespace=default', ...times, '--leader-election-retry-period=250ms'];
    const lease = { KUBECONFIG: kubeconfig, LEASE: 'paused' };
    const watching = new AbortController();
    const writes: { readonly by: string; readonly version: number }[] = [];
    const watched = (async () => {
      for await (const event of client.watch(ConfigMap, { namespace: 'other', signal: watching.signal })) {
        if (event.type === 'BOOKMARK') continue;
        const [by = ''] = (event.object.data?.['by'] ?? '').split(' ');
        writes.push({ by, version: Number(event.object.metadata.resourceVersion) });
      }
    })().catch(() => undefined);
    const wroteSince = async (by: number | undefined, after: number): Promise<void> => {
      while (!writes.slice(after).some((write) => write.by === String(by))) await setTimeout(10);
    };
    await client.create(Namespace, { metadata: { name: 'other' } });
    await client.create(ConfigMap, { metadata: { name: 'written', namespace: 'other' } });
    await ask('f', 'write');

    const one = run(election, lease);
    await one.line('became leader');
    await wroteSince(one.pid, 0);
    const two = run(election, lease);
    await two.line('standing by');
    one.send('SIGUSR2');
    await one.line('pausing');
    await two.line('became leader');
    await wroteSince(two.pid, writes.length);
    const { metadata, spec } = await client.get(Lease, 'default/paused');
    expect(spec?.leaseTransitions).toBe(1);
    one.send('SIGCONT');
    expect(await one.exit).toBe(1);
    expect(one.lines).toContainEqual(expect.objectContaining({ level: 'error', code: 'leadership-lost' }));
    await wroteSince(two.pid, writes.length);
    watching.abort();
    await watched;

    const takeover = writes.findIndex(({ by }) => by === String(two.pid));
    expect(writes.slice(takeover).every(({ by }) => by === String(two.pid))).toBe(true);
    expect(writes.slice(0, takeover).filter(({ by }) => by === String(one.pid)).length).toBeGreaterThan(1);
    expect(Number(metadata.resourceVersion)).toBeGreaterThan(writes[takeover - 1]?.version ?? Number.NaN);
  });

  it.each([
    ['', [], {}],
    [', with an election', ['--leader-election-namespace=default'], { LEASE: 'away' }],
  ])(
    'logs one line for each attempt to reach the server, and exits at once on SIGTERM%s',
    async (_how, given, lease) => {
      const [port = 0] = await freePorts(1);
      const away = join(folder, 'away');
      writeFileSync(away, readFileSync(kubeconfig, 'utf8').replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`));
      const operator = run(given, { KUBECONFIG: away, ...lease });
      const tries = () => operator.lines.filter(({ msg }) => msg === 'the API server cannot be reached');
      await operator.line('the API server cannot be reached');
      while (tries().length < 2) await setTimeout(20);
      expect(tries()[0]).toMatchObject({ level: 'warn', tries: 1, error: { code: 'cluster-unreachable' } });
      const before = performance.now();
      operator.send('SIGTERM');
      expect(await operator.exit).toBe(0);
      expect(operator.messages('info')).toEqual(['manager started', 'stopping']);
      expect([...operator.messages('warn'), ...operator.messages('error')]).toEqual(
        tries().map(() => 'the API server cannot be reached'),
      );
      expect(tries().map((line) => line['tries'])).toEqual(tries().map((_, index) => index + 1));
      expect(performance.now() - before).toBeLessThan(atOnceMs);
    },
  );

  describe('with an unusable server at startup', () => {
    let silent: Server;
    let away: Record<string, (kubeconfig: string) => string>;

    beforeAll(async () => {
      silent = createServer((socket) => socket.resume().on('error', () => {}));
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      const { port } = silent.address() as AddressInfo;
      const other = new CertificateAuthority('another authority', Date.now());
      const authority = Buffer.from(other.certificatePem).toString('base64');
      away = {
        silent: (text) => text.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`),
        'another authority': (text) => text.replace(/(certificate-authority-data: )\S+/, `$1${authority}`),
        'an expired token': (text) => text.replace(/(token: )\S+/, '$1expired'),
      };
    });

    afterAll(() => new Promise((resolve) => silent.close(resolve)));

    const unreached = 'the API server cannot be reached';
    const renew = /Unauthorized.*renew the token or certificate of its kubeconfig/;
    const election = ['--leader-election-namespace=default', '--leader-election-retry-period=500ms'];

    // A server that rejects a token is reachable; the parts that need it log the problem.
    it.each([
      ['silent', 'without an election', [], unreached, /no response within \d+ ms/],
      ['another authority', 'without an election', [], unreached, /its certificate is not signed by the authority/],
      ['another authority', 'with an election', election, unreached, /its certificate is not signed by the authority/],
      ['an expired token', 'without an election', [], 'rejects the operator', renew],
      ['an expired token', 'with an election', election, 'could not take the lease', renew],
    ])(
      'logs the cause (%s, %s), is not ready, and exits at once on SIGTERM',
      async (what, _how, given, message, reason) => {
        const file = join(folder, what.replaceAll(' ', '-'));
        writeFileSync(file, away[what]?.(readFileSync(kubeconfig, 'utf8')) ?? '');
        const lease: Record<string, string> = given === election ? { LEASE: 'away' } : {};
        const operator = run([...given, '--health-address=127.0.0.1:0'], { KUBECONFIG: file, ...lease });
        const line = await operator.line(message);
        expect(line).toMatchObject({ level: 'warn' });
        expect(JSON.stringify(line)).toMatch(reason);
        expect(new Set(operator.messages('warn'))).toEqual(new Set([line.msg]));
        const { address } = await operator.line('health server');
        expect((await fetch(`http://${address}/readyz`)).status).not.toBe(200);
        expect((await fetch(`http://${address}/healthz`)).status).toBe(200);
        const before = performance.now();
        operator.send('SIGTERM');
        expect(await operator.exit).toBe(0);
        expect(performance.now() - before).toBeLessThan(atOnceMs);
      },
    );
  });

  it('continues if its stdout is closed, finishes the current run, and exits with 0', async () => {
    await ask('g', 'last');
    const operator = run();
    await operator.line('entered');
    operator.stopReading();
    operator.send('SIGTERM');
    expect(await operator.exit).toBe(0);
  });

  it('serves probes with the checks of the program, and metrics, on the addresses of flag and variable', async () => {
    const operator = run(['--health-address=127.0.0.1:0'], {
      KUBECONFIG: kubeconfig,
      EVENKEEL_METRICS_ADDRESS: '127.0.0.1:0',
    });
    const { address } = await operator.line('health server listens');
    expect(await (await fetch(`http://${String(address)}/readyz/own`)).text()).toBe('ok');
    const { address: metrics } = await operator.line('metrics server listens');
    await operator.line('controller started');
    const scraped = await (await fetch(`http://${String(metrics)}/metrics`)).text();
    expect(scraped).toContain('\ncontroller_runtime_max_concurrent_reconciles{controller="scripted"} 1\n');
    expect(scraped).toMatch(/\nrest_client_requests_total\{code="200",host="127\.0\.0\.1:\d+",method="GET"\} \d+\n/);
    operator.send('SIGTERM');
    expect(await operator.exit).toBe(0);
  });

  it('exits with 1 and one line with the fix if the port of a server is in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const operator = run(['--metrics-address', `127.0.0.1:${port}`]);
    expect(await operator.exit).toBe(1);
    taken.close();
    expect(operator.lines.filter(({ level }) => level === 'error')).toEqual([
      expect.objectContaining({
        code: 'address-unavailable',
        msg: `the metrics server cannot listen on 127.0.0.1:${port}: another process uses the port, maybe a second operator; pass another address with --metrics-address, or 0 to disable it`,
      }),
    ]);
  });

  it.each([
    ['a flag', ['--grace-periode=3s'], {}, 'unknown flag "--grace-periode"; did you mean "--grace-period"?'],
    ['a variable', [], { EVENKEEL_LOG_LEVEL: 'loud' }, 'EVENKEEL_LOG_LEVEL: "loud" is not one of'],
    ['an address', ['--health-address=8081'], {}, '--health-address: invalid listen address "8081"; use :8080'],
    [
      'the directory of certificates',
      ['--metrics-address=:0', '--metrics-certificates=/nowhere'],
      {},
      '/nowhere/tls.crt: ENOENT: no such file or directory',
    ],
    ['the kubeconfig', ['--kubeconfig=/nowhere/config'], {}, '/nowhere/config'],
    [
      'the leader election',
      ['--leader-election-enabled'],
      {},
      'leaderElection.enabled is set, but scripted declares no leaderElection, so its roles do not allow it to use a Lease; change defineOperator() (',
    ],
    [
      'the times of the leader election',
      ['--leader-election-renew-deadline=1m'],
      { LEASE: 'x' },
      'renewDeadline (60000 ms) is not less than',
    ],
    ['an option of the program', [], { SCENARIO: 'misspelt option' }, 'did you mean "leaderElection"?'],
    ['a declaration', [], { SCENARIO: 'wrong wiring' }, 'Undeclared: the class is listed as a controller'],
  ])('exits with 2 and one line for a mistake in %s', async (_what, given, environment, message) => {
    const operator = run(given, { KUBECONFIG: kubeconfig, ...environment });
    expect(await operator.exit).toBe(2);
    expect(operator.lines).toHaveLength(1);
    expect(operator.lines[0]).toMatchObject({ level: 'error', msg: expect.stringContaining(message) });
  });

  it('exits with 2 and one line on an old version of Node', async () => {
    // The functions that an old version does not have, and its version number.
    const old =
      'delete Promise.withResolvers; Object.defineProperty(process, "version", { value: "v20.20.2" }); Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })';
    const operator = run(['--help'], { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}` });
    expect(await operator.exit).toBe(2);
    expect(operator.output.trimEnd().split('\n')).toHaveLength(1);
    expect(operator.lines[0]).toMatchObject({
      level: 'error',
      code: 'node-too-old',
      msg: 'evenkeel needs Node 22.19 or later, but this is v20.20.2; install a newer one',
    });
  });

  it('prints every flag, variable and default on --help, and exits with 0 without a cluster', async () => {
    const operator = run(['--help'], {});
    expect(await operator.exit).toBe(0);
    expect(operator.output).toContain(
      '--leader-election-renew-deadline 30s, EVENKEEL_LEADER_ELECTION_RENEW_DEADLINE\n',
    );
  });
});
