import { request } from 'node:http';
import { text } from 'node:stream/consumers';

const timeoutMs = 5000;

const encoded = (plain: string): string => Buffer.from(plain).toString('base64');

/** A client of an etcd cluster, as its users have one: it asks one member after the other. */
export class EtcdClient {
  /** Returns the addresses of the members, `ip:port`. */
  readonly #addresses: () => Promise<readonly string[]>;

  constructor(addresses: () => Promise<readonly string[]>) {
    this.#addresses = addresses;
  }

  async put(key: string, value: string): Promise<void> {
    await this.#call('v3/kv/put', { key: encoded(key), value: encoded(value) });
  }

  /** A linearizable read. */
  async get(key: string): Promise<string | undefined> {
    const { kvs = [] } = await this.#call<{ kvs?: { value?: string }[] }>('v3/kv/range', { key: encoded(key) });
    const [found] = kvs;
    return found && Buffer.from(found.value ?? '', 'base64').toString();
  }

  /** All keys and values. */
  async all(): Promise<Record<string, string>> {
    const range = { key: encoded('\0'), range_end: encoded('\0') };
    const { kvs = [] } = await this.#call<{ kvs?: { key: string; value?: string }[] }>('v3/kv/range', range);
    const decoded = (base64 = ''): string => Buffer.from(base64, 'base64').toString();
    return Object.fromEntries(kvs.map(({ key, value }) => [decoded(key), decoded(value)]));
  }

  /** Rejects if the last member that was asked did not respond, so that it is unknown whether the request was executed. */
  async #call<T>(path: string, body: object): Promise<T> {
    const addresses = await this.#addresses();
    let failure: unknown = new Error('no member is ready');
    for (const address of addresses) {
      try {
        return await send<T>(address, path, body);
      } catch (error) {
        failure = error;
        // A request that may have been executed must not be sent again, or an old value could follow a new one.
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
      }
    }
    throw failure;
  }
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
    sent.once('error', reject);
    sent.end(JSON.stringify(body));
  });
}
