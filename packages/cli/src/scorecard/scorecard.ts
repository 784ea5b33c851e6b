import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LabelSelectorError, matchesLabels, parseLabelSelector } from '@evenkeel/apimachinery/selector';
import { EvenkeelError, messageOf, SystemClock } from '@evenkeel/core';
import {
  allPass,
  type Bundle,
  type ConfiguredTest,
  currentForm,
  examplesOf,
  runBuiltInTest,
  runnerOf,
  type ScorecardResult,
  type ScorecardStage,
  type ScorecardTest,
  type ScorecardTestList,
  scorecardText,
  scorecardVersion,
  xunitOf,
} from '@evenkeel/olm';
import { listenForStopSignal } from '@evenkeel/runtime';
import { interruptedCode } from '../exit-codes.ts';
import { configIn, findConfig } from '../load/load-config.ts';
import { bundleIn } from '../olm/bundle-in.ts';
import type { CommandDocument } from '../report/command-document.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { timeoutOf } from '../timeout-option.ts';
import { runKuttlSuite } from './kuttl/kuttl-suite.ts';
import { runModuleTest } from './module-test.ts';
import { OperatorSession } from './operator-session.ts';
import { runProgramTest } from './program-test.ts';
import { type ScorecardFile, scorecardFileOf } from './scorecard-file.ts';

/** The options of `evenkeel scorecard` as strings from the command line. */
export interface ScorecardOptions {
  readonly config?: string;
  readonly scorecardConfig?: string;
  readonly selector?: string;
  readonly list?: boolean;
  readonly kubeconfig?: string;
  readonly operator: boolean;
  readonly trustBundle?: boolean;
  readonly xunit?: string;
  readonly skipCleanup?: boolean;
  readonly timeout: string;
}

/** What `--output json` prints: the list of operator-sdk, with the members of every document. */
export interface ScorecardDocument extends CommandDocument, ScorecardTestList {}

/** Runs the tests of a bundle's scorecard; resolves to the exit code. */
export async function scorecard(
  folder: string,
  options: ScorecardOptions,
  terminal: CommandTerminal,
  verbose: boolean,
): Promise<number> {
  const timeoutMs = timeoutOf(options.timeout);
  const selects = selectorOf(options.selector);
  const bundle = await bundleIn(terminal.folder, folder);
  const file = await scorecardFileOf(terminal.folder, folder, bundle, options.scorecardConfig);
  const stages = file.stages.map((stage) => ({ ...stage, tests: stage.tests.filter(selects) }));
  if (stages.every(({ tests }) => tests.length === 0)) {
    terminal.out('0 tests selected');
    terminal.add(listOf([]));
    return 0;
  }
  if (options.list === true) return print(listOf(stages.flatMap(({ tests }) => tests.map(testOf))), terminal);
  if (file.shown === undefined) {
    const message = `${folder} has no configuration of a scorecard, so the six built-in tests run; add tests/scorecard/config.yaml`;
    terminal.finding({ level: 'notice', message });
  }
  const scorecardRun = new ScorecardCommand(folder, options, bundle, file, terminal, timeoutMs, verbose);
  const list = await scorecardRun.run(stages);
  if (list === undefined) return scorecardRun.isInterrupted ? interruptedCode : 1;
  if (options.xunit !== undefined) await writeXunit(terminal.folder, options.xunit, list);
  return print(list, terminal);
}

class ScorecardCommand {
  readonly #given: string;
  readonly #options: ScorecardOptions;
  readonly #bundle: Bundle;
  readonly #file: ScorecardFile;
  readonly #terminal: CommandTerminal;
  readonly #timeoutMs: number;
  readonly #verbose: boolean;
  readonly #clock = new SystemClock();
  /** Whether the user has interrupted the run. */
  isInterrupted = false;

