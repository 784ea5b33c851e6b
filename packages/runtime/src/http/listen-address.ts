import { EvenkeelError } from '@evenkeel/core';

export interface ListenAddress {
  /** Undefined: all of the machine's. */
  readonly host: string | undefined;
  /** 0 lets the system choose. */
  readonly port: number;
}

/**
 * Reads `:8081`, `127.0.0.1:8080`, `[::1]:8443` or `localhost:8080`. Undefined for `0` and `off`, which are controller-runtime's
 * word and a plain one for none. Throws `invalid-address` for anything else.
 */
export function parseListenAddress(text: string): ListenAddress | undefined {
  if (text === '0' || text === 'off') return undefined;
  const [, host = '', port = ''] = /^(|\[[\da-fA-F:.]{2,45}\]|[\w.-]{1,253}):(\d{1,5})$/.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) {
    throw new EvenkeelError(
      'invalid-address',
      `${JSON.stringify(text)} is no address to listen on; write :8080, 127.0.0.1:8080 or [::1]:8080, or 0 for none`,
    );
  }
  return { host: host === '' ? undefined : host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** Whether nobody outside of the machine, or the pod, reaches it. */
export function isLoopback({ host }: ListenAddress): boolean {
  return host === 'localhost' || host === '::1' || (host !== undefined && /^127(\.\d{1,3}){3}$/.test(host));
}

/** `[::1]:8443`, as people write it. */
export function addressText({ host = '', port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
