import { createHash } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { tarArchive, tarEntry } from '../image/tar.ts';

interface PublishedPackage {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly tarball: Buffer;
}

/** A registry of npm in this process. */
export class NpmRegistry {
  /** Responds to a request instead of the registry, if it returns true. Can be replaced between requests. */
  instead: ((path: string, response: ServerResponse) => boolean) | undefined;
  /** By name and version. */
  readonly #packages = new Map<string, Map<string, PublishedPackage>>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<NpmRegistry> {
    const server = createServer();
    const registry = new NpmRegistry(server);
    server.on('request', ({ url = '/' }, response) => registry.#respond(decodeURIComponent(url.slice(1)), response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The last published version has the tag `latest`. */
  async publish(
    name: string,
    version: string,
    files: Readonly<Record<string, string>> = {},
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const manifest = { name, version, ...more };
    const all = { 'package.json': JSON.stringify(manifest), ...files };
    const entries = Object.entries(all).map(([path, text]) => tarEntry(`package/${path}`, Buffer.from(text)));
    const tarball = gzipSync(await tarArchive(entries, 0));
    const versions = this.#packages.get(name) ?? new Map<string, PublishedPackage>();
    this.#packages.set(name, versions.set(version, { manifest, tarball }));
  }

  #respond(path: string, response: ServerResponse): void {
    if (this.instead?.(path, response) === true) return;
    const [name = '', file] = path.split('/-/');
    const versions = this.#packages.get(name);
    if (versions === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
      return;
    }
    if (file === undefined) {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(this.#document(name, versions)));
      return;
    }
    response.writeHead(200).end(versions.get(file.replace(/\.tgz$/, ''))?.tarball);
  }

  #document(name: string, versions: ReadonlyMap<string, PublishedPackage>): unknown {
    const documents = [...versions].map(([version, { manifest, tarball }]) => {
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      return [version, { ...manifest, dist: { tarball: `${this.url}${name}/-/${version}.tgz`, integrity } }];
    });
    return { name, 'dist-tags': { latest: [...versions.keys()].at(-1) }, versions: Object.fromEntries(documents) };
  }
}
