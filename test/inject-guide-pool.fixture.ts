import { Logger, provider, token } from 'evenkeel';
import { dnsUrl } from './inject-guide.fixture.ts';

export interface Pool {
  query(host: string): Promise<string | undefined>;
  end(): Promise<void>;
}

/** Connects, and resolves when the connection works. */
export async function connect(url: string): Promise<Pool> {
  return { query: async (host) => `${url}/${host}`, end: async () => {} };
}

export const pool = token<Pool>('pool');

export const pools = provider({
  provide: pool,
  inject: [dnsUrl, Logger],
  useFactory: async (url, logger) => {
    const connected = await connect(url);
    logger.info('connected', { url });
    return connected;
  },
  dispose: (connected) => connected.end(),
});
