import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Etcd, type ListedMember, type MemberReport } from './etcd.ts';

const timeoutMs = 3000;
/** A snapshot of the largest recommended database, 8 GB, at 20 MB/s. */
const snapshotTimeoutMs = 400_000;

/** Codes of gRPC. */
const notFound = 5;
const failedPrecondition = 9;
const unavailable = 14;

/** An error that etcd itself returned. */
class EtcdError extends Error {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** Etcd's JSON gateway, which every member serves at its client URL. */
export class EtcdGateway extends Etcd {
  /** Returns the address of a host, for machines that cannot resolve the names of pods. */
  readonly #resolve: (host: string) => string;

  constructor(resolve: (host: string) => string = (host) => host) {
    super();
    this.#resolve = resolve;
  }

  async members(urls: readonly string[]): Promise<ListedMember[]> {
    const { members = [] } = await this.#first<{ members?: RawMember[] }>(urls, 'cluster/member/list', {
      linearizable: true,
    });
    return members.map(({ ID, name = '', peerURLs = [], isLearner = false }) => ({
      ...{ id: ID, name, peerUrls: peerURLs, isLearner },
    }));
  }

  async report(url: string): Promise<MemberReport> {
    const [status, { etcdcluster = '' }] = await Promise.all([
      this.#call<RawStatus>(url, 'v3/maintenance/status', {}),
      this.#call<{ etcdcluster?: string }>(url, 'version'),
    ]);
    return {
      clusterId: status.header.cluster_id,
      memberId: status.header.member_id,
      revision: status.header.revision ?? '0',
      isLearner: status.isLearner ?? false,
      leaderId: status.leader ?? '0',
      version: status.version,
      clusterVersion: etcdcluster,
    };
  }

  async addLearner(urls: readonly string[], peerUrl: string): Promise<void> {
    await this.#first(urls, 'cluster/member/add', { peerURLs: [peerUrl], isLearner: true });
  }

  async promote(urls: readonly string[], id: string): Promise<boolean> {
    try {
      await this.#first(urls, 'cluster/member/promote', { ID: id });
      return true;
    } catch (error) {
      if (error instanceof EtcdError && error.code === failedPrecondition && error.message.includes('in sync'))
        return false;
      throw error;
    }
  }

  async remove(urls: readonly string[], id: string): Promise<void> {
    try {
      await this.#first(urls, 'cluster/member/remove', { ID: id });
    } catch (error) {
      if (!(error instanceof EtcdError && error.code === notFound)) throw error;
    }
  }

  async moveLeader(leaderUrl: string, to: string): Promise<void> {
    await this.#call(leaderUrl, 'v3/maintenance/transfer-leadership', { targetID: to });
  }

  async *snapshot(url: string): AsyncIterable<Uint8Array> {
    const response = await this.#send(url, 'v3/maintenance/snapshot', {}, snapshotTimeoutMs);
    let remaining = -1;
    for await (const line of createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line === '') continue;
      const { result, error } = JSON.parse(line) as RawChunk;
      if (error !== undefined) throw new EtcdError(`snapshot of ${url}: ${error.message}`, error.code ?? 0);
      remaining = Number(result?.remaining_bytes ?? 0);
      yield Buffer.from(result?.blob ?? '', 'base64');
    }
    if (remaining !== 0) throw new Error(`snapshot of ${url}: the response was cut off`);
  }

  /** Asks the members one after the other, until one can be reached. */
  async #first<T>(urls: readonly string[], path: string, body: object): Promise<T> {
    let unreachable: unknown = new Error('the cluster has no running member');
    for (const url of urls) {
      try {
        return await this.#call<T>(url, `v3/${path}`, body);
      } catch (error) {
        if (error instanceof EtcdError && error.code !== unavailable) throw error;
        unreachable = error;
      }
    }
    throw unreachable;
  }

  async #call<T>(url: string, path: string, body?: object): Promise<T> {
    const response = await this.#send(url, path, body, timeoutMs);
    const answer = await text(response);
    if (response.statusCode === 200) return JSON.parse(answer) as T;
    throw errorOf(`${path} of ${url}`, answer);
  }

  #send(url: string, path: string, body: object | undefined, limitMs: number): Promise<IncomingMessage> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          ...{ host: this.#resolve(hostname), port, path: `/${path}`, method: body === undefined ? 'GET' : 'POST' },
          signal: AbortSignal.timeout(limitMs),
          // A member may be another process at the same address the next time.
          agent: false,
        },
        resolve,
      );
      sent.once('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/** An error with the message and code of etcd, if the response has them. */
function errorOf(what: string, answer: string): Error {
  try {
    const { message = answer, code = 0 } = JSON.parse(answer) as { message?: string; code?: number };
    return new EtcdError(`${what}: ${message}`, code);
  } catch {
    return new Error(`${what}: ${answer}`);
  }
}

interface RawMember {
  readonly ID: string;
  readonly name?: string;
  readonly peerURLs?: readonly string[];
  readonly isLearner?: boolean;
}

interface RawStatus {
  readonly header: { readonly cluster_id: string; readonly member_id: string; readonly revision?: string };
  readonly version: string;
  readonly leader?: string;
  readonly isLearner?: boolean;
}

interface RawChunk {
  readonly result?: { readonly remaining_bytes?: string; readonly blob?: string };
  readonly error?: { readonly message: string; readonly code?: number };
}
