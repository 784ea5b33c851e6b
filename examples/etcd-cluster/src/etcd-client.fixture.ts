import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** More than etcd takes to elect a leader. */
const timeoutMs = 3000;

const encoded = (plain: string): string => Buffer.from(plain).toString('base64');
const decoded = (base64 = ''): string => Buffer.from(base64, 'base64').toString();

/** The request has certainly not been executed. */
export class NotSentError extends Error {}

/** The value of a key, and the revision of the write that set it. */
export interface Found {
  readonly value: string;
  readonly revision: number;
}

/** A client of an etcd cluster, as its users have one. */
export class EtcdClient {
  /** Returns the address of a member, `ip:port`. */
  readonly #address: () => Promise<string>;

  constructor(address: () => Promise<string>) {
    this.#address = address;
  }

  /** Resolves to the revision of the write. If it rejects with another error than {@link NotSentError}, its outcome is unknown. */
  async put(key: string, value: string): Promise<number> {
    const { header } = await this.#call<{ header: Header }>('put', { key: encoded(key), value: encoded(value) });
    return Number(header.revision);
  }

  /** A linearizable read. */
  async get(key: string): Promise<Found | undefined> {
    const { kvs = [] } = await this.#call<Range>('range', { key: encoded(key) });
    const [found] = kvs;
    return found && { value: decoded(found.value), revision: Number(found.mod_revision) };
  }

  /** All keys, and the revision of the whole. */
  async all(): Promise<{ readonly revision: number; readonly found: ReadonlyMap<string, Found> }> {
    const { kvs = [], header } = await this.#call<Range>('range', { key: encoded('\0'), range_end: encoded('\0') });
    const found = kvs.map(
      (one) => [decoded(one.key), { value: decoded(one.value), revision: Number(one.mod_revision) }] as const,
    );
    return { revision: Number(header.revision), found: new Map(found) };
  }

  /** All values by their keys. */
  async values(): Promise<Record<string, string>> {
    const { found } = await this.all();
    return Object.fromEntries([...found].map(([key, { value }]) => [key, value]));
  }

  async #call<T>(method: string, body: object): Promise<T> {
    const address = await this.#address().catch((error: unknown) => {
      throw new NotSentError(String(error));
    });
    return await send<T>(address, `v3/kv/${method}`, body);
  }
}

interface Header {
  readonly revision: string;
}

interface Range {
  readonly header: Header;
  readonly kvs?: readonly { readonly key: string; readonly value?: string; readonly mod_revision: string }[];
}

async function send<T>(address: string, path: string, body: object): Promise<T> {
  const [host = '', port = ''] = address.split(':');
  return await new Promise<T>((resolve, reject) => {
    const sent = request(
      { host, port, path: `/${path}`, method: 'POST', agent: false, signal: AbortSignal.timeout(timeoutMs) },
      (response) => {
        text(response).then((answer) => {
          if (response.statusCode === 200) resolve(JSON.parse(answer) as T);
          else reject(new Error(`${path} of ${address}: ${answer}`));
        }, reject);
      },
    );
    sent.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ECONNREFUSED' ? new NotSentError(error.message) : error),
    );
    sent.end(JSON.stringify(body));
  });
}
