import { relative } from 'node:path';
import { type Clock, EvenkeelError, messageWithCause } from '@evenkeel/core';
import type { ReportedFinding } from '../../generate/generation.ts';
import type { DevSession } from '../dev-session.ts';
import type { Narrator } from '../narrator.ts';
import type { LoadedProgram, LoadedProject } from '../operator/operator-contract.ts';
import type { OperatorProcess } from '../operator/operator-process.ts';
import type { SampleObject } from '../sample.ts';
import { WatchedFiles } from './watched-files.ts';

export interface ReloaderOptions {
  readonly session: DevSession;
  /** Starts a process that has loaded no modules of the user. */
  readonly startProcess: () => OperatorProcess;
  /** Prepares a process that waits. */
  readonly warmUp: (process: OperatorProcess) => Promise<void>;
  readonly load: (
    process: OperatorProcess,
    generated: LoadedProgram['generated'] | undefined,
  ) => Promise<LoadedProject>;
  readonly samplesOf: (program: LoadedProgram) => Promise<readonly SampleObject[]>;
  /** The paths of the samples of a program. */
  readonly sampleFilesOf: (program: LoadedProgram) => readonly string[];
  /** Prints the mistakes of a project. */
  readonly reportFindings: (findings: readonly ReportedFinding[]) => void;
  readonly narrator: Narrator;
  readonly clock: Clock;
  /** Messages show file paths relative to this folder. */
  readonly folder: string;
}

/** Why the code is loaded again. */
interface Reload {
  /** For the user: `src/site.ts changed`. */
  readonly reason: string;
  readonly resets: boolean;
}

/** How long new code runs before the next spare process starts. */
const prepareAfterMs = 200;

/** Thrown in a load if the files have changed since it began. */
class Superseded extends Error {
  override readonly name = 'Superseded';
}

/**
 * Replaces the operator of a session when its code changes. The new code is loaded and checked in a spare process while the old
 * code runs, which stays if the new code has a mistake.
 */
export class Reloader {
  readonly #options: ReloaderOptions;
  readonly #files: WatchedFiles;
  #program: LoadedProgram;
  /** The last generated result, and the files that it depends on. Undefined if one of them has changed since. */
  #generated: { readonly kinds: LoadedProgram['generated']; readonly sources: ReadonlySet<string> } | undefined;
  #spare: OperatorProcess | undefined;
  #wanted: Reload | undefined;
  #supersede: ((error: Superseded) => void) | undefined;
  #running: Promise<void> | undefined;
  /** The mistakes that were printed last, and that the code still has. */
  #shown: string | undefined;
  #isClosed = false;

  /** @param loaded the project that runs. */
  constructor(
    { sources, apiSources, isOpen, program }: LoadedProject & { readonly program: LoadedProgram },
    options: ReloaderOptions,
  ) {
    this.#options = options;
    this.#program = program;
    this.#noteGenerated(program, apiSources);
    this.#files = new WatchedFiles({ clock: options.clock, onChange: (paths) => this.#changed(paths) });
    this.#files.follow({ files: [...sources, ...options.sampleFilesOf(program)], isOpen });
  }

