import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { describeWithRealServer } from '../real-server.fixture.ts';
import { hasKubectl } from './kubectl-on-path.fixture.ts';

const manifests = join(dirname(fileURLToPath(import.meta.url)), 'manifests');

/**
 * `describe` if kubectl and the real control plane are on this machine; otherwise skips the block and reports why. If
 * CI requires the comparison, a missing kubectl is an error.
 */
export function describeSession(title: string, tests: () => void): void {
  if (hasKubectl()) {
    describeWithRealServer(title, tests);
    return;
  }
  process.stdout.write(`skipped: ${title}: no kubectl on PATH\n`);
  describe.skip(title, tests);
}

/** A command of a session, as typed after `kubectl`. */
export interface KubectlStep {
  /** Words; `'...'` keeps spaces, `@file` is a manifest of this folder. */
  readonly run: string;
  /** The standard input of the command. */
  readonly stdin?: string;
  /** A shell script that EDITOR runs on its file. */
  readonly editor?: string;
  /**
   * The command is repeated for up to two minutes until it prints this: the real server needs a while after a
   * definition is applied, or after its own start.
   */
  readonly eventually?: RegExp;
  /**
   * A watch: it runs until its output matches, while these commands run one after the other. It is an error if it never
   * matches.
   */
  readonly until?: RegExp;
  readonly during?: readonly string[];
}

export interface KubectlResult {
  readonly command: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs kubectl as one user on one server, with a separate cache. */
export class KubectlSession {
  readonly #home = mkdtempSync(join(tmpdir(), 'evenkeel-kubectl-'));
  readonly #kubeconfig: string;

  constructor(kubeconfig: string) {
    this.#kubeconfig = kubeconfig;
  }

  async step(step: KubectlStep): Promise<KubectlResult> {
    const environment: Record<string, string> = {};
    if (step.editor !== undefined) {
      const editor = join(this.#home, 'editor.sh');
      writeFileSync(editor, `#!/bin/sh\n${step.editor}\n`, { mode: 0o755 });
      environment['EDITOR'] = editor;
    }
    if (step.eventually !== undefined) return this.#runUntilItPrints(step.run, step.eventually);
    if (step.until === undefined) return this.#run(step.run, environment, step.stdin);
    return this.#watch(step.run, step.until, step.during ?? []);
  }

  /** The parsed output of `kubectl get ... -o json`. */
  async getJson(what: string): Promise<unknown> {
    const result = await this.#run(`get ${what} -o json`, {});
    if (result.exitCode !== 0) throw new Error(result.stderr);
    return JSON.parse(result.stdout);
  }

  close(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }

  #spawn(command: string, environment: Record<string, string>) {
    return spawn('kubectl', ['--cache-dir', join(this.#home, 'cache'), ...words(command)], {
      cwd: manifests,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: this.#home,
        KUBECONFIG: this.#kubeconfig,
        KUBECTL_DIFF: 'diff -u -N',
        TZ: 'UTC',
        ...environment,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  async #runUntilItPrints(command: string, wanted: RegExp): Promise<KubectlResult> {
    const deadline = Date.now() + 120_000;
    for (;;) {
      const result = await this.#run(command, {});
      if (wanted.test(result.stdout + result.stderr) || Date.now() > deadline) return result;
      await delay(50);
    }
  }

  #run(command: string, environment: Record<string, string>, stdin?: string): Promise<KubectlResult> {
    return new Promise((resolve, reject) => {
      const child = this.#spawn(command, environment);
      const timer = setTimeout(() => child.kill('SIGKILL'), 200_000);
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      child.on('error', reject);
      child.on('close', (code) => {
        clearTimeout(timer);
        resolve({ command, exitCode: code ?? 255, stdout, stderr });
      });
      child.stdin.end(stdin ?? '');
    });
  }

  /** Starts a watch, then runs each command, and stops the watch when its output matches. */
  async #watch(command: string, until: RegExp, during: readonly string[]): Promise<KubectlResult> {
    const child = this.#spawn(command, {});
    let stdout = '';
    let stderr = '';
    const shown = new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
        resolve();
      });
      child.on('close', () => resolve());
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = new Promise<void>((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
      child.stdout.on('data', () => {
        if (until.test(stdout)) child.kill('SIGTERM');
      });
      child.on('close', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    await shown;
    for (const next of during) await this.#run(next, {});
    await ended;
    if (!until.test(stdout)) throw new Error(`kubectl ${command} never showed ${until}:\n${stdout}${stderr}`);
    return { command, exitCode: 0, stdout, stderr };
  }
}

/** Splits a command into words; single quotes keep spaces, `@name` is a manifest. */
function words(command: string): string[] {
  return [...command.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'/g, '$1').replace(/^@/, ''),
  );
}
