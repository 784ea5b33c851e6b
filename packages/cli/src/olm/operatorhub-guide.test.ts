import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../../../test/imports.fixture.ts';
import { commandsIn, expectLines, lines } from '../../../../test/shown-output.fixture.ts';
import { command } from '../command.fixture.ts';

const page = readFileSync(join(root, 'docs/operatorhub.md'), 'utf8');

/** The programs of the steps that a POSIX system has, but not the bare PATH of the check in a fresh clone. */
const lacking = ['grep', 'mkdir', 'cp', 'git', 'npm'].filter(
  (program) => spawnSync('/bin/sh', ['-c', `command -v ${program}`]).status !== 0,
);
if (lacking.length > 0) console.log(`skipped: the steps of docs/operatorhub.md: no ${lacking.join(', ')} on PATH`);

/** npm create installs the packages, and this repository is where they come from. */
const create = 'npm create --yes evenkeel@latest ';

(lacking.length === 0 ? describe : describe.skip)('the guide to OperatorHub', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'evenkeel-hub-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function output(shell: string, cwd: string): string {
    const evenkeel = [process.execPath, ...command].map((word) => `'${word}'`).join(' ');
    const script = shell
      .replace(create, `${evenkeel} init --no-install `)
      .replace(/^(.* init .*) -- /, '$1 ')
      .replaceAll('npx evenkeel ', `${evenkeel} `);
    const author = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' };
    const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' };
    const env = { ...process.env, ...author, ...committer, NO_COLOR: '1' };
    const { stdout } = spawnSync('/bin/sh', ['-c', `{ ${script}\n} 2>&1`], { cwd, env, encoding: 'utf8' });
    return stdout;
  }

  it('shows what its commands print, from the project to the second version', () => {
    const project = join(folder, 'cache-operator');
    let cwd = folder;
    for (const [, language = '', path, body = ''] of page.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)) {
      if (path !== undefined) {
        mkdirSync(dirname(join(project, path)), { recursive: true });
        writeFileSync(join(project, path), body);
      }
      if (language !== 'console') continue;
      for (const { command: shell, output: shown } of commandsIn(body)) {
        if (shell === 'cd cache-operator') {
          cwd = project;
          symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
          continue;
        }
        const printed = output(shell, cwd);
        if (shell.startsWith(create)) expect(printed).toContain(shown.split('\n', 1)[0]);
        else expectLines(shell, lines(printed), lines(shown));
      }
    }
  });
});
