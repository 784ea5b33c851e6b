import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Client, type Connection, createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { isNotFound, type Logger, type LogKeys, SeededRandom, SilentLogger, type Transport } from '@evenkeel/core';
import { ConfigMap, Namespace } from '@evenkeel/kinds';
import { HurriedClock } from '@evenkeel/testing';
import { type ApiBackend, describeOnEveryServer } from '../../../../test/api-backend.fixture.ts';
import {
  CertificateAuthority,
  type Fault,
  FaultProxy,
  type ServerIdentity,
} from '../../../../test/fault-proxy.fixture.ts';
import { seed } from '../../../../test/seed.fixture.ts';
import { Cache } from './cache.ts';
import type { Informer } from './informer.ts';
import { sorted, Told } from './told.fixture.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function status(code: number, reason: string, message: string): string {
  return JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message });
}

const expired = status(410, 'Expired', 'too old resource version');

const page = '<html><body><h1>502 Bad Gateway</h1></body></html>\n';

const noWatchList = status(
  422,
  'Invalid',
  'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
);

describeOnEveryServer(
  `a cache under faults (seed ${seed})`,
  (start, { hasWatchList }) => {
    let random: SeededRandom;
    let backend: ApiBackend;
    let writer: Client;
    let proxy: FaultProxy;
    let transport: Transport;
    let cache: Cache;
    let informer: Informer<ConfigMap>;
    let told: Told;
    let stop: AbortController;
    const errors: string[] = [];
    let marks = 0;

    beforeAll(async () => {
      backend = await start();
      writer = createClient(backend.transport(), { fieldManager: 'writer' });
      await writer.create(Namespace, { metadata: { name: 'faults' } });
    });
    afterAll(async () => {
      await backend?.stop();
    });

    beforeEach(async () => {
      errors.length = 0;
      // Anew, so that a test alone does what it did among the others.
      random = new SeededRandom(seed);
      await change(writer, 30);
      proxy = await FaultProxy.start(backend.transport());
      await begin(proxy.connection);
    });
    afterEach(async () => {
      await end();
      await proxy.close();
    });

    /** Starts the cache that is tested, and waits until it has synced. */
    async function begin(connection: Connection): Promise<void> {
      const clock = new HurriedClock({ sleepTimes: 2500 });
      transport = httpsTransport(connection);
      const logger = new SilentLogger() as Logger;
      logger.error = (message: string, keys: LogKeys = {}) => {
        errors.push(`${message}: ${String(keys['error'])}`);
      };
      cache = new Cache({ client: createClient(transport, { clock }), clock, random, logger });
      informer = cache.informer(ConfigMap, { namespaces: ['faults'] });
      told = new Told(informer as Informer);
      stop = new AbortController();
      cache.start(stop.signal);
      await cache.waitForSync();
    }

    async function end(): Promise<void> {
      stop.abort();
      await cache.stopped();
      await transport.close();
    }

    /** So many writes at random, by one writer. */
    async function change(client: Client, times: number): Promise<void> {
      for (let at = 0; at < times; at++) {
        const name = `map-${random.integer(12)}`;
        if (random.integer(4) === 0) {
          await client.delete(ConfigMap, `faults/${name}`).catch((error: unknown) => {
            if (!isNotFound(error)) throw error;
          });
          continue;
        }
        // Letters of two, three and four bytes, that a cut may fall into.
        const text = 'aé€😀'.repeat(random.integer(200));
        const data = { at: String(at), text, random: String(random.integer(1_000_000)) };
        await client.apply(ConfigMap, { metadata: { name, namespace: 'faults' }, data }, { force: true });
      }
    }

    /** The cache has seen all that there is, it is what the server has, and its handlers were told of it in order. */
    async function expectEqual(client: Client = writer): Promise<void> {
      const mark = await client.apply(
        ConfigMap,
        { metadata: { name: 'mark', namespace: 'faults' }, data: { marks: String(++marks) } },
        { force: true },
      );
      const { uid, resourceVersion } = mark.metadata;
      await waitFor(() => {
        const seen = informer.lister.get('faults/mark')?.metadata;
        return seen?.uid === uid && seen?.resourceVersion === resourceVersion && informer.health.problem === undefined;
      });
      const { items } = await client.list(ConfigMap, { namespace: 'faults' });
      for (const { metadata } of items) delete metadata.managedFields;
      expect({ seed, objects: sorted(informer.lister.list()) }).toEqual({ seed, objects: sorted(items) });
      expect({ seed, objects: sorted(told.state.values()) }).toEqual({ seed, objects: sorted(items) });
      expect({ seed, mistakes: told.mistakes }).toEqual({ seed, mistakes: [] });
      expect(informer.health.synced).toBe(true);
    }

    /** Gives these faults to the next watches, one each, whatever else is asked. */
    function faultTheNextWatches(...faults: Fault[]): void {
      proxy.faultFor = ({ isWatch }) => (isWatch ? faults.shift() : undefined);
    }

    it('takes up what changed while the server was away', async () => {
      proxy.isAway = true;
      proxy.destroySockets();
      await change(writer, 40);
      expect(informer.lister.list().length).toBeGreaterThan(0);
      expect(informer.health.synced).toBe(true);
      proxy.isAway = false;
      await expectEqual();
      expect(errors).toEqual([]);
    });

    it('takes up what changed while the server was killed, until it was started again', async () => {
      await proxy.stopListening();
      await change(writer, 40);
      await waitFor(() => informer.health.problem?.reason === 'unreachable');
      expect(informer.lister.list().length).toBeGreaterThan(0);
      expect(informer.health.synced).toBe(true);
      await proxy.listenAgain();
      await expectEqual();
      expect(errors).toEqual([]);
    });

    describe('with credentials and certificates in files', () => {
      let folder: string;
      beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), 'evenkeel-rotated-'));
        await end();
        await proxy.close();
      });
      afterEach(async () => {
        await rm(folder, { recursive: true });
      });

      const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

      /** A server of an authority of its own, that a kubeconfig's files know and are known to. */
      async function beginWith(user: object): Promise<Authorities> {
        const authorities = new Authorities();
        await write('ca.pem', authorities.ca);
        proxy = await FaultProxy.start(backend.transport(), authorities.identity);
        const cluster = { server: proxy.connection.server, 'certificate-authority': 'ca.pem' };
        const context = { cluster: 'c', user: 'u' };
        await write(
          'config',
          JSON.stringify({
            'current-context': 'x',
            clusters: [{ name: 'c', cluster }],
            users: [{ name: 'u', user }],
            contexts: [{ name: 'x', context }],
          }),
        );
        const options = { kubeconfig: join(folder, 'config'), environment: {}, clock: new HurriedClock() };
        await begin(await loadConnection(options));
        return authorities;
      }

      it('goes on with a rotated token when the old one is refused', async () => {
        await write('token', 'first');
        await beginWith({ tokenFile: 'token' });
        proxy.admits = ({ authorization }) => authorization === 'Bearer second';
        proxy.destroySockets();
        await change(writer, 20);
        await waitFor(() => informer.health.problem?.reason === 'unauthorized');
        expect(informer.health.synced).toBe(true);
        expect(informer.lister.list().length).toBeGreaterThan(0);
        await write('token', 'second');
        await expectEqual();
        expect(errors).toEqual([]);
      });

      it("goes on with a rotated authority when the server's certificate is of another", async () => {
        await write('token', 'first');
        await beginWith({ tokenFile: 'token' });
        const next = new Authorities();
        proxy.present(next.identity);
        proxy.destroySockets();
        await change(writer, 20);
        // First that the connection was reset, then why there is no new one.
        await waitFor(() => String(informer.health.problem?.error).includes('its certificate is'));
        expect(informer.health.problem?.reason).toBe('unreachable');
        await write('ca.pem', next.ca);
        await expectEqual();
        expect(errors).toEqual([]);
      });

      it('goes on with a rotated client certificate when the old one is refused', async () => {
        const client = new Authorities();
        await write('cert.pem', client.client.certificatePem);
        await write('key.pem', client.client.privateKeyPem);
        const server = await beginWith({ 'client-certificate': 'cert.pem', 'client-key': 'key.pem' });
        proxy.admits = ({ hasCertificate }) => hasCertificate;
        proxy.destroySockets();
        await waitFor(() => informer.health.problem?.reason === 'unauthorized');
        proxy.present({ ...server.identity, ca: client.ca });
        proxy.destroySockets();
        await expectEqual();
        const next = new Authorities();
        proxy.present({ ...server.identity, ca: next.ca });
        proxy.destroySockets();
        await change(writer, 20);
        await waitFor(() => informer.health.problem?.reason === 'unauthorized');
        await write('cert.pem', next.client.certificatePem);
        await write('key.pem', next.client.privateKeyPem);
        await expectEqual();
        expect(errors).toEqual([]);
      });
    });

    it('asks for WatchList first, and lists in pages where the server does not have it', () => {
      const first = proxy.requests.slice(0, 2).map((request) => /sendInitialEvents=true|limit=500/.exec(request)?.[0]);
      expect(first[0]).toBe('sendInitialEvents=true');
      if (!hasWatchList) expect(first[1]).toBe('limit=500');
      else expect(proxy.requests.some((request) => request.includes('limit='))).toBe(false);
    });

    it.each<[string, Fault]>([
      ['410 as the answer', { answer: { status: 410, body: expired } }],
      ['410 as the first event', { answer: { status: 200, body: `{"type":"ERROR","object":${expired}}\n` } }],
      ['410 after some events', { insert: `{"type":"ERROR","object":${expired}}`, afterLines: 2 }],
      ['429 that says when to come again', tooMany('1')],
      ['429 that does not', tooMany(undefined)],
      ['500', { answer: { status: 500, body: status(500, 'InternalError', 'etcd has gone') } }],
      ['503 that is no Status', { answer: { status: 503, body: 'upstream connect error' } }],
      ['504', { answer: { status: 504, body: status(504, 'Timeout', 'request did not complete within 60s') } }],
      ['an answer that is HTML', { answer: { status: 200, body: page, headers: { 'content-type': 'text/html' } } }],
      ['an error that is HTML', { answer: { status: 502, body: page, headers: { 'content-type': 'text/html' } } }],
      ['an empty answer', { answer: { status: 200, body: '' } }],
      ['JSON that is no event', { answer: { status: 200, body: '[]\nnull\n{"type":7}\n{"kind":"Status"}\n' } }],
    ])('comes through %s', async (_what, fault) => {
      faultTheNextWatches(fault, fault, fault);
      proxy.destroySockets();
      await change(writer, 20);
      await expectEqual();
    });

    it('comes through a list that is refused, where WatchList is refused too', async () => {
      let refusals = 4;
      proxy.faultFor = ({ isWatch, path }) => {
        if (isWatch && path.includes('sendInitialEvents')) return { answer: { status: 422, body: noWatchList } };
        if (isWatch && refusals-- > 0) return { answer: { status: 410, body: expired } };
        return !isWatch && refusals-- > 0 ? tooMany(undefined) : undefined;
      };
      proxy.destroySockets();
      await change(writer, 20);
      await expectEqual();
      expect(proxy.requests.some((request) => request.includes('limit=500'))).toBe(true);
    });

    it('loses nothing where a watch is cut anywhere: between lines, within one, within a character', async () => {
      const cuts = Array.from({ length: 40 }, (): Fault => ({ cutAfterBytes: 1 + random.integer(4000) }));
      faultTheNextWatches(...cuts);
      proxy.destroySockets();
      const writing = change(writer, 120);
      await writing;
      await expectEqual();
      expect(errors).toEqual([]);
    });

    it('grows in neither sockets nor heap while its connections flap a hundred times', async () => {
      let writes = 0;
      const write = async (): Promise<void> => {
        const data = { at: String(++writes) };
        await writer.apply(ConfigMap, { metadata: { name: 'flap', namespace: 'faults' }, data }, { force: true });
      };
      const flap = async (): Promise<void> => {
        proxy.destroySockets();
        await write();
        const watches = proxy.requests.filter((request) => request.includes('watch=true')).length;
        await waitFor(() => proxy.requests.filter((request) => request.includes('watch=true')).length > watches);
      };
      const grownBy = async (step: () => Promise<void>, times: number): Promise<number> => {
        const before = await keptBytes();
        for (let at = 0; at < times; at++) await step();
        await expectEqual();
        proxy.requests.length = 0;
        return (await keptBytes()) - before;
      };
      // What is made once is not taken for growth.
      await grownBy(flap, 40);
      // A server in this process keeps its latest 20,000 changes, so that writes alone let the heap grow.
      const byWrites = await grownBy(write, 100);
      const byFlaps = await grownBy(flap, 100);
      expect(proxy.openSockets).toBeLessThanOrEqual(2);
      // A listener that stays on the signal of the owner keeps 2.4 kB and more of each watch.
      expect(byFlaps - byWrites).toBeLessThan(100_000);
    });

    it('goes on where a handler throws, and tells the others', async () => {
      const second = new Told(informer as Informer);
      informer.addHandler({
        updated: () => {
          throw new Error('no handler');
        },
        deleted: () => {
          throw new Error('no handler');
        },
      });
      await change(writer, 30);
      await expectEqual();
      expect(second.mistakes).toEqual([]);
      expect([...second.state.keys()].sort()).toEqual([...told.state.keys()].sort());
      expect(errors.length).toBeGreaterThan(0);
      expect(new Set(errors)).toEqual(new Set(['an informer handler threw: Error: no handler']));
    });
  },
  // Faults happen on the way to a proxy: how the server behind it is reached makes no difference.
  { olderToo: true, embedded: 'in process' },
);

