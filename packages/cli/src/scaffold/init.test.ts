import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../../test/imports.fixture.ts';
import { npm, packageManagers, runningManager } from '../package-manager/package-manager.ts';
import { run } from '../run.ts';
import { createTerminal } from '../terminal.ts';
import { writeNewFiles } from './new-files.ts';
import { projectFiles } from './project-files.ts';
import { planProject, usedFiles, usedNames } from './project-plan.ts';
import { toolVersions } from './tool-versions.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'evenkeel-init-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const named = ['--kind', 'Memcached', '--group', 'cache.example.com'];

/** Runs `evenkeel init` without npm install. */
async function init(...options: string[]): Promise<{ exitCode: number; out: string; err: string }> {
  const lines: Record<'out' | 'err', string[]> = { out: [], err: [] };
  const terminal = createTerminal({
    folder,
    out: (line) => lines.out.push(line),
    err: (line) => lines.err.push(line),
  });
  const exitCode = await run(['init', '--no-install', ...options], terminal);
  return { exitCode, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.git/') && !entry.parentPath.endsWith('.git'))
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort();

describe('evenkeel init', () => {
  it('creates eleven files in a repository, and says what to do next', async () => {
    expect(await init('cache-operator', ...named)).toEqual({
      exitCode: 0,
      out: 'created cache-operator: 11 files\nnext: cd cache-operator && npm install && npm run dev',
      err: '',
    });
    expect(filesIn(join(folder, 'cache-operator'))).toEqual([
      '.gitignore',
      'README.md',
      'evenkeel.config.ts',
      'package.json',
      'samples/memcached.yaml',
      'src/main.ts',
      'src/memcached.controller.ts',
      'src/memcached.test.ts',
      'src/memcached.ts',
      'src/operator.ts',
      'tsconfig.json',
    ]);
    const status = execFileSync('git', ['status', '--porcelain'], {
      cwd: join(folder, 'cache-operator'),
      encoding: 'utf8',
    });
    expect(status).toContain('?? package.json');
  });

  it('lets git ignore what is generated, but not the CRDs of a release', async () => {
    await init('shop', ...named);
    const at = join(folder, 'shop');
    for (const name of ['config/crd', 'config/released']) {
      mkdirSync(join(at, name), { recursive: true });
      writeFileSync(join(at, name, 'a.yaml'), '');
    }
    const status = execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], {
      cwd: at,
      encoding: 'utf8',
    });
    expect(status).toContain('?? config/released/a.yaml\n');
    expect(status).not.toContain('config/crd');
  });

  it('uses the current folder, with what a hosting service has put there', async () => {
    mkdirSync(join(folder, 'shop', '.git'), { recursive: true });
    writeFileSync(join(folder, 'shop', 'LICENSE'), 'mine');
    folder = join(folder, 'shop');
    const { exitCode, out } = await init('.', '--yes');
    folder = join(folder, '..');
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: 'created .: 11 files\nnext: npm install && npm run dev' });
    expect(readFileSync(join(folder, 'shop/LICENSE'), 'utf8')).toBe('mine');
    expect(readFileSync(join(folder, 'shop/src/web-app.ts'), 'utf8')).toContain("group: 'apps.example.com'");
  });

  it('creates no repository inside of another one', async () => {
    mkdirSync(join(folder, '.git'));
    await init('inner', '--yes');
    expect(readdirSync(join(folder, 'inner'))).not.toContain('.git');
  });

  it('lets git track the generated files, and checks them in the workflow', async () => {
    await init('tracked', '--yes', '--committed', '--github-actions');
    const text = (name: string) => readFileSync(join(folder, 'tracked', name), 'utf8');
    expect(text('.gitignore')).toBe('node_modules/\ndist/\n.evenkeel/\n');
    expect(text('.github/workflows/test.yaml')).toContain('      - run: npx evenkeel generate --check\n');
    await init('ignored', '--yes', '--github-actions');
    const ignoring = readFileSync(join(folder, 'ignored/.github/workflows/test.yaml'), 'utf8');
    expect(ignoring).not.toContain('--check');
  });

  it('adds a workflow and a development container', async () => {
    await init('extra', '--yes', '--github-actions', '--devcontainer');
    expect(filesIn(join(folder, 'extra'))).toEqual(
      expect.arrayContaining(['.devcontainer/devcontainer.json', '.github/workflows/test.yaml']),
    );
  });

  it.each<[string, (at: string) => void, RegExp]>([
    [
      'a folder with files',
      (at) => {
        mkdirSync(at);
        for (const name of ['a', 'b', 'c', 'd', 'LICENSE']) writeFileSync(join(at, name), '');
      },
      /^error: the folder used contains a, b, c and 1 more; choose a folder that is empty or does not exist \[invalid-option\]$/,
    ],
    [
      'a file',
      (at) => writeFileSync(at, ''),
      /^error: \S+\/used: cannot write it: a part of its path is a file; .* \[output-not-written\]$/,
    ],
    [
      'a link to nowhere',
      (at) => symlinkSync('/nowhere/at/all', at),
      /^error: \S+: cannot write it: .* \[output-not-written\]$/,
    ],
  ])('does not touch %s', async (_what, prepare, message) => {
    prepare(join(folder, 'used'));
    const before = filesIn(folder);
    const { exitCode, err } = await init('used', '--yes');
    expect(err).toMatch(message);
    expect(exitCode).toBe(1);
    expect(filesIn(folder)).toEqual(before);
  });

  it('removes what it has written if a file cannot be written', async () => {
    writeFileSync(join(folder, 'mine'), '');
    const files = { 'a/b/c': '', 'a/d': '', mine: '' };
    await expect(writeNewFiles(folder, files)).rejects.toThrow(
      `${folder}/mine: cannot write it: it or a part of its path is a file`,
    );
    expect(readdirSync(folder)).toEqual(['mine']);
  });

  it('requires a folder without a terminal', async () => {
    expect(await init()).toEqual({
      exitCode: 1,
      out: '',
      err: 'error: the folder of the project is missing; run evenkeel init <folder> [invalid-option]',
    });
  });

  it('rejects more than one folder', async () => {
    expect(await init('a', 'b')).toMatchObject({
      exitCode: 1,
      err: "error: too many arguments for 'init'. Expected 1 argument but got 2.; run 'evenkeel init --help'",
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('suggests the similar option', async () => {
    expect((await init('x', '--kinds', 'A')).err).toContain("unknown option '--kinds'\n(Did you mean --kind?)");
  });
});

describe('a new project for another package manager', () => {
  const [yarn, pnpm, bun] = ['yarn', 'pnpm', 'bun'].map((name) => packageManagers.find((each) => each.name === name));

  it.each([
    ['pnpm/12.21.0 npm/? node/v24.21.0 linux x64', pnpm, 12],
    ['yarn/1.22.22 npm/? node/v24.21.0 linux x64', yarn, 1],
    ['yarn/4.18.1 npm/? node/v24.21.0 linux x64', yarn, 4],
    ['bun/1.4.5 npm/? node/v24.3.0 linux x64', bun, 1],
    ['npm/11.19.1 node/v24.21.0 linux x64 workspaces/false', npm, 11],
    ['deno/2.9.6', npm, 11],
    [undefined, npm, 11],
  ])('is for the one that runs the command: %s', (agent, manager, version) => {
    expect(runningManager(agent ?? '')).toEqual({ manager, version });
  });

  it.each([
    ['pnpm/12.21.0', ['pnpm-workspace.yaml'], 'npm install --global pnpm@12', 'pnpm install --frozen-lockfile'],
    ['yarn/1.22.22', [], 'npm install --global yarn@1', 'yarn install --frozen-lockfile'],
    ['yarn/4.18.1', ['.yarnrc.yml'], 'npm install --global @yarnpkg/cli-dist@4', 'yarn install --immutable'],
    ['bun/1.4.5', [], 'npm install --global bun@1', 'bun install --frozen-lockfile'],
  ])('has the settings and the commands of %s', (agent, settings, global, install) => {
    const answers = { folder: 'x', kinds: 'Shop', group: 'shop.example.com', githubActions: true, devcontainer: true };
    const files = projectFiles(planProject(answers, '/', runningManager(agent)));
    const others = projectFiles(planProject(answers, '/', runningManager('')));
    expect(Object.keys(files).filter((name) => !(name in others))).toEqual(settings);
    const [name = ''] = agent.split('/');
    const workflow = files['.github/workflows/test.yaml'] ?? '';
    expect(workflow).toContain(`      - run: ${global}\n      - run: ${install}`);
    expect(workflow).toContain(`\n      - run: ${name} run test\n      - run: ${name} run build\n`);
    expect(workflow).not.toContain('cache:');
    expect(files['.devcontainer/devcontainer.json']).toContain(`"${global} && ${install}`);
    expect(files['README.md']).toContain(`\n${name} run start`);
    expect(files['README.md']).not.toMatch(/\bnpm (?:run|test|start)/);
  });
});

describe('a new project', () => {
  const plan = planProject({ folder: 'x', kinds: 'RedisCluster', group: 'cache.example.com' }, '/');
  const both = { ...projectFiles(plan), ...prefixed(projectFiles({ ...plan, controllers: 'functions' })) };

  function prefixed(files: Record<string, string>): Record<string, string> {
    return Object.fromEntries(Object.entries(files).map(([name, text]) => [`functions/${name}`, text]));
  }

  it('imports only names that no kind may have', () => {
    const names = Object.entries(both)
      .filter(([name]) => name.endsWith('.ts'))
      .flatMap(([, text]) =>
        [...text.matchAll(/^import \{ (.*) \} from '(?!\.)/gm)].flatMap(([, list = '']) => list.split(', ')),
      )
      .map((name) => name.replace('type ', ''))
      .filter((name) => /^[A-Z]/.test(name));
    expect([...new Set(names)].sort()).toEqual([...usedNames].sort());
    const modules = ['fields', ...Object.keys(both)]
      .map((name) => /^src\/([a-z]+)\.ts$/.exec(name)?.[1] ?? '')
      .filter(Boolean);
    expect(new Set(['fields', ...modules])).toEqual(usedFiles);
  });

  it('imports only packages that it declares, because not every package manager finds others', () => {
    const { dependencies, devDependencies } = JSON.parse(both['package.json'] ?? '');
    const declared = new Set(Object.keys({ ...dependencies, ...devDependencies }));
    const imported = Object.values(both).flatMap((text) =>
      [...text.matchAll(/^import .* from '((?:@[^/']+\/)?[^./'][^/']*)/gm)].map(([, name = '']) => name),
    );
    expect(new Set(imported)).toContain('@jest/globals');
    expect(imported.filter((name) => !declared.has(name))).toEqual([]);
  });

  it('tests modules that name the compiled file in their imports, as TypeScript and Node allow', () => {
    const files: Record<string, string> = {
      'package.json': both['package.json'] ?? '',
      'src/greeting.ts': "import { text } from './text.js';\nexport const greeting: string = text;\n",
      'src/text.js': "export const text = 'hello';\n",
      'src/greeting.test.ts': [
        "import { expect, it } from '@jest/globals';",
        "import { greeting } from './greeting.js';",
        "it('greets', () => expect(greeting).toBe('hello'));\n",
      ].join('\n'),
    };
    mkdirSync(join(folder, 'src'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const jest = ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules/jest/bin/jest.js')];
    const { stderr } = spawnSync(process.execPath, jest, { cwd: folder, encoding: 'utf8' });
    expect(stderr).toContain('Tests:       1 passed, 1 total');
  });

  it('uses the versions of this repository', () => {
    const read = (path: string) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    const { peerDependencies } = read('packages/evenkeel');
    const { devDependencies } = read('.');
    for (const [name, range] of Object.entries(toolVersions)) {
      const installed: string = peerDependencies[name] ?? devDependencies[name];
      expect({ name, major: installed.replace(/^[^\d]*/, '').split('.')[0] }).toEqual({
        name,
        major: range.replace(/^[^\d]*/, '').split('.')[0],
      });
    }
  });
});
