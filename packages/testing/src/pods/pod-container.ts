import type { Clock } from '@evenkeel/core';
import type { Container } from '@evenkeel/kinds';
import type { Probe } from '@evenkeel/kinds/core/v1';
import { ContainerLog } from './container-log.ts';
import { type ProbeAction, type ProbeTarget, probe } from './container-probe.ts';
import type { PodProcesses, ProcessExit, ProcessStart, RunningProcess } from './pod-processes.ts';
import { ContainerConfigError } from './pod-sources.ts';
import { probeOnSchedule } from './probe-schedule.ts';

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

/** The end of one run of a container. */
export interface Termination {
  readonly exitCode: number;
  readonly reason: 'Completed' | 'Error' | 'StartError';
  readonly startedMs: number;
  readonly finishedMs: number;
  readonly message?: string;
}

export type ContainerState =
  | { readonly type: 'waiting'; readonly reason: string; readonly message?: string }
  | { readonly type: 'running'; readonly startedMs: number }
  | ({ readonly type: 'terminated' } & Termination);

/** The parts of a pod that its containers need. */
export interface ContainerSurroundings {
  readonly clock: Clock;
  readonly processes: PodProcesses;
  readonly podIP: string;
  readonly podName: string;
  readonly graceMs: number;
  /**
   * Returns how to run a container, or a command in it. Undefined if there is no process for its image. Throws
   * {@link ContainerConfigError}.
   */
  readonly prepare: (
    container: Container,
    command?: readonly string[],
  ) => Promise<Omit<ProcessStart, 'output'> | undefined>;
  /** Called after each change of the state. */
  readonly changed: () => void;
}

/** The kubelet's back-off (`MaxContainerBackOff`): none before the first restart, then 10 s, doubled up to 5 minutes. */
const firstBackoffMs = 10_000;
const longestBackoffMs = 300_000;
/** After a run of this time, the back-off starts again. */
const steadyMs = 600_000;
/** The pause before another attempt to create a container. */
const createPauseMs = 1000;
/** The kubelet's limits of a message from the log. */
const messageLines = 80;
const messageCharacters = 2048;

/** One container as a process, which is started again by a restart policy. */
export class PodContainer {
  readonly log = new ContainerLog();
  readonly #around: ContainerSurroundings;
  readonly #policy: RestartPolicy;
  readonly #stopping = new AbortController();
  #container: Container;
  /** As the pod declares it now. Its image may have changed since the container was started. */
  #declared: Container;
  #pause = new AbortController();
  #process: RunningProcess | undefined;
  #state: ContainerState = { type: 'waiting', reason: 'ContainerCreating' };
  #last: Termination | undefined;
  #restartCount = 0;
  #isStarted = false;
  #isReady = false;
  #probed: string | undefined;

  constructor(container: Container, policy: RestartPolicy, around: ContainerSurroundings) {
    this.#container = container;
    this.#declared = container;
    this.#policy = policy;
    this.#around = around;
  }

  /** As it was declared when it was started last. */
  get container(): Container {
    return this.#container;
  }

  get state(): ContainerState {
    return this.#state;
  }

  get policy(): RestartPolicy {
    return this.#policy;
  }

  /** The end of the run before the current state. */
  get last(): Termination | undefined {
    return this.#last;
  }

  get restartCount(): number {
    return this.#restartCount;
  }

  /** Whether it runs and its startup probe has succeeded. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** The last failure of a probe; undefined while none fails. */
  get probeFailure(): string | undefined {
    return this.#probed;
  }

