import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasPseudoTerminal, startInTerminal } from '../../../../test/pseudo-terminal.fixture.ts';
import { command } from '../command.fixture.ts';

const limitMs = 60_000;

if (!hasPseudoTerminal()) console.log('skipped: no python3, which opens a pseudo-terminal');

(hasPseudoTerminal() ? describe : describe.skip)('the questions of evenkeel init', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'evenkeel-questions-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const start = (options: string) => {
    const program = `'${process.execPath}' ${command.join(' ')} init --no-install --no-git ${options}`;
    return startInTerminal('sh', ['-c', `cd '${folder}' && exec ${program}`]);
  };

  it('are three, of which an empty answer takes the default', async () => {
    const terminal = start('');
    await terminal.waitFor(/The folder of the project \(my-operator\): /, limitMs);
    terminal.type('shops\n');
    await terminal.waitFor(/The kind \(WebApp\): /, limitMs);
    terminal.type(' Shop \n');
    await terminal.waitFor(/The API group, a domain of yours \(apps\.example\.com\): /, limitMs);
    terminal.type('\n');
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen).toContain('created shops: 11 files');
    expect(readFileSync(join(folder, 'shops/samples/shop.yaml'), 'utf8')).toContain('apiVersion: apps.example.com/v1');
  });

  it('are not asked if options answer them', async () => {
    const terminal = start('shops --kind Shop --group shop.example.com');
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen).not.toContain('(');
    expect(terminal.screen).toContain('created shops: 11 files');
  });

  it('end with Ctrl-C, and nothing is created', async () => {
    const terminal = start('shops');
    await terminal.waitFor(/The kind \(WebApp\): /, limitMs);
    terminal.type('\x03');
    expect(await terminal.exited).toBe(130);
    expect(existsSync(join(folder, 'shops'))).toBe(false);
  });
});