/** An authority of servers and clients, with one of each. */
class Authorities {
  readonly #authority = new CertificateAuthority('rotated', Date.now());
  readonly #server = this.#authority.issue({ commonName: 'kube-apiserver', usage: 'server', hosts: ['127.0.0.1'] });
  readonly client = this.#authority.issue({ commonName: 'operator', usage: 'client' });

  get ca(): string {
    return this.#authority.certificatePem;
  }

  get identity(): ServerIdentity {
    return { cert: this.#server.certificatePem, key: this.#server.privateKeyPem, ca: this.ca };
  }
}

function tooMany(retryAfter: string | undefined): Fault {
  const body = status(429, 'TooManyRequests', 'the server is currently unable to handle the request');
  return {
    answer: { status: 429, body, ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }) },
  };
}

/** What the heap keeps, without the code that V8 goes on compiling for as long as functions become hotter. */
async function keptBytes(): Promise<number> {
  collect();
  // What is closed or finalized now is let go of by the next one.
  await new Promise((resolve) => setTimeout(resolve, 20));
  collect();
  const ofObjects = ['new_space', 'old_space', 'new_large_object_space', 'large_object_space'];
  return getHeapSpaceStatistics()
    .filter(({ space_name: name }) => ofObjects.includes(name))
    .reduce((bytes, { space_used_size: used }) => bytes + used, 0);
}

/** Looks again every millisecond, which leaves the processor to the servers that are waited for. */
async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}
