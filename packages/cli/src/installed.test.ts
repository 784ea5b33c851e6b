import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

// The command as a user installs it: built, copied into the node_modules of a project outside of this repository, and
// started by its own file. `npm test` builds first; a direct run of jest may not.
const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const isBuilt = existsSync(join(root, 'packages/cli/dist/main.js'));
if (!isBuilt) console.log('skipped: the packages are not built, so they cannot be installed');

const own = ['apimachinery', 'cli', 'core', 'kinds', 'schema'];
const others = [
  'class-transformer',
  'class-validator',
  'commander',
  'oxc-parser',
  'oxc-transform',
  're2js',
  'reflect-metadata',
  'yaml',
];

let folder: string;

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function install(without: readonly string[] = []): void {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'evenkeel-installed-')));
  const modules = join(folder, 'node_modules');
  for (const name of own) {
    const target = join(modules, '@evenkeel', name);
    for (const part of ['package.json', 'bin', 'dist']) {
      const source = join(root, 'packages', name, part);
      if (existsSync(source)) cpSync(source, join(target, part), { recursive: true });
    }
  }
  for (const name of others) {
    if (!without.includes(name)) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  write('evenkeel.config.ts', "export default { apis: ['./src/site.ts'], deployment: false };");
  write(
    'src/site.ts',
    `import { CustomResource, KubernetesObject, Spec } from '@evenkeel/core';
import { IsBoolean } from 'class-validator';
export class SiteSpec {
  /** Whether the process responds. */
  @IsBoolean() open = true;
}
@CustomResource({ group: 'web.example.com', version: 'v1' })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
}`,
  );
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

const command = 'node_modules/@evenkeel/cli/bin/evenkeel.js';

function evenkeel(...commandLine: string[]): { exitCode: number | null; out: string; err: string } {
  const result = spawnSync(process.execPath, [command, ...commandLine], { cwd: folder, encoding: 'utf8' });
  return { exitCode: result.status, out: result.stdout.trimEnd(), err: result.stderr.trimEnd() };
}

(isBuilt ? describe : describe.skip)('evenkeel, installed in a separate project', () => {
  const crd = 'config/crd/web.example.com_sites.yaml';

  it('writes files, and finds them current in the next run', () => {
    install();
    expect(evenkeel('generate')).toEqual({ exitCode: 0, out: `${crd} written`, err: '' });
    expect(readFileSync(join(folder, crd), 'utf8')).toContain('description: Whether the process responds.');
    expect(evenkeel('generate')).toEqual({ exitCode: 0, out: `${crd} is current`, err: '' });
    expect(evenkeel('generate', '--check')).toEqual({ exitCode: 0, out: `${crd} is current`, err: '' });
  });

  it.each(['class-validator', 'reflect-metadata'])('reports the missing package %s', (name) => {
    install([name]);
    expect(evenkeel('generate')).toMatchObject({
      exitCode: 1,
      out: '',
      err: expect.stringMatching(
        new RegExp(`evenkeel needs the package "${name}", which is not installed; run npm install ${name}`),
      ),
    });
  });

  it.each(['bun', 'deno'])('needs Node when %s starts it', (name) => {
    install();
    const versions = `{ ...process.versions, ${name}: '1.2.3' }`;
    const program = `Object.defineProperty(process, 'versions', { value: ${versions} });`;
    const options = [`--import=data:text/javascript,${encodeURIComponent(program)}`, command, 'generate'];
    expect(spawnSync(process.execPath, options, { cwd: folder, encoding: 'utf8' })).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `evenkeel needs Node 22.19 or later, but this is ${name} 1.2.3; install Node and run npx evenkeel. The operator itself runs with ${name}\n`,
    });
  });

  it('leaves no busy loading process when it is killed', async () => {
    install();
    write(
      'src/site.ts',
      "import { writeFileSync } from 'node:fs';\nwriteFileSync('pid', String(process.pid));\nwhile (true) {}",
    );
    const started = spawn(process.execPath, [command, 'generate'], { cwd: folder, stdio: 'ignore' });
    const exited = new Promise((resolve) => started.once('exit', (_code, signal) => resolve(signal)));
    const pid = await eventually(() => {
      const text = existsSync(join(folder, 'pid')) ? readFileSync(join(folder, 'pid'), 'utf8') : '';
      return text === '' ? undefined : Number(text);
    });
    started.kill('SIGTERM');
    expect(await exited).toBe('SIGTERM');
    await eventually(() => (isRunning(pid) ? undefined : true));
  });
});

/** Polls for the first defined value, because another process offers no event to wait for. */
async function eventually<T>(value: () => T | undefined): Promise<T> {
  for (let tries = 0; tries < 1000; tries++) {
    const found = value();
    if (found !== undefined) return found;
    await passed(30);
  }
  throw new Error('it did not come about within 30 s');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie counts as exited.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
