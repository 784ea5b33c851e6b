import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, open, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { command } from './command.fixture.ts';
import { SessionProcess } from './dev/session-process.fixture.ts';
import { run } from './run.ts';
import { createTerminal, type TerminalOptions } from './terminal.ts';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** A user's project in a temporary folder, with the packages of this repository. */
export class Project {
  readonly folder: string;

  readonly #temporary: string;

  private constructor(temporary: string, below: string) {
    this.#temporary = temporary;
    this.folder = join(temporary, below);
  }

  /** `below` is a path below the project's temporary folder, to test unusual names. */
  static async create(files: Readonly<Record<string, string>>, below = '.'): Promise<Project> {
    const project = new Project(await mkdtemp(join(await realpath(tmpdir()), 'evenkeel-project-')), below);
    await mkdir(project.folder, { recursive: true });
    await symlink(join(root, 'node_modules'), join(project.folder, 'node_modules'));
    await project.write({ 'package.json': '{ "type": "module" }', ...files });
    return project;
  }

  /** Moves its folder to another path below the temporary folder, with its packages. */
  async moved(below: string): Promise<Project> {
    const project = new Project(this.#temporary, below);
    await mkdir(dirname(project.folder), { recursive: true });
    await rename(this.folder, project.folder);
    return project;
  }

  /** Copies a package of this repository to where modules below `folder` find it first. */
  async copyPackage(name: string, folder: string): Promise<void> {
    const copy = join(this.folder, folder, 'node_modules', name);
    await cp(await realpath(join(root, 'node_modules', name)), copy, { recursive: true });
  }

  /** Compiles the project with the repository's TypeScript. */
  compile(config = 'tsconfig.json'): void {
    const options = ['-p', join(this.folder, config)];
    const result = spawnSync(join(root, 'node_modules/.bin/tsc'), options, { encoding: 'utf8' });
    if (result.status !== 0) throw new Error(`tsc: ${result.stdout}${result.stderr}`);
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
  }

  async read(name: string): Promise<string> {
    return readFile(join(this.folder, name), 'utf8');
  }

  async changedAt(name: string): Promise<number> {
    return (await stat(join(this.folder, name))).mtimeMs;
  }

  /** Runs a command line in a separate process; returns its stdout and stderr in the order of output. */
  process(...commandLine: string[]): Promise<{ exitCode: number | null; output: string }> {
    return this.#process(commandLine, undefined);
  }

  /** The same, but interrupts it, as by Ctrl-C, when its output contains `text`. */
  interrupted(text: string, ...commandLine: string[]): Promise<{ exitCode: number | null; output: string }> {
    return this.#process(commandLine, text);
  }

  /** The same, but sends SIGHUP, as when its terminal is closed. */
  hungUp(text: string, ...commandLine: string[]): Promise<{ exitCode: number | null; output: string }> {
    return this.#process(commandLine, text, undefined, 'SIGHUP');
  }

  /** The same, but kills it. */
  killed(text: string, ...commandLine: string[]): Promise<{ exitCode: number | null; output: string }> {
    return this.#process(commandLine, text, undefined, 'SIGKILL');
  }

  /**
   * The same, but closes its stdout when the output contains `text`, as after `| head`; at the start if `text` is
   * empty. Returns its whole stderr.
   */
  async abandoned(text: string, ...commandLine: string[]): Promise<{ exitCode: number | null; complaint: string }> {
    const child = this.#start(commandLine);
    let output = '';
    let complaint = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (output.includes(text)) child.stdout?.destroy();
    });
    if (text === '') child.stdout?.destroy();
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      complaint += chunk;
    });
    const exitCode = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { exitCode, complaint };
  }

  /** Runs it with a full device as stdout. */
  async withoutRoom(...commandLine: string[]): Promise<{ exitCode: number | null; complaint: string }> {
    const full = await open('/dev/full', 'w');
    const child = this.#start(commandLine, full.fd);
    await full.close();
    let complaint = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      complaint += chunk;
    });
    const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { exitCode, complaint };
  }

  /** The same, but repeats the signal until it has exited. */
  interruptedToTheEnd(text: string, ...commandLine: string[]): Promise<{ exitCode: number | null; output: string }> {
    return this.#process(commandLine, text, 1);
  }

  async #process(
    commandLine: readonly string[],
    lastText: string | undefined,
    againAfterMs?: number,
    signal: NodeJS.Signals = 'SIGINT',
  ): Promise<{ exitCode: number | null; output: string }> {
    const child = this.#start(commandLine);
    let output = '';
    let isInterrupted = false;
    let again: NodeJS.Timeout | undefined;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (lastText === undefined || isInterrupted || !output.includes(lastText)) return;
        isInterrupted = true;
        child.kill(signal);
        if (againAfterMs !== undefined) again = setInterval(() => child.kill(signal), againAfterMs);
      });
    }
    const exitCode = await new Promise<number | null>((resolve) => {
      // As a shell shows it.
      child.once('close', (code, by) => resolve(by === null ? code : 128 + constants.signals[by]));
    });
    clearInterval(again);
    return { exitCode, output: output.replaceAll(this.folder, '<project>') };
  }

  #start(commandLine: readonly string[], stdout: 'pipe' | number = 'pipe'): ChildProcess {
    const env = { ...process.env, NO_COLOR: '1' };
    return spawn(process.execPath, [...command, ...commandLine], {
      cwd: this.folder,
      env,
      stdio: ['ignore', stdout, 'pipe'],
    });
  }

  /** Starts a command line in a separate process, for a test that edits the project while it runs. */
  session(...commandLine: string[]): SessionProcess {
    return new SessionProcess(this.#start(commandLine));
  }

  /** Runs a command line in the project. */
  async run(...commandLine: string[]): Promise<{ exitCode: number; out: string; err: string }> {
    return this.#run(commandLine, {});
  }

  /** The same in an interactive terminal. */
  async inTerminal(...commandLine: string[]): Promise<{ exitCode: number; out: string; err: string }> {
    return this.#run(commandLine, { isInteractive: true, hasColors: true });
  }

  async #run(
    commandLine: readonly string[],
    terminal: Pick<TerminalOptions, 'isInteractive' | 'hasColors'>,
  ): Promise<{ exitCode: number; out: string; err: string }> {
    const out: string[] = [];
    const err: string[] = [];
    const streams = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
    const exitCode = await run(commandLine, createTerminal({ ...terminal, ...streams, folder: this.folder }));
    const shown = (lines: string[]) => lines.join('\n').replaceAll(this.folder, '<project>');
    return { exitCode, out: shown(out), err: shown(err) };
  }

  async remove(): Promise<void> {
    await rm(this.#temporary, { recursive: true, force: true });
  }
}
