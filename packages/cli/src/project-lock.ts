import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { type Clock, EvenkeelError, SystemClock } from '@evenkeel/core';
import { isLinked } from './exclusive-file.ts';
import type { Terminal } from './terminal.ts';

/** How long a command waits for another one, which writes only for a moment. */
const waitMs = 60_000;
const pollMs = 100;

/** The command that currently writes. */
interface Holder {
  readonly command: string;
  readonly pid: number;
  readonly host: string;
}

export interface ProjectLockOptions {
  /** The folder of the project. The lock is in its folder `.evenkeel`. */
  readonly folder: string;
  /** The words of the command, such as `create api`. */
  readonly command: string;
  readonly terminal: Pick<Terminal, 'err'>;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Calls `work` while no other command writes files of the project. Otherwise, two commands could leave a mixture of their files. It waits
 * for the other command, and takes over the lock of one that was killed. Throws `project-locked` after a minute. A folder that cannot be
 * written has no lock.
 */
export async function withProjectLock<T>(options: ProjectLockOptions, work: () => Promise<T>): Promise<T> {
  const folder = join(options.folder, '.evenkeel');
  const draft = join(folder, `lock.${randomUUID()}`);
  const own: Holder = { command: options.command, pid: process.pid, host: hostname() };
  const text = `${JSON.stringify({ ...own, id: randomUUID() })}\n`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(draft, text, { flag: 'wx' });
  } catch {
    return await work();
  }
  const path = join(folder, 'lock');
  try {
    await acquire(path, draft, options);
  } finally {
    await rm(draft, { force: true });
  }
  try {
    return await work();
  } finally {
    if ((await textOf(path)) === text) await rm(path, { force: true });
  }
}

async function acquire(
  path: string,
  draft: string,
  { command, terminal, clock = new SystemClock() }: ProjectLockOptions,
): Promise<void> {
  const deadlineMs = clock.monotonic() + waitMs;
  let isReported = false;
  while (!(await isLinked(draft, path))) {
    const text = await textOf(path);
    if (text === undefined) continue;
    const holder = holderIn(text);
    if (holder === undefined || isGone(holder)) {
      await remove(path, text, draft);
      continue;
    }
    const shown = `evenkeel ${holder.command} (process ${holder.pid} on ${holder.host})`;
    if (clock.monotonic() >= deadlineMs) {
      throw new EvenkeelError(
        'project-locked',
        `${command}: ${shown} is writing files of this project; wait until it has finished, or delete ${path} if that process no longer runs`,
      );
    }
    if (!isReported) terminal.err(`waiting for ${shown}, which is writing files of this project`);
    isReported = true;
    await clock.sleep(pollMs);
  }
}

/** Removes a lock, unless another command has replaced it meanwhile. */
async function remove(path: string, text: string, draft: string): Promise<void> {
  const aside = `${draft}.old`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if ((await textOf(aside)) !== text) await isLinked(aside, path);
  await rm(aside, { force: true });
}

function holderIn(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) return undefined;
    const { command, pid, host } = value;
    const isProcess = typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0;
    return typeof command === 'string' && typeof host === 'string' && isProcess ? { command, pid, host } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the process has certainly exited. The processes of another machine cannot be checked. */
function isGone({ pid, host }: Holder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
