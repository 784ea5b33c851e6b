import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../imports.fixture.ts';

const compiled = join(root, 'node_modules/.cache/operator-faults');

export interface LogLine {
  readonly level?: string;
  readonly msg: string;
  readonly [key: string]: unknown;
}

/** Runs `operator-program.fixture.ts` as a process. */
export class OperatorProcess {
  readonly lines: LogLine[] = [];
  /** Its exit code, or the signal that killed it. */
  readonly exit: Promise<number | NodeJS.Signals | null>;
  readonly #child: ChildProcess;
  #waiting: (() => void)[] = [];

  constructor(kubeconfig: string, flags: readonly string[] = []) {
    this.#child = spawn(
      join(root, 'node_modules/.bin/node'),
      ['--conditions=evenkeel-source', '--no-warnings', 'test/operator-faults/operator-program.fixture.ts', ...flags],
      {
        cwd: root,
        // Later processes reuse what the first one compiled, which is two thirds of a start.
        env: { PATH: process.env['PATH'], KUBECONFIG: kubeconfig, NODE_COMPILE_CACHE: compiled },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let rest = '';
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('{')) this.lines.push(JSON.parse(line) as LogLine);
      for (const waiting of this.#waiting.splice(0)) waiting();
    });
    this.exit = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve(code ?? signal));
    });
  }

  send(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits for the first line, starting at `from`, whose message contains the text and for which `holds` is true. */
  async line(text: string, from = 0, holds: (line: LogLine) => boolean = () => true): Promise<LogLine> {
    for (;;) {
      const found = this.lines.slice(from).find((line) => line.msg.includes(text) && holds(line));
      if (found !== undefined) return found;
      const more = new Promise<void>((resolve) => this.#waiting.push(resolve));
      const ended = this.exit.then((code) => {
        const said = this.lines.map((line) => JSON.stringify(line)).join('\n');
        throw new Error(`it exited with ${code} before it logged "${text}":\n${said}`);
      });
      await Promise.race([more, ended]);
    }
  }

  /** Returns the size of its heap after a garbage collection. */
  async count(): Promise<{ readonly held: Readonly<Record<string, number>>; readonly heap: number }> {
    const from = this.lines.length;
    this.send('SIGUSR2');
    const { held, heap } = await this.line('counted', from);
    return { held: held as Record<string, number>, heap: heap as number };
  }
}

/** Writes a kubeconfig for a server without authorization. */
export async function writeKubeconfig(folder: string, server: string): Promise<string> {
  const file = join(folder, `${server.replaceAll(/\W/g, '-')}.json`);
  const context = { cluster: 'proxy', user: 'nobody' };
  const config = {
    'current-context': 'proxy',
    clusters: [{ name: 'proxy', cluster: { server } }],
    users: [{ name: 'nobody', user: {} }],
    contexts: [{ name: 'proxy', context }],
  };
  await writeFile(file, JSON.stringify(config));
  return file;
}
