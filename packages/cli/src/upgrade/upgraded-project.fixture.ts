import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../../test/imports.fixture.ts';
import { run } from '../run.ts';
import { createTerminal } from '../terminal.ts';
import { NpmRegistry } from './npm-registry.fixture.ts';

/** A program `evenkeel` that prints a report, and records how it was called. It fails for a configuration that is "broken". */
const commandOf = (version: string): string => `#!/usr/bin/env node
import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync(process.env.EVENKEEL_TEST_CALLS, JSON.stringify({ version: '${version}', words: process.argv.slice(2) }) + '\\n');
if (readFileSync('evenkeel.config.ts', 'utf8') === 'broken') {
  const finding = { level: 'error', code: 'project-misconfigured', message: 'evenkeel.config.ts: unexpected end; fix it' };
  console.log(JSON.stringify({ version: 1, command: 'upgrade', ok: false, findings: [finding] }));
  process.exit(1);
}
console.log(JSON.stringify({
  version: 1, command: 'upgrade', ok: true, findings: [],
  from: '0.1.0', to: '${version}', packages: [], written: true,
  changed: [{ path: 'evenkeel.config.ts', reasons: ['the option "old" is now "new"'] }],
  diff: '--- a/evenkeel.config.ts\\n+++ b/evenkeel.config.ts\\n@@ -1,1 +1,1 @@\\n-old\\n+new\\n',
  generated: [{ path: 'config/kustomization.yaml', action: 'written' }],
  changelog: [{ version: '${version}', sections: [
    { title: 'Added', entries: ['A feature.', 'Another one.'] }, { title: 'Changed', entries: ['**Breaking:** \`old\` is \`new\`.'] },
  ] }],
}));
`;

export const packageJson = `{
  "name": "cache-operator",
  "private": true,
  "dependencies": { "evenkeel": "^0.1.0", "other": "1.0.0" },
  "devDependencies": {
\t"@evenkeel/cli": "~0.1.0",
    "@evenkeel/schema":   "0.1.0"
  }
}
`;

/** A project with packages of 0.1.0 from a registry in this process, which has newer versions too. */
export class UpgradedProject {
  readonly folder: string;
  readonly registry: NpmRegistry;
  readonly #temporary: string;

  private constructor(registry: NpmRegistry, temporary: string) {
    this.registry = registry;
    this.#temporary = temporary;
    this.folder = join(temporary, 'project');
  }

  static async create(files: Readonly<Record<string, string>> = {}): Promise<UpgradedProject> {
    const registry = await NpmRegistry.start();
    for (const version of ['0.1.0', '0.2.0', '0.3.0']) {
      const dependencies = { '@evenkeel/schema': version };
      await registry.publish('@evenkeel/schema', version);
      await registry.publish('evenkeel', version, {}, { dependencies });
      const bin = { evenkeel: './bin/evenkeel.js' };
      const program = version === '0.2.0' ? 'console.error("a codemod failed"); process.exit(1);' : commandOf(version);
      const command = { 'bin/evenkeel.js': program };
      await registry.publish('@evenkeel/cli', version, command, { type: 'module', bin, dependencies });
    }
    await registry.publish('other', '1.0.0');
    const project = new UpgradedProject(registry, mkdtempSync(join(realpathSync(tmpdir()), 'evenkeel-upgrade-')));
    project.write({
      'package.json': packageJson,
      'evenkeel.config.ts': 'export default {};\n',
      '.gitignore': 'node_modules/\n',
      ...files,
    });
    return project;
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true });
      writeFileSync(join(this.folder, name), text);
    }
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  get lockfile(): string {
    return existsSync(join(this.folder, 'package-lock.json')) ? this.read('package-lock.json') : '';
  }

  /** How the programs of new versions were called. */
  get calls(): { readonly version: string; readonly words: readonly string[] }[] {
    const text = existsSync(this.#calls) ? readFileSync(this.#calls, 'utf8') : '';
    return text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
  }

  get #calls(): string {
    return join(this.#temporary, 'calls');
  }

  get #variables(): Record<string, string> {
    return {
      EVENKEEL_TEST_CALLS: this.#calls,
      npm_config_registry: this.registry.url,
      npm_config_cache: join(this.#temporary, 'cache'),
      npm_config_update_notifier: 'false',
    };
  }

  /** Installs the packages, and commits everything. */
  async install(): Promise<void> {
    const options = { cwd: this.folder, env: { ...process.env, ...this.#variables } };
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], options);
    execFileSync('git', ['init', '--quiet'], options);
    this.commit();
  }

  commit(): void {
    const options = { cwd: this.folder, stdio: 'pipe' } as const;
    execFileSync('git', ['add', '--all'], options);
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    execFileSync('git', [...author, 'commit', '--quiet', '--message', 'a'], options);
  }

  /** Runs a command line in the project. */
  async run(...commandLine: string[]): Promise<{ exitCode: number; out: string; err: string }> {
    const out: string[] = [];
    const err: string[] = [];
    const before = { ...process.env };
    Object.assign(process.env, this.#variables);
    try {
      const streams = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
      const exitCode = await run(commandLine, createTerminal({ ...streams, folder: this.folder }));
      return { exitCode, out: out.join('\n'), err: err.join('\n') };
    } finally {
      for (const name of Object.keys(this.#variables)) delete process.env[name];
      Object.assign(process.env, before);
    }
  }

  /** Runs a command line in a process of its own, which can be interrupted. */
  start(...commandLine: string[]): {
    interrupt(): void;
    readonly ended: Promise<{ exitCode: number | null; err: string }>;
  } {
    const program = ['--conditions=evenkeel-source', '--no-warnings', join(root, 'packages/cli/src/main.ts')];
    const child = spawn(process.execPath, [...program, ...commandLine], {
      cwd: this.folder,
      env: { ...process.env, ...this.#variables, NO_COLOR: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const ended = new Promise<{ exitCode: number | null; err: string }>((resolve) => {
      child.once('close', (code, signal) => resolve({ exitCode: signal === 'SIGINT' ? 130 : code, err }));
    });
    return {
      // As an impatient user does, because npm finishes its downloads first.
      interrupt: () => {
        const again = setInterval(() => child.kill('SIGINT'), 20);
        void ended.then(() => clearInterval(again));
      },
      ended,
    };
  }

  async remove(): Promise<void> {
    await this.registry.close();
    rmSync(this.#temporary, { recursive: true, force: true });
  }
}
