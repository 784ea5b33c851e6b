import { dirname, join, relative, resolve } from 'node:path';
import { type Clock, EvenkeelError, SystemClock } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { listenForStopSignal, type Operator } from '@evenkeel/runtime';
import { abandonedCode, interruptedCode } from '../exit-codes.ts';
import { loadProject, type ProjectContents } from '../generate/load-project.ts';
import { hasErrors, reportFindings, typeCheck } from '../generate/report.ts';
import { findConfig } from '../load/load-config.ts';
import { ModuleLoader } from '../load/module-loader.ts';
import type { Terminal } from '../terminal.ts';
import { timeoutOf } from '../timeout-option.ts';
import { DevSession } from './dev-session.ts';
import { traceFetch } from './fetch-callers.ts';
import { Narrator } from './narrator.ts';
import { readSamples } from './sample.ts';
import { StrayErrors } from './stray-errors.ts';

/** The options of `evenkeel dev` as strings from the command line. */
export interface DevOptions {
  readonly config?: string;
  readonly kubeconfig?: string;
  readonly port?: string;
  readonly once?: boolean;
  readonly sample?: readonly string[];
  readonly timeout: string;
}

/** Runs the operator of a configuration in an interactive session; resolves to the exit code. */
export async function dev(options: DevOptions, terminal: Terminal, verbose: boolean): Promise<number> {
  const clock = new SystemClock();
  // The monotonic clock starts at 0 when the process starts.
  const narrator = new Narrator(process.stdout, clock, 0);
  const timeoutMs = timeoutOf(options.timeout);
  const ended = untilEnded(terminal, clock);
  const strays = new StrayErrors(terminal.folder, narrator);
  traceFetch();
  const configPath = findConfig(terminal.folder, options.config);
  const samples = options.sample?.map((file) => resolve(terminal.folder, file));
  const { folder } = terminal;
  const loading = loadProject({ configPath, folder }, new ModuleLoader(folder), () => undefined);
  const { findings, contents } = await Promise.race([loading, strays.failed]);
  if (contents === undefined || hasErrors(findings)) {
    reportFindings(findings, verbose, terminal);
    return 1;
  }
  const program = await programOf(contents, samples);
  const session = await DevSession.start({
    ...program,
    ...(options.kubeconfig === undefined ? {} : { kubeconfig: resolve(terminal.folder, options.kubeconfig) }),
    ...(options.port === undefined ? {} : { port: portOf(options.port) }),
    folder,
    stateFolder: join(dirname(configPath), '.evenkeel'),
    narrator,
    clock,
    verbose,
  });
  narrator.report('types', `not checked; run "${typeCheck}"`);
  // On a cluster and without controllers, nothing else keeps the process open, and Node would exit.
  const open = setInterval(() => {}, 2 ** 30);
  const deadline = new AbortController();
  let exitCode = 0;
  let stopping = false;
  const shown = new Set<string>();
  const inviteToTry = () => {
    if (options.once !== true && !stopping) invite(session, shown, narrator, terminal);
  };
  const patience = clock.schedule(
    patienceMs,
    () => void session.reportWaiting(narrator).then(inviteToTry, () => undefined),
    { unref: true },
  );
  try {
    const timer = clock.schedule(timeoutMs, () => deadline.abort(new Error('time is up')), { unref: true });
    const converged = session.waitUntilConverged(deadline.signal, narrator);
    const failed = Promise.race([session.failure.then((error) => Promise.reject(error)), strays.failed]);
    const first = await Promise.race([
      converged.then(
        () => 'converged' as const,
        (error: unknown) => {
          if (options.once === true || !(error instanceof EvenkeelError)) throw error;
          if (stopping) return 'converged' as const;
          narrator.report('warning', error.message, { tone: 'bad' });
          return 'converged' as const;
        },
      ),
      ended,
      failed,
    ]);
    timer.cancel();
    if (first !== 'converged') exitCode = first;
    else if (options.once !== true) {
      inviteToTry();
      exitCode = await Promise.race([ended, failed]);
    }
    stopping = true;
    deadline.abort(new Error('stopping'));
    converged.catch(() => undefined);
  } finally {
    stopping = true;
    clearInterval(open);
    patience.cancel();
    const left =
      options.kubeconfig === undefined ? 'nothing is left running' : describeRemains(await session.heldByFinalizers());
    await session.stop();
    narrator.report('stopped', left);
  }
  strays.throwFirst();
  return exitCode;
}

/** Resolves to the exit code after a signal, when the terminal is closed, or when stdout is closed. */
function untilEnded(terminal: Terminal, clock: Clock): Promise<number> {
  const { received } = listenForStopSignal(process, clock);
  const hungUp = new Promise((resolve) => process.on('SIGHUP', resolve));
  const abandoned = terminal.abandoned ?? new Promise<never>(() => {});
  const stopped = received.then((signal) => (signal === 'SIGINT' ? interruptedCode : 0));
  return Promise.race([stopped, hungUp.then(() => 0), abandoned.then(() => abandonedCode)]);
}

/** The message about what remains on the cluster. */
function describeRemains(held: readonly string[]): string {
  const stays = 'the CRDs and samples stay on the cluster';
  if (held.length === 0) return stays;
  return `${stays}; ${held.join(', ')} have finalizers, which only a running operator removes; to delete them, run this without --once and delete them while it runs`;
}

/** After this time, the session reports what it waits for. */
const patienceMs = 3000;

const firstInvitation = 'It runs until Ctrl-C. After a change of your code, restart it. In another terminal, try:';

/** Prints commands to try, each once. If convergence is slow, some become known later. */
function invite(session: DevSession, shown: Set<string>, narrator: Narrator, { folder }: Terminal): void {
  const commands = [`export KUBECONFIG=${shortest(folder, session.kubeconfig)}`, ...session.commandsWorthTrying()];
  const remaining = commands.filter((command) => !shown.has(command));
  if (remaining.length === 0) return;
  narrator.print('');
  narrator.heading(shown.size === 0 ? firstInvitation : 'Also try:');
  for (const command of remaining) narrator.print(`  ${command}`);
  for (const command of remaining) shown.add(command);
  narrator.print('');
}

function shortest(folder: string, file: string): string {
  const fromHere = relative(folder, file);
  return fromHere.startsWith('..') ? file : fromHere;
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new EvenkeelError(
    'invalid-option',
    `--port ${JSON.stringify(text)}: invalid port; pass a number from 0 to 65535`,
  );
}

interface Program {
  readonly operator: Operator | undefined;
  readonly definitions: readonly CustomResourceDefinition[];
  readonly samples: Awaited<ReturnType<typeof readSamples>>;
}

/** The parts of a project without mistakes that `dev` runs. */
async function programOf(
  { config, definitions, operator }: ProjectContents,
  sampleFiles: readonly string[] | undefined,
): Promise<Program> {
  const samples = (await Promise.all((sampleFiles ?? config.samples).map(readSamples))).flat();
  return { operator: operator?.declaration, definitions: definitions as CustomResourceDefinition[], samples };
}
