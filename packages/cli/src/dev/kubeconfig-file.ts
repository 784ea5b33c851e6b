import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { httpsTransport, loadConnection, readBody } from '@evenkeel/client';
import type { Clock } from '@evenkeel/core';

export interface KubeconfigFileOptions {
  readonly folder: string;
  /** Writes the kubeconfig of the session's own server. */
  readonly write: (file: string) => Promise<void>;
  readonly clock: Clock;
}

/** A server that does not answer for so long is busy, or held in a debugger; it is there all the same. */
const answerWithinMs = 2000;

/**
 * The file by which kubectl finds the server of a session: `kubeconfig` in its folder, or `kubeconfig-2` and so on where the
 * servers of other sessions that still run are in those before. What a session left behind that was killed is replaced.
 */
export class KubeconfigFile {
  readonly path: string;
  readonly #text: string;

  private constructor(path: string, text: string) {
    this.path = path;
    this.#text = text;
  }

  static async create({ folder, write, clock }: KubeconfigFileOptions): Promise<KubeconfigFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = join(folder, `kubeconfig.${randomUUID()}`);
    await write(draft);
    const text = await readFile(draft, 'utf8');
    await rm(draft);
    for (let number = 1; ; number++) {
      const path = join(folder, number === 1 ? 'kubeconfig' : `kubeconfig-${number}`);
      if (await isMade(path, text)) return new KubeconfigFile(path, text);
      if (await isAnswered(path, clock)) continue;
      await rm(path, { force: true });
      if (await isMade(path, text)) return new KubeconfigFile(path, text);
    }
  }

  /** Whether the servers of others kept it from being called `kubeconfig`. */
  get isAnother(): boolean {
    return !this.path.endsWith('kubeconfig');
  }

  /** Takes the file away, if it is still the one that was written. */
  async remove(): Promise<void> {
    const text = await readFile(this.path, 'utf8').catch(() => undefined);
    if (text === this.#text) await rm(this.path, { force: true });
  }
}

/** Of several that make a file at the same time one does. */
async function isMade(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the server that a kubeconfig leads to is there: that one, not another that has its port now. */
async function isAnswered(path: string, clock: Clock): Promise<boolean> {
  const signal = AbortSignal.timeout(answerWithinMs);
  try {
    const transport = httpsTransport(await loadConnection({ kubeconfig: path, clock }));
    try {
      const headers = { accept: 'application/json' };
      await readBody(await transport.request({ method: 'GET', path: '/version', headers, signal }));
      return true;
    } finally {
      await transport.close();
    }
  } catch {
    return signal.aborted;
  }
}
