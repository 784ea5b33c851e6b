import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { httpsTransport, loadConnection } from '@evenkeel/client';
import type { Clock } from '@evenkeel/core';
import { isLinked, type Link } from '../exclusive-file.ts';

export interface KubeconfigFileOptions {
  readonly folder: string;
  /** Writes the kubeconfig of the session's own server. */
  readonly write: (file: string) => Promise<void>;
  readonly clock: Clock;
  /** Creates a hard link; fails if the name is taken. Default: Node's. */
  readonly link?: Link;
}

/** A server that does not respond within this time is busy or paused in a debugger. It counts as running. */
const answerWithinMs = 2000;

/**
 * The file by which kubectl finds the server of a session: `kubeconfig` in its folder, or `kubeconfig-2` and so on if
 * the earlier names belong to running sessions. The file of a session that was killed is replaced.
 */
export class KubeconfigFile {
  readonly path: string;
  readonly #text: string;

  private constructor(path: string, text: string) {
    this.path = path;
    this.#text = text;
  }

  static async create({ folder, write, clock, link }: KubeconfigFileOptions): Promise<KubeconfigFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = join(folder, `kubeconfig.${randomUUID()}`);
    await write(draft);
    const text = await readFile(draft, 'utf8');
    try {
      for (let number = 1; ; number++) {
        const path = join(folder, number === 1 ? 'kubeconfig' : `kubeconfig-${number}`);
        if (await isTaken(path, { draft, clock, link })) return new KubeconfigFile(path, text);
      }
    } finally {
      await rm(draft);
    }
  }

  /** Whether another session already uses the name `kubeconfig`. */
  get isAnother(): boolean {
    return !this.path.endsWith('kubeconfig');
  }

  /** Deletes the file if it is still the one that was written. */
  async remove(): Promise<void> {
    if ((await textOf(this.path)) === this.#text) await rm(this.path, { force: true });
  }
}

/** Links the draft to a path, unless the path belongs to another running session. */
async function isTaken(
  path: string,
  { draft, clock, link }: { readonly draft: string; readonly clock: Clock; readonly link: Link | undefined },
): Promise<boolean> {
  while (!(await isLinked(draft, path, link))) {
    const left = await textOf(path);
    if (await isAnswered(path, clock)) return false;
    // Another session may have replaced the file meanwhile.
    if ((await textOf(path)) === left) await rm(path, { force: true });
  }
  return true;
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

/**
 * Whether the server of a kubeconfig responds: that server, not another one that now has its port. The file may be
 * anyone's, as in a cloned repository, so it is probed without credentials: they could be sent to a foreign server, and
 * an exec plugin is a program.
 */
async function isAnswered(path: string, clock: Clock): Promise<boolean> {
  const signal = AbortSignal.timeout(answerWithinMs);
  try {
    const { server, ca, serverName } = await loadConnection({ kubeconfig: path, clock });
    const transport = httpsTransport({ server, ca, serverName });
    try {
      // Any response counts, and its body is not read.
      const answer = new AbortController();
      await transport.request({ method: 'GET', path: '/version', signal: AbortSignal.any([signal, answer.signal]) });
      answer.abort();
      return true;
    } finally {
      await transport.close();
    }
  } catch {
    return signal.aborted;
  }
}
