import type { Level, Terminal } from '../terminal.ts';
import type { CommandDocument, DocumentFinding } from './command-document.ts';
import { fixIn, withCode } from './error-text.ts';

/**
 * The output of a command: lines for a user, or with `--output json` one document for programs. A command does both at once: it prints
 * lines, and adds what they say to the document. Only one of the two has an effect.
 */
export class CommandTerminal implements Terminal {
  readonly abandoned: Promise<void> | undefined;
  readonly #terminal: Terminal;
  readonly #isJson: () => boolean;
  readonly #members: Record<string, unknown> = {};
  readonly #findings: DocumentFinding[] = [];

  /** @param isJson may change until the command line is parsed. */
  constructor(terminal: Terminal, isJson: () => boolean) {
    this.#terminal = terminal;
    this.#isJson = isJson;
    this.abandoned = terminal.abandoned;
  }

  get folder(): string {
    return this.#terminal.folder;
  }

  /** Whether stdout has only JSON. Then {@link out} prints nothing. */
  get isJson(): boolean {
    return this.#isJson();
  }

  /** False with JSON: programs answer no questions and need no progress. */
  get isInteractive(): boolean {
    return !this.isJson && this.#terminal.isInteractive === true;
  }

  out(text: string): void {
    if (!this.isJson) this.#terminal.out(text);
  }

  outSource(text: string): void {
    if (this.isJson) return;
    if (this.#terminal.outSource === undefined) this.#terminal.out(text);
    else this.#terminal.outSource(text);
  }

  /** Text with a level is a finding. With JSON, other text is printed to stderr too. */
  err(text: string, level?: Level): void {
    if (level === undefined) this.#terminal.err(text);
    else this.finding({ level, message: text });
  }

  /** Prints an error or a notice with its code. */
  finding(finding: DocumentFinding): void {
    if (this.isJson) this.#findings.push(finding);
    else this.#terminal.err(withCode(finding.message, finding.code ?? finding.check), finding.level);
  }

  /** Adds members to the document. Does nothing without JSON. */
  add(members: object): void {
    Object.assign(this.#members, members);
  }

  /** Prints a line of JSON. Does nothing without JSON. */
  event(event: object): void {
    if (this.isJson) this.#terminal.out(JSON.stringify(event));
  }

  /** Makes stdout write only what this terminal prints, as far as that is possible. */
  reserve(): void {
    this.#terminal.reserve?.();
  }

  /** Prints the document. Does nothing without JSON. */
  finish(command: string, exitCode: number, isLine: boolean): void {
    if (!this.isJson) return;
    const document: CommandDocument = {
      version: 1,
      command,
      ok: exitCode === 0,
      ...this.#members,
      findings: this.#findings.map(completed),
    };
    this.#terminal.out(JSON.stringify(document, undefined, isLine ? undefined : 2));
  }
}

/** Adds members that a program would otherwise have to parse from the message. */
function completed({ className, ...finding }: DocumentFinding): DocumentFinding {
  const { level, code, check, message } = finding;
  const fix = level === 'error' && (code ?? check) !== undefined ? fixIn(message) : undefined;
  const [, file, line] = /^(\S+\.[cm]?[jt]sx?):(\d{1,9}): /.exec(message) ?? [];
  return {
    ...(file === undefined ? {} : { location: { file, line: Number(line) } }),
    ...finding,
    ...(className === undefined || className === '' ? {} : { className }),
    ...(fix === undefined ? {} : { fix }),
  };
}
