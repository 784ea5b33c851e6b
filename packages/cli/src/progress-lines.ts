import type { Terminal } from './terminal.ts';

/** Prints the current step once a second, in a terminal. */
export class ProgressLines {
  readonly #terminal: Terminal;
  readonly #timer: NodeJS.Timeout | undefined;
  #doing = '';
  #reported = '';

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#timer = terminal.isInteractive === true ? setInterval(() => this.#report(), 1000) : undefined;
  }

  /** Sets the description of the current step. */
  readonly onProgress = (doing: string): void => {
    this.#doing = doing;
  };

  stop(): void {
    clearInterval(this.#timer);
  }

  #report(): void {
    if (this.#doing === this.#reported) return;
    this.#reported = this.#doing;
    this.#terminal.err(`${this.#doing} ...`);
  }
}
