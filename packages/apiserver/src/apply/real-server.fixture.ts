import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../patch/json-value.ts';

const envtest = fileURLToPath(new URL('../../../../../shared/envtest', import.meta.url));

/** Whether a real control plane lies beside the repository. */
export const hasRealServer = existsSync(join(envtest, 'up'));

/** An answer of the server. */
export interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

/** A real API server, started for a test. */
export class RealServer {
  readonly #dir = mkdtempSync(join(tmpdir(), 'evenkeel-apply-'));
  readonly #url: string;
  readonly #agent: Agent;

  constructor() {
    const kubeconfig = execFileSync(join(envtest, 'up'), [this.#dir], { encoding: 'utf8' }).trim();
    const text = readFileSync(kubeconfig, 'utf8');
    this.#url = /server: "([^"]+)"/.exec(text)?.[1] ?? '';
    const ca = readFileSync(/certificate-authority: "([^"]+)"/.exec(text)?.[1] ?? '');
    this.#agent = new Agent({ keepAlive: true, ca });
  }

  stop(): void {
    this.#agent.destroy();
    execFileSync(join(envtest, 'down'), [this.#dir]);
    rmSync(this.#dir, { recursive: true, force: true });
  }

  send(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<Answer> {
    const headers = { authorization: 'Bearer admin-token', 'content-type': contentType, 'user-agent': 'tester/1.0' };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#url}${path}`, { method, agent: this.#agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ code: response.statusCode ?? 0, body: parsed(text) }));
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

function parsed(text: string): JsonObject {
  return text.startsWith('{') ? (JSON.parse(text) as JsonObject) : {};
}