  /** Starts and warms up the spare process, unless there is one. */
  prepare(): void {
    if (this.#isClosed || this.#spare !== undefined) return;
    const spare = this.#options.startProcess();
    this.#spare = spare;
    void this.#options.warmUp(spare);
    void spare.exited.then(() => {
      if (this.#spare === spare) this.#spare = undefined;
    });
  }

  /** Loads the code again and starts it, even if it has not changed. All objects are reconciled again. */
  reload(reason: string): void {
    // Something may have changed that is not watched, such as a package.
    this.#generated = undefined;
    this.#want({ reason, resets: false });
  }

  /** The same, on an empty server. */
  reset(): void {
    this.#want({ reason: 'reset', resets: true });
  }

  /** Stops to watch, and resolves when no reload is in progress. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#files.close();
    this.#wanted = undefined;
    this.#supersede?.(new Superseded());
    this.#spare?.kill();
    await this.#running;
  }

  #changed(paths: readonly string[]): void {
    // A new module may belong to the API.
    const isApi = paths.some(
      (path) => this.#generated?.sources.has(path) !== false || !this.#files.files.includes(path),
    );
    if (isApi) this.#generated = undefined;
    const samples = new Set(this.#options.sampleFilesOf(this.#program));
    if (paths.every((path) => samples.has(path))) {
      const applied = (this.#running ?? Promise.resolve()).then(() => this.#applySamples());
      this.#running = applied.finally(() => undefined);
      return;
    }
    const [first = '', ...others] = paths.map((path) => relative(this.#options.folder, path));
    const reason = `${first}${others.length === 0 ? '' : ` and ${others.length} more`} changed`;
    this.#want({ reason, resets: false });
  }

  #want(reload: Reload): void {
    if (this.#isClosed) return;
    this.#wanted = { ...reload, resets: reload.resets || this.#wanted?.resets === true };
    this.#supersede?.(new Superseded());
    this.#running = (this.#running ?? Promise.resolve()).then(() => this.#reloadWanted());
  }

  async #reloadWanted(): Promise<void> {
    for (let next = this.#wanted; next !== undefined; next = this.#wanted) {
      this.#wanted = undefined;
      await this.#reload(next);
    }
  }

  async #reload({ reason, resets }: Reload): Promise<void> {
    const { session, narrator, clock } = this.#options;
    const startedMs = clock.monotonic();
    // Without a spare, a new process loads the code sooner if it does not warm up.
    const process = this.#spare ?? this.#options.startProcess();
    this.#spare = undefined;
    let isRunning = false;
    try {
      const program = await this.#checked(process, reason);
      if (program === undefined) return;
      const samples = await this.#options.samplesOf(program);
      if (resets) await session.reset();
      await session.run({ process, program, samples }, () => {
        isRunning = true;
        this.#program = program;
        this.#shown = undefined;
        const took = `${Math.round(clock.monotonic() - startedMs)} ms`;
        narrator.report('reload', `${reason}; the new code runs`, { tone: 'good', aside: took });
      });
    } catch (error) {
      if (error instanceof Superseded) {
        // An interrupted reset must still happen.
        if (this.#wanted !== undefined) this.#wanted = { ...this.#wanted, resets: this.#wanted.resets || resets };
        return;
      }
      this.#explain(error, isRunning);
    } finally {
      if (!isRunning) process.kill();
      // Later, because the first runs of the new code need the processor now.
      clock.schedule(prepareAfterMs, () => this.prepare(), { unref: true });
    }
  }

  /** Loads and checks the project. Returns undefined, and prints the mistakes, if there are any. */
  async #checked(process: OperatorProcess, reason: string): Promise<LoadedProgram | undefined> {
    const { narrator } = this.#options;
    const superseded = new Promise<never>((_, reject) => {
      this.#supersede = reject;
    });
    let loaded: LoadedProject;
    try {
      loaded = await Promise.race([this.#options.load(process, this.#generated?.kinds), superseded]);
    } catch (error) {
      if (!(error instanceof Superseded)) this.#files.follow({ files: this.#files.files, isOpen: true });
      throw error;
    } finally {
      this.#supersede = undefined;
    }
    const { findings, program, sources, apiSources, isOpen } = loaded;
    this.#noteGenerated(program, apiSources);
    // The imports of a module that did not load are unknown.
    const others = program === undefined ? this.#files.files : this.#options.sampleFilesOf(program);
    this.#files.follow({ files: [...sources, ...others], isOpen });
    if (program !== undefined) return program;
    const mistakes = findings.map(({ text }) => text).join('\n');
    if (mistakes !== this.#shown) this.#options.reportFindings(findings);
    this.#shown = mistakes;
    narrator.report('reload', `${reason}, but the new code has mistakes; ${this.#remaining()}`, { tone: 'bad' });
    return undefined;
  }

  #noteGenerated(program: LoadedProgram | undefined, apiSources: readonly string[] | undefined): void {
    if (program === undefined || apiSources === undefined) return;
    this.#generated = { kinds: program.generated, sources: new Set(apiSources) };
  }

  #explain(error: unknown, isRunning: boolean): void {
    const { narrator } = this.#options;
    const code = error instanceof EvenkeelError ? ` [${error.code}]` : '';
    narrator.report('error', `${messageWithCause(error)}${code}`, { tone: 'bad' });
    // The message that the new code runs came before.
    if (!isRunning) narrator.report('reload', this.#remaining(), { tone: 'bad' });
  }

  #remaining(): string {
    return this.#options.session.hasOperator
      ? 'the old code keeps running'
      : 'no operator runs; it starts after the next change';
  }

  async #applySamples(): Promise<void> {
    try {
      await this.#options.session.applySamples(await this.#options.samplesOf(this.#program));
    } catch (error) {
      const code = error instanceof EvenkeelError ? ` [${error.code}]` : '';
      this.#options.narrator.report('error', `${messageWithCause(error)}${code}`, { tone: 'bad' });
    }
  }
}