  constructor(
    given: string,
    options: ScorecardOptions,
    bundle: Bundle,
    file: ScorecardFile,
    terminal: CommandTerminal,
    timeoutMs: number,
    verbose: boolean,
  ) {
    this.#given = given;
    this.#options = options;
    this.#bundle = bundle;
    this.#file = file;
    this.#terminal = terminal;
    this.#timeoutMs = timeoutMs;
    this.#verbose = verbose;
  }

  /** Undefined if the project has errors, which have been reported, or if the user has interrupted the command. */
  async run(stages: readonly ScorecardStage[]): Promise<ScorecardTestList | undefined> {
    const stopSignal = listenForStopSignal(process, this.#clock);
    const interruption = new AbortController();
    const interrupted = stopSignal.received.then(() => {
      interruption.abort(new Error('interrupted'));
      return undefined;
    });
    try {
      const session = await this.#open(interruption.signal);
      if (session === undefined) return undefined;
      try {
        return await Promise.race([this.#tests(stages, session, interruption.signal), interrupted]);
      } finally {
        await session.close();
      }
    } finally {
      stopSignal.close();
      this.isInterrupted = interruption.signal.aborted;
    }
  }

  #open(signal: AbortSignal): Promise<OperatorSession | undefined> {
    const { examples } = examplesOf(this.#bundle);
    const { kubeconfig, skipCleanup = false } = this.#options;
    const { folder } = this.#terminal;
    return OperatorSession.open({
      configPath: this.#configPath(),
      kubeconfig: kubeconfig === undefined ? undefined : resolve(folder, kubeconfig),
      definitions: this.#bundle.objects.filter(({ kind }) => kind === 'CustomResourceDefinition').map(currentForm),
      ...{ examples, timeoutMs: this.#timeoutMs, keeps: skipCleanup, signal },
      ...{ terminal: this.#terminal, clock: this.#clock, verbose: this.#verbose },
    });
  }

  async #tests(
    stages: readonly ScorecardStage[],
    session: OperatorSession,
    signal: AbortSignal,
  ): Promise<ScorecardTestList> {
    if (session.notConverged !== undefined && !signal.aborted) {
      this.#terminal.finding({ level: 'notice', message: session.notConverged });
    }
    const items: ScorecardTest[] = [];
    for (const { parallel, tests } of stages) {
      if (parallel) items.push(...(await Promise.all(tests.map((test) => this.#test(test, session)))));
      else for (const test of tests) if (!signal.aborted) items.push(await this.#test(test, session));
    }
    for (const failure of session.failures) throw failure;
    return listOf(items);
  }

  /** The project whose operator runs. */
  #configPath(): string | undefined {
    const { operator, config } = this.#options;
    if (!operator) return undefined;
    const { folder } = this.#terminal;
    if (config !== undefined) return findConfig(folder, config);
    const found = configIn(folder);
    if (found === undefined) {
      const message = `there is no evenkeel.config.ts in ${folder}, so no operator runs for the examples; run the command in the folder of your project, or pass --config FILE`;
      this.#terminal.finding({ level: 'notice', message });
    }
    return found;
  }

  async #test(test: ConfiguredTest, session: OperatorSession): Promise<ScorecardTest> {
    const results = await this.#results(test, session).catch((error: unknown): ScorecardResult[] => [
      { name: nameOf(test), state: 'error', errors: [messageOf(error)] },
    ]);
    const creationTimestamp = new Date().toISOString();
    return { ...testOf(test), status: { results: results.map((result) => ({ ...result, creationTimestamp })) } };
  }

  async #results(test: ConfiguredTest, session: OperatorSession): Promise<readonly ScorecardResult[]> {
    const runner = runnerOf(test.spec);
    const { folder } = this.#file;
    const bundle = resolve(this.#terminal.folder, this.#given);
    const { namespace } = session;
    const { kubeconfig } = session.server;
    switch (runner.runs) {
      case 'built-in': {
        const { examples, problem } = examplesOf(this.#bundle);
        const subject = { bundle: this.#bundle, examples, examplesProblem: problem, run: session.run };
        return [await runBuiltInTest(runner.name, subject)];
      }
      case 'kuttl':
        return await runKuttlSuite(resolve(folder, 'kuttl'), {
          ...{ client: session.client, clock: this.#clock, kubeconfig, shownFrom: this.#terminal.folder },
          isTrusted: this.#options.trustBundle === true,
          isShared: this.#options.kubeconfig !== undefined,
          namespace: session.onlyNamespace,
          createNamespace: () => session.createNamespace('kuttl-test-'),
          keeps: this.#options.skipCleanup === true,
        });
      case 'module': {
        if (this.#options.trustBundle !== true) return [this.#untrusted(test, `the module ${runner.file}`)];
        return await runModuleTest(
          {
            ...{ file: runner.file, path: resolve(folder, runner.file), name: runner.name },
            ...{ folder: this.#terminal.folder, kubeconfig, namespace, bundle },
            ...{ examples: session.run.examples, timeoutMs: this.#timeoutMs },
          },
          this.#timeoutMs,
        );
      }
      case 'program': {
        if (this.#options.trustBundle !== true) return [this.#untrusted(test, `the program ${runner.command}`)];
        const command = runner.command.startsWith('.') ? resolve(folder, runner.command) : runner.command;
        return await runProgramTest([runner.command, ...runner.arguments].join(' '), {
          ...{ command, arguments: runner.arguments, folder, timeoutMs: this.#timeoutMs },
          variables: { KUBECONFIG: kubeconfig, NAMESPACE: namespace, BUNDLE: bundle },
        });
      }
      case 'nothing':
        return [{ name: nameOf(test), state: 'error', errors: [`${this.#placeOf(test)}: ${runner.problem}`] }];
    }
  }

  #untrusted(test: ConfiguredTest, what: string): ScorecardResult {
    const message = `${this.#placeOf(test)}: ${what} would run with your permissions; read it, and pass --trust-bundle if you trust it`;
    return { name: nameOf(test), state: 'error', errors: [message] };
  }

  #placeOf({ path, line }: ConfiguredTest): string {
    const { shown } = this.#file;
    return shown === undefined ? path : `${shown}:${line}: ${path}`;
  }
}

function nameOf({ spec }: ConfiguredTest): string {
  return spec.labels?.['test'] ?? spec.entrypoint?.join(' ') ?? spec.image ?? '';
}

function testOf({ spec }: ConfiguredTest): ScorecardTest {
  return { apiVersion: scorecardVersion, kind: 'Test', spec, status: {} };
}

function listOf(items: readonly ScorecardTest[]): ScorecardTestList {
  return { apiVersion: scorecardVersion, kind: 'TestList', items };
}

function print(list: ScorecardTestList, terminal: CommandTerminal): number {
  for (const test of list.items) terminal.out(scorecardText(test));
  terminal.add(list);
  return allPass(list) ? 0 : 1;
}

function selectorOf(text: string | undefined): (test: ConfiguredTest) => boolean {
  if (text === undefined) return () => true;
  try {
    const requirements = parseLabelSelector(text);
    return ({ spec }) => matchesLabels(requirements, spec.labels);
  } catch (cause) {
    if (!(cause instanceof LabelSelectorError)) throw cause;
    const problem = `--selector: ${JSON.stringify(text)}: ${cause.message}; write it as suite=basic or 'test in (a,b)'`;
    throw new EvenkeelError('invalid-option', problem, { cause });
  }
}

async function writeXunit(folder: string, given: string, list: ScorecardTestList): Promise<void> {
  try {
    await writeFile(resolve(folder, given), xunitOf(list));
  } catch (cause) {
    const problem = `cannot write ${given}: ${messageOf(cause)}; pass a file in a folder that exists and that you may write`;
    throw new EvenkeelError('invalid-option', `--xunit: ${problem}`, { cause });
  }
}
