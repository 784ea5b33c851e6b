import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute } from './installation.fixture.ts';

interface Version {
  readonly name?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** What npm asks for before it installs a package. */
interface PackageDocument {
  readonly time?: Record<string, string>;
  readonly versions?: Record<string, Version>;
}

/** The name of a build for one platform, such as `@rolldown/binding-darwin-arm64`. */
const platform =
  /[-/](?:linux|darwin|win32|android|freebsd|openbsd|netbsd|sunos|aix|openharmony|wasm32)(?:-[a-z0-9-]+)?$/;

/**
 * npm's registry, with every build of a package for other platforms. Yarn fails if the registry lacks one of them, and a registry that is
 * a copy may not have all. A missing build is an empty package, because none is installed.
 */
export class PlatformRegistry {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  static async start(): Promise<PlatformRegistry> {
    const upstream = (await execute('npm', ['config', 'get', 'registry'], '.')).trim();
    const builds = new Builds(upstream);
    const server = createServer((request, response) => {
      builds.answer(request, response).catch((error: unknown) => response.writeHead(502).end(String(error)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new PlatformRegistry(server);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** No package manager installs a package with these values. */
const nowhere = { os: ['none'], cpu: ['none'] };
const emptyPackage = packedEmpty();

/** Adds the builds that the documents of other packages have named. */
class Builds {
  readonly #upstream: string;
  readonly #versions = new Map<string, Set<string>>();

  constructor(upstream: string) {
    this.#upstream = upstream;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').slice(1);
    if (path === 'empty.tgz') return void response.end(emptyPackage);
    const headers = { accept: request.headers.accept ?? '*/*' };
    const found = await fetch(new URL(path, this.#upstream), { headers });
    const type = found.headers.get('content-type') ?? 'application/octet-stream';
    const content = Buffer.from(await found.arrayBuffer());
    const isDocument = found.ok && type.includes('json') && !path.includes('/-/');
    response
      .writeHead(found.status, { 'content-type': type })
      .end(
        isDocument
          ? JSON.stringify(this.#completed(decodeURIComponent(path), JSON.parse(`${content}`), request.headers.host))
          : content,
      );
  }

  #completed(name: string, document: PackageDocument, host = ''): PackageDocument {
    const { versions = {} } = document;
    for (const { optionalDependencies = {} } of Object.values(versions)) {
      for (const [build, version] of Object.entries(optionalDependencies)) {
        if (platform.test(build)) this.#versions.set(build, (this.#versions.get(build) ?? new Set()).add(version));
      }
    }
    const missing = [...(this.#versions.get(name) ?? [])].filter((version) => !Object.hasOwn(versions, version));
    const dist = {
      tarball: `http://${host}/empty.tgz`,
      integrity: `sha512-${createHash('sha512').update(emptyPackage).digest('base64')}`,
    };
    const empty = (version: string) => ({ name, version, ...nowhere, dist });
    return {
      ...document,
      versions: { ...versions, ...Object.fromEntries(missing.map((each) => [each, empty(each)])) },
      // Package managers may refuse a version that is new.
      time: { ...document.time, ...Object.fromEntries(missing.map((each) => [each, '2020-01-01T00:00:00.000Z'])) },
    };
  }
}

function packedEmpty(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-empty-'));
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'empty', version: '0.0.0', ...nowhere }));
    return execFileSync('tar', ['-cz', '-C', folder, '--transform', 's,^,package/,', 'package.json']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