  /** Runs the container until it exits without a restart, or is stopped. */
  async run(): Promise<void> {
    const { clock } = this.#around;
    let backoffMs = 0;
    for (;;) {
      const run = await this.#start();
      if (run === undefined) return;
      const ended = await this.#untilEnded(run);
      if (this.#stopping.signal.aborted) return;
      if (this.#isChanged) {
        backoffMs = 0;
        this.#restartCount++;
        continue;
      }
      if (!restarts(this.#policy, ended.exitCode)) return;
      if (ended.finishedMs - ended.startedMs >= steadyMs) backoffMs = 0;
      if (backoffMs > 0) {
        const { podName } = this.#around;
        const message = `back-off ${backoffMs / 1000}s restarting failed container=${this.container.name} pod=${podName}`;
        this.#set({ type: 'waiting', reason: 'CrashLoopBackOff', message });
        this.#pause = new AbortController();
        const signal = AbortSignal.any([this.#stopping.signal, this.#pause.signal]);
        await clock.sleep(backoffMs, signal).catch(() => undefined);
        if (this.#stopping.signal.aborted) return;
        if (this.#isChanged) backoffMs = 0;
      }
      backoffMs = Math.min(backoffMs === 0 ? firstBackoffMs : 2 * backoffMs, longestBackoffMs);
      this.#restartCount++;
    }
  }

  /**
   * Starts the container again with a changed declaration: without a back-off, and whatever the restart policy is, as the kubelet does when
   * the image changes. Does nothing if the container has exited for good.
   */
  async change(declared: Container): Promise<void> {
    this.#declared = declared;
    this.#pause.abort(new Error('the container has changed'));
    if (this.#process !== undefined) await this.#terminate(this.#process, this.#around.graceMs);
  }

  /** The image with which it is started next. */
  get declaredImage(): string | undefined {
    return this.#declared.image;
  }

  get #isChanged(): boolean {
    return this.#container.image !== this.#declared.image;
  }

  /**
   * Stops the container: runs the hook, then sends SIGTERM, and SIGKILL at the end of the grace period. Resolves when the process has
   * exited.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort(new Error('the container stops'));
    if (this.#process === undefined) return;
    await this.#terminate(this.#process, graceMs);
  }

  /** Sends a signal to its process, if it runs. */
  kill(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  /** Runs a command as `kubectl exec` would. It is killed when the signal is aborted. */
  async exec(command: readonly string[], signal?: AbortSignal): Promise<ProcessExit & { readonly output: string }> {
    let output = '';
    const prepared = await this.#around.prepare(this.#container, command);
    if (prepared === undefined) throw new ContainerConfigError(`no process for the container ${this.container.name}`);
    const add = (text: string): void => {
      output += text;
    };
    const process = this.#around.processes.start({ ...prepared, output: add });
    const onAbort = (): void => process.kill('SIGKILL');
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return { ...(await process.exited), output };
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Undefined if it is stopped before. */
  async #start(): Promise<{ readonly process: RunningProcess; readonly startedMs: number } | undefined> {
    const { clock, prepare, processes } = this.#around;
    const { signal } = this.#stopping;
    for (;;) {
      this.#container = this.#declared;
      const prepared = await prepare(this.#container).catch((error: unknown) => error as Error);
      if (signal.aborted) return undefined;
      if (this.#isChanged) continue;
      if (prepared !== undefined && !(prepared instanceof Error)) {
        this.log.begin();
        const process = processes.start({ ...prepared, output: (text) => this.log.add(text) });
        this.#process = process;
        await process.started;
        return { process, startedMs: clock.now() };
      }
      const { image = '' } = this.container;
      const reason = prepared === undefined ? 'ErrImagePull' : 'CreateContainerConfigError';
      const missing = `no process for image "${image}"; add "${this.container.name}" to the option run of the PodRunner`;
      this.#set({ type: 'waiting', reason, message: prepared?.message ?? missing });
      await clock.sleep(createPauseMs, signal).catch(() => undefined);
      if (signal.aborted) return undefined;
    }
  }

  async #untilEnded({
    process,
    startedMs,
  }: {
    readonly process: RunningProcess;
    readonly startedMs: number;
  }): Promise<Termination> {
    const { clock } = this.#around;
    const ending = new AbortController();
    this.#set({ type: 'running', startedMs });
    const probing = this.#probe(process, AbortSignal.any([ending.signal, this.#stopping.signal]));
    const { exitCode, notStarted } = await process.exited;
    ending.abort(new Error('the container has exited'));
    await probing;
    this.#process = undefined;
    this.#isStarted = false;
    this.#isReady = false;
    const message = notStarted ?? this.#messageOf(exitCode);
    const ended: Termination = {
      exitCode,
      reason: notStarted === undefined ? (exitCode === 0 ? 'Completed' : 'Error') : 'StartError',
      startedMs,
      finishedMs: clock.now(),
      ...(message === undefined ? {} : { message }),
    };
    if (this.#isChanged) {
      // It has not ended: its policy does not count, so the pod must not get the phase of a pod that has.
      this.#last = ended;
      this.#set({ type: 'waiting', reason: 'ContainerCreating' });
    } else this.#set({ type: 'terminated', ...ended });
    return ended;
  }

  #messageOf(exitCode: number): string | undefined {
    if (exitCode === 0 || this.container.terminationMessagePolicy !== 'FallbackToLogsOnError') return undefined;
    return this.log.lastLines(messageLines).join('\n').slice(-messageCharacters);
  }

  /** Runs the hook after the start and the probes, until the signal is aborted. */
  async #probe(process: RunningProcess, signal: AbortSignal): Promise<void> {
    const { lifecycle, startupProbe, livenessProbe, readinessProbe } = this.container;
    if (signal.aborted) return;
    const { postStart } = lifecycle ?? {};
    if (postStart !== undefined && (await this.#act(postStart, signal)) !== undefined) {
      if (!signal.aborted) await this.#terminate(process, this.#around.graceMs);
      return;
    }
    if (startupProbe !== undefined && !(await this.#succeeds(process, startupProbe, signal))) return;
    if (signal.aborted) return;
    this.#isStarted = true;
    this.#isReady = readinessProbe === undefined;
    this.#around.changed();
    await Promise.all([
      livenessProbe && this.#succeeds(process, livenessProbe, signal, true),
      readinessProbe && this.#watchReadiness(readinessProbe, signal),
    ]);
  }

  /** Kills the process if the probe fails. Resolves to whether it succeeded, or runs on. */
  async #succeeds(process: RunningProcess, spec: Probe, signal: AbortSignal, runsOn = false): Promise<boolean> {
    let hasSucceeded = false;
    const attempt = (given: AbortSignal): Promise<string | undefined> => this.#act(spec, given);
    await probeOnSchedule(spec, attempt, {
      ...{ clock: this.#around.clock, signal },
      found: (result) => {
        hasSucceeded = result.succeeded;
        this.#probed = result.succeeded ? undefined : `${runsOn ? 'liveness' : 'startup'} probe: ${result.failure}`;
        if (result.succeeded) return !runsOn;
        const { terminationGracePeriodSeconds } = spec;
        const graceMs =
          terminationGracePeriodSeconds === undefined ? this.#around.graceMs : terminationGracePeriodSeconds * 1000;
        void this.#terminate(process, graceMs);
        return true;
      },
    });
    return hasSucceeded;
  }

  async #watchReadiness(spec: Probe, signal: AbortSignal): Promise<void> {
    await probeOnSchedule(spec, (given) => this.#act(spec, given), {
      ...{ clock: this.#around.clock, signal },
      found: (result) => {
        this.#probed = result.succeeded ? undefined : `readiness probe: ${result.failure}`;
        if (this.#isReady !== result.succeeded) {
          this.#isReady = result.succeeded;
          this.#around.changed();
        }
        return false;
      },
    });
  }

  #act(action: ProbeAction, signal: AbortSignal): Promise<string | undefined> {
    const { podIP } = this.#around;
    const target: ProbeTarget = {
      container: this.container,
      podIP,
      exec: async (command, given) => (await this.exec(command, given)).exitCode,
    };
    return probe(action, target, signal);
  }

  async #terminate(process: RunningProcess, graceMs: number): Promise<void> {
    const { clock } = this.#around;
    const over = new AbortController();
    const kill = (): void => {
      over.abort(new Error('the grace period is over'));
      process.kill('SIGKILL');
    };
    if (graceMs === 0) kill();
    const timer = clock.schedule(graceMs, kill);
    const { preStop } = this.container.lifecycle ?? {};
    if (preStop !== undefined && graceMs > 0) {
      const acted = preStop.sleep
        ? clock.sleep(preStop.sleep.seconds * 1000, over.signal).catch(() => undefined)
        : this.#act(preStop, over.signal);
      await Promise.race([acted, process.exited]);
    }
    process.kill('SIGTERM');
    await process.exited;
    over.abort(new Error('the process has exited'));
    timer.cancel();
  }

  #set(state: ContainerState): void {
    if (this.#state.type === 'terminated') this.#last = this.#state;
    this.#state = state;
    this.#around.changed();
  }
}

function restarts(policy: RestartPolicy, exitCode: number): boolean {
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}
