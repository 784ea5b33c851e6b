import { type ChildProcess, spawn } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A process to start. */
export interface ProcessStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Gets the output of both streams as it arrives. */
  readonly output: (text: string) => void;
}

export interface ProcessExit {
  /** As in a shell: after a signal, 128 plus the number of the signal. */
  readonly exitCode: number;
  /** Why the process could not be started. */
  readonly notStarted?: string;
}

/** A process. If it could not be started, it has exited. */
export interface RunningProcess {
  readonly started: Promise<void>;
  readonly exited: Promise<ProcessExit>;
  kill(signal: NodeJS.Signals): void;
}

/** A message to the guard process. */
export type GuardOrder =
  | {
      readonly order: 'start';
      readonly id: number;
      readonly file: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly folder: string;
    }
  | { readonly order: 'signal'; readonly id: number; readonly signal: NodeJS.Signals };

/** A message from the guard process. */
export type GuardNotice =
  | { readonly id: number; readonly notice: 'started'; readonly pid: number }
  | { readonly id: number; readonly notice: 'not-started'; readonly message: string }
  | { readonly id: number; readonly notice: 'output'; readonly text: string }
  | { readonly id: number; readonly notice: 'exited'; readonly code: number | null; readonly signal: string | null };

interface Started {
  readonly output: (text: string) => void;
  readonly started: PromiseWithResolvers<void>;
  readonly exited: PromiseWithResolvers<ProcessExit>;
  pid?: number;
}

const signalNumbers: Readonly<Record<string, number>> = {
  ...{ SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGPIPE: 13, SIGTERM: 15 },
};

/**
 * Processes that run no longer than this process, even if it is killed. A guard in a separate process runs them, and kills them
 * with their own children when its channel closes. They do not keep this process from exiting.
 */
export class PodProcesses {
  readonly #guard: ChildProcess;
  readonly #gone: Promise<void>;
  readonly #running = new Map<number, Started>();
  #lastId = 0;

  /** @param folder deleted after the end of all processes, because it contains tokens. Default: none. */
  constructor(folder?: string) {
    // Next to this module, in the same form: built, or as TypeScript whose types Node strips.
    const extension = extname(new URL(import.meta.url).pathname);
    this.#guard = spawn(
      process.execPath,
      [
        '--no-warnings',
        fileURLToPath(new URL(`./pod-process-guard${extension}`, import.meta.url)),
        ...(folder === undefined ? [] : [folder]),
      ],
      { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], detached: true, env: { PATH: process.env['PATH'] ?? '' } },
    );
    this.#gone = new Promise((resolve) => {
      const gone = (): void => {
        this.#abandon();
        resolve();
      };
      this.#guard.once('exit', gone);
      this.#guard.once('error', gone);
    });
    this.#guard.on('message', (notice: GuardNotice) => this.#receive(notice));
    this.#guard.unref();
    this.#guard.channel?.unref();
  }

  start({ output, ...start }: ProcessStart): RunningProcess {
    const id = ++this.#lastId;
    const started: Started = { output, started: Promise.withResolvers(), exited: Promise.withResolvers() };
    this.#running.set(id, started);
    if (this.#guard.connected) this.#send({ order: 'start', id, ...start });
    else this.#abandon();
    return {
      started: started.started.promise,
      exited: started.exited.promise,
      kill: (signal) => {
        if (this.#running.has(id)) this.#send({ order: 'signal', id, signal });
      },
    };
  }

  /** Kills all processes. Resolves when they have exited. May be called again. */
  async close(): Promise<void> {
    this.#guard.ref();
    if (this.#guard.connected) this.#guard.disconnect();
    await this.#gone;
  }

  #send(order: GuardOrder): void {
    // The guard may exit now too. This also kills all processes.
    if (this.#guard.connected) this.#guard.send(order, () => undefined);
  }

  #receive(notice: GuardNotice): void {
    const { id } = notice;
    const process = this.#running.get(id);
    if (process === undefined) return;
    switch (notice.notice) {
      case 'started':
        process.pid = notice.pid;
        process.started.resolve();
        return;
      case 'output':
        process.output(notice.text);
        return;
      case 'not-started':
        this.#end(id, { exitCode: 127, notStarted: notice.message });
        return;
      case 'exited':
        this.#end(id, { exitCode: notice.code ?? 128 + (signalNumbers[notice.signal ?? ''] ?? 0) });
    }
  }

  #end(id: number, exit: ProcessExit): void {
    const process = this.#running.get(id);
    this.#running.delete(id);
    process?.started.resolve();
    process?.exited.resolve(exit);
  }

  /** The guard kills its children before it exits. If it is killed itself, this process does. */
  #abandon(): void {
    for (const [id, { pid }] of [...this.#running]) {
      try {
        if (pid !== undefined) process.kill(-pid, 'SIGKILL');
      } catch {
        // It has exited.
      }
      this.#end(id, { exitCode: 137 });
    }
  }
}
