import type { ChildProcess } from 'node:child_process';
import { EvenkeelError } from '@evenkeel/core';
import { Channel, type ChannelMessage } from './channel.ts';
import type { CommandSide, LoadedProject, LoadRequest, OperatorSide, WarmUpRequest } from './operator-contract.ts';

/** The calls of a process while it runs. {@link OperatorProcess} itself handles the progress of loading. */
export type OperatorListener = Omit<CommandSide, 'progress'>;

/** How long the user's modules may take to load, from the time when the process is ready. */
const loadWithinMs = 30_000;
/** A little more than the grace period of the manager. */
const stopWithinMs = 850;
/** After its operator has stopped, a process only runs the listeners of the user for its exit. */
const exitWithinMs = 50;

const onlyDeclare =
  'modules should only declare classes; move code that connects, computes or waits to the main module';

/** A process that loads the user's modules and runs their operator. It is used for one version of the code. */
export class OperatorProcess {
  /** Resolves when the process has exited, with the reason: `exit code 3`, `SIGKILL`. */
  readonly exited: Promise<string>;
  readonly #child: ChildProcess;
  readonly #channel: Channel<OperatorSide>;
  #doing: string | undefined;
  #listener: OperatorListener | undefined;
  #isStopping = false;
  readonly #kept: (() => void)[] = [];

  constructor(child: ChildProcess) {
    this.#child = child;
    const calls = new Proxy(
      {},
      { get: (_, name: keyof OperatorListener) => (value: never) => this.#receive(name, value) },
    );
    this.#channel = new Channel<OperatorSide>((message) => {
      if (child.connected) child.send(message);
    }, calls);
    child.on('message', (message) => this.#channel.receive(message as ChannelMessage));
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        const reason = signal ?? `exit code ${code}`;
        this.#channel.close(this.#gone(reason));
        resolve(reason);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether its exit is intended. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** The other calls. They reject if the process exits first. */
  get operator(): Pick<Channel<OperatorSide>, 'call'> {
    return this.#channel;
  }

  /** Receives the calls of the process, including earlier ones. */
  listen(listener: OperatorListener): void {
    this.#listener = listener;
    for (const call of this.#kept.splice(0)) call();
  }

  /** Prepares a process that waits. An error does not matter; the real load reports it. */
  async warmUp(request: WarmUpRequest): Promise<void> {
    await this.#channel.call('warmUp', request).catch(() => undefined);
  }

  /** Loads the project. Throws `module-not-loaded` if that ends the process, or does not finish in time. */
  async load(request: LoadRequest): Promise<LoadedProject> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const seconds = loadWithinMs / 1000;
      timer = setTimeout(() => {
        const message = `${this.#doing ?? 'starting'} did not finish within ${seconds} s; ${onlyDeclare}`;
        reject(new EvenkeelError('module-not-loaded', message));
      }, loadWithinMs);
    });
    try {
      return await Promise.race([this.#channel.call('load', request), late]);
    } finally {
      clearTimeout(timer);
      this.#doing = undefined;
    }
  }

  /** Stops the operator, and resolves when it has stopped. The process exits soon afterwards. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const timer = setTimeout(() => this.kill(), stopWithinMs);
    const exitsItself = this.#channel.call('stop', undefined).then(
      () => this.#disconnect(),
      () => undefined,
    );
    await Promise.race([exitsItself, this.exited]);
    clearTimeout(timer);
  }

  /** Lets the process exit by itself, so that listeners of the user for its exit run. */
  #disconnect(): void {
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(() => this.kill(), exitWithinMs);
    void this.exited.then(() => clearTimeout(timer));
  }

  kill(): void {
    this.#isStopping = true;
    this.#child.kill('SIGKILL');
  }

  #receive(name: keyof CommandSide, value: never): unknown {
    if (name === 'progress') {
      this.#doing = value;
      return undefined;
    }
    const listener = this.#listener;
    if (listener !== undefined) return listener[name](value);
    return new Promise((resolve) => {
      this.#kept.push(() => resolve(this.#receive(name, value)));
    });
  }

  #gone(reason: string): EvenkeelError {
    return this.#doing === undefined
      ? operatorExited(reason)
      : new EvenkeelError('module-not-loaded', `${this.#doing} ended the process (${reason}); ${onlyDeclare}`);
  }
}

/** The error of a process that exited by itself: `exit code 3`, or a signal. */
export function operatorExited(reason: string): EvenkeelError {
  const fix = reason.startsWith('SIG')
    ? 'another program or the system killed it; check its memory usage'
    : 'remove calls of process.exit(), and check its memory usage';
  return new EvenkeelError('operator-exited', `the process of the operator exited (${reason}); ${fix}`);
}
