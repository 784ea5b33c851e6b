import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../test/imports.fixture.ts';
import { node } from './run-program.ts';

/** How long a session rests between two measurements. */
const restMs = 1500;

/** A session of `evenkeel dev` on built code. */
export class DevProcess {
  readonly #child: ChildProcess;
  #output = '';
  #seen = 0;
  #onOutput = (): void => undefined;

  constructor(folder: string) {
    this.#child = spawn(node, [join(root, 'packages/cli/bin/evenkeel.js'), 'dev'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        this.#onOutput();
      });
    }
  }

  /** Resolves to the time when the output, after what was already expected, matches. */
  async prints(pattern: RegExp): Promise<number> {
    return await new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error(`evenkeel dev exited before it printed ${pattern}:\n${this.#output}`));
      this.#child.once('exit', gone);
      this.#onOutput = () => {
        const found = pattern.exec(this.#output.slice(this.#seen));
        if (found === null) return;
        this.#seen += found.index + found[0].length;
        this.#onOutput = () => undefined;
        this.#child.off('exit', gone);
        resolve(performance.now());
      };
      this.#onOutput();
    });
  }

  /** Resolves when the session had time to prepare for the next change. */
  async untilIdle(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, restMs));
  }

  async stop(): Promise<void> {
    const exited = this.#child.exitCode === null ? once(this.#child, 'exit') : undefined;
    this.#child.kill('SIGINT');
    await exited;
  }
}
