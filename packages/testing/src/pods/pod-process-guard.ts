// A program, not a module. It runs the processes of a PodRunner as its children, each in a separate process group. It kills
// them when its channel closes: because the test process closes it, or because the test process exits for any reason.

import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { GuardNotice, GuardOrder } from './pod-processes.ts';

const children = new Map<number, ChildProcess>();
/** How long output that a process left behind may take to arrive after its exit. */
const drainMs = 500;

function tell(notice: GuardNotice): void {
  if (process.connected) process.send?.(notice);
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone.
  }
}

function spawnProcess(file: string, args: readonly string[], env: Readonly<Record<string, string>>, cwd: string) {
  return spawn(file, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
}

function start({ id, file, args, env, folder }: Extract<GuardOrder, { order: 'start' }>): void {
  let child: ReturnType<typeof spawnProcess>;
  try {
    child = spawnProcess(file, args, env, folder);
  } catch (error) {
    // For invalid arguments and busy files, it throws. The guard must go on, because its end would end all processes.
    tell({ id, notice: 'not-started', message: (error as Error).message });
    return;
  }
  children.set(id, child);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => tell({ id, notice: 'output', text }));
  }
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.once('spawn', () => tell({ id, notice: 'started', pid: child.pid ?? 0 }));
  child.once('error', (error) => {
    if (child.pid !== undefined) return;
    children.delete(id);
    tell({ id, notice: 'not-started', message: error.message });
  });
  child.once('exit', async (code, signal) => {
    // A container ends with its first process.
    killGroup(child);
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, drainMs))]);
    children.delete(id);
    tell({ id, notice: 'exited', code, signal });
  });
}

process.on('message', (order: GuardOrder) => {
  if (order.order === 'start') start(order);
  else children.get(order.id)?.kill(order.signal);
});

process.once('disconnect', () => {
  for (const child of children.values()) killGroup(child);
  const [, , folder] = process.argv;
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exit(0);
});
// The terminal sends it to the test process too, which decides.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
