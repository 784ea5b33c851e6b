import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { EvenkeelError } from '@evenkeel/core';
import type { GenerationAnswer, GenerationMessage, GenerationRequest } from './generation.ts';
import { heapMegabytes, type LoadingProcess } from './loading-process.ts';

/** Receives the progress of a run. */
export interface GenerationObserver {
  /** Called for each line that the modules print to stdout or stderr. */
  readonly onPrint: (line: string) => void;
  /** Called when the loading process starts a step. */
  readonly onProgress: (doing: string) => void;
}

/**
 * Loads the modules of a configuration and generates their files in a separate process. Throws `module-not-loaded` if
 * that does not finish in time. The process has exited when this returns, whatever the modules started.
 */
export async function runGeneration(
  { child, first }: LoadingProcess,
  request: GenerationRequest,
  timeLimitMs: number,
  observer: GenerationObserver,
): Promise<GenerationAnswer> {
  const prints = [child.stdout, child.stderr].map((stream) => new PrintedLines(stream, observer.onPrint));
  const closed = allPrinted(child);
  let doing: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<GenerationAnswer>((resolve, reject) => {
      const allow = (limitMs: number) => {
        clearTimeout(timer);
        timer = setTimeout(() => reject(tooLate(doing, limitMs)), limitMs);
      };
      const receive = (message: GenerationMessage) => {
        switch (message.says) {
          case 'ready':
            return allow(timeLimitMs);
          case 'incomplete':
            return reject(incomplete(message.missing));
          case 'progress':
            doing = message.doing;
            return observer.onProgress(doing);
          case 'idle':
            return reject(waitsForEver(message.doing));
          case 'failed':
            return reject(failed(message));
          case 'answer':
            return resolve(message.answer);
        }
      };
      // The start of the process itself does not count towards the modules' time limit.
      allow(startLimitMs);
      if (first !== undefined) receive(first.message);
      child.on('message', (message) => receive(message as GenerationMessage));
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        void closed.then(() => reject(gone(doing, signal ?? `exit ${code}`, prints)));
      });
      child.send(request);
    });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
    await closed;
    for (const print of prints) print.end();
  }
}

const startLimitMs = 30_000;

/** The outputs close with the process, unless it started another process that keeps them open. */
const lastPrintsMs = 200;

/** Resolves when a process has exited and all its output has arrived. */
async function allPrinted(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve());
    // Output that arrived while this process was busy is read between a timer and the next immediate.
    child.once('exit', () => setTimeout(() => setImmediate(resolve), lastPrintsMs).unref());
    child.once('error', () => resolve());
  });
}

/** What V8 and Node print when they abort a process: long internal details that do not help the user. */
const lastWords = /^(?:<--- Last few GCs --->|----- Native stack trace -----)/;
const longestLine = 65_536;

/** Prints the output of a process line by line, without these details. */
class PrintedLines {
  readonly #print: (line: string) => void;
  #rest = '';
  #isEnding = false;
  #emptyLines = 0;
  ranOutOfMemory = false;

  constructor(stream: Readable | null, print: (line: string) => void) {
    this.#print = print;
    stream?.setEncoding('utf8').on('data', (text: string) => this.#receive(text));
  }

  end(): void {
    if (this.#rest !== '') this.#line(this.#rest);
    this.#rest = '';
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
    if (this.#rest.length < longestLine) return;
    this.#line(this.#rest);
    this.#rest = '';
  }

  #line(line: string): void {
    this.#isEnding ||= lastWords.test(line);
    this.ranOutOfMemory ||= line.startsWith('FATAL ERROR: ') && line.includes('heap out of memory');
    if (this.#isEnding) return;
    // An empty line belongs to V8's output if such details follow.
    if (line === '') {
      this.#emptyLines++;
      return;
    }
    for (; this.#emptyLines > 0; this.#emptyLines--) this.#print('');
    this.#print(line);
  }
}

const onlyDeclare =
  'modules should only declare classes; move code that connects, computes or waits to the main module';

function incomplete(missing: string): EvenkeelError {
  return new EvenkeelError(
    'module-not-loaded',
    `evenkeel needs the package "${missing}", which is not installed; run npm install ${missing}`,
  );
}

function failed({ doing, message, stack }: GenerationMessage & { says: 'failed' }): Error {
  const error = new Error(`${doing} failed: ${message}; pass --verbose for the stack`);
  error.stack = stack;
  return error;
}

function tooLate(doing = 'starting', timeLimitMs: number): EvenkeelError {
  return new EvenkeelError(
    'module-not-loaded',
    `${doing} did not finish within ${timeLimitMs / 1000} s; ${onlyDeclare}, or set a longer --timeout`,
  );
}

function waitsForEver(doing: string): EvenkeelError {
  return new EvenkeelError(
    'module-not-loaded',
    `${doing} never finishes: a top-level await waits for something that can no longer happen; ${onlyDeclare}`,
  );
}

function gone(doing: string | undefined, how: string, prints: readonly PrintedLines[]): EvenkeelError {
  if (doing === undefined) {
    return new EvenkeelError('module-not-loaded', `the loading process did not start (${how}); run the command again`);
  }
  const isOutOfMemory = prints.some(({ ranOutOfMemory }) => ranOutOfMemory);
  const what = isOutOfMemory ? `used more than ${heapMegabytes} MB of memory` : `ended the process (${how})`;
  return new EvenkeelError('module-not-loaded', `${doing} ${what}; ${onlyDeclare}`);
}
