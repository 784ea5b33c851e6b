import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../../../test/imports.fixture.ts';

/** A session of killed-session.fixture.ts in another process. */
export class KilledSession {
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;
  /** What it prints first; empty if it exits before. */
  readonly firstLine: Promise<string>;

  private constructor(process: ChildProcess) {
    this.#process = process;
    this.#exited = once(process, 'exit');
    const printed = process.stdout === null ? this.#exited : once(process.stdout, 'data');
    this.firstLine = Promise.race([
      printed.then((args) => String((args as unknown[])[0])),
      this.#exited.then(() => ''),
    ]);
  }

  /** @param stuckAt a part of the path of the dry run to which the session gets no response. */
  static async start(kubeconfig: string, stuckAt: string): Promise<KilledSession> {
    const program = join(import.meta.dirname, 'killed-session.fixture.ts');
    const words = ['--conditions=evenkeel-source', '--no-warnings', program, kubeconfig, stuckAt];
    return new KilledSession(
      spawn(join(root, 'node_modules/.bin/node'), words, { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exited;
  }
}
