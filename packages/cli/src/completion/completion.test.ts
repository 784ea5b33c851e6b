import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../../test/imports.fixture.ts';
import { run } from '../run.ts';
import { createTerminal } from '../terminal.ts';

async function completion(shell: string): Promise<{ exitCode: number; out: string; err: string }> {
  const lines: Record<'out' | 'err', string[]> = { out: [], err: [] };
  const streams = { out: (line: string) => lines.out.push(line), err: (line: string) => lines.err.push(line) };
  const exitCode = await run(['completion', shell], createTerminal({ folder: '/', ...streams }));
  return { exitCode, out: `${lines.out.join('\n')}\n`, err: lines.err.join('\n') };
}

/** What is typed, and what the shell offers among other words, or offers not. */
const typed: [line: string, offered: string[], missing: string[]][] = [
  ['evenkeel ', ['create', 'generate', 'completion'], ['api']],
  ['evenkeel cre', ['create'], ['generate']],
  ['evenkeel create ', ['api', 'version', 'webhook', 'controller'], ['generate']],
  ['evenkeel create api --', ['--group', '--dry-run', '--no-controller'], ['--storage']],
  ['evenkeel create version Shop v1 --st', ['--storage'], ['--served']],
  ['evenkeel generate --output ', ['json', 'text'], ['--check']],
  ['evenkeel generate -o j', ['json'], ['text']],
  ['evenkeel completion ', ['bash', 'zsh', 'fish', 'powershell'], ['create']],
];

/** Programs that print the words which a shell offers for a line, one in each line, given the script and the line. */
const programs: Readonly<Record<string, readonly [command: string, program: string]>> = {
  bash: [
    'bash',
    `source "$1"
read -ra COMP_WORDS <<< "$2"
[[ "$2" == *" " ]] && COMP_WORDS+=('')
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
compopt() { :; }
_evenkeel
printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // Outside of the line editor, the functions that offer words are replaced by ones that print them.
  zsh: [
    'zsh',
    `compdef() { :; }
_files() { :; }
_describe() { local list="\${@[-1]}"; print -l -- "\${(@)\${(@P)list}%%:*}" | grep -- "^\${words[CURRENT]}"; }
compadd() { shift; print -l -- "$@" | grep -- "^\${words[CURRENT]}"; }
source "$1"
words=(\${=2}); [[ "$2" == *" " ]] && words+=('')
CURRENT=\${#words}
_evenkeel; true`,
  ],
  fish: ['fish', 'source $argv[1]; complete -C $argv[2] | string split -f1 \\t'],
};

describe('evenkeel completion', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'evenkeel-completion-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  for (const [shell, [command, program]] of Object.entries(programs)) {
    const isInstalled = spawnSync(command, ['-c', 'true']).status === 0;
    if (!isInstalled) console.log(`skipped: ${shell} is not installed, so its completion is not tested`);
    (isInstalled ? it.each(typed) : it.skip.each(typed))(`completes %j in ${shell}`, async (line, offered, missing) => {
      const script = join(folder, shell);
      writeFileSync(script, (await completion(shell)).out);
      const rest = shell === 'fish' ? [script, line] : [shell, script, line];
      const { stdout, stderr } = spawnSync(command, ['-c', program, ...rest], { encoding: 'utf8' });
      expect(stderr).toBe('');
      const words = stdout.split('\n').map((word) => word.trim());
      expect(offered.filter((word) => !words.includes(word))).toEqual([]);
      expect(missing.filter((word) => words.includes(word))).toEqual([]);
    });
  }

  it('prints a script for PowerShell with balanced brackets', async () => {
    if (spawnSync('pwsh', ['-v']).status !== 0)
      console.log('skipped: PowerShell is not installed; its script is not run');
    const { exitCode, out } = await completion('powershell');
    expect(exitCode).toBe(0);
    expect(out).toContain("'create api' = @{");
    expect(out).toContain("'--output' = @('text', 'json')");
    const code = out.replace(/'(?:[^']|'')*'|"[^"]*"|#.*/g, '');
    for (const [open, close] of ['()', '{}', '[]']) {
      expect(code.split(open ?? '').length).toBe(code.split(close ?? '').length);
    }
  });

  it('rejects another shell', async () => {
    const { exitCode, err } = await completion('csh');
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: "error: command-argument value 'csh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish, powershell.",
    });
  });

  it('is documented for each shell', () => {
    const page = readFileSync(join(root, 'docs/create.md'), 'utf8');
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) expect(page).toContain(`completion ${shell}`);
  });
});
