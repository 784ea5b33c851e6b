import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Client, ignoreNotFound, type ManagerRunnable, ObjectKey, Secret } from 'evenkeel';
import { injectable } from 'inversify';
import { folderOf } from './etcd-backup.controller.ts';
import { EtcdRestore } from './etcd-backup.ts';
import { SnapshotStore } from './snapshot-store.ts';

/** Where pods find the snapshots. */
export class SnapshotAddress {
  /** The URL for pods. */
  readonly url: string;
  /** The address at which the server listens, with the port of the URL. */
  readonly host: string;

  constructor(url: string, host = '0.0.0.0') {
    this.url = url;
    this.host = host;
  }

  /** The URL of the snapshot of an EtcdRestore. */
  of({ namespace, name }: ObjectKey): string {
    return `${this.url}/${namespace}/${name}`;
  }
}

/** The name of the Secret with the token for the snapshot of an EtcdRestore, and its key. */
export const tokenOf = (restore: string) => ({ name: `${restore}-snapshot`, key: 'token' });

/** Serves each snapshot that is restored to the pods that have the token of its EtcdRestore. */
@injectable()
export class SnapshotServer implements ManagerRunnable {
  readonly name = 'snapshot-server';
  readonly #store: SnapshotStore;
  readonly #address: SnapshotAddress;
  #server: Server | undefined;

  constructor(store: SnapshotStore, address: SnapshotAddress) {
    this.#store = store;
    this.#address = address;
  }

  async start(failed: (error: unknown) => void, client: Client): Promise<void> {
    const server = createServer((request, response) => {
      this.#serve(request, response, client).catch(() => response.destroy());
    });
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(Number(new URL(this.#address.url).port), this.#address.host, resolve);
    });
    server.on('error', failed);
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  async #serve({ url = '', headers }: IncomingMessage, response: ServerResponse, client: Client): Promise<void> {
    const [, namespace = '', name = ''] = url.split('/');
    const given = headers.authorization?.replace(/^Bearer /, '') ?? '';
    const restore = await authorized(client, namespace, name, given);
    if (restore?.status?.snapshot === undefined) {
      response.writeHead(403).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    const folder = folderOf(new ObjectKey(restore.spec.backup, namespace));
    await pipeline(this.#store.read(folder, restore.status.snapshot), response);
  }
}

/** Returns the EtcdRestore of this name, if the token is that of its Secret. */
async function authorized(client: Client, namespace: string, name: string, given: string) {
  if (![namespace, name].every((one) => /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(one))) return undefined;
  const { name: secretName, key } = tokenOf(name);
  const secret = await ignoreNotFound(client.get(Secret, new ObjectKey(secretName, namespace)));
  const token = Buffer.from(secret?.data?.[key] ?? '', 'base64');
  const bytes = Buffer.from(given);
  if (token.length === 0 || bytes.length !== token.length || !timingSafeEqual(bytes, token)) return undefined;
  return await ignoreNotFound(client.get(EtcdRestore, new ObjectKey(name, namespace)));
}
