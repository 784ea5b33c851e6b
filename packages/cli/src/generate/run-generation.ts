import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { EvenkeelError } from '@evenkeel/core';
import type { GenerationAnswer, GenerationMessage, GenerationRequest } from './generation.ts';
import { heapMegabytes, type LoadingProcess } from './loading-process.ts';

/** Who is told what happens meanwhile. */
export interface GenerationObserver {
  /** A line that the modules printed, to either of their outputs. */
  readonly onPrint: (line: string) => void;
  /** The process that loads is at work on something. */
  readonly onProgress: (doing: string) => void;
}

/**
 * Has the modules of a configuration loaded and their files made, in a process of their own. Throws `module-not-loaded`
 * where that does not end, or not in time; the process is gone when this returns, whatever the modules started.
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
      // How long the process itself takes to start is not the modules' fault.
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

/** Its outputs end with it, unless it started something that holds on to them. */
const lastPrintsMs = 200;

/** Resolves when a process is gone and all that it printed has arrived. */
async function allPrinted(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve());
    // What has arrived while we were busy is read between a timer and the next immediate.
    child.once('exit', () => setTimeout(() => setImmediate(resolve), lastPrintsMs).unref());
    child.once('error', () => resolve());
  });
}

/** What V8 and Node print when they end a process: pages about themselves, which help nobody here. */
const lastWords = /^(?:<--- Last few GCs --->|----- Native stack trace -----)/;
const longestLine = 65_536;

/** Passes on what a process prints, line by line, without those last words. */
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
    // An empty line is V8's when its last words follow.
    if (line === '') {
      this.#emptyLines++;
      return;
    }
    for (; this.#emptyLines > 0; this.#emptyLines--) this.#print('');
    this.#print(line);
  }
}

const onlyDeclare = 'modules should only declare classes: move what connects, computes or waits to the main module';

function incomplete(missing: string): EvenkeelError {
  return new EvenkeelError(
    'module-not-loaded',
    `evenkeel needs the package "${missing}", which is not installed; run npm install ${missing}`,
  );
}

function failed({ doing, message, stack }: GenerationMessage & { says: 'failed' }): Error {
  const error = new Error(`${doing} failed: ${message}; --verbose shows where`);
  error.stack = stack;
  return error;
}

function tooLate(doing = 'starting', timeLimitMs: number): EvenkeelError {
  return new EvenkeelError(
    'module-not-loaded',
    `${doing} did not end within ${timeLimitMs / 1000} s; ${onlyDeclare}, or allow more with --timeout`,
  );
}

function waitsForEver(doing: string): EvenkeelError {
  return new EvenkeelError(
    'module-not-loaded',
    `${doing} does not end: it awaits at its top level what nothing is left to bring about; ${onlyDeclare}`,
  );
}

function gone(doing: string | undefined, how: string, prints: readonly PrintedLines[]): EvenkeelError {
  if (doing === undefined) {
    return new EvenkeelError('module-not-loaded', `the process that loads the modules did not start (${how})`);
  }
  const isOutOfMemory = prints.some(({ ranOutOfMemory }) => ranOutOfMemory);
  const what = isOutOfMemory ? `took more than ${heapMegabytes} MB of memory` : `ended the process (${how})`;
  return new EvenkeelError('module-not-loaded', `${doing} ${what}; ${onlyDeclare}`);
}
