import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@evenkeel/testing';
import { commandsIn, expectLines, isRepeated, lines, matches } from '../shown-output.fixture.ts';

/** A command that the reader's machine has and this one may not have, and what represents it. */
export type StandIns = Readonly<Record<string, () => Promise<void>>>;

export interface ReaderOptions {
  readonly folder: string;
  readonly standIns: StandIns;
  /** Texts of the page that this machine replaces. */
  readonly replaced: Readonly<Record<string, string>>;
  /** Environment variables. The stand-ins may add some. */
  readonly variables: Record<string, string>;
}

/** A line that tells how long something still takes, so a fast machine does not print it. */
const progress = /^waiting (for|until) /;

/**
 * A reader who follows a page from top to bottom in a terminal, and compares what it shows. These blocks are steps:
 *
 * - ```console: commands with their output. The output of `npm run dev` may have more lines.
 * - ```sh: commands without output, each of which is a stand-in.
 * - ```LANGUAGE PATH: a file; ```diff PATH: lines to add and to replace.
 * - ```text: more output of `npm run dev`.
 */
export class TutorialReader {
  readonly #options: ReaderOptions;
  #folder: string;
  #dev: { readonly process: ChildProcess; output: string } | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#folder = options.folder;
  }

  /** Throws if the output of a command differs. */
  async follow(page: string): Promise<void> {
    for (const [, language = '', path, text = ''] of page.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)) {
      if (language === 'diff' && path !== undefined) await this.#edit(path, text);
      else if (path !== undefined) await this.#write(path, text);
      else if (language === 'text') await this.#untilPrinted(text);
      else if (language === 'sh') await this.#standIn(text);
      else if (language === 'console')
        for (const { command, output } of commandsIn(text)) await this.#run(command, output);
    }
  }

  async close(): Promise<void> {
    if (this.#dev === undefined) return;
    const { process: child } = this.#dev;
    this.#dev = undefined;
    if (child.exitCode !== null || child.pid === undefined) return;
    const exited = once(child, 'exit');
    // As Ctrl-C does, which reaches npm and the command.
    process.kill(-child.pid, 'SIGINT');
    await exited;
  }

  async #standIn(text: string): Promise<void> {
    for (const command of text.trim().split('\n')) {
      const run = this.#options.standIns[command];
      if (run === undefined) throw new Error(`${command}: the page has no output for it, and the test no stand-in`);
      await run();
    }
  }

  async #run(command: string, output: string): Promise<void> {
    const [, folder] = /^cd (\S+)$/.exec(command) ?? [];
    if (folder !== undefined) {
      this.#folder = join(this.#folder, folder);
      return;
    }
    if (command === 'npm run dev') {
      this.#startDev();
      return this.#untilPrinted(output);
    }
    // The reader has pressed "q" before.
    if (command.startsWith('npm ')) await this.close();
    const shown = comparable(this.#here(output));
    const compare = async () => expectLines(command, comparable(await this.#output(this.#here(command))), shown);
    await (isRepeated(command) ? eventually(compare, { timeout: '60s' }) : compare());
  }

  async #output(command: string): Promise<string> {
    const options = { cwd: this.#folder, env: this.#environment() };
    return promisify(execFile)('/bin/sh', ['-c', `${command} 2>&1`], options).then(
      ({ stdout }) => stdout,
      // A page may show a command that fails.
      (error: { stdout?: string }) => error.stdout ?? String(error),
    );
  }

  #environment(): NodeJS.ProcessEnv {
    // The settings of an npm that started this process belong to that npm.
    const own = Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_OPTIONS|INIT_CWD)/.test(name));
    return { ...Object.fromEntries(own), ...this.#options.variables };
  }

  #here(text: string): string {
    return Object.entries(this.#options.replaced).reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  }

  #startDev(): void {
    const options = { cwd: this.#folder, env: this.#environment(), detached: true };
    const child = spawn('npm', ['run', 'dev'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const dev = { process: child, output: '' };
    this.#dev = dev;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        dev.output += text;
      });
  }

  async #untilPrinted(text: string): Promise<void> {
    const wanted = lines(text);
    await eventually(
      () => {
        const printed = lines(this.#dev?.output ?? '');
        const missing = wanted.find((line) => !printed.some((one) => matches(one, line)));
        if (missing !== undefined)
          throw new Error(`evenkeel dev has not printed\n${missing}\nbut\n${printed.join('\n')}`);
      },
      { timeout: '60s' },
    );
  }

  async #write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.#folder, path)), { recursive: true });
    await writeFile(join(this.#folder, path), text);
  }

  /** Replaces the lines with a space or `-` by those with a space or `+`. They must occur once. */
  async #edit(path: string, diff: string): Promise<void> {
    const file = join(this.#folder, path);
    const before = await readFile(file, 'utf8');
    const of = (signs: string) => diff.replace(/^(.?)(.*\n)/gm, (_, sign, rest) => (signs.includes(sign) ? rest : ''));
    const parts = before.split(of(' -'));
    if (parts.length !== 2) throw new Error(`${path} contains ${parts.length - 1} times\n${of(' -')}\nin\n${before}`);
    await writeFile(file, parts.join(of(' +')));
  }
}

/** The lines without what differs between machines and runs, and without the lines that npm prints before a command. */
function comparable(output: string): string[] {
  return lines(output)
    .filter((line) => !line.startsWith('> ') && !progress.test(line))
    .map((line) =>
      line
        .replace(/[\d,.]+ (KB|MB)\b/g, 'SIZE $1')
        .replace(/\blinux\/(amd64|arm64)\b/, 'PLATFORM')
        .replace(/^added \d+ packages/, 'added N packages')
        .replace(/, estimated DURATION$/, ''),
    );
}
