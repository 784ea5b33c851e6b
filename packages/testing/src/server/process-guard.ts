// A program, not a module. It runs the servers of a test process as its children. It kills them and deletes their
// folder when its standard input is closed: by the test process, or because the test process exits for any reason.

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
  // No environment variables, because etcd, for example, would read settings from them.
  const child = spawn(file, args, { cwd: folder, stdio: ['ignore', log, log], env: {} });
  const ended = new Promise<void>((resolve) => {
    const report = (how: string): void => {
      process.stdout.write(`${name} ${how}\n`);
      resolve();
    };
    child.once('exit', (code, signal) => report(`exited (${signal ?? `exit ${code}`})`));
    child.once('error', (error) => report(`could not be started (${error.message})`));
  });
  return { child, ended };
});

let isEnding = false;

async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  // Their state is deleted with the folder, so a gentler signal would not help.
  for (const { child } of children) child.kill('SIGKILL');
  await Promise.all(children.map(({ ended }) => ended));
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
}

process.stdin.resume();
process.stdin.once('close', () => void end());
process.once('SIGTERM', () => void end());
process.once('SIGINT', () => void end());
// The reader of the output may have exited.
process.stdout.on('error', () => undefined);
