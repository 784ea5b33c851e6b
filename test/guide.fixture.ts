import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Environment, eventually } from '@evenkeel/testing';
import { command } from '../packages/cli/src/command.fixture.ts';
import { Project } from '../packages/cli/src/project.fixture.ts';
import { root } from './imports.fixture.ts';
import { commandsIn, expectLines, isRepeated, lines, matches } from './shown-output.fixture.ts';

const kubeconfigOfDev = '.evenkeel/kubeconfig';

/**
 * A guide in docs/ with a project whose files are its blocks with a path (```ts src/site.ts), and commands with their
 * output (```console). They are run from top to bottom in one project and on one embedded server, which is that of
 * `evenkeel dev` if the guide starts it. A ```text block is output of the operator in the terminal of `evenkeel dev`.
 *
 * Values that differ between runs are not compared: times, ages, ports, folders. ` ... ` in a line matches anything.
 */
export class Guide {
  readonly files: Readonly<Record<string, string>>;
  readonly #blocks: readonly { readonly language: string; readonly text: string }[];
  #project: Project | undefined;
  #cluster: Environment | undefined;
  #dev: ChildProcess | undefined;
  #devOutput = '';
  #isExported = false;

  constructor(page: string) {
    const text = readFileSync(join(root, 'docs', page), 'utf8');
    const blocks = [...text.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)];
    this.files = Object.fromEntries(
      blocks.flatMap(([, , path, body]) => (path === undefined ? [] : [[path, body ?? '']])),
    );
    this.#blocks = blocks
      .filter(([, language]) => language === 'console' || language === 'text')
      .map(([, language = '', , body = '']) => ({ language, text: body }));
  }

  /** Follows the steps of the page, and throws if the output differs. */
  async play(): Promise<void> {
    this.#project = await Project.create(this.files);
    for (const { language, text } of this.#blocks) {
      if (language === 'text') {
        await this.#untilTold(text);
        continue;
      }
      for (const { command, output } of commandsIn(text)) await this.#run(command, output);
    }
  }

  async close(): Promise<void> {
    if (this.#dev !== undefined && this.#dev.exitCode === null) {
      const ended = new Promise((resolve) => this.#dev?.once('close', resolve));
      this.#dev.kill('SIGINT');
      await ended;
    }
    await this.#cluster?.close();
    await this.#project?.remove();
  }

  async #run(command: string, output: string): Promise<void> {
    // Each command runs in a separate shell, with the variables that the reader exports once.
    if (command === `export KUBECONFIG=${kubeconfigOfDev}`) return this.#expectDev(command);
    if (command === 'npx evenkeel dev') {
      this.#startDev();
      return this.#untilTold(output);
    }
    if (this.#dev !== undefined && !this.#isExported && command.startsWith('kubectl ')) {
      throw new Error(`${command}: the guide has not set the server for kubectl, and the reader may use another one`);
    }
    const shown = lines(output);
    const run = () => this.#output(command);
    if (isRepeated(command)) {
      // The shown state is reached after some time, so the command is repeated.
      await eventually(async () => expectLines(command, lines(await run()), shown), { timeout: '90s' });
    } else {
      expectLines(command, lines(await run()), shown);
    }
  }

  async #output(command: string): Promise<string> {
    const cwd = this.#project?.folder;
    const evenkeel = /^npx evenkeel (.*)$/.exec(command)?.[1];
    if (evenkeel !== undefined && this.#project !== undefined) {
      const words = evenkeel.split(' ');
      if (/^(migrate|versions|install|deploy|doctor|undeploy|uninstall)\b/.test(evenkeel)) {
        // The reader's KUBECONFIG, which these commands use like kubectl. They load modules, which Jest does not support.
        return (await this.#project.process(...words, '--kubeconfig', await this.#kubeconfig())).output;
      }
      const { err, out } = await this.#project.run(...words);
      return `${err}\n${out}`;
    }
    const env = { ...process.env, KUBECONFIG: await this.#kubeconfig(), NO_COLOR: '1' };
    const answer = await promisify(execFile)('/bin/sh', ['-c', `${command} 2>&1`], { cwd, env }).catch(
      (error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) }),
    );
    return answer.stdout;
  }

  /** The server of `evenkeel dev`, or one that represents the reader's cluster. */
  async #kubeconfig(): Promise<string> {
    if (this.#dev !== undefined) return join(this.#project?.folder ?? '', kubeconfigOfDev);
    this.#cluster ??= await Environment.create({ kind: 'embedded' });
    return this.#cluster.kubeconfig();
  }

  #expectDev(command: string): void {
    if (this.#dev === undefined) throw new Error(`${command}: the guide has not started evenkeel dev`);
    this.#isExported = true;
  }

  #startDev(): void {
    const folder = this.#project?.folder;
    const env = { ...process.env, NO_COLOR: '1' };
    this.#dev = spawn(process.execPath, [...command, 'dev'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#dev.stdout, this.#dev.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#devOutput += text;
      });
    }
  }

  async #untilTold(text: string): Promise<void> {
    const wanted = lines(text);
    await eventually(
      () => {
        const printed = lines(this.#devOutput);
        const missing = wanted.find((line) => !printed.some((one) => matches(one, line)));
        if (missing !== undefined)
          throw new Error(`evenkeel dev has not printed\n${missing}\nbut\n${printed.join('\n')}`);
        if (this.#dev?.exitCode !== null) throw new Error(`evenkeel dev has exited\n${this.#devOutput}`);
      },
      { timeout: '90s' },
    );
  }
}
