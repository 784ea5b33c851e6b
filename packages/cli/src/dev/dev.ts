import type { ChildProcess } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import type { AuditOptions } from '@evenkeel/apiserver';
import { type Clock, EvenkeelError, SystemClock } from '@evenkeel/core';
import { listenForStopSignal } from '@evenkeel/runtime';
import { hasColors } from '../colors.ts';
import { abandonedCode, interruptedCode } from '../exit-codes.ts';
import { reportFindings, typeCheck } from '../generate/report.ts';
import { findConfig } from '../load/load-config.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { timeoutOf } from '../timeout-option.ts';
import { DevSession } from './dev-session.ts';
import { Invitation } from './invitation.ts';
import { Keyboard } from './keys/keyboard.ts';
import { sessionKeys } from './keys/session-keys.ts';
import { Narrator, type NarratorEvent } from './narrator.ts';
import type { InspectAddress, LoadedProgram, LoadedProject } from './operator/operator-contract.ts';
import { OperatorProcess } from './operator/operator-process.ts';
import { startOperatorChild } from './operator/start-operator-child.ts';
import { Reloader } from './reload/reloader.ts';
import { readSamples, type SampleObject } from './sample.ts';

/** The options of `evenkeel dev` as strings from the command line. */
export interface DevOptions {
  readonly config?: string;
  readonly kubeconfig?: string;
  readonly port?: string;
  readonly auditLogPath?: string;
  readonly auditPolicyFile?: string;
  readonly allowBreaking?: boolean;
  readonly once?: boolean;
  readonly watch?: boolean;
  readonly inspect?: string | true;
  readonly sample?: readonly string[];
  readonly timeout: string;
}

/**
 * Runs the operator of a configuration in an interactive session; resolves to the exit code.
 *
 * @param child the first process of an operator, which is already starting.
 */
export async function dev(
  options: DevOptions,
  terminal: CommandTerminal,
  verbose: boolean,
  child?: ChildProcess,
): Promise<number> {
  const clock = new SystemClock();
  // The monotonic clock starts at 0 when the process starts.
  const paints = hasColors(process.stdout, process.env);
  const output = terminal.isJson ? (event: NarratorEvent) => terminal.event(event) : process.stdout;
  const command = new DevCommand(options, terminal, verbose, clock, new Narrator(output, clock, 0, paints));
  return await command.run(child);
}

class DevCommand {
  readonly #options: DevOptions;
  readonly #terminal: CommandTerminal;
  readonly #verbose: boolean;
  readonly #clock: Clock;
  readonly #narrator: Narrator;
  /** Resolves to the exit code when the user ends the session. */
  readonly #ended = Promise.withResolvers<number>();
  /** Rejects with an error that ends the session. */
  readonly #failed = Promise.withResolvers<never>();
  #failure: Error | undefined;
  #isStopping = false;
  #keyboard: Keyboard | undefined;

  constructor(options: DevOptions, terminal: CommandTerminal, verbose: boolean, clock: Clock, narrator: Narrator) {
    this.#options = options;
    this.#terminal = terminal;
    this.#verbose = verbose;
    this.#clock = clock;
    this.#narrator = narrator;
    this.#failed.promise.catch(() => undefined);
  }

