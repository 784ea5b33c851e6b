import { dirname, join, relative, resolve } from 'node:path';
import { type Clock, EvenkeelError, SystemClock } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { type ConcreteClass, listenForStopSignal } from '@evenkeel/runtime';
import { classesIn } from '../generate/check-controllers.ts';
import { loadProject, type ProjectContents } from '../generate/load-project.ts';
import { hasErrors, reportFindings } from '../generate/report.ts';
import { findConfig } from '../load/load-config.ts';
import { ModuleLoader } from '../load/module-loader.ts';
import type { Terminal } from '../terminal.ts';
import { timeoutOf } from '../timeout-option.ts';
import { DevSession } from './dev-session.ts';
import { Narrator } from './narrator.ts';
import { readSamples } from './sample.ts';
import { StrayErrors } from './stray-errors.ts';

/** The options of `evenkeel dev`, as they were typed. */
export interface DevOptions {
  readonly config?: string;
  readonly kubeconfig?: string;
  readonly port?: string;
  readonly once?: boolean;
  readonly sample?: readonly string[];
  readonly timeout: string;
}

/** What a shell shows of a program whose reader has gone: 128 and SIGPIPE. */
const abandonedCode = 141;

/** Runs the operator of a configuration before somebody's eyes; resolves to the exit code. */
export async function dev(options: DevOptions, terminal: Terminal, verbose: boolean): Promise<number> {
  const clock = new SystemClock();
  // The monotonic clock counts from the start of the process.
  const narrator = new Narrator(process.stdout, clock, 0);
  const timeoutMs = timeoutOf(options.timeout);
  const ended = untilEnded(terminal, clock);
  const strays = new StrayErrors(terminal.folder, narrator);
  const configPath = findConfig(terminal.folder, options.config);
  const samples = options.sample?.map((file) => resolve(terminal.folder, file));
  const { folder } = terminal;
  const loading = loadProject({ configPath, folder }, new ModuleLoader(folder), () => undefined);
  const { findings, contents } = await Promise.race([loading, strays.failed]);
  if (contents === undefined || hasErrors(findings)) {
    reportFindings(findings, verbose, terminal);
    return 1;
  }
  const program = await programOf(contents, configPath, folder, samples);
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
  // On a cluster, without controllers, nothing else is open, and Node ends a process in which nothing is.
  const open = setInterval(() => {}, 2 ** 30);
  const deadline = new AbortController();
  let exitCode = 0;
  let stopping = false;
  const told = new Set<string>();
  const inviteToTry = () => {
    if (options.once !== true && !stopping) invite(session, told, narrator, terminal);
  };
  const patience = clock.schedule(
    patienceMs,
    () => void session.tellWaiting(narrator).then(inviteToTry, () => undefined),
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
          narrator.tell('warning', error.message, { tone: 'bad' });
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
      options.kubeconfig === undefined ? 'nothing is left running' : whatStays(await session.heldByFinalizers());
    await session.stop();
    narrator.tell('stopped', left);
  }
  strays.throwFirst();
  return exitCode;
}

/** Resolves to the exit code when somebody has this end: by a signal, with the terminal, or because nobody reads any more. */
function untilEnded(terminal: Terminal, clock: Clock): Promise<number> {
  const { received } = listenForStopSignal(process, clock);
  const hungUp = new Promise((resolve) => process.on('SIGHUP', resolve));
  const abandoned = terminal.abandoned ?? new Promise<never>(() => {});
  return Promise.race([received.then(() => 0), hungUp.then(() => 0), abandoned.then(() => abandonedCode)]);
}

/** What is said of a cluster that the operator leaves. */
function whatStays(held: readonly string[]): string {
  const stays = 'what it installed and applied stays on the cluster';
  if (held.length === 0) return stays;
  return `${stays}; ${held.join(', ')}: with finalizers, which no operator is left to take off. Delete them while this runs, without --once`;
}

/** Somebody who looks on wants to know after that long what is going on. */
const patienceMs = 3000;

const firstInvitation = 'It stays until Ctrl-C. After a change of your code, start it again. In another terminal, try:';

/** Says what to try, each command once: where it took long, one may be known later than the others. */
function invite(session: DevSession, told: Set<string>, narrator: Narrator, { folder }: Terminal): void {
  const commands = [`export KUBECONFIG=${shortest(folder, session.kubeconfig)}`, ...session.commandsWorthTrying()];
  const untold = commands.filter((command) => !told.has(command));
  if (untold.length === 0) return;
  narrator.say('');
  narrator.heading(told.size === 0 ? firstInvitation : 'Try this as well:');
  for (const command of untold) narrator.say(`  ${command}`);
  for (const command of untold) told.add(command);
  narrator.say('');
}

function shortest(folder: string, file: string): string {
  const fromHere = relative(folder, file);
  return fromHere.startsWith('..') ? file : fromHere;
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new EvenkeelError('invalid-option', `--port takes a number from 0 to 65535, not ${JSON.stringify(text)}`);
}

interface Program {
  readonly controllers: readonly ConcreteClass[];
  readonly services: readonly ConcreteClass[];
  readonly definitions: readonly CustomResourceDefinition[];
  readonly samples: Awaited<ReturnType<typeof readSamples>>;
}

/** What runs of a project, which has no mistakes. Files are named from `folder` in messages. */
async function programOf(
  { config, modules, definitions, controllers: { plans } }: ProjectContents,
  configPath: string,
  folder: string,
  sampleFiles: readonly string[] | undefined,
): Promise<Program> {
  if (plans.length === 0 && config.controllers.length > 0) {
    throw new EvenkeelError(
      'missing-controller',
      `${relative(folder, configPath)} names no module that exports a class with @Controller; add one to "controllers", or leave that out for the API alone`,
    );
  }
  const samples = (await Promise.all((sampleFiles ?? config.samples).map(readSamples))).flat();
  return {
    controllers: plans.map(({ controllerClass }) => controllerClass),
    services: config.services.flatMap((url) => classesIn(modules.get(url) ?? {})) as unknown as ConcreteClass[],
    definitions: definitions as CustomResourceDefinition[],
    samples,
  };
}
