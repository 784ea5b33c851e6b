import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer, type ApiServerOptions } from '@evenkeel/apiserver';
import type { Transport } from '@evenkeel/core';
import { EmbeddedDoor } from '../webhook/embedded-door.ts';
import type { WebhookDoor } from '../webhook/webhook-door.ts';
import type { TestServer } from './test-server.ts';

/** The embedded API server in this process. It listens only after the first call of `kubeconfig()`. */
export class EmbeddedServer implements TestServer {
  readonly kind = 'embedded';
  readonly #server: ApiServer;
  #folder: Promise<string> | undefined;
  #closing: Promise<void> | undefined;

  readonly door: WebhookDoor;

  private constructor(server: ApiServer) {
    this.#server = server;
    this.door = new EmbeddedDoor(server);
  }

  static async start(options: ApiServerOptions): Promise<EmbeddedServer> {
    return new EmbeddedServer(await ApiServer.create({ controllerDelayMs: 0, ...options }));
  }

  connect(): Transport {
    return this.#server.transport();
  }

  async kubeconfig(): Promise<string> {
    this.#folder ??= this.#listen();
    return join(await this.#folder, 'kubeconfig');
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #listen(): Promise<string> {
    await this.#server.listen();
    const folder = await mkdtemp(join(tmpdir(), 'evenkeel-embedded-'));
    await this.#server.writeKubeconfig(join(folder, 'kubeconfig'));
    return folder;
  }

  async #end(): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined);
    await this.#server.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}
