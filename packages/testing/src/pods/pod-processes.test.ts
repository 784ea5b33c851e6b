import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.ts';
import { PodProcesses, type ProcessStart } from './pod-processes.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-pod-processes-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A process that ignores SIGTERM and has a child of its own. Both write their pids to files. */
const family = (): Omit<ProcessStart, 'output'> => {
  const write = (name: string): string =>
    `require('fs').writeFileSync(${JSON.stringify(join(folder, name))}, String(process.pid)); setInterval(() => {}, 1000);`;
  const child = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(write('child'))}]);`;
  const code = `process.on('SIGTERM', () => {}); ${child} ${write('parent')}`;
  return { file: process.execPath, args: ['-e', code], env: {}, folder };
};

const pidOf = (name: string): Promise<number> =>
  eventually(
    async () => {
      const pid = Number(await readFile(join(folder, name), 'utf8'));
      expect(pid).toBeGreaterThan(0);
      return pid;
    },
    { timeout: '20s' },
  );

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const untilEnded = (pids: readonly number[]): Promise<void> =>
  eventually(() => expect(pids.filter(isRunning)).toEqual([]), { timeout: '20s' });

describe('the processes of pods', () => {
  it('end with their children when they are closed', async () => {
    const processes = new PodProcesses();
    const { exited } = processes.start({ ...family(), output: () => undefined });
    const pids = [await pidOf('parent'), await pidOf('child')];
    expect(pids.every(isRunning)).toBe(true);
    await processes.close();
    expect((await exited).exitCode).toBe(137);
    await untilEnded(pids);
    await processes.close();
  });

  it('end when the test process is killed, and their folder is deleted', async () => {
    const own = await mkdtemp(join(folder, 'own-'));
    const script = fileURLToPath(new URL('./pod-test-process.fixture.ts', import.meta.url));
    const owner = spawn(process.execPath, ['--no-warnings', script, JSON.stringify(family()), own], {
      stdio: 'inherit',
    });
    const pids = [await pidOf('parent'), await pidOf('child')];
    expect(pids.every(isRunning)).toBe(true);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    await untilEnded(pids);
    await eventually(() => expect(existsSync(own)).toBe(false));
  });

  it('report their output, their exit code, and why they could not be started', async () => {
    const processes = new PodProcesses();
    let output = '';
    const add = (text: string): void => {
      output += text;
    };
    const code = `console.log('out'); console.error('err'); process.exitCode = 3`;
    const start = { file: process.execPath, args: ['-e', code], env: {}, folder };
    expect(await processes.start({ ...start, output: add }).exited).toEqual({ exitCode: 3 });
    expect(output.split('\n').sort()).toEqual(['', 'err', 'out']);
    const absent = processes.start({ ...start, file: join(folder, 'absent'), output: add });
    expect(await absent.exited).toEqual({ exitCode: 127, notStarted: expect.stringContaining('ENOENT') });
    const invalid = processes.start({ ...start, args: ['\0'], output: add });
    expect(await invalid.exited).toEqual({ exitCode: 127, notStarted: expect.stringContaining('null bytes') });
    expect(await processes.start({ ...start, output: add }).exited).toEqual({ exitCode: 3 });
    await processes.close();
  });
});
