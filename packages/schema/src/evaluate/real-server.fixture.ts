import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ApiStatus } from '@evenkeel/core';
import { parse } from 'yaml';

const scripts = fileURLToPath(new URL('../../../../../shared/envtest/', import.meta.url));

/** Whether a real API server can be started here. */
export const hasEnvtest = existsSync(join(scripts, 'up'));

export interface RealAnswer {
  readonly code: number;
  readonly body: { readonly [key: string]: unknown };
}

/** A real kube-apiserver for the time of a test file. */
export class RealServer {
  readonly #folder: string;
  readonly #url: string;
  readonly #authority: Buffer;
  readonly #token: string;

  private constructor(folder: string) {
    this.#folder = folder;
    const config = parse(readFileSync(join(folder, 'kubeconfig'), 'utf8'));
    this.#url = config.clusters[0].cluster.server;
    this.#authority = readFileSync(config.clusters[0].cluster['certificate-authority']);
    this.#token = config.users[0].user.token;
  }

  static start(): RealServer {
    const folder = mkdtempSync(join(tmpdir(), 'evenkeel-evaluate-'));
    execFileSync(join(scripts, 'up'), [folder], { stdio: 'ignore' });
    return new RealServer(folder);
  }

  stop(): void {
    execFileSync(join(scripts, 'down'), [this.#folder], { stdio: 'ignore' });
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async send(method: string, path: string, body?: unknown): Promise<RealAnswer> {
    const answer = await new Promise<RealAnswer>((resolve, reject) => {
      const sent = request(
        `${this.#url}${path}`,
        {
          method,
          ca: this.#authority,
          headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const isJson = text.startsWith('{');
            resolve({ code: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : { message: text } });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    });
    return answer;
  }

  /** Sends again until the answer is as wanted: what follows from a CRD takes the server a moment. */
  async sendUntil(
    isWanted: (answer: RealAnswer) => boolean,
    ...[method, path, body]: Parameters<RealServer['send']>
  ): Promise<RealAnswer> {
    for (;;) {
      const answer = await this.send(method, path, body);
      if (isWanted(answer)) return answer;
    }
  }
}

/** The errors of a Status in an order of their own: upstream's follows maps, which have none. */
export function sortedCauses(status: Partial<ApiStatus> | RealAnswer['body']): string[] {
  const causes = (status as Partial<ApiStatus>).details?.causes ?? [];
  return causes.map(({ reason, message, field }) => `${field} | ${reason} | ${message}`).sort();
}
