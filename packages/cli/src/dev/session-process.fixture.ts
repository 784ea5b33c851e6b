import type { ChildProcess } from 'node:child_process';
import { eventually } from '@evenkeel/testing';

/** A running session of `evenkeel dev`, whose output a test reads while it edits the project. */
export class SessionProcess {
  readonly child: ChildProcess;
  /** Resolves when the process has exited and all output is read: to its exit code, or to the signal. */
  readonly exited: Promise<number | NodeJS.Signals | null>;
  #output = '';
  /** The output before this position was already expected. */
  #seen = 0;

  constructor(child: ChildProcess) {
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
    this.exited = new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
  }

  /** All output so far. */
  get output(): string {
    return this.#output;
  }

  /** Waits for output that matches, after what earlier calls have matched. Returns the text between. */
  async prints(pattern: RegExp): Promise<string> {
    return await eventually(
      () => {
        const rest = this.#output.slice(this.#seen);
        const found = pattern.exec(rest);
        if (found === null) throw new Error(`${pattern} is not in the output:\n${rest}`);
        this.#seen += found.index + found[0].length;
        return rest.slice(0, found.index + found[0].length);
      },
      { timeout: '60s' },
    );
  }

  /** Ends the session as Ctrl-C does. */
  async interrupt(): Promise<number | NodeJS.Signals | null> {
    this.child.kill('SIGINT');
    return await this.exited;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}