  /** Whether changed code is loaded. On a cluster, an unfinished edit may harm other people. */
  get #reloads(): boolean {
    const { once, kubeconfig, watch } = this.#options;
    return once !== true && (kubeconfig === undefined || watch === true);
  }

  async run(child?: ChildProcess): Promise<number> {
    const { kubeconfig, port, timeout } = this.#options;
    const { folder } = this.#terminal;
    const timeoutMs = timeoutOf(timeout);
    const inspect = inspectAddressOf(this.#options.inspect);
    const audit = auditOptionsOf(this.#options, folder);
    const configPath = findConfig(folder, this.#options.config);
    this.#listenForEnd();
    const process = this.#processOf(child ?? this.#startChild());
    const opening = DevSession.open({
      ...(kubeconfig === undefined ? {} : { kubeconfig: resolve(folder, kubeconfig) }),
      ...(port === undefined ? {} : { port: portOf(port) }),
      ...(audit === undefined ? {} : { audit }),
      ...(inspect === undefined ? {} : { inspect }),
      allowBreaking: this.#options.allowBreaking === true,
      ...{ folder, stateFolder: join(dirname(configPath), '.evenkeel') },
      ...{ narrator: this.#narrator, clock: this.#clock, verbose: this.#verbose },
      onFailure: (error) => this.#noteFailure(error),
    });
    let session: DevSession;
    let loaded: LoadedProject | undefined;
    try {
      [session, loaded] = await bothOf(opening, Promise.race([this.#load(process, configPath), this.#untilEnded()]));
    } catch (error) {
      process.kill();
      throw error;
    }
    const { program, findings = [] } = loaded ?? {};
    if (loaded === undefined || program === undefined) {
      process.kill();
      await session.stop();
      if (loaded === undefined) return await this.#ended.promise;
      reportFindings(findings, this.#verbose, this.#terminal);
      return 1;
    }
    const exitCode = await this.#runSession(session, process, { ...loaded, program }, configPath, timeoutMs);
    // It occurred while nothing awaited it.
    if (this.#failure !== undefined) throw this.#failure;
    return exitCode;
  }

  async #runSession(
    session: DevSession,
    process: OperatorProcess,
    loaded: LoadedProject & { readonly program: LoadedProgram },
    configPath: string,
    timeoutMs: number,
  ): Promise<number> {
    const { folder } = this.#terminal;
    const stateFolder = join(dirname(configPath), '.evenkeel');
    let reloader: Reloader | undefined;
    try {
      await this.#start(session, process, loaded.program);
      if (this.#reloads) {
        reloader = new Reloader(loaded, {
          ...{ session, folder, narrator: this.#narrator, clock: this.#clock },
          startProcess: () => this.#processOf(this.#startChild()),
          warmUp: (spare) =>
            spare.warmUp({ kubeconfig: session.server.kubeconfig, folder: join(stateFolder, 'warm-up') }),
          load: (next, generated) => this.#load(next, configPath, generated),
          samplesOf: (program) => this.#samplesOf(program),
          sampleFilesOf: (program) => this.#sampleFilesOf(program),
          reportFindings: (findings) => reportFindings(findings, this.#verbose, this.#terminal),
        });
      }
      if (this.#options.once !== true && !this.#terminal.isJson) {
        const keys = sessionKeys({
          ...{ session, reloader, narrator: this.#narrator, stateFolder },
          quit: () => this.#ended.resolve(0),
          folder,
        });
        this.#keyboard = Keyboard.open(keys, this.#clock, this.#narrator);
      }
      const invitation = new Invitation(session, this.#narrator, {
        ...{ folder, reloads: this.#reloads, hasKeys: this.#keyboard !== undefined },
      });
      return await this.#untilOver(session, timeoutMs, invitation, () => reloader?.prepare());
    } finally {
      this.#isStopping = true;
      this.#keyboard?.close();
      // A reload that has started finishes first, so that nothing starts after the stop.
      await reloader?.close();
      const isOnCluster = session.server.port === undefined;
      const left = isOnCluster ? describeRemains(await session.heldByFinalizers()) : 'nothing is left running';
      await session.stop();
      process.kill();
      this.#narrator.report('stopped', left);
    }
  }

  async #start(session: DevSession, process: OperatorProcess, program: LoadedProgram): Promise<void> {
    const narrator = this.#narrator;
    const samples = await this.#samplesOf(program);
    await session.server.announce(narrator);
    const starting = session.run({ process, program, samples }, (controllers) => {
      const names = controllers.join(', ');
      const text = names === '' ? 'none: the project has no controllers' : `started: controller ${names}`;
      narrator.report('manager', text);
      const served = program.served.join(', ');
      if (served !== '') narrator.report('webhooks', `used by the API server: ${served}`);
    });
    await Promise.race([starting, this.#failed.promise]);
    const before = program.lacksModules ? '"npx evenkeel generate" and ' : '';
    narrator.report('types', `not checked; run ${before}"${typeCheck}"`);
  }

  /** Resolves to the exit code when the session is over. */
  async #untilOver(
    session: DevSession,
    timeoutMs: number,
    invitation: Invitation,
    onIdle: () => void,
  ): Promise<number> {
    // On a cluster and without controllers, nothing else keeps the process open, and Node would exit.
    const open = setInterval(() => {}, 2 ** 30);
    const deadline = new AbortController();
    const { once } = this.#options;
    const invite = (): void => {
      if (once !== true && !this.#isStopping) invitation.print();
    };
    const patience = this.#clock.schedule(
      patienceMs,
      () => {
        onIdle();
        void session.reportWaiting().then(invite, () => undefined);
      },
      { unref: true },
    );
    const timer = this.#clock.schedule(timeoutMs, () => deadline.abort(new Error('time is up')), { unref: true });
    const converged = session.waitUntilConverged(deadline.signal).catch((error: unknown) => {
      if (once === true || !(error instanceof EvenkeelError)) throw error;
      if (!this.#isStopping) this.#narrator.report('warning', error.message, { tone: 'bad' });
    });
    try {
      const ended = this.#ended.promise;
      const first = await Promise.race([converged, ended, this.#failed.promise]);
      timer.cancel();
      if (first !== undefined) return first;
      if (once === true) return 0;
      onIdle();
      invite();
      return await Promise.race([ended, this.#failed.promise]);
    } finally {
      this.#isStopping = true;
      clearInterval(open);
      patience.cancel();
      timer.cancel();
      deadline.abort(new Error('stopping'));
      converged.catch(() => undefined);
    }
  }

  #load(process: OperatorProcess, configPath: string, generated?: LoadedProgram['generated']): Promise<LoadedProject> {
    return process.load({ configPath, folder: this.#terminal.folder, verbose: this.#verbose, generated });
  }

  /** With JSON, the output of the user's code must not be mixed with the lines of the command. */
  #startChild(): ChildProcess {
    return startOperatorChild(this.#terminal.folder, this.#terminal.isJson ? 2 : 'inherit');
  }

  #processOf(child: ChildProcess): OperatorProcess {
    const process = new OperatorProcess(child);
    // Its exit changes the mode of the terminal.
    void process.exited.then(() => this.#keyboard?.refresh());
    return process;
  }

  async #untilEnded(): Promise<undefined> {
    await this.#ended.promise;
    return undefined;
  }

  #sampleFilesOf({ samples }: LoadedProgram): readonly string[] {
    return this.#options.sample?.map((file) => resolve(this.#terminal.folder, file)) ?? samples;
  }

  async #samplesOf(program: LoadedProgram): Promise<readonly SampleObject[]> {
    return (await Promise.all(this.#sampleFilesOf(program).map(readSamples))).flat();
  }

  #noteFailure(error: Error): void {
    if (!this.#reloads || this.#isStopping) {
      this.#failure ??= error;
      this.#failed.reject(error);
      return;
    }
    const code = error instanceof EvenkeelError ? ` [${error.code}]` : '';
    this.#narrator.report('error', `${error.message}${code}`, { tone: 'bad' });
    this.#narrator.report('reload', 'the operator has stopped; it starts again after the next change', { tone: 'bad' });
  }

  /** Ends the session after a signal, when the terminal is closed, or when stdout is closed. */
  #listenForEnd(): void {
    const { received } = listenForStopSignal(process, this.#clock);
    void received.then((signal) => this.#ended.resolve(signal === 'SIGINT' ? interruptedCode : 0));
    process.on('SIGHUP', () => this.#ended.resolve(0));
    void this.#terminal.abandoned?.then(() => this.#ended.resolve(abandonedCode));
  }
}

/** Resolves when both have finished. If one fails, waits for a session before it rejects, and stops it. */
async function bothOf<T>(opening: Promise<DevSession>, loading: Promise<T>): Promise<[DevSession, T]> {
  loading.catch(() => undefined);
  const session = await opening;
  try {
    return [session, await loading];
  } catch (error) {
    await session.stop();
    throw error;
  }
}

/** The message about what remains on the cluster. */
function describeRemains(held: readonly string[]): string {
  const stays = 'the CRDs and samples stay on the cluster';
  if (held.length === 0) return stays;
  return `${stays}; only a running operator removes the finalizers of ${held.join(', ')}; to delete these objects, run evenkeel dev without --once, and delete them while the operator runs`;
}

/** After this time, the session reports what it waits for. */
const patienceMs = 3000;

/** The audit log of the embedded server. Paths are relative to the folder. */
function auditOptionsOf(options: DevOptions, folder: string): AuditOptions | undefined {
  const { kubeconfig, auditLogPath, auditPolicyFile } = options;
  if (auditLogPath === undefined) {
    if (auditPolicyFile === undefined) return undefined;
    throw new EvenkeelError('invalid-option', '--audit-policy-file has no effect alone; add --audit-log-path');
  }
  if (kubeconfig !== undefined) {
    throw new EvenkeelError(
      'invalid-option',
      '--audit-log-path is only for the embedded server; remove it, or remove --kubeconfig',
    );
  }
  return {
    log: auditLogPath === '-' ? auditLogPath : resolve(folder, auditLogPath),
    ...(auditPolicyFile !== undefined && { policy: resolve(folder, auditPolicyFile) }),
  };
}

function portOf(text: string, option = '--port'): number {
  const port = Number(text);
  if (text !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new EvenkeelError(
    'invalid-option',
    `${option} ${JSON.stringify(text)}: invalid port; pass a number from 0 to 65535`,
  );
}

/** Node's default port for debuggers. */
const inspectPort = 9229;

function inspectAddressOf(option: string | true | undefined): InspectAddress | undefined {
  if (option === undefined) return undefined;
  return { host: '127.0.0.1', port: option === true ? inspectPort : portOf(option, '--inspect') };
}
