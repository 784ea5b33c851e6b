import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.ts';
import { GuardedProcesses, type GuardedProgram } from './guarded-processes.ts';

let outer: string;
let folder: string;
beforeEach(async () => {
  outer = await mkdtemp(join(tmpdir(), 'evenkeel-guarded-'));
  folder = await mkdtemp(join(outer, 'programs-'));
});
afterEach(() => rm(outer, { recursive: true, force: true }));

/** A program that writes its pid to a file, runs some code, and continues to run. */
function program(name: string, script = ''): GuardedProgram {
  const write = `require('fs').writeFileSync(${JSON.stringify(pidFile(name))}, String(process.pid));`;
  return { name, file: process.execPath, args: ['-e', `${write} ${script}; setInterval(() => {}, 1000);`] };
}

const pidFile = (name: string): string => join(outer, `${name}.pid`);

function pidOf(name: string): Promise<number> {
  return eventually(async () => {
    const pid = Number(await readFile(pidFile(name), 'utf8'));
    if (pid === 0) throw new Error(`${name} has not written its pid`);
    return pid;
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('guarded processes', () => {
  it('are killed even if they ignore signals, and their folder is deleted', async () => {
    const stubborn = program('stubborn', `process.on('SIGTERM', () => {}); process.on('SIGINT', () => {})`);
    const processes = new GuardedProcesses(folder, [program('mild'), stubborn]);
    const pids = [await pidOf('mild'), await pidOf('stubborn')];
    expect(processes.failure).toBeUndefined();
    await processes.end();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
    await processes.end();
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('do not outlive a test process that %s kills', async (signal) => {
    const script = fileURLToPath(new URL('./test-process.fixture.ts', import.meta.url));
    const programs = JSON.stringify([program('one'), program('two')]);
    const owner: ChildProcess = spawn(process.execPath, ['--no-warnings', script, folder, programs], {
      stdio: 'inherit',
    });
    const pids = [await pidOf('one'), await pidOf('two')];
    expect(pids.every(isRunning)).toBe(true);
    owner.kill(signal);
    await once(owner, 'exit');
    await eventually(() => expect(pids.filter(isRunning)).toEqual([]));
    await eventually(() => expect(existsSync(folder)).toBe(false));
  });

  it('report which program exited, how, and its output', async () => {
    const script = `console.error('no such flag'); process.exit(3)`;
    const processes = new GuardedProcesses(folder, [program('lasting'), program('failing', script)]);
    await eventually(() => expect(processes.failure).toBe('failing exited (exit 3)'));
    expect(await readFile(join(folder, 'failing.log'), 'utf8')).toContain('no such flag');
    const pid = await pidOf('lasting');
    await processes.end();
    expect(isRunning(pid)).toBe(false);
  });

  it('report a program that cannot be started', async () => {
    const processes = new GuardedProcesses(folder, [{ name: 'absent', file: join(folder, 'absent'), args: [] }]);
    await eventually(() => expect(processes.failure).toMatch(/^absent could not be started \(.*ENOENT\)$/));
    await processes.end();
  });
});
