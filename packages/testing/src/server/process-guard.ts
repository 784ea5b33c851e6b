// A program, not a module: it stands between a test process and the servers started for it. It runs them as its own
// children and ends them, and their folder, when its standard input ends: that is when the test process closes it, and
// also when the test process dies, however it dies.

import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GuardedProgram } from './guarded-processes.ts';

const { folder, programs } = JSON.parse(process.argv[2] ?? '') as {
  folder: string;
  programs: readonly GuardedProgram[];
};

const children = programs.map(({ name, file, args }) => {
  const log = openSync(join(folder, `${name}.log`), 'a', 0o600);
  // No environment: etcd, for one, would take settings from it.
  const child = spawn(file, args, { cwd: folder, stdio: ['ignore', log, log], env: {} });
  const ended = new Promise<void>((resolve) => {
    const tell = (how: string): void => {
      process.stdout.write(`${name} ${how}\n`);
      resolve();
    };
    child.once('exit', (code, signal) => tell(`ended (${signal ?? `exit ${code}`})`));
    child.once('error', (error) => tell(`could not be run (${error.message})`));
  });
  return { child, ended };
});

let isEnding = false;

async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  // Their state goes with the folder, so there is nothing that a gentler signal would save.
  for (const { child } of children) child.kill('SIGKILL');
  await Promise.all(children.map(({ ended }) => ended));
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
}

process.stdin.resume();
process.stdin.once('close', () => void end());
process.once('SIGTERM', () => void end());
process.once('SIGINT', () => void end());
// Whoever read this may be gone.
process.stdout.on('error', () => undefined);
